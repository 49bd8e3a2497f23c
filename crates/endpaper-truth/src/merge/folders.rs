//! Whole truth folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::{MergeConflict, add_reviews, merge_two};
use crate::file_name::record_file_hashed;
use crate::{Record, Snapshot, Store, StoredRecord, UnsoundRecord, Verdict, record_file};

/// One folder's records by book; several of one book where conflict copies exist.
#[derive(Clone, Debug, Default)]
pub struct MergeSide {
    /// The folder.
    pub folder: PathBuf,
    /// Its records.
    pub books: BTreeMap<String, Vec<Record>>,
    /// Files of records that do not parse or contradict themselves, below the folder.
    pub(super) unreadable_files: BTreeSet<PathBuf>,
}

impl MergeSide {
    /// A side of records that are in no folder.
    pub fn of_records(records: impl IntoIterator<Item = Record>) -> MergeSide {
        let mut side = MergeSide::default();
        for record in records {
            let book = record.book.clone();
            side.books.entry(book).or_default().push(record);
        }
        side
    }

    /// Whether the record of a book was removed; one that does not parse was not.
    fn was_removed(&self, book: &str) -> bool {
        let unread = |file: PathBuf| self.unreadable_files.contains(&file);
        !self.books.contains_key(book)
            && !unread(record_file(book))
            && !unread(record_file_hashed(book))
    }
}

/// A file that could not be read and was not merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadFile {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: UnsoundRecord,
}

/// The records of folders, and what does not parse in them. Of a lone folder, its conflict copies
/// are the other side.
///
/// # Errors
///
/// A folder that is not there or cannot be listed.
pub fn sides(folders: &[PathBuf]) -> Result<(Vec<MergeSide>, Vec<UnreadFile>)> {
    let (mut sides, mut unread) = (Vec::new(), Vec::new());
    for folder in folders {
        ensure!(
            folder.is_dir(),
            "'{}' is not a folder; give truth folders",
            folder.display()
        );
        sides.push(side(folder, &mut unread)?);
    }
    if let [folder] = folders {
        let aside = Store::open(folder)?.conflicts_folder();
        sides.push(side(&aside, &mut unread)?);
    }
    Ok((sides, unread))
}

/// Reads the records of one side; files that cannot be read are added to `unread`.
fn side(folder: &Path, unread: &mut Vec<UnreadFile>) -> Result<MergeSide> {
    let mut side = MergeSide {
        folder: folder.to_owned(),
        ..MergeSide::default()
    };
    // What contradicts itself would take a good record along.
    for (path, record) in Store::open(folder)?.valid_records()? {
        match record {
            Ok(record) => side
                .books
                .entry(record.book.clone())
                .or_default()
                .push(record),
            Err(error) => {
                unread.push(UnreadFile {
                    path: folder.join(&path),
                    error,
                });
                side.unreadable_files.insert(path);
            }
        }
    }
    Ok(side)
}

/// The result of merging the records of one book.
#[derive(Clone, Debug, PartialEq)]
pub enum MergeOutcome {
    /// One record that says what all say.
    Merged(Box<Record>),
    /// People differ.
    Conflict(Box<MergeConflict>),
    /// A person removed the record since the base, and no one changed it.
    Removed,
}

/// Two sides or more brought together.
#[derive(Clone, Debug, Default)]
pub struct FolderMerge {
    /// Every book of any side.
    pub books: BTreeMap<String, MergeOutcome>,
    /// Every version that went in, by book: what may be replaced by the result.
    versions: BTreeMap<String, Vec<Record>>,
}

/// Brings sides together, with what they had in common before.
pub fn merge(base: Option<&MergeSide>, sides: &[MergeSide]) -> FolderMerge {
    let books: BTreeSet<&String> = sides.iter().flat_map(|side| side.books.keys()).collect();
    let mut merge = FolderMerge::default();
    for book in books {
        let of = |side: &MergeSide| side.books.get(book).cloned().unwrap_or_default();
        let versions: Vec<Record> = sides.iter().flat_map(of).collect();
        let before = base.and_then(|base| base.books.get(book)?.first());
        let gone = sides.iter().any(|side| side.was_removed(book));
        let outcome = match before {
            Some(before) if gone && versions.iter().all(|version| version == before) => {
                MergeOutcome::Removed
            }
            _ => outcome(before, &versions),
        };
        merge.books.insert(book.clone(), outcome);
        merge.versions.insert(book.clone(), versions);
    }
    merge
}

