//! Loading, saving, restoring and listing records.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context as _, Result};
use walkdir::WalkDir;

use super::conflict_copies::{self, ConflictCopy};
use super::file_name::{record_file, record_file_hashed};
use super::folder_guard::FolderGuard;
use super::index::SourceIndex;
use super::lock::{self, Announcement, MARK, WriteLock};
use super::save::{self, SaveError, SavedRecord, Snapshot};
use super::walk::{UnlistedFiles, list_readable, list_records};
use super::yaml::{self, ParseError};
use super::{Record, StatusReport, UnsoundRecord};
use endpaper_text::atomic::{self, Existing};
use endpaper_text::files::refuse_links_below;

/// The record of a book, as it is in the folder.
#[derive(Clone, Debug)]
pub enum StoredRecord {
    /// No record.
    Nothing,
    /// A record.
    Record(Box<Record>),
    /// A file that does not parse: the book is read-only until it is fixed.
    Broken {
        /// The file.
        path: PathBuf,
        /// Where and why.
        error: ParseError,
    },
}

/// Something else has the name of a truth folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is a file", .0.display())]
pub struct NotAFolder(pub PathBuf);

/// A truth folder.
///
/// A record's file is named after its book (see [`record_file`]). Where another book's record has that name, but for
/// case, the file's name ends in a hash; a record is known by the book it names, not by its file.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    presence: FolderGuard,
    index: Mutex<SourceIndex>,
}

impl Store {
    /// Whether a folder is marked as a truth folder.
    pub fn is_marked(folder: &Path) -> bool {
        folder.join(MARK).is_dir()
    }

