//! The log of a sitting: a line for each decision as it is saved, and for each one that is undone.
//!
//! The records hold everything; the log is for reading along, and for adding up what was done when.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::library::Records;
use endpaper_text::cells::escaped;
use endpaper_text::corpus::Encoding;
use endpaper_text::files::open_to_append;
use endpaper_truth::yaml::read_bytes;
use endpaper_truth::{
    ConflictCopy, Record, SaveError, SavedRecord, Snapshot, StoredRecord, Verdict, timestamp,
};

/// The first line of a log.
const HEADER: &str = "at\tby\tbook\tverdict\tpreamble_end\tepilogue_start\tseconds\tfile";

/// What is logged as the verdict of a decision that was undone.
const UNDONE: &str = "undone";

/// A log file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DecisionLogError {
    /// It cannot be read or written.
    #[error("the log '{}' cannot be written", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is a file of another kind, to which nothing is added.
    #[error("'{}' exists and is not the log of a sitting; name another file", path.display())]
    NotALog {
        /// The file.
        path: PathBuf,
    },
}

/// The log of a sitting. Lines are added to those of earlier sittings.
#[derive(Debug)]
pub struct DecisionLog {
    file: Mutex<File>,
    curator: String,
    is_incomplete: AtomicBool,
}

impl DecisionLog {
    /// Opens a log, or makes it.
    ///
    /// # Errors
    ///
    /// The file is a link or of another kind, or cannot be written.
    pub fn open(path: &Path, curator: &str) -> Result<DecisionLog, DecisionLogError> {
        let failed = |source| DecisionLogError::Io {
            path: path.to_owned(),
            source,
        };
        let mut file = open_to_append(path).map_err(failed)?;
        // So that of two sittings that begin a log only one writes its header. Where locks are not supported, both may.
        let _ = file.lock();
        match begin(&mut file) {
            Ok(true) => {}
            Ok(false) => {
                let path = path.to_owned();
                return Err(DecisionLogError::NotALog { path });
            }
            Err(error) => return Err(failed(error)),
        }
        let _ = file.unlock();
        Ok(DecisionLog {
            file: Mutex::new(file),
            curator: curator.to_owned(),
            is_incomplete: AtomicBool::new(false),
        })
    }

    /// Whether a line could not be written.
    pub fn is_incomplete(&self) -> bool {
        self.is_incomplete.load(Ordering::Relaxed)
    }

    /// Adds the decision in a saved record. Drafts are not decisions.
    fn decided(&self, record: &Record, saved: &SavedRecord) {
        let Some(review) = record
            .reviews
            .last()
            .filter(|_| record.verdict != Verdict::Open)
        else {
            return;
        };
        if !saved.written {
            return;
        }
        let cuts = review.cuts;
        let mut cells = [review.at.as_str(), &review.by, &record.book]
            .map(|cell| escaped(cell).into_owned())
            .join("\t");
        let epilogue = cuts.epilogue_start;
        let epilogue = epilogue.map_or(String::new(), |line| line.to_string());
        // Writing to a string does not fail.
        let _ = write!(
            cells,
            "\t{}\t{}\t{epilogue}\t{}\t{}",
            review.verdict,
            cuts.preamble_end,
            review.seconds,
            escaped(&saved.path.to_string_lossy()),
        );
        self.add(&cells);
    }

    /// Adds that the last decision on a book was undone.
    fn undone(&self, book: &str, saved: &SavedRecord) {
        let at = timestamp(jiff::Timestamp::now());
        let (by, book, file) = (
            escaped(&self.curator),
            escaped(book),
            saved.path.to_string_lossy(),
        );
        let file = escaped(&file);
        self.add(&format!("{at}\t{by}\t{book}\t{UNDONE}\t\t\t\t{file}"));
    }

    /// Adds a line. The screen goes on without the log if it cannot be written.
    fn add(&self, line: &str) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // In one call: two sittings may write to one log.
        if file.write_all(format!("{line}\n").as_bytes()).is_err() {
            self.is_incomplete.store(true, Ordering::Relaxed);
        }
    }
}

/// Writes the header of a new log. In an old one, ends a last line that a killed sitting or a full disk left half-written. Returns
/// whether the file is a log.
fn begin(file: &mut File) -> io::Result<bool> {
    let header = format!("{HEADER}\n");
    let mut first = Vec::new();
    let length = header.len() as u64;
    Read::by_ref(file).take(length).read_to_end(&mut first)?;
    let Some(rest) = header.as_bytes().strip_prefix(first.as_slice()) else {
        return Ok(false);
    };
    file.write_all(rest)?;
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    if last != *b"\n" {
        file.write_all(b"\n")?;
    }
    Ok(true)
}

