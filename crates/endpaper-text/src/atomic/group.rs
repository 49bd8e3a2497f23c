//! Group commit: many files are flushed at once, and only then given their names.
//!
//! Two flushes for each of thousands of files would take longer than everything else. Whatever is interrupted, by a signal or a
//! power cut, no file has its name before its bytes are on disk.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{
    Existing, create_temporary_beside, flush_folder, folder_of, keep_permissions, make_folder_and,
    rename,
};

/// A file with all its bytes under a temporary name. It is removed when dropped.
#[derive(Debug)]
pub struct UnnamedFile {
    temporary: NamedTempFile,
    path: PathBuf,
    existing: Existing,
}

impl UnnamedFile {
    /// Writes the bytes of the file that is to be at `path`. Creates its folder and those above.
    ///
    /// # Errors
    ///
    /// The error does not name the file; no temporary file is left.
    pub fn write(path: &Path, existing: Existing, bytes: &[u8]) -> io::Result<UnnamedFile> {
        make_folder_and(folder_of(path), &|_| Ok(()))?;
        let mut temporary = create_temporary_beside(path)?;
        temporary.write_all(bytes)?;
        keep_permissions(&temporary, path, existing)?;
        Ok(UnnamedFile {
            temporary,
            path: path.to_owned(),
            existing,
        })
    }
}

/// Names files in groups, and remembers their folders.
#[derive(Debug, Default)]
pub struct GroupCommit {
    folders: BTreeSet<PathBuf>,
}

impl GroupCommit {
    /// Flushes files together, and gives each its name. Returns what became of each, in their order.
    pub fn publish(&mut self, files: Vec<UnnamedFile>) -> Vec<io::Result<()>> {
        let folders = files.iter().map(|file| folder_of(&file.path));
        let folders: BTreeSet<&Path> = folders.collect();
        // The files are flushed one by one in any case.
        let _ = flush_file_systems(&folders);
        for folder in folders {
            self.add_folder(folder);
        }
        let publish = |file: UnnamedFile| {
            // Cheap after the flush of all. It shows which file cannot be flushed, and is what counts where a file system does
            // not pass the flush of all on, or the kernel does not report that it failed.
            file.temporary.as_file().sync_all()?;
            rename(file.temporary, &file.path, file.existing)
        };
        files.into_iter().map(publish).collect()
    }

    /// Adds the folder of a file that was there already; an interrupted run may have left it unflushed.
    pub fn add_existing(&mut self, path: &Path) {
        self.add_folder(folder_of(path));
    }

    fn add_folder(&mut self, folder: &Path) {
        if !self.folders.contains(folder) {
            self.folders.insert(folder.to_owned());
        }
    }

    /// Flushes the folders with the new names. What says that the files are there may be written after this.
    ///
    /// # Errors
    ///
    /// A folder cannot be flushed.
    pub fn finish(self) -> io::Result<()> {
        let folders = self.folders.iter().map(PathBuf::as_path).collect();
        if flush_file_systems(&folders).is_ok() {
            return Ok(());
        }
        flush_each(&folders)
    }
}

/// Flushes folders one by one, and those above, which may be new too.
fn flush_each(folders: &BTreeSet<&Path>) -> io::Result<()> {
    let all = folders.iter().flat_map(|folder| folder.ancestors());
    let all: BTreeSet<&Path> = all.collect();
    all.into_iter().try_for_each(|folder| match folder {
        folder if folder.as_os_str().is_empty() => flush_folder(Path::new(".")),
        folder => flush_folder(folder),
    })
}

/// How many files this process may have open.
pub fn open_file_limit() -> usize {
    #[cfg(unix)]
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    // The usual limit of other systems.
    #[cfg(not(unix))]
    let limit = Some(512);
    limit.map_or(usize::MAX, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    })
}

/// Flushes the file systems that folders are on, each once.
#[cfg(target_os = "linux")]
fn flush_file_systems(folders: &BTreeSet<&Path>) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;

    let mut flushed = BTreeSet::new();
    for folder in folders {
        if flushed.insert(std::fs::metadata(folder)?.dev()) {
            rustix::fs::syncfs(std::fs::File::open(folder)?)?;
        }
    }
    Ok(())
}

/// Other systems cannot flush a file system and wait for it.
#[cfg(not(target_os = "linux"))]
fn flush_file_systems(_: &BTreeSet<&Path>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_have_their_names_after_the_commit_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("taken"), "mine").unwrap();
        let names = ["new/deep/a", "b", "taken", "new/c"];
        let files = names
            .map(|name| UnnamedFile::write(&at(name), Existing::Keep, name.as_bytes()).unwrap());
        assert!(!at("b").exists());
        let mut commit = GroupCommit::default();
        let results = commit.publish(files.into());
        let kinds: Vec<_> = results
            .iter()
            .map(|result| result.as_ref().err().map(io::Error::kind))
            .collect();
        assert_eq!(
            kinds,
            [None, None, Some(io::ErrorKind::AlreadyExists), None]
        );
        commit.finish().unwrap();
        for (name, expected) in [("new/deep/a", "new/deep/a"), ("b", "b"), ("taken", "mine")] {
            assert_eq!(fs::read_to_string(at(name)).unwrap(), expected);
        }
        // No temporary file is left, also not that of the file that could not be named.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn folders_are_flushed_one_by_one_where_the_file_system_cannot_be() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("new/deep");
        fs::create_dir_all(&deep).unwrap();
        // A relative folder ends in the current one, whose name is empty.
        flush_each(&[deep.as_path(), Path::new("src")].into()).unwrap();
        fs::remove_dir(&deep).unwrap();
        let error = flush_each(&[deep.as_path()].into()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn file_that_is_not_named_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        drop(UnnamedFile::write(&folder.path().join("a"), Existing::Keep, b"a").unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link_that_appears_before_the_commit() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("precious"), "precious").unwrap();
        for existing in [Existing::Keep, Existing::Replace] {
            let file = UnnamedFile::write(&at("a"), existing, b"new").unwrap();
            std::os::unix::fs::symlink(at("precious"), at("a")).unwrap();
            let results = GroupCommit::default().publish(vec![file]);
            let error = results[0].as_ref().unwrap_err().to_string();
            assert!(error.starts_with("is a symbolic link"), "{error}");
            assert!(at("a").is_symlink());
            fs::remove_file(at("a")).unwrap();
        }
        assert_eq!(fs::read(at("precious")).unwrap(), b"precious");
    }
}
