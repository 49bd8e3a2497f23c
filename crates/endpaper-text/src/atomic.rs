//! Atomic, durable writes: every file that the program keeps is written here.
//!
//! A file is written next to its final path under a temporary name, flushed, and renamed. [`group`] flushes many files at
//! once; caches, which can be made again, are not flushed. Symbolic links are never written through, and only regular files are
//! replaced. A new file gets the permissions that the umask leaves, a replaced one keeps its own. Temporary files are locked while they are written, so that
//! the leftovers of a killed process can be distinguished from files still being written, and removed.

pub mod group;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

use crate::files::{is_absent, open_regular, refuse_irregular};

/// Prefix and suffix of temporary file names. No file of a book or a record begins with a dot.
const TEMPORARY: (&str, &str) = (".endpaper-", ".tmp");

/// On a file system without locks, a temporary file counts as abandoned after this time.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// Whether writing replaces an existing file of the same name, or fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is kept, and writing fails with [`io::ErrorKind::AlreadyExists`].
    Keep,
    /// It is replaced.
    Replace,
}

impl Existing {
    /// The rule of every command: existing files are replaced only with `--force`.
    pub fn unless_forced(force: bool) -> Existing {
        match force {
            true => Existing::Replace,
            false => Existing::Keep,
        }
    }
}

/// Writes a file atomically from a stream. Its folder must exist.
///
/// # Errors
///
/// The error names the file; no temporary file is left.
pub fn write(
    path: &Path,
    existing: Existing,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let attempt = || publish(write_temporary(path, contents)?, path, existing);
    attempt().with_context(|| write_error_prefix(path))
}

/// Writes or replaces the file of a cache atomically from a stream. It is not flushed: a power cut may leave any bytes in it,
/// which its checksum must reveal. Its folder must exist.
///
/// # Errors
///
/// The error names the file; no temporary file is left.
pub fn write_cache(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let attempt = || publish_cache(write_temporary(path, contents)?, path);
    attempt().with_context(|| write_error_prefix(path))
}

/// Writes a temporary file for [`publish`] from a stream.
fn write_temporary(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<NamedTempFile> {
    let mut writer = BufWriter::new(create_temporary_beside(path)?);
    contents(&mut writer)?;
    writer.into_inner().map_err(|error| error.into_error())
}

/// Writes a file atomically: readers see either the old bytes or the new ones. Creates its folder and those above.
///
/// # Errors
///
/// The error does not name the file; no temporary file is left.
pub fn write_bytes(path: &Path, existing: Existing, bytes: &[u8]) -> io::Result<()> {
    make_folder(folder_of(path))?;
    let mut file = create_temporary_beside(path)?;
    file.write_all(bytes)?;
    publish(file, path, existing)
}

/// The beginning of the message that a file cannot be written.
pub fn write_error_prefix(path: &Path) -> String {
    format!("'{}' cannot be written", path.display())
}

/// Creates an empty, locked temporary file in the folder of `path`, for [`publish`].
pub fn create_temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = folder_of(path);
    sweep_folder_once(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    // By default temporary files are private; the umask still applies to this mode, as for any new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let file = builder.tempfile_in(folder).map_err(without_path)?;
        // Where locks are not supported, the file is written anyway.
        let _ = file.as_file().lock();
        // Another process may have removed the file before it was locked.
        if file.path().exists() {
            return Ok(file);
        }
    }
}

/// Flushes a temporary file to disk, renames it to `path`, and flushes the folder.
pub fn publish(file: NamedTempFile, path: &Path, existing: Existing) -> io::Result<()> {
    keep_permissions(&file, path, existing)?;
    file.as_file().sync_all()?;
    rename(file, path, existing)?;
    flush_folder(folder_of(path))
}

/// Renames a temporary file to the file of a cache, which it replaces; see [`write_cache`].
pub fn publish_cache(file: NamedTempFile, path: &Path) -> io::Result<()> {
    keep_permissions(&file, path, Existing::Replace)?;
    rename(file, path, Existing::Replace)
}

