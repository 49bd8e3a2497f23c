//! The folder of an index: its version, its locks, and the checksums of its files.
//!
//! | name | contents |
//! | --- | --- |
//! | `endpaper-search.json` | the program, the format, and every file of the index with its size and checksum |
//! | `lock` | locked by the writing process; the lock ends with the process, so it never becomes stale |
//! | `asked` | exists while the index is being opened or queried; a crash leaves it behind |
//! | `index/` | the files of Tantivy |
//!
//! Tantivy trusts the contents of its files, down to how much memory to allocate, and a process that allocates too much
//! is killed. So every file is compared with its checksum before any is opened. This is not repeated for files whose
//! stamp (size, times, inode) is unchanged, unless a crash left `asked` behind. Files of a writer that was killed are not
//! listed yet; they are compared with the checksums that Tantivy writes at their ends.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::IndexProblem;
use endpaper_text::checksum::{ChecksumWriter, crc64};
use endpaper_text::corpus::FileStamp;
use endpaper_text::files::{open_lock, open_regular, read_at_most};

/// Must change with the contents of the index: fields, terms, stored data.
const FORMAT: u32 = 3;

const ABOUT: &str = "endpaper-search.json";
/// Tantivy's own list of the files.
const META: &str = "meta.json";
const LOCK: &str = "lock";
const QUERY_MARK: &str = "asked";

/// How often taking a lock is tried, and the pause between attempts: another process may be verifying checksums.
const ATTEMPTS: (u32, Duration) = (20, Duration::from_millis(50));

/// The folder of an index, by its path: locks it, and checks and writes its list of files.
#[derive(Clone, Debug)]
pub(super) struct IndexFolder {
    path: PathBuf,
}

/// The contents of `endpaper-search.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct IndexInfo {
    endpaper: String,
    format: u32,
    index: String,
    state: FolderState,
    /// Checksum of the state and the files.
    seal: u64,
    files: Vec<SealedFile>,
}

/// How the last process left the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FolderState {
    /// Complete: all its files are listed.
    Whole,
    /// A process began to write and has not finished.
    Writing,
    /// Found to be damaged.
    Damaged,
}

/// A file of the index, as it was when the index was sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SealedFile {
    name: String,
    size: u64,
    /// CRC-64/XZ of its bytes.
    crc: u64,
    /// Hash of its metadata (see [`stamp`]), to detect changes without reading it.
    stamp: u64,
}

impl SealedFile {
    /// Describes a file as it is now. Its checksum is taken from `known` if the stamp is unchanged.
    fn of(path: &Path, name: String, known: &[SealedFile]) -> io::Result<SealedFile> {
        let stamp = stamp(path)?;
        if let Some(same) = known
            .iter()
            .find(|file| file.name == name && file.stamp == stamp)
        {
            return Ok(same.clone());
        }
        let mut file = BufReader::with_capacity(1 << 18, open_regular(path)?);
        let mut sum = ChecksumWriter::new(io::sink());
        let size = io::copy(&mut file, &mut sum)?;
        Ok(SealedFile {
            name,
            size,
            crc: sum.end().1,
            stamp,
        })
    }

    /// Whether size and checksum are the same.
    fn has_same_content(&self, other: &SealedFile) -> bool {
        (self.size, self.crc) == (other.size, other.crc)
    }
}

/// Whether Tantivy's list is among the files: without it there is no index.
fn has_meta(files: &[SealedFile]) -> bool {
    files.iter().any(|file| file.name == META)
}

/// Longest `endpaper-search.json` that is read, in bytes.
const MAX_LIST_BYTES: u64 = 16 << 20;

