//! What comes into a session, and what it wants done outside.

use std::path::PathBuf;
use std::sync::Arc;

use super::chord::Chord;
use super::corpus_search::FoundBooks;
use super::editions::{EditionComparison, EditionRequest};
use super::entry::{BookCopies, QueueEntry};
use super::heat::BookProfile;
use super::learning::BookProposal;
use super::occurrences::{OccurrenceBatch, OccurrenceRequest};
use super::page::BookPage;
use super::propagation::{PropagationSource, PropagationTarget};
use super::session::PassProgress;
use endpaper_truth::{
    Anchored, ConflictCopy, Record, SaveError, SavedRecord, Snapshot, StoredRecord,
};

/// A mouse event, in cells from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseInput {
    /// The wheel, lines down (negative: up).
    Wheel(u16, u16, i32),
    /// A click.
    Click(u16, u16),
}

/// Everything that can happen to a session.
#[derive(Debug)]
pub enum Message {
    /// A key.
    Key(Chord),
    /// Text pasted into a prompt.
    Paste(String),
    /// The mouse.
    Mouse(MouseInput),
    /// The screen has this many columns and rows.
    Resize(u16, u16),
    /// Time passed (the session's clock was set before).
    Tick,
    /// A book was read.
    Opened(Box<Opened>),
    /// A record was written or put back, or not.
    Saved {
        /// The ticket of the effect.
        ticket: u64,
        /// What happened.
        result: Result<SavedRecord, SaveError>,
    },
    /// A background pass over the corpus continues; `None`: it ended.
    Progress(Option<PassProgress>),
    /// The queue as known now, after listing, detection or reading of records. Same books in the same order unless
    /// `counts_changed`.
    Entries {
        /// All books.
        entries: Vec<QueueEntry>,
        /// The open page was computed from other counts: read it again if it is untouched.
        counts_changed: bool,
        /// Digest of the model that the pages to come are computed with, if it changed.
        model: Option<String>,
    },
    /// Near copies were searched for: what is known of each book, in the order of the entries.
    Copies(Vec<BookCopies>),
    /// The alternation detector examined all books: which of them it cuts far elsewhere, in the order of the entries.
    Contested(Vec<bool>),
    /// Books of the heat map were read.
    Heat {
        /// The number of the request; answers to older ones are of older frequencies.
        epoch: u64,
        /// The books with their profiles, `None` for one that cannot be read.
        books: Vec<(usize, Option<Box<BookProfile>>)>,
    },
    /// Lines that are searched for were found, or searched for in vain.
    Hits(OccurrenceBatch),
    /// All books were searched, or could not be: why.
    FoundBooks {
        /// The number of the request.
        epoch: u64,
        /// What was found.
        result: Result<FoundBooks, String>,
    },
    /// It was learned from the verdicts, or not: why.
    Learned {
        /// The number of the request.
        epoch: u64,
        /// What came of it.
        result: Result<Box<LearningSummary>, String>,
    },
    /// Other books were looked through for the cuts of a decision.
    PropagationTargets {
        /// The number of the request.
        epoch: u64,
        /// The books in which they would be right too, in the order they were asked for.
        books: Vec<PropagationTarget>,
    },
    /// Another edition was aligned with the open book, or cannot be read: why.
    Aligned {
        /// The ticket of the request.
        ticket: u64,
        /// What came of it.
        result: Result<Arc<EditionComparison>, String>,
    },
    /// Something outside wants to be said.
    Notice(String),
    /// Back from the editor or from suspension: the book may have changed.
    Returned,
    /// The terminal is gone, or the program was told to end: save everything and end without a question.
    HangUp,
}

/// What learning from verdicts brought. The weights themselves are current outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearningSummary {
    /// Verdicts that were learned from.
    pub verdicts: usize,
    /// Books by index, with what is proposed for them now.
    pub proposals: Vec<(usize, BookProposal)>,
}