/// Whether the bytes of a record hold a decision, and not a draft.
fn is_decided(record: &Snapshot) -> bool {
    let record = record.0.as_deref().map(read_bytes);
    record.is_some_and(|record| record.is_ok_and(|record| record.verdict != Verdict::Open))
}

/// Records of which every decision is logged when it is saved.
pub struct LoggedRecords {
    records: Arc<dyn Records>,
    log: Arc<DecisionLog>,
}

impl LoggedRecords {
    /// Logs what is saved in `records`.
    pub fn new(records: Arc<dyn Records>, log: Arc<DecisionLog>) -> LoggedRecords {
        LoggedRecords { records, log }
    }
}

impl Records for LoggedRecords {
    fn load(&self, id: &str) -> anyhow::Result<(StoredRecord, Snapshot)> {
        self.records.load(id)
    }

    fn save(&self, record: &Record, known: &Snapshot) -> Result<SavedRecord, SaveError> {
        let saved = self.records.save(record, known)?;
        self.log.decided(record, &saved);
        Ok(saved)
    }

    fn restore(
        &self,
        id: &str,
        previous: &Snapshot,
        known: &Snapshot,
    ) -> Result<SavedRecord, SaveError> {
        let saved = self.records.restore(id, previous, known)?;
        if saved.written && is_decided(known) {
            self.log.undone(id, &saved);
        }
        Ok(saved)
    }

    fn conflict_copies(&self, id: &str) -> Vec<ConflictCopy> {
        self.records.conflict_copies(id)
    }

    fn save_settled(
        &self,
        record: &Record,
        known: &Snapshot,
        conflict_copies: &[PathBuf],
    ) -> Result<SavedRecord, SaveError> {
        let saved = self.records.save_settled(record, known, conflict_copies)?;
        self.log.decided(record, &saved);
        Ok(saved)
    }

    fn find_same_text(&self, sha256: &str, id: &str) -> Option<Box<Record>> {
        self.records.find_same_text(sha256, id)
    }

    fn save_obstacle(&self, id: &str) -> Option<String> {
        self.records.save_obstacle(id)
    }

    fn keep_encoding(&self, id: Option<&str>, encoding: Option<Encoding>) -> io::Result<()> {
        self.records.keep_encoding(id, encoding)
    }

    fn index_texts(&self) {
        self.records.index_texts();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::corpus::BookText;
    use endpaper_truth::{Review, SourceFacts};

    #[test]
    fn a_log_goes_on_where_the_last_sitting_ended_and_no_other_file_gets_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.tsv");
        let open = || DecisionLog::open(&path, "ms");
        open().unwrap().add("one");
        open().unwrap().add("two");
        let read = || std::fs::read_to_string(&path).unwrap();
        assert_eq!(read(), format!("{HEADER}\none\ntwo\n"));
        // A sitting was killed, in its first line or later.
        for (half, whole) in [
            (&HEADER[..9], format!("{HEADER}\nnext\n")),
            (HEADER, format!("{HEADER}\nnext\n")),
            (&format!("{HEADER}\nha"), format!("{HEADER}\nha\nnext\n")),
        ] {
            std::fs::write(&path, half).unwrap();
            open().unwrap().add("next");
            assert_eq!(read(), whole);
        }
        std::fs::write(&path, "a book\n").unwrap();
        let error = open().unwrap_err().to_string();
        assert!(
            error.ends_with("exists and is not the log of a sitting; name another file"),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a book\n");
    }

    #[test]
    fn a_draft_that_is_taken_back_is_no_decision_undone() {
        let source = SourceFacts::of(&BookText::new(b"A line.\n".to_vec()));
        let mut record = Record::new("a.txt", source);
        let is_decided = |record: &Record| {
            let bytes = endpaper_truth::yaml::write(record).into_bytes();
            super::is_decided(&Snapshot(Some(bytes)))
        };
        assert!(!is_decided(&record));
        record.add_review(Review {
            verdict: Verdict::Confirmed,
            ..Review::default()
        });
        assert!(is_decided(&record));
        assert!(!super::is_decided(&Snapshot(None)));
    }
}
