//! The folder of an index: what wrote it, who is writing it, and whether it is as it was written.
//!
//! | name | what |
//! | --- | --- |
//! | `endpaper-search.json` | the program, the format, and a seal |
//! | `lock` | locked by whoever writes; a lock goes with its process, so that none is ever left over |
//! | `index/` | the files of the index itself |
//!
//! The seal is a hash over names, sizes and times of the files as they were when they were last known to be whole. Where
//! it does not fit (a run was killed, a disk was copied, somebody touched a file), all checksums are looked at before the
//! index is believed.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Problem;
use crate::checksum::crc64;
use crate::corpus::Stamp;

/// Changes with what is in the index: fields, terms, what is kept of a book.
const FORMAT: u32 = 1;

const ABOUT: &str = "endpaper-search.json";

/// How often a lock is asked for, and how long it is waited between: another process may be looking at checksums.
const ATTEMPTS: (u32, Duration) = (20, Duration::from_millis(50));

/// The folder of an index.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

/// What a folder says of its index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct About {
    endpaper: String,
    format: u32,
    index: String,
    seal: u64,
}

impl About {
    fn now(seal: u64) -> About {
        About {
            endpaper: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            index: tantivy::version_string().to_owned(),
            seal,
        }
    }

    fn is_readable(&self) -> bool {
        *self == About::now(self.seal)
    }

    fn version(&self) -> String {
        format!(
            "endpaper {} ({}, format {})",
            self.endpaper, self.index, self.format
        )
    }
}

/// A temporary file of a run that was killed while it made the folder.
fn is_left_over(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".endpaper-")
}

impl Folder {
    pub fn new(path: &Path) -> Folder {
        Folder {
            path: path.to_owned(),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the files of the index are.
    pub fn files(&self) -> PathBuf {
        self.path.join("index")
    }

    pub fn io(&self, done: &'static str, error: io::Error) -> Problem {
        Problem::Io {
            folder: self.path.clone(),
            done,
            error,
        }
    }

    /// Whether there is an index that this program wrote.
    pub fn check(&self) -> Result<(), Problem> {
        let about = self.about()?;
        if !about.is_readable() {
            return Err(Problem::OtherVersion {
                found: about.version(),
            });
        }
        match self.files().join("meta.json").try_exists() {
            Ok(true) => Ok(()),
            Ok(false) => Err(Problem::Broken("it has no list of its files".to_owned())),
            Err(error) => Err(self.io("read", error)),
        }
    }

    fn about(&self) -> Result<About, Problem> {
        let bytes = match fs::read(self.path.join(ABOUT)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(self.nothing());
            }
            Err(error) => return Err(self.io("read", error)),
        };
        let about = serde_json::from_slice(&bytes);
        about.map_err(|_| Problem::Broken(format!("{ABOUT} is not readable")))
    }

    /// Why there is no index.
    fn nothing(&self) -> Problem {
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return self.io("read", error),
            entries => entries.into_iter().flatten().flatten(),
        };
        let mut others = entries.filter(|entry| !is_left_over(&entry.file_name()));
        match others.next() {
            Some(_) => Problem::Foreign(self.path.clone()),
            None => Problem::Missing(self.path.clone()),
        }
    }

    /// Makes the folder ready for a new index: what an old one left is removed, nothing else ever is.
    pub fn clear(&self, _held: &File) -> Result<(), Problem> {
        let files = self.files();
        match fs::remove_dir_all(&files) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(self.io("removed", error));
            }
            _ => {}
        }
        self.write(&About::now(0))?;
        fs::create_dir_all(&files).map_err(|error| self.io("written", error))
    }

    /// Makes the folder, if there is none, and says whose it is.
    pub fn claim(&self) -> Result<(), Problem> {
        match self.about() {
            Err(Problem::Missing(_)) => {
                fs::create_dir_all(&self.path).map_err(|error| self.io("written", error))?;
                self.write(&About::now(0))
            }
            Err(problem @ (Problem::Foreign(_) | Problem::Io { .. })) => Err(problem),
            _ => Ok(()),
        }
    }

    /// Locks the folder for writing.
    pub fn lock(&self) -> Result<File, Problem> {
        let file = self
            .lock_file()
            .map_err(|error| self.io("written", error))?;
        for _ in 0..ATTEMPTS.0 {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => std::thread::sleep(ATTEMPTS.1),
                Err(TryLockError::Error(error)) => return Err(self.io("locked", error)),
            }
        }
        Err(Problem::Busy(self.path.clone()))
    }

    /// Keeps writers away, unless there is one.
    pub fn hold(&self) -> Option<File> {
        let file = self.lock_file().ok()?;
        file.try_lock_shared().ok().map(|()| file)
    }

    fn lock_file(&self) -> io::Result<File> {
        let path = self.path.join("lock");
        let made = File::options().create(true).append(true).open(&path);
        // Also in a folder that may only be read.
        made.or_else(|error| File::open(&path).map_err(|_| error))
    }

    /// Whether the files are those that were sealed.
    pub fn is_sealed(&self) -> bool {
        let seal = self.about().map(|about| about.seal);
        seal.is_ok_and(|seal| seal != 0 && seal == self.seal_now())
    }

    /// Notes that the files are whole. A folder that cannot be written stays unsealed: its checksums are looked at again.
    pub fn seal(&self) {
        let _ = self.write(&About::now(self.seal_now()));
    }

    fn seal_now(&self) -> u64 {
        let entries = fs::read_dir(self.files()).into_iter().flatten().flatten();
        let files = entries.filter_map(|entry| {
            let name = entry.file_name();
            let lock = name.as_encoded_bytes().ends_with(b".lock");
            let stamp = Stamp::of(&entry.path()).ok().filter(|_| !lock)?;
            Some((
                name.as_encoded_bytes().to_owned(),
                stamp.size,
                stamp.modified,
            ))
        });
        let mut files: Vec<_> = files.collect();
        files.sort();
        let bytes = postcard::to_allocvec(&files).unwrap_or_default();
        crc64(&bytes)
    }

    fn write(&self, about: &About) -> Result<(), Problem> {
        let text = serde_json::to_vec_pretty(about).unwrap_or_default();
        let written = crate::atomic::write(
            &self.path.join(ABOUT),
            crate::atomic::Existing::Replace,
            |out| out.write_all(&text),
        );
        written.map_err(|error| self.io("written", io::Error::other(error.to_string())))
    }

    /// The size of all files in bytes.
    pub fn size(&self) -> u64 {
        let entries = fs::read_dir(self.files()).into_iter().flatten().flatten();
        let sizes = entries.filter_map(|entry| entry.metadata().ok().map(|facts| facts.len()));
        sizes.sum()
    }
}