/// Gives a temporary file the permissions of the file that it replaces.
fn keep_permissions(file: &NamedTempFile, path: &Path, existing: Existing) -> io::Result<()> {
    refuse_irregular(path)?;
    if existing == Existing::Keep {
        return Ok(());
    }
    match fs::metadata(path) {
        Ok(found) => fs::set_permissions(file.path(), found.permissions()),
        Err(_) => Ok(()),
    }
}

/// Renames a temporary file to `path`.
fn rename(file: NamedTempFile, path: &Path, existing: Existing) -> io::Result<()> {
    refuse_irregular(path)?;
    let named = match existing {
        Existing::Replace => file.persist(path),
        Existing::Keep => match file.persist_noclobber(path) {
            // Some network file systems support neither hard links nor a rename that does not replace.
            Err(failed) if cannot_keep(&failed.error) && path.symlink_metadata().is_err() => {
                failed.file.persist(path)
            }
            named => named,
        },
    };
    named.map(drop).map_err(|error| without_path(error.error))
}

/// Whether the error may mean that the file system cannot rename without replacing.
fn cannot_keep(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
    )
}

/// Creates a folder and those above it, durably.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    make_folder_and(folder, &flush_folder)
}

/// Creates a folder and those above it, and calls `made` with the folder that each is in.
fn make_folder_and(folder: &Path, made: &dyn Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    make_folder_and(folder_of(folder), made)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(io::Error::new(
            io::ErrorKind::NotADirectory,
            match folder.is_symlink() {
                true => format!(
                    "'{}' is a symbolic link whose target does not exist; remove it",
                    folder.display()
                ),
                false => format!("'{}' is a file where a folder is needed", folder.display()),
            },
        )),
        Err(error) => Err(error),
        Ok(()) => made(folder_of(folder)),
    }
}

/// Removes a file, if it exists, and flushes its folder.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Ok(()) => flush_folder(folder_of(path)),
        Err(error) if is_absent(&error) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether a file name is that of a temporary file.
pub fn is_temporary(name: &OsStr) -> bool {
    let (start, end) = TEMPORARY;
    let name = name.as_encoded_bytes();
    name.starts_with(start.as_bytes()) && name.ends_with(end.as_bytes())
}

/// Removes abandoned temporary files the first time that this process writes into a folder; not each time, as a folder
/// may hold the bodies of 60,000 books.
pub fn sweep_folder_once(folder: &Path) {
    static SWEPT: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    let first = SWEPT
        .lock()
        .is_ok_and(|mut swept| swept.get_or_insert_default().insert(folder.to_owned()));
    if first {
        sweep(folder);
    }
}

/// Removes the temporary files that killed processes left in a folder. Failures are harmless and ignored.
fn sweep(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_temporary(&entry.file_name())) {
        remove_abandoned(&entry.path());
    }
}

/// Removes a temporary file that no process is writing any more.
pub fn remove_abandoned(path: &Path) {
    // Its lock is held until it is removed, so that no process begins to write into it.
    if let Some(_lock) = lock_abandoned(path) {
        let _ = fs::remove_file(path);
    }
}

/// Opens and locks a temporary file that no process is writing any more.
pub fn lock_abandoned(path: &Path) -> Option<File> {
    if path.is_symlink() {
        return None;
    }
    open_regular(path).ok().filter(is_abandoned)
}

/// Whether no process is writing a temporary file any more: a lock ends with the process that holds it.
fn is_abandoned(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => {
            let written = file.metadata().and_then(|facts| facts.modified());
            let age = written.map(|at| SystemTime::now().duration_since(at).unwrap_or_default());
            age.is_ok_and(|age| age > ABANDONED)
        }
    }
}

