//! Marks for all books of a filtered queue: a flag, hard, or a note, never cuts or verdicts.

use std::fmt;

use super::decision::Decision;
use super::entry::ReviewStatus;
use endpaper_truth::Snapshot;

/// What separates the notes of a book.
const BETWEEN_NOTES: &str = "; ";

/// A mark that is set or removed on many books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BulkMark {
    /// Marks the books hard (`true`), or not hard.
    Hard(bool),
    /// Sets this flag.
    Flag(String),
    /// Removes this flag.
    NoFlag(String),
    /// Adds this text to the notes.
    Note(String),
}

impl BulkMark {
    /// Reads the form that [`fmt::Display`] gives a mark other than a note.
    pub fn parse(words: &str) -> Option<BulkMark> {
        Some(match words {
            "hard" => BulkMark::Hard(true),
            "not hard" => BulkMark::Hard(false),
            _ => match words.strip_prefix("no flag ") {
                Some(flag) => BulkMark::NoFlag(flag.to_owned()),
                None => BulkMark::Flag(words.strip_prefix("flag ")?.to_owned()),
            },
        })
    }

    /// Marks a book; returns whether that changes anything.
    pub fn apply(&self, decision: &mut Decision) -> bool {
        let has = |flag: &String| decision.flags.contains(flag);
        match self {
            BulkMark::Hard(hard) => std::mem::replace(&mut decision.hard, *hard) != *hard,
            BulkMark::Flag(flag) if has(flag) => false,
            BulkMark::Flag(flag) => {
                decision.flags.push(flag.clone());
                true
            }
            BulkMark::NoFlag(flag) => {
                let before = decision.flags.len();
                decision.flags.retain(|other| other != flag);
                decision.flags.len() < before
            }
            BulkMark::Note(text) if is_among(&decision.note, text) => false,
            BulkMark::Note(text) => {
                if !decision.note.is_empty() {
                    decision.note.push_str(BETWEEN_NOTES);
                }
                decision.note.push_str(text);
                true
            }
        }
    }
}

/// Whether a text is among the notes of a book. It may have the separator in it.
fn is_among(notes: &str, text: &str) -> bool {
    let between = |text: &str| format!("{BETWEEN_NOTES}{text}{BETWEEN_NOTES}");
    between(notes).contains(&between(text))
}

impl fmt::Display for BulkMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BulkMark::Hard(true) => f.write_str("hard"),
            BulkMark::Hard(false) => f.write_str("not hard"),
            BulkMark::Flag(flag) => write!(f, "flag {flag}"),
            BulkMark::NoFlag(flag) => write!(f, "no flag {flag}"),
            BulkMark::Note(text) => write!(f, "note '{text}'"),
        }
    }
}

/// A mark that was set on many books: one step of the history.
#[derive(Clone, Debug)]
pub struct BulkEdit {
    /// Identifies it, as saves that fail are tried again later.
    pub id: u64,
    /// The mark.
    pub mark: BulkMark,
    /// The changed records that undo would restore.
    pub changes: Vec<BulkChange>,
    /// All books that were changed, or would have been if they could be written, for redo.
    pub books: Vec<usize>,
}

/// A book that was marked with others.
#[derive(Clone, Debug)]
pub struct BulkChange {
    /// Index of the book.
    pub book: usize,
    /// Contents of the record's file before.
    pub before: Snapshot,
    /// Its contents after, as last written in this sitting.
    pub after: Snapshot,
    /// What the queue and the sitting said of the book before.
    pub known: MarkedEntry,
}

/// What a mark changes in the queue and in the tally of the sitting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedEntry {
    /// Review status.
    pub status: ReviewStatus,
    /// Marked hard.
    pub hard: bool,
    /// Flags.
    pub flags: Vec<String>,
    /// Signature of the record.
    pub labelling_signature: u64,
    /// What the list of this sitting's marks says.
    pub listed: Option<String>,
    /// It counts as marked hard in this sitting.
    pub counts_as_hard: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(hard: bool, flags: &[&str], note: &str) -> Decision {
        Decision {
            hard,
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
            note: note.to_owned(),
            ..Decision::default()
        }
    }

    #[test]
    fn a_mark_changes_only_books_that_do_not_have_it() {
        let flag = |flag: &str| BulkMark::Flag(flag.to_owned());
        let no_flag = |flag: &str| BulkMark::NoFlag(flag.to_owned());
        let note = |text: &str| BulkMark::Note(text.to_owned());
        let book = || decision(true, &["ads", "other"], "scanned; see page 4");
        let table = [
            (BulkMark::Hard(true), None),
            (
                BulkMark::Hard(false),
                Some(decision(false, &["ads", "other"], "scanned; see page 4")),
            ),
            (flag("ads"), None),
            (
                flag("truncated"),
                Some(decision(
                    true,
                    &["ads", "other", "truncated"],
                    "scanned; see page 4",
                )),
            ),
            (
                no_flag("ads"),
                Some(decision(true, &["other"], "scanned; see page 4")),
            ),
            (no_flag("truncated"), None),
            (note("see page 4"), None),
            (note("scanned; see page 4"), None),
            (
                note("page 4"),
                Some(decision(
                    true,
                    &["ads", "other"],
                    "scanned; see page 4; page 4",
                )),
            ),
        ];
        for (mark, expected) in table {
            let mut found = book();
            assert_eq!(mark.apply(&mut found), expected.is_some(), "{mark}");
            assert_eq!(found, expected.unwrap_or_else(book), "{mark}");
        }
        let mut empty = Decision::default();
        assert!(note("one").apply(&mut empty));
        assert_eq!(empty.note, "one");
    }

    #[test]
    fn words_of_marks_round_trip() {
        for words in ["hard", "not hard", "flag ads", "no flag ads"] {
            let mark = BulkMark::parse(words).unwrap();
            assert_eq!(mark.to_string(), words);
        }
        assert_eq!(BulkMark::parse("note 'x'"), None);
    }
}
