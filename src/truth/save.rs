//! Putting bytes in place so that nothing is lost: not by a crash, a full disk, or somebody else's change.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Snapshot;
use super::lock::MARK;

/// A record was saved.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The file, relative to the truth folder.
    pub path: PathBuf,
    /// What stands in the file now.
    pub now: Snapshot,
    /// Whether anything was written; unchanged bytes are not.
    pub written: bool,
}

/// A record was not saved.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SaveError {
    /// Somebody else changed the record since it was read. Theirs is in force, ours is kept in `kept`.
    #[error("somebody else changed the record of '{book}'; yours is kept in '{}'", kept.display())]
    Conflict {
        /// The book.
        book: String,
        /// Where our version is.
        kept: PathBuf,
        /// Their bytes.
        theirs: Snapshot,
    },
    /// Somebody else changed the record since it was saved, so that it is not put back. Nothing was written.
    #[error("somebody else changed the record of '{book}' since; it stays as they left it")]
    Changed {
        /// The book.
        book: String,
        /// Their bytes.
        theirs: Snapshot,
    },
    /// The system refused.
    #[error("'{}' cannot be saved: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// How temporary files begin and end. No record's name begins with a dot, so none is ever taken for one.
const TEMPORARY: (&str, &str) = (".endpaper-", ".tmp");

/// The bytes of a file, `None` where there is no file.
pub(super) fn current(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// No such file, or a file where one of its folders would be.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Puts bytes in a file at once: whoever looks, sees the old bytes or the new ones. A link is followed, the
/// permissions of an existing file are kept, and all is flushed to the disk before this returns.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = target(path)?;
    let folder = folder_of(&target);
    make_folder(folder)?;
    let temporary = temporary(folder, bytes)?;
    if let Ok(existing) = fs::metadata(&target) {
        fs::set_permissions(temporary.path(), existing.permissions())?;
    }
    temporary.persist(&target).map_err(|error| error.error)?;
    flush_folder(folder)
}

/// Puts bytes in a new file that must not exist yet.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = folder_of(path);
    make_folder(folder)?;
    let temporary = temporary(folder, bytes)?;
    temporary
        .persist_noclobber(path)
        .map_err(|error| error.error)?;
    flush_folder(folder)
}

/// Removes a file and flushes its folder.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Ok(()) => flush_folder(folder_of(path)),
        Err(error) if is_absent(&error) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Keeps the version that was not saved, in the first free file of `.endpaper/conflicts/`.
pub(super) fn keep_aside(folder: &Path, name: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let conflicts = folder.join(MARK).join("conflicts");
    let name = name.with_extension("");
    for number in 1u32.. {
        let mut file = conflicts.join(&name).into_os_string();
        file.push(format!(".{number}.yaml"));
        let path = PathBuf::from(file);
        match create(&path, bytes) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            done => return done.map(|()| path),
        }
    }
    Err(io::Error::other("too many conflicts wait; resolve some"))
}

/// Whether a file name is a temporary file's.
pub(super) fn is_temporary(name: &OsStr) -> bool {
    let (start, end) = TEMPORARY;
    name.to_str()
        .is_some_and(|name| name.starts_with(start) && name.ends_with(end))
}

fn temporary(folder: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    // The system takes the umask off, as for any new file; temporary files alone would be 0600.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut temporary = builder.tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.as_file().sync_all()?;
    Ok(temporary)
}

/// Where a link leads, or the path itself: renaming over a link would replace the link.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path)
            .map_err(|error| io::Error::new(error.kind(), "is a link that leads nowhere")),
        _ => Ok(path.to_owned()),
    }
}

/// Makes a folder and those above it, each of them to last through a power cut.
fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    make_folder(folder_of(folder))?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(io::Error::new(
            io::ErrorKind::NotADirectory,
            format!("'{}' is a file where a folder is needed", folder.display()),
        )),
        Err(error) => Err(error),
        Ok(()) => flush_folder(folder_of(folder)),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Makes a rename last through a power cut. Only Unix can open a folder to flush it.
fn flush_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            // Some network file systems cannot flush a folder; the rename itself was done.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            done => done,
        }
    } else {
        Ok(())
    }
}