/// Removes the path of the temporary file, which the user never named, from an error of `tempfile`.
fn without_path(error: io::Error) -> io::Error {
    let reason = error.to_string();
    match reason.split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

/// The folder of a path; `.` for a bare name.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Makes a rename durable. Only Unix can open a folder to flush it.
fn flush_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            // Some network file systems cannot flush a folder, and a folder without read permission cannot be opened; the
            // rename itself succeeded.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput
                        | io::ErrorKind::Unsupported
                        | io::ErrorKind::PermissionDenied
                ) =>
            {
                Ok(())
            }
            done => done,
        }
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.model");
        write(&path, Existing::Keep, |out| out.write_all(b"old")).unwrap();
        let error = write(&path, Existing::Replace, |out| {
            out.write_all(b"new")?;
            Err(io::Error::other("disk full"))
        });
        assert!(error.unwrap_err().to_string().contains("a.model"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.model"]);
    }

    #[test]
    fn an_existing_file_is_kept_unless_it_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/deep/a");
        write_bytes(&path, Existing::Keep, b"old").unwrap();
        let error = write_bytes(&path, Existing::Keep, b"new").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert!(!error.to_string().contains(".tmp"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write_bytes(&path, Existing::Replace, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(path.parent().unwrap()), ["a"]);
    }

    #[test]
    fn abandoned_temporary_files_are_swept_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let busy = create_temporary_beside(&at("a")).unwrap();
        for name in [
            ".endpaper-x1.tmp",
            ".endpaper-x2",
            "endpaper-x3.tmp",
            ".x.tmp",
        ] {
            fs::write(at(name), "half").unwrap();
        }
        fs::create_dir(at(".endpaper-folder.tmp")).unwrap();
        sweep(folder.path());
        let busy_name = busy.path().file_name().unwrap().to_str().unwrap();
        let mut expected = [
            ".endpaper-folder.tmp",
            ".endpaper-x2",
            "endpaper-x3.tmp",
            ".x.tmp",
            busy_name,
        ];
        expected.sort();
        assert_eq!(names(folder.path()), expected);
    }

    #[test]
    fn the_first_write_into_a_folder_sweeps_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".endpaper-x1.tmp"), "half").unwrap();
        write_bytes(&folder.path().join("a"), Existing::Keep, b"whole").unwrap();
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{PermissionsExt, symlink};

        use super::*;

        #[test]
        fn nothing_is_written_through_a_link_or_over_it() {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            fs::write(at("precious"), "precious").unwrap();
            symlink(at("precious"), at("link")).unwrap();
            symlink(at("nowhere"), at("dangling")).unwrap();
            for existing in [Existing::Keep, Existing::Replace] {
                for name in ["link", "dangling"] {
                    let error = write_bytes(&at(name), existing, b"new")
                        .unwrap_err()
                        .to_string();
                    assert!(error.starts_with("is a symbolic link"), "{error}");
                    assert!(at(name).is_symlink());
                }
            }
            assert_eq!(fs::read(at("precious")).unwrap(), b"precious");
            assert!(!at("nowhere").exists());
        }

        #[test]
        fn what_is_no_file_is_never_replaced() {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
            fs::create_dir(at("folder")).unwrap();
            symlink(at("nowhere"), at("dangling")).unwrap();
            for existing in [Existing::Keep, Existing::Replace] {
                for (name, reason) in [("socket", "is a pipe, a device"), ("folder", "is a folder")]
                {
                    let error = write_bytes(&at(name), existing, b"new").unwrap_err();
                    assert!(error.to_string().starts_with(reason), "{error}");
                }
            }
            let error = write_bytes(&at("dangling/a"), Existing::Keep, b"new").unwrap_err();
            assert!(
                error.to_string().ends_with("does not exist; remove it"),
                "{error}"
            );
            assert_eq!(names(folder.path()), ["dangling", "folder", "socket"]);
        }

        #[test]
        fn permissions_of_a_replaced_file_are_kept() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a");
            let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            write_bytes(&path, Existing::Keep, b"old").unwrap();
            // The mode that the umask leaves to any new file.
            File::create(folder.path().join("b")).unwrap();
            let other = fs::metadata(folder.path().join("b")).unwrap();
            assert_eq!(mode(), other.permissions().mode() & 0o777);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            write_bytes(&path, Existing::Replace, b"new").unwrap();
            assert_eq!(mode(), 0o640);
        }
    }
}
