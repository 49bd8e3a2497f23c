//! Who may write, and who is reviewing: locks below the `.endpaper` folder of a truth folder.
//!
//! The system releases a lock when its process ends, however it ends, so that no stale lock remains. A file
//! system without locks is used without them.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use endpaper_text::atomic::{Existing, make_folder, write_bytes};
use endpaper_text::files::{open_lock, refuse_links_below};

/// The folder that marks a truth folder.
pub(super) const MARK: &str = ".endpaper";

/// How often a taken lock is tried again, and how long each wait is: two seconds in all.
const TRIES: u32 = 100;
const WAIT: Duration = Duration::from_millis(20);

/// The right to write; given back when dropped.
#[derive(Debug)]
pub(super) struct WriteLock {
    _file: File,
}

/// Takes the right to write into a truth folder, waiting shortly for others. Makes the folder and its mark if it may.
pub(super) fn write_lock(folder: &Path, may_make: bool) -> io::Result<WriteLock> {
    let mark = folder.join(MARK);
    refuse_links_below(folder, Path::new(MARK))?;
    if may_make {
        make_folder(&mark)?;
    }
    ignore_locks(&mark);
    let path = mark.join("lock");
    let named = |error: io::Error| match error.raw_os_error() {
        // What the system refuses is about the whole folder, and the reason must fit on a narrow screen.
        Some(_) => error,
        None => io::Error::new(
            error.kind(),
            format!("its lock '{}': {error}", path.display()),
        ),
    };
    let file = open_lock(&path).map_err(named)?;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => {
                return Ok(WriteLock { _file: file });
            }
            Err(TryLockError::WouldBlock) => thread::sleep(WAIT),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(WriteLock { _file: file });
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::WouldBlock,
        "another endpaper is writing to this truth folder and does not finish; try again",
    ))
}

/// Keeps the locks out of version control: they hold nothing, and belong to one machine. Without the file nothing is lost.
/// A process that was killed may have made the folder and not the file.
fn ignore_locks(mark: &Path) {
    let file = mark.join(".gitignore");
    if mark.is_dir() && file.symlink_metadata().is_err() {
        let _ = write_bytes(&file, Existing::Keep, b"lock\nreviewing.lock\n");
    }
}

/// That this process is reviewing, for as long as it is kept.
#[derive(Debug)]
pub struct Announcement {
    _file: Option<File>,
    other: Option<u32>,
}

impl Announcement {
    /// The process that was reviewing already when this one came: 0 where its number could not be read.
    pub fn other_process(&self) -> Option<u32> {
        self.other
    }
}

/// Announces that this process is reviewing. Never fails: a folder that cannot be locked is reviewed unannounced.
pub(super) fn announce(folder: &Path) -> Announcement {
    let path = folder.join(MARK).join("reviewing.lock");
    let opened = refuse_links_below(folder, Path::new(MARK)).and_then(|()| open_lock(&path));
    let Ok(mut file) = opened else {
        return Announcement {
            _file: None,
            other: None,
        };
    };
    let other = match file.try_lock() {
        Ok(()) => {
            // The number serves a message only; a lock without one does its work.
            let _ = file
                .set_len(0)
                .and_then(|()| writeln!(file, "{}", std::process::id()));
            None
        }
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let _ = (&file).take(32).read_to_string(&mut text);
            Some(text.trim().parse().unwrap_or(0))
        }
        Err(TryLockError::Error(_)) => None,
    };
    Announcement {
        _file: Some(file),
        other,
    }
}
