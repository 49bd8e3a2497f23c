//! Putting bytes in place so that nothing is lost: not by a crash, a full disk, or another process or user's change.

use std::io;
use std::path::{Path, PathBuf};

use super::lock::MARK;
use super::yaml::file_bytes;
use endpaper_text::atomic::{self, Existing};
use endpaper_text::files::{is_absent, refuse_links_below};

/// The bytes of a record's file as last read or written, `None` where there was no file. Saving compares with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot(pub Option<Vec<u8>>);

/// A record was saved.
#[derive(Clone, Debug)]
pub struct SavedRecord {
    /// The file, relative to the truth folder.
    pub path: PathBuf,
    /// What is in the file now.
    pub now: Snapshot,
    /// Whether anything was written; unchanged bytes are not.
    pub written: bool,
}

/// A record was not saved.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SaveError {
    /// Another process or user changed the record since it was read. Theirs is current, ours is kept in `kept`.
    #[error("another curator changed the record of '{book}'; yours is kept in '{}'", kept.display())]
    Conflict {
        /// The book.
        book: String,
        /// Where our version is.
        kept: PathBuf,
        /// Their bytes.
        theirs: Snapshot,
    },
    /// Another process or user changed the record since it was saved, so that it is not put back. Nothing was written.
    #[error("another curator has changed the record of '{book}' since; theirs is kept")]
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

/// The bytes of a file, `None` where there is no file.
pub(super) fn read_if_exists(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match file_bytes(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Keeps the version that was not saved, in the first free file of `.endpaper/conflicts/`.
pub(super) fn write_conflict_copy(folder: &Path, name: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let conflicts = folder.join(MARK).join("conflicts");
    let name = name.with_extension("");
    for number in 1u32.. {
        let mut file = conflicts.join(&name).into_os_string();
        file.push(format!(".{number}.yaml"));
        let path = PathBuf::from(file);
        if let Ok(below) = path.strip_prefix(folder) {
            refuse_links_below(folder, below)?;
        }
        match atomic::write_bytes(&path, Existing::Keep, bytes) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            done => return done.map(|()| path),
        }
    }
    Err(io::Error::other("too many conflicts wait; resolve some"))
}