/// A book that was read.
#[derive(Debug)]
pub struct Opened {
    /// The ticket of the effect.
    pub ticket: u64,
    /// Index of the book.
    pub book: usize,
    /// The page, or why it cannot be read.
    pub page: Result<Arc<BookPage>, String>,
    /// Its record.
    pub record: StoredRecord,
    /// The bytes of the record's file.
    pub snapshot: Snapshot,
    /// Where the record's places are in the page, if its bytes are other ones than the record's.
    pub anchored: Option<Box<Anchored>>,
    /// Versions of the record that were saved as conflict copies because two people changed it at once.
    pub conflict_copies: Vec<ConflictCopy>,
    /// A record of the same text under another id.
    pub same_text_record: Option<Box<Record>>,
    /// The truth folder cannot be read or written: why.
    pub trouble: Option<String>,
}

impl Opened {
    /// A book without any record.
    pub fn without_record(ticket: u64, book: usize, page: Arc<BookPage>) -> Opened {
        Opened {
            ticket,
            book,
            page: Ok(page),
            record: StoredRecord::Nothing,
            snapshot: Snapshot::default(),
            anchored: None,
            conflict_copies: Vec::new(),
            same_text_record: None,
            trouble: None,
        }
    }
}

/// A record to write.
#[derive(Clone, Debug)]
pub struct SaveRequest {
    /// Answers carry it.
    pub ticket: u64,
    /// What to write.
    pub record: Box<Record>,
    /// What the file held when it was read.
    pub expected: Snapshot,
    /// Conflict copies that it merges: removed once it is written.
    pub settles: Vec<PathBuf>,
}

/// What a session wants done outside.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Read a book and its record; answer with [`Message::Opened`].
    Open {
        /// Comes back in the answer; answers with an old one are ignored.
        ticket: u64,
        /// Index of the book.
        book: usize,
    },
    /// This book is on screen: the next sitting begins with it.
    Remember(usize),
    /// These books may be wanted soon.
    Preload(Vec<usize>),
    /// Read another edition and align it with the open book; answer with [`Message::Aligned`]. Replaces what was asked
    /// before.
    Align(EditionRequest),
    /// Make the profiles of these books for the heat map, in this order; answer with [`Message::Heat`], several at a
    /// time. Replaces what was asked before; none: stop.
    Heat {
        /// Comes back in the answers.
        epoch: u64,
        /// Indices of the books.
        books: Vec<usize>,
    },
    /// Look for a line in the Scans of the corpus; answer with [`Message::Hits`], several times. Replaces what was looked
    /// for before; `None`: stop.
    FindOccurrences(Option<OccurrenceRequest>),
    /// Search all books; answer with [`Message::FoundBooks`]. Replaces what was asked before.
    SearchCorpus {
        /// Comes back in the answer.
        epoch: u64,
        /// The query.
        text: String,
    },
    /// Learn from the records of decided books, and propose cuts for the undecided ones again; answer with
    /// [`Message::Learned`]. From then on pages are proposed by what was learned.
    Learn {
        /// Comes back in the answer.
        epoch: u64,
        /// Indices of the decided books.
        decided: Vec<usize>,
        /// Indices of the undecided ones.
        undecided: Vec<usize>,
    },
    /// Look for near copies that can be cut at the same words, and for books in which the change of a correction would be
    /// right too; answer with [`Message::PropagationTargets`]. Replaces what was asked before.
    FindPropagationTargets {
        /// Comes back in the answer.
        epoch: u64,
        /// The decision.
        source: PropagationSource,
        /// The books to look through, in this order, with the cuts they have.
        books: Vec<PropagationTarget>,
    },
    /// Pages to come are proposed by the weights that the sitting began with; nothing is learned that was asked for.
    Forget,
    /// Write a record; answer with [`Message::Saved`].
    Save(SaveRequest),
    /// Put the file of a record back to what it was; answer with [`Message::Saved`].
    Restore {
        /// Comes back in the answer.
        ticket: u64,
        /// The book's id.
        id: String,
        /// What the file held before.
        previous: Snapshot,
        /// What it should hold now.
        expected: Snapshot,
    },
    /// Open the book in the user's editor.
    Editor {
        /// Index of the book.
        book: usize,
        /// The line.
        line: u32,
    },
    /// Put a text into the terminal's clipboard.
    Copy(String),
    /// Take the mouse (`true`), or leave it to the terminal.
    Mouse(bool),
    /// Leave the screen and stop until brought back.
    Suspend,
    /// Clear and draw everything.
    Redraw,
    /// End the program (everything is saved).
    Quit,
}