    /// Opens a truth folder; it is made at the first save. Fails with [`NotAFolder`] if something else has its name.
    pub fn open(folder: &Path) -> Result<Store> {
        match fs::metadata(folder) {
            Ok(found) if !found.is_dir() => Err(NotAFolder(folder.to_owned()).into()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| {
                    format!("the truth folder '{}' cannot be opened", folder.display())
                })
            }
            _ => Ok(Store {
                presence: FolderGuard::look_at(folder),
                folder: folder.to_owned(),
                index: Mutex::default(),
            }),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Files of records that exist, relative to the folder (no record is read). See [`Store::is_among`].
    pub fn existing(&self) -> Result<HashSet<PathBuf>> {
        Ok(self.files()?.into_iter().collect())
    }

    /// Whether a book has a record among [`Store::existing`] files, by name alone.
    pub fn is_among(existing: &HashSet<PathBuf>, id: &str) -> bool {
        existing.contains(&record_file(id)) || existing.contains(&record_file_hashed(id))
    }

    /// The record of a book and the state of its file.
    pub fn load(&self, id: &str) -> Result<(StoredRecord, Snapshot)> {
        let current = self
            .read_file(id, None)
            .with_context(|| format!("the record of '{id}' cannot be read"))?;
        let RecordFile::Found(path, bytes) = current else {
            self.presence
                .check_present(&self.folder)
                .with_context(|| format!("'{}' cannot be read", self.folder.display()))?;
            return Ok((StoredRecord::Nothing, Snapshot(None)));
        };
        let found = match yaml::read_bytes(&bytes) {
            Ok(record) => StoredRecord::Record(Box::new(record)),
            Err(error) => StoredRecord::Broken {
                path: self.folder.join(path),
                error,
            },
        };
        Ok((found, Snapshot(Some(bytes))))
    }

    /// Why the record of a book can be read but not saved: it is a symbolic link, or in a folder that is one.
    pub fn link_problem(&self, id: &str) -> Option<String> {
        let files = [record_file(id), record_file_hashed(id)];
        let refused = files.map(|file| refuse_links_below(&self.folder, &file).err());
        let error = refused.into_iter().flatten().next()?;
        Some(format!("the record of '{id}' cannot be saved: {error}"))
    }

    /// Saves a record if its file still is as `known`. If it is not, both versions are kept, see [`SaveError`].
    pub fn save(&self, record: &Record, known: &Snapshot) -> Result<SavedRecord, SaveError> {
        let bytes = yaml::write(record).into_bytes();
        if bytes.len() as u64 > yaml::MOST_BYTES {
            return Err(SaveError::Io {
                path: self.folder.join(record_file(&record.book)),
                reason: format!(
                    "it would be {} bytes long, more than the {} of a record; shorten its texts",
                    bytes.len(),
                    yaml::MOST_BYTES
                ),
            });
        }
        let saved = self.write_bytes(&record.book, &bytes, known)?;
        if saved.written {
            self.note_in_index(record, &saved.path);
        }
        Ok(saved)
    }

    /// Versions of a book's record that were saved as conflict copies because another curator changed it.
    pub fn conflict_copies(&self, id: &str) -> Vec<ConflictCopy> {
        conflict_copies::find_conflict_copies(&self.folder, id)
    }

    /// Saves a record that brings versions together, and removes these: their opinions are in it.
    pub fn save_settled(
        &self,
        record: &Record,
        known: &Snapshot,
        conflict_copies: &[PathBuf],
    ) -> Result<SavedRecord, SaveError> {
        let saved = self.save(record, known)?;
        // What cannot be removed shows up as a clash again; nothing is lost by that.
        let _ = conflict_copies::remove_conflict_copies(&self.folder, conflict_copies);
        Ok(saved)
    }

    /// Puts the file of a book back to `previous` if it still is as `known`: undo.
    pub fn restore(
        &self,
        id: &str,
        previous: &Snapshot,
        known: &Snapshot,
    ) -> Result<SavedRecord, SaveError> {
        self.with_lock(id, known, |path, relative, current| {
            if current != known.0 {
                return Err(SaveError::Changed {
                    book: id.to_owned(),
                    theirs: Snapshot(current),
                });
            }
            match &previous.0 {
                Some(bytes) => atomic::write_bytes(path, Existing::Replace, bytes),
                None => atomic::remove(path),
            }
            .map_err(|error| io_error(path, &error))?;
            Ok(SavedRecord {
                path: relative.to_owned(),
                written: *previous != *known,
                now: previous.clone(),
            })
        })
    }

    /// A record made on the same bytes under any id: "same text, other place". A decided one is preferred. The first
    /// call reads all records; [`Store::build_index`] does that ahead, on another thread.
    pub fn find_by_sha256(&self, sha256: &str) -> Option<(PathBuf, Record)> {
        self.build_index();
        let candidates = match self.index.lock() {
            Ok(index) => index.files(sha256),
            Err(_) => return None,
        };
        let read = |path: PathBuf| {
            let bytes = yaml::file_bytes(&self.folder.join(&path)).ok()?;
            let record = yaml::read_bytes(&bytes).ok()?;
            record.is_decided_on(sha256).then_some((path, record))
        };
        let mut found: Vec<_> = candidates.into_iter().filter_map(read).collect();
        found.sort_by_key(|(_, record)| !record.verdict.is_decided());
        found.into_iter().next()
    }

    /// Reads all records once for [`Store::find_by_sha256`]; later calls return at once.
    pub fn build_index(&self) {
        let is_built = self.index.lock().is_ok_and(|index| index.is_whole);
        if !is_built {
            self.extend_index(self.read_index());
        }
    }

    /// Reads without the lock, so that saving never waits for it.
    fn read_index(&self) -> SourceIndex {
        SourceIndex::build(&self.folder, &self.files().unwrap_or_default())
    }

    /// Adds records to the index by digest of their texts.
    fn extend_index(&self, read: SourceIndex) {
        if let Ok(mut index) = self.index.lock() {
            index.extend(read);
        }
    }

    /// [`Store::records`], and a record that contradicts itself is an error too.
    pub fn valid_records(&self) -> Result<Vec<(PathBuf, Result<Record, UnsoundRecord>)>> {
        let sound = |record: Record| match record.find_problems().into_iter().next() {
            Some(wrong) => Err(UnsoundRecord::Contradictory(wrong)),
            None => Ok(record),
        };
        let records = self.records()?.into_iter();
        let records = records
            .map(|(file, record)| (file, record.map_err(UnsoundRecord::from).and_then(sound)));
        Ok(records.collect())
    }

    /// Every record with its file, in the order of the files; a broken one as its error, and a folder that cannot be
    /// listed as one.
    pub fn records(&self) -> Result<Vec<(PathBuf, Result<Record, ParseError>)>> {
        use rayon::prelude::*;
        let (files, unlisted) = list_readable(&self.folder, &self.folder);
        let read = |path: PathBuf| {
            // One file that cannot be read is a broken record, and no reason to know nothing of the others.
            let record = match yaml::file_bytes(&self.folder.join(&path)) {
                Ok(bytes) => yaml::read_bytes(&bytes),
                Err(error) => Err(ParseError {
                    line: 1,
                    column: 1,
                    message: format!("cannot be read: {error}"),
                }),
            };
            (path, record)
        };
        let mut records: Vec<_> = files.into_par_iter().map(read).collect();
        for UnlistedFiles { path, reason, .. } in unlisted {
            let error = ParseError {
                line: 1,
                column: 1,
                message: reason,
            };
            records.push((path, Err(error)));
        }
        Ok(records)
    }

    /// What is in the folder, counted.
    pub fn status(&self) -> Result<StatusReport> {
        Ok(StatusReport::of(&self.records()?, self.conflicts()))
    }

    /// Versions that were saved as conflict copies because another curator changed the record, relative to the folder, sorted.
    pub fn conflicts(&self) -> Vec<PathBuf> {
        list_records(&self.folder, &self.conflicts_folder()).unwrap_or_default()
    }

    /// Where they are.
    pub(super) fn conflicts_folder(&self) -> PathBuf {
        self.folder.join(MARK).join("conflicts")
    }

    /// Removes versions of these books that were saved as conflict copies and are resolved. Returns the number of files.
    pub fn forget_conflicts(&self, books: impl Fn(&str) -> bool) -> Result<usize> {
        let mut removed = 0;
        for path in self.conflicts() {
            if refuse_links_below(&self.folder, &path).is_err() {
                continue;
            }
            let path = self.folder.join(path);
            let record = yaml::file_bytes(&path)
                .ok()
                .and_then(|bytes| yaml::read_bytes(&bytes).ok());
            if record.is_some_and(|record| books(&record.book)) {
                atomic::remove(&path)
                    .with_context(|| format!("'{}' cannot be removed", path.display()))?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Checks that records can be written here; if not, returns why in one sentence. Leaves no files behind.
    pub fn writable(&self) -> Result<(), String> {
        let existing = self.folder.ancestors().find(|folder| folder.is_dir());
        let existing = existing.unwrap_or(Path::new("."));
        tempfile::tempfile_in(existing)
            .map(drop)
            .map_err(|error| format!("'{}' cannot be written to: {error}", existing.display()))
    }

    /// Announces that this process reviews, for as long as the answer is kept, and tells who did already. A folder
    /// that is not made yet has no one: announce again after the first save.
    pub fn announce(&self) -> Announcement {
        self.remove_temporaries();
        lock::announce(&self.folder)
    }

    /// Removes temporary files that a killed process left.
    fn remove_temporaries(&self) {
        if !self.folder.join(MARK).is_dir() {
            return;
        }
        let leftovers = WalkDir::new(&self.folder).into_iter().flatten();
        for entry in leftovers.filter(|entry| atomic::is_temporary(entry.file_name())) {
            atomic::remove_abandoned(entry.path());
        }
    }

    /// The files of all records, relative to the folder.
    fn files(&self) -> Result<Vec<PathBuf>> {
        list_records(&self.folder, &self.folder)
    }

    /// Writes the file of a record under the lock of the folder, unless it changed since it was `known`.
    fn write_bytes(
        &self,
        id: &str,
        bytes: &[u8],
        known: &Snapshot,
    ) -> Result<SavedRecord, SaveError> {
        self.with_lock(id, known, |path, relative, current| {
            let saved = |written| SavedRecord {
                path: relative.to_owned(),
                now: Snapshot(Some(bytes.to_vec())),
                written,
            };
            if current.as_deref() == Some(bytes) {
                return Ok(saved(false));
            }
            let conflict = current != known.0;
            let broken = known.0.as_deref().is_some_and(is_broken);
            if conflict {
                let kept = save::write_conflict_copy(&self.folder, relative, bytes)
                    .map_err(|error| io_error(path, &error))?;
                return Err(SaveError::Conflict {
                    book: id.to_owned(),
                    kept,
                    theirs: Snapshot(current),
                });
            }
            if broken {
                return Err(SaveError::Io {
                    path: path.to_owned(),
                    reason: "it does not parse and would be lost; fix or remove it first"
                        .to_owned(),
                });
            }
            atomic::write_bytes(path, Existing::Replace, bytes)
                .map_err(|error| io_error(path, &error))?;
            Ok(saved(true))
        })
    }

    /// Takes the right to write into the folder, which must not have vanished.
    pub(super) fn lock_for_writing(&self) -> io::Result<WriteLock> {
        let may_make = self.presence.check_present(&self.folder)?;
        let lock = lock::write_lock(&self.folder, may_make)?;
        self.presence.set_marked();
        Ok(lock)
    }

    /// Runs an action on the file of a book (its path, its name below the folder, its bytes) while no one else writes.
    fn with_lock(
        &self,
        id: &str,
        known: &Snapshot,
        action: impl FnOnce(&Path, &Path, Option<Vec<u8>>) -> Result<SavedRecord, SaveError>,
    ) -> Result<SavedRecord, SaveError> {
        let gone = |error: io::Error| io_error(&self.folder, &error);
        let _lock = self.lock_for_writing().map_err(gone)?;
        let (relative, current) = self
            .find_file(id, known.0.as_deref())
            .map_err(|error| io_error(&self.folder.join(record_file(id)), &error))?;
        // What a stranger's folder leads to elsewhere is neither written nor removed.
        refuse_links_below(&self.folder, &relative)
            .map_err(|error| io_error(&self.folder.join(&relative), &error))?;
        let done = action(&self.folder.join(&relative), &relative, current)?;
        // A folder that vanished in the meantime may have been made again by the write: what is in that one is not saved.
        self.presence.check_present(&self.folder).map_err(gone)?;
        Ok(done)
    }

    /// The file of a book and its bytes, or the file it would get.
    fn find_file(&self, id: &str, known: Option<&[u8]>) -> io::Result<(PathBuf, Option<Vec<u8>>)> {
        let plain = record_file(id);
        match self.read_file(id, known)? {
            RecordFile::Found(path, bytes) => Ok((path, Some(bytes))),
            RecordFile::Absent { is_taken: false }
                if !has_sibling_but_for_case(&self.folder, &plain) =>
            {
                Ok((plain, None))
            }
            RecordFile::Absent { .. } => Ok((record_file_hashed(id), None)),
        }
    }

    /// Reads the file of a book. Bytes equal to `known` need no look into them.
    fn read_file(&self, id: &str, known: Option<&[u8]>) -> io::Result<RecordFile> {
        let is_ours = |bytes: &Vec<u8>| Some(&**bytes) == known || is_about_book(bytes, id);
        let read = |file: &Path| save::read_if_exists(&self.folder.join(file));
        let (hashed, plain) = (record_file_hashed(id), record_file(id));
        if let Some(bytes) = read(&hashed)?.filter(is_ours) {
            return Ok(RecordFile::Found(hashed, bytes));
        }
        Ok(match read(&plain)? {
            Some(bytes) if is_ours(&bytes) => RecordFile::Found(plain, bytes),
            other => RecordFile::Absent {
                is_taken: other.is_some(),
            },
        })
    }

    /// Adds a saved record to the index by digest of their texts.
    fn note_in_index(&self, record: &Record, path: &Path) {
        if let Ok(mut index) = self.index.lock() {
            index.add(&record.source.sha256, path);
        }
    }
}

/// The file of a book's record.
enum RecordFile {
    /// It is there: its path below the folder, and its bytes.
    Found(PathBuf, Vec<u8>),
    /// The book has none.
    Absent {
        /// Whether another book has the file of the plain name.
        is_taken: bool,
    },
}

/// Whether a file is about a book. One that does not parse is taken for it: its name is all that is known.
fn is_about_book(bytes: &[u8], id: &str) -> bool {
    yaml::read_bytes(bytes).map_or(true, |record| record.book == id)
}

/// Whether the bytes are not a readable record.
fn is_broken(bytes: &[u8]) -> bool {
    yaml::read_bytes(bytes).is_err()
}

/// The error of reading or writing a file.
fn io_error(path: &Path, error: &io::Error) -> SaveError {
    SaveError::Io {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

/// Whether some file is the same but for case: a folder copied to another system must not lose one of two.
fn has_sibling_but_for_case(folder: &Path, relative: &Path) -> bool {
    let Some((first, rest)) = split_first(relative) else {
        return false;
    };
    let wanted = first.to_lowercase();
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let alike = name
            .to_str()
            .is_some_and(|name| name.to_lowercase() == wanted);
        match rest.as_os_str().is_empty() {
            true => alike && name != first,
            false => alike && has_sibling_but_for_case(&entry.path(), rest),
        }
    })
}

/// The first component of a path, and the rest.
fn split_first(path: &Path) -> Option<(&str, &Path)> {
    let mut components = path.components();
    let first = components.next()?.as_os_str().to_str()?;
    Some((first, components.as_path()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceFacts;

    #[test]
    fn a_record_saved_while_the_index_is_read_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let read = store.read_index();
        let source = SourceFacts {
            sha256: "0A".repeat(32),
            lines: 9,
            ..SourceFacts::default()
        };
        let record = Record::new("a.txt", source);
        store.save(&record, &Snapshot(None)).unwrap();
        store.extend_index(read);
        let (file, found) = store.find_by_sha256(&"0a".repeat(32)).unwrap();
        assert_eq!((file, found), ("a.txt.yaml".into(), record));
    }
}
