//! What tells whether a file changed.

use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::UNIX_EPOCH;
use std::{fs, io};

/// What tells whether a file changed since it was last read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileStamp {
    /// Size of the file on disk (of the archive, for a member), in bytes.
    pub size: u64,
    /// Time of its last change, in nanoseconds since 1970 (0 if the system does not tell).
    pub modified: i128,
}

impl FileStamp {
    /// The state of a file now.
    ///
    /// # Errors
    ///
    /// The file is not there or may not be examined.
    pub fn of(path: &Path) -> io::Result<FileStamp> {
        let facts = fs::metadata(path)?;
        let modified =
            facts
                .modified()
                .ok()
                .map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
                    Ok(after) => after.as_nanos() as i128,
                    Err(before) => -(before.duration().as_nanos() as i128),
                });
        Ok(FileStamp {
            size: facts.len(),
            modified,
        })
    }
}
