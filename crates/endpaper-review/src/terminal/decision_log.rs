//! The log of a sitting: a line for each decision as it is saved, and for each one that is undone.
//!
//! The records hold everything; the log is for reading along, and for adding up what was done when.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::library::Records;
use endpaper_text::cells::escaped;
use endpaper_text::corpus::Encoding;
use endpaper_text::files::{open_regular, refuse_link};
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
    #[error("the log '{}' cannot be written: {source}", path.display())]
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
        refuse_link(path).map_err(failed)?;
        let is_new = match open_regular(path) {
            Ok(file) => match first_line(file).map_err(failed)?.as_slice() {
                [] => true,
                line if line == HEADER.as_bytes() => false,
                _ => {
                    let path = path.to_owned();
                    return Err(DecisionLogError::NotALog { path });
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(failed(error)),
        };
        let mut options = OpenOptions::new();
        let mut file = options
            .append(true)
            .create(true)
            .open(path)
            .map_err(failed)?;
        if is_new {
            writeln!(file, "{HEADER}").map_err(failed)?;
        }
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

/// The first line of a file without its line end, if it is no longer than the header.
fn first_line(file: File) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let limit = HEADER.len() as u64 + 1;
    BufReader::new(io::Read::take(file, limit)).read_until(b'\n', &mut line)?;
    if line.ends_with(b"\n") {
        line.pop();
    }
    Ok(line)
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
        self.log.undone(id, &saved);
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

    #[test]
    fn a_log_goes_on_where_the_last_sitting_ended_and_no_other_file_gets_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.tsv");
        let open = || DecisionLog::open(&path, "ms");
        open().unwrap().add("one");
        open().unwrap().add("two");
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, format!("{HEADER}\none\ntwo\n"));
        std::fs::write(&path, "a book\n").unwrap();
        let error = open().unwrap_err().to_string();
        assert!(
            error.ends_with("exists and is not the log of a sitting; name another file"),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a book\n");
    }
}
