//! Whether the truth folder is still there.
//!
//! A share that was unmounted, or a folder that was moved away, leaves an empty place. Making the folder again there would
//! hide every record written into it as soon as the share comes back: such a folder is gone, and nothing is written.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::lock::MARK;

/// How a truth folder is recognised, so that another one in its place is not taken for it.
#[derive(Debug)]
pub(super) struct FolderGuard {
    /// Its mark was there: it is the folder as long as there is one with a mark.
    has_marker: AtomicBool,
    /// The folder that was there, without a mark.
    identity: Option<FolderIdentity>,
}

impl FolderGuard {
    /// Looks at a folder, which need not exist.
    pub(super) fn look_at(folder: &Path) -> FolderGuard {
        FolderGuard {
            has_marker: AtomicBool::new(folder.join(MARK).is_dir()),
            identity: FolderIdentity::of(folder),
        }
    }

    /// Its mark is there now.
    pub(super) fn set_marked(&self) {
        self.has_marker.store(true, Ordering::Release);
    }

    /// Fails if the folder was there and is not any longer; answers whether it may be made.
    pub(super) fn check_present(&self, folder: &Path) -> io::Result<bool> {
        // Read first: another thread may make the folder between the two.
        let was_marked = self.has_marker.load(Ordering::Acquire);
        if folder.join(MARK).is_dir() {
            self.set_marked();
            return Ok(false);
        }
        let known = match &self.identity {
            _ if was_marked => false,
            None => true,
            same => *same == FolderIdentity::of(folder),
        };
        if known {
            return Ok(true);
        }
        Err(io::Error::new(
            io::ErrorKind::NotFound,
            "the truth folder is gone (unmounted, or moved?); bring it back",
        ))
    }
}

/// Device and inode of a folder, which distinguish it from another of the same name.
#[derive(Debug, PartialEq, Eq)]
struct FolderIdentity(u64, u64);

impl FolderIdentity {
    /// The identity of a folder, its device and inode; `None` if it is missing.
    #[cfg(unix)]
    fn of(folder: &Path) -> Option<FolderIdentity> {
        use std::os::unix::fs::MetadataExt;
        let found = fs::metadata(folder).ok()?;
        Some(FolderIdentity(found.dev(), found.ino()))
    }

    /// Elsewhere folders are distinguished by being there.
    #[cfg(not(unix))]
    fn of(folder: &Path) -> Option<FolderIdentity> {
        fs::metadata(folder).ok().map(|_| FolderIdentity(0, 0))
    }
}