/// Hash of the size, times and inode of a file. The change time cannot be set back, as the modification time can.
fn stamp(path: &Path) -> io::Result<u64> {
    let stamp = FileStamp::of(path)?;
    #[cfg(unix)]
    let more = {
        use std::os::unix::fs::MetadataExt;
        let facts = fs::metadata(path)?;
        (facts.ctime(), facts.ctime_nsec(), facts.ino())
    };
    #[cfg(not(unix))]
    let more = ();
    let bytes = postcard::to_allocvec(&(stamp, more)).map_err(io::Error::other)?;
    Ok(crc64(&bytes))
}

impl IndexInfo {
    /// The description of an index that this program writes now.
    fn now(state: FolderState, files: Vec<SealedFile>) -> IndexInfo {
        let sealed = postcard::to_allocvec(&(state, &files)).unwrap_or_default();
        IndexInfo {
            endpaper: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            index: tantivy::version_string().to_owned(),
            state,
            seal: crc64(&sealed),
            files,
        }
    }

    /// Whether the state and the list of files match their checksum.
    fn is_sealed(&self) -> bool {
        self.seal == IndexInfo::now(self.state, self.files.clone()).seal
    }

    /// Whether this program can read the index: it was written by the same versions.
    fn is_readable(&self) -> bool {
        let now = IndexInfo::now(self.state, Vec::new());
        (&self.endpaper, self.format, &self.index) == (&now.endpaper, now.format, &now.index)
    }
}

/// The version fields of [`IndexInfo`] alone, since other versions may have other fields besides.
#[derive(Deserialize)]
struct IndexVersion {
    endpaper: String,
    format: u32,
    index: String,
}

/// Whether a file belongs to a process that is creating the folder, or was killed while doing so.
fn is_left_over(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".endpaper-") || name == LOCK.as_bytes() || name == QUERY_MARK.as_bytes()
}

/// A mark that the index is being opened or queried: a file that is removed on drop, unless the process dies before. The
/// lock on it ends with the process too.
pub(super) struct WriterRequest {
    path: PathBuf,
    _lock: Option<File>,
}

impl Drop for WriterRequest {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl IndexFolder {
    /// The folder at `path`, which need not exist.
    pub fn new(path: &Path) -> IndexFolder {
        IndexFolder {
            path: path.to_owned(),
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of Tantivy's files.
    pub fn files(&self) -> PathBuf {
        self.path.join("index")
    }

    /// The problem that `done` (what was being done) failed with `error`.
    pub fn io_problem(&self, done: &'static str, error: io::Error) -> IndexProblem {
        IndexProblem::Io {
            folder: self.path.clone(),
            action: done,
            error,
        }
    }

    /// Checks that there is an index of this version that was not found to be damaged.
    pub fn check(&self) -> Result<(), IndexProblem> {
        let about = self.read_info()?;
        if about.state == FolderState::Damaged {
            return Err(IndexProblem::Broken(
                "an earlier search found it so".to_owned(),
            ));
        }
        match self.files().join(META).try_exists() {
            Ok(true) => Ok(()),
            Ok(false) => Err(IndexProblem::Broken(
                "it has no list of its files".to_owned(),
            )),
            Err(error) => Err(self.io_problem("read", error)),
        }
    }

    /// Reads the description of the index.
    fn read_info(&self) -> Result<IndexInfo, IndexProblem> {
        let bytes = match read_at_most(&self.path.join(ABOUT), MAX_LIST_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let problem = self.missing_or_foreign();
                // Another process may have created the index in the meantime.
                let is_made = || self.path.join(ABOUT).exists();
                return match problem {
                    IndexProblem::Foreign(_) if is_made() => self.read_info(),
                    problem => Err(problem),
                };
            }
            Err(error) => return Err(self.io_problem("read", error)),
        };
        let unreadable = || IndexProblem::Broken(format!("{ABOUT} is not readable"));
        let about = serde_json::from_slice::<IndexInfo>(&bytes);
        match about.ok().filter(IndexInfo::is_sealed) {
            Some(about) if about.is_readable() => Ok(about),
            _ => {
                let IndexVersion {
                    endpaper,
                    format,
                    index,
                } = serde_json::from_slice(&bytes).map_err(|_| unreadable())?;
                let now = IndexInfo::now(FolderState::Whole, Vec::new());
                if (&endpaper, format, &index) == (&now.endpaper, now.format, &now.index) {
                    return Err(unreadable());
                }
                Err(IndexProblem::OtherVersion {
                    found: format!("endpaper {endpaper} ({index}, format {format})"),
                })
            }
        }
    }

    /// The problem to report if there is no index.
    fn missing_or_foreign(&self) -> IndexProblem {
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return self.io_problem("read", error);
            }
            entries => entries.into_iter().flatten().flatten(),
        };
        let mut others = entries.filter(|entry| !is_left_over(&entry.file_name()));
        match others.next() {
            Some(_) => IndexProblem::Foreign(self.path.clone()),
            None => IndexProblem::Missing(self.path.clone()),
        }
    }

