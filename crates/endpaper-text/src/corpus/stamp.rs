//! File stamps, which show whether a file changed.

use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::UNIX_EPOCH;
use std::{fs, io};

/// The size and modification time of a file, to detect changes since it was last read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileStamp {
    /// Size of the file on disk (of the archive, for a member), in bytes.
    pub size: u64,
    /// Time of its last change, in nanoseconds since 1970 (0 if the system does not provide it).
    pub modified: i128,
}

impl FileStamp {
    /// The current stamp of a file.
    ///
    /// # Errors
    ///
    /// The file does not exist or its metadata cannot be read.
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