/// Merges the versions of a record, with the fields in which they conflict.
fn outcome(base: Option<&Record>, versions: &[Record]) -> MergeOutcome {
    let mut merged = versions[0].clone();
    let mut fields = Vec::new();
    for version in &versions[1..] {
        let (with, differing) = merge_two(base, &merged, version);
        merged = with;
        fields.extend(differing);
    }
    if fields.is_empty() {
        return MergeOutcome::Merged(Box::new(merged));
    }
    let mut opinions: Vec<Record> = Vec::new();
    for version in versions {
        // Versions that differ in their reviews alone are one opinion.
        let known = opinions
            .iter()
            .any(|other| merge_two(None, other, version).1.is_empty());
        if !known {
            opinions.push(version.clone());
        }
    }
    let verdict = merged.verdict;
    let mut draft = merged;
    draft.verdict = Verdict::Open;
    for version in versions {
        add_reviews(&mut draft, version);
    }
    MergeOutcome::Conflict(Box::new(MergeConflict {
        fields,
        opinions,
        draft,
        verdict,
    }))
}

/// Numbers of books in a merge that was written, by what happened to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeCounts {
    /// Written.
    pub written: usize,
    /// There already.
    pub unchanged: usize,
    /// Conflicts that a record of the folder settles.
    pub settled: usize,
    /// Conflicts that wait.
    pub conflicts: Vec<String>,
    /// Books that could not be written, and why.
    pub refused: Vec<(String, String)>,
    /// Removed on one side; the folder still has them.
    pub left: Vec<String>,
}

impl FolderMerge {
    /// Books people differ in and that no record of `into` settles.
    ///
    /// # Errors
    ///
    /// A folder that cannot be read.
    pub fn open_conflicts(&self, into: &Store) -> Result<BTreeMap<&str, &MergeConflict>> {
        let mut open = BTreeMap::new();
        for (book, outcome) in &self.books {
            if let MergeOutcome::Conflict(conflict) = outcome
                && !is_settled(into, book, conflict)?
            {
                open.insert(book.as_str(), &**conflict);
            }
        }
        Ok(open)
    }

    /// Drafts that gave way to a decision on the same book: they are not a review, so nobody disagrees.
    pub fn overruled_drafts(&self) -> impl Iterator<Item = &Record> {
        let decided = self.books.iter().filter(|(_, outcome)| {
            matches!(outcome, MergeOutcome::Merged(record) if record.verdict.is_decided())
        });
        let versions = decided.filter_map(|(book, _)| self.versions.get(book));
        versions
            .flatten()
            .filter(|version| !version.verdict.is_decided())
    }

    /// Writes what is agreed into a folder. A record there is replaced only if it is one of those that went in.
    ///
    /// # Errors
    ///
    /// A folder that cannot be read.
    pub fn write(&self, into: &Store) -> Result<MergeCounts> {
        let mut written = MergeCounts::default();
        for (book, outcome) in &self.books {
            match outcome {
                MergeOutcome::Conflict(conflict) => match is_settled(into, book, conflict)? {
                    true => written.settled += 1,
                    false => written.conflicts.push(book.clone()),
                },
                MergeOutcome::Removed => {
                    if !matches!(into.load(book)?.0, StoredRecord::Nothing) {
                        written.left.push(book.clone());
                    }
                }
                MergeOutcome::Merged(record) => match self.put(into, book, record)? {
                    Ok(true) => written.written += 1,
                    Ok(false) => written.unchanged += 1,
                    Err(reason) => written.refused.push((book.clone(), reason)),
                },
            }
        }
        Ok(written)
    }

    /// Writes a merged record, unless another record is there: whether the file changed, or why it was not written.
    fn put(&self, into: &Store, book: &str, record: &Record) -> Result<Result<bool, String>> {
        let (found, known) = into.load(book)?;
        let refused = match &found {
            StoredRecord::Nothing => None,
            StoredRecord::Record(there) if **there == *record => return Ok(Ok(false)),
            StoredRecord::Record(there) if self.is_merged_version(book, there) => None,
            StoredRecord::Record(_) => {
                Some("has a separate record there, which stays; merge that folder too".to_owned())
            }
            StoredRecord::Broken { path, error } => Some(format!(
                "has a record that does not parse ('{}', {error}); fix it first",
                path.display()
            )),
        };
        if let Some(refused) = refused {
            return Ok(Err(refused));
        }
        Ok(save(into, record, &known))
    }

    /// Whether a record is one of the versions that were merged.
    fn is_merged_version(&self, book: &str, there: &Record) -> bool {
        let versions = self.versions.get(book);
        versions.is_some_and(|versions| versions.contains(there))
    }
}

/// Saves a record; whether the file changed.
fn save(into: &Store, record: &Record, known: &Snapshot) -> Result<bool, String> {
    let saved = into.save(record, known);
    saved
        .map(|saved| saved.written)
        .map_err(|error| error.to_string())
}

/// Whether the record in `into` already settles a conflict.
fn is_settled(into: &Store, book: &str, conflict: &MergeConflict) -> Result<bool> {
    Ok(match into.load(book)?.0 {
        StoredRecord::Record(there) => conflict.is_settled_by(&there),
        _ => false,
    })
}