    /// Prepares the folder for a new index: removes the files of an old one, and nothing else. The folder must be locked.
    pub fn reset(&self, _held: &File) -> Result<(), IndexProblem> {
        let files = self.files();
        match fs::remove_dir_all(&files) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(self.io_problem("removed", error));
            }
            _ => {}
        }
        let _ = fs::remove_file(self.path.join(QUERY_MARK));
        self.write(&IndexInfo::now(FolderState::Writing, Vec::new()))?;
        fs::create_dir_all(&files).map_err(|error| self.io_problem("written", error))
    }

    /// Creates the folder if it does not exist. A folder with other files is refused.
    pub fn ensure_folder(&self) -> Result<(), IndexProblem> {
        match self.read_info() {
            Err(IndexProblem::Missing(_)) => {
                fs::create_dir_all(&self.path).map_err(|error| self.io_problem("written", error))
            }
            Err(problem @ (IndexProblem::Foreign(_) | IndexProblem::Io { .. })) => Err(problem),
            _ => Ok(()),
        }
    }

    /// Locks the folder for writing.
    pub fn lock(&self) -> Result<File, IndexProblem> {
        let file = self
            .lock_file()
            .map_err(|error| self.io_problem("written", error))?;
        for _ in 0..ATTEMPTS.0 {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => std::thread::sleep(ATTEMPTS.1),
                Err(TryLockError::Error(error)) => return Err(self.io_problem("locked", error)),
            }
        }
        Err(IndexProblem::Busy(self.path.clone()))
    }

    /// Locks the folder against writers; `None` if a process is writing.
    pub fn lock_shared(&self) -> Option<File> {
        let file = self.lock_file().ok()?;
        file.try_lock_shared().ok().map(|()| file)
    }

    /// Whether another process is writing the index.
    pub fn is_locked(&self) -> bool {
        let file = self.lock_file();
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Opens the lock file, and makes it if the folder can be written to.
    fn lock_file(&self) -> io::Result<File> {
        let path = self.path.join(LOCK);
        // In a read-only folder, an existing lock file is opened for reading.
        open_lock(&path).or_else(|error| open_regular(&path).map_err(|_| error))
    }

    /// Marks that the index is being opened or queried. If the process dies before the mark is dropped, the next one
    /// verifies all checksums.
    pub fn mark_query(&self) -> WriterRequest {
        let path = self.path.join(QUERY_MARK);
        // A read-only folder is queried without a mark.
        let file = open_lock(&path).ok();
        let locked = file.filter(|file| file.try_lock_shared().is_ok());
        WriterRequest {
            path,
            _lock: locked,
        }
    }

    /// Whether a process died while it opened or queried the index.
    fn has_unfinished_query(&self) -> bool {
        let file = open_regular(&self.path.join(QUERY_MARK));
        file.is_ok_and(|file| file.try_lock().is_ok())
    }

    /// Compares all listed files with their checksums, except those whose stamp is unchanged, and returns the state that
    /// the index was left in. Files that are not listed, because their writer was killed, are not examined.
    pub fn verify(&self) -> Result<FolderState, IndexProblem> {
        let about = self.read_info()?;
        let crashed = self.has_unfinished_query();
        if crashed && about.state == FolderState::Writing {
            return Err(IndexProblem::Broken("reading it ended endpaper".to_owned()));
        }
        if about.state == FolderState::Whole && !has_meta(&about.files) {
            return Err(IndexProblem::Broken(
                "it has no list of its files".to_owned(),
            ));
        }
        let known = if crashed { &[] } else { &about.files[..] };
        let mut changed = false;
        for listed in &about.files {
            let path = self.files().join(&listed.name);
            let now = match SealedFile::of(&path, listed.name.clone(), known) {
                Ok(now) => now,
                // A killed writer may have merged it into another file.
                Err(error)
                    if error.kind() == io::ErrorKind::NotFound
                        && about.state == FolderState::Writing =>
                {
                    continue;
                }
                Err(_) => return Err(IndexProblem::Broken(format!("{} is missing", listed.name))),
            };
            let rewritten = about.state == FolderState::Writing && listed.name.ends_with(".json");
            if !rewritten && !now.has_same_content(listed) {
                let name = &listed.name;
                return Err(IndexProblem::Broken(format!(
                    "{name} has changed since it was written"
                )));
            }
            changed |= now.stamp != listed.stamp;
        }
        if changed && about.state == FolderState::Whole {
            self.seal();
        }
        Ok(about.state)
    }

    /// Records that a process begins to write.
    pub fn unseal(&self) -> Result<(), IndexProblem> {
        let files = self
            .read_info()
            .map(|about| about.files)
            .unwrap_or_default();
        self.write(&IndexInfo::now(FolderState::Writing, files))
    }

    /// Records the current files with their checksums, as a complete index. If the folder cannot be written, it stays
    /// unsealed and its checksums are verified again next time.
    pub fn seal(&self) {
        let known = self
            .read_info()
            .map(|about| about.files)
            .unwrap_or_default();
        if let Ok(files) = self.sealed_files(&known)
            && has_meta(&files)
        {
            let _ = self.write(&IndexInfo::now(FolderState::Whole, files));
        }
    }

    /// Records that the index is damaged, so that it is not queried again; does nothing while another process is writing it.
    pub fn mark_damaged(&self) {
        if let Ok(file) = self.lock_file()
            && file.try_lock().is_ok()
        {
            let _ = self.write(&IndexInfo::now(FolderState::Damaged, Vec::new()));
        }
    }

    /// The files of the index with their checksums; those of unchanged files are taken from `known`.
    fn sealed_files(&self, known: &[SealedFile]) -> io::Result<Vec<SealedFile>> {
        let files = self.file_names().into_iter().map(|name| {
            let path = self.files().join(&name);
            SealedFile::of(&path, name, known)
        });
        files.collect()
    }

    /// Names of Tantivy's files, sorted, without its locks.
    pub fn file_names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.files()).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| !name.ends_with(".lock")).collect();
        names.sort();
        names
    }

    /// Writes the description of the index.
    fn write(&self, about: &IndexInfo) -> Result<(), IndexProblem> {
        let text = serde_json::to_vec_pretty(about).unwrap_or_default();
        let written = endpaper_text::atomic::write(
            &self.path.join(ABOUT),
            endpaper_text::atomic::Existing::Replace,
            |out| out.write_all(&text),
        );
        written.map_err(|error| self.io_problem("written", io::Error::other(error.to_string())))
    }

    /// Total size of Tantivy's files in bytes.
    pub fn size(&self) -> u64 {
        let entries = fs::read_dir(self.files()).into_iter().flatten().flatten();
        let sizes = entries.filter_map(|entry| entry.metadata().ok().map(|facts| facts.len()));
        sizes.sum()
    }
}
