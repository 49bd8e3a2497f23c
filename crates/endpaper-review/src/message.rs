//! The inputs of a session, and the effects it requests.

use std::path::PathBuf;
use std::sync::Arc;

use super::chord::Chord;
use super::copies::{CopyComparison, CopyPair};
use super::corpus_search::FoundBooks;
use super::dispute::Dispute;
use super::editions::{EditionComparison, EditionRequest};
use super::entry::{EntryOpinions, QueueEntry};
use super::heat::BookShades;
use super::learning::BookProposal;
use super::occurrences::{OccurrenceBatch, OccurrenceRequest};
use super::page::BookPage;
use super::propagation::{PropagationSource, PropagationTarget};
use super::session::PassProgress;
use endpaper_text::corpus::Encoding;
use endpaper_truth::{
    Anchored, ConflictCopy, Record, SaveError, SavedRecord, Snapshot, StoredRecord,
};

/// A mouse event, in cells from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseInput {
    /// The wheel at a cell, in lines down (negative: up).
    Wheel(u16, u16, i32),
    /// A click on a cell.
    Click(u16, u16),
}

/// The inputs of a session.
#[derive(Debug)]
pub enum Message {
    /// A key.
    Key(Chord),
    /// Text pasted into a prompt.
    Paste(String),
    /// The mouse.
    Mouse(MouseInput),
    /// The new size of the screen: columns, rows.
    Resize(u16, u16),
    /// Time passed (the session's clock is already set).
    Tick,
    /// A book was read.
    Opened(Box<Opened>),
    /// A record was written or restored, or this failed.
    Saved {
        /// The ticket of the effect.
        ticket: u64,
        /// The result.
        result: Result<SavedRecord, SaveError>,
    },
    /// Progress of a background pass over the corpus; `None` at its end.
    Progress(Option<PassProgress>),
    /// The new queue entries, after listing, detection or reading of records. They have the same books in the same order unless
    /// `counts_changed`.
    Entries {
        /// All books.
        entries: Vec<QueueEntry>,
        /// The counts have changed: the open page is read again if it is unedited.
        counts_changed: bool,
        /// Digest of the model for pages computed from now on, if it changed.
        model: Option<String>,
    },
    /// Second opinions on all books are known, in the order of the entries. The open page is read again if it is unedited.
    Opinions(Vec<EntryOpinions>),
    /// Books of the heat map were read.
    Heat {
        /// Number of the request; answers to older ones are for old frequencies.
        epoch: u64,
        /// The books with their shades, `None` if a book cannot be read.
        books: Vec<(usize, Option<Box<BookShades>>)>,
    },
    /// Occurrences of a line were found, or the search for them ended.
    Hits(OccurrenceBatch),
    /// The search in all books ended.
    FoundBooks {
        /// Number of the request.
        epoch: u64,
        /// The results, or why the search failed.
        result: Result<FoundBooks, String>,
    },
    /// Learning from the verdicts ended.
    Learned {
        /// Number of the request.
        epoch: u64,
        /// The summary, or why learning failed.
        result: Result<Box<LearningSummary>, String>,
    },
    /// The search for propagation targets ended.
    PropagationTargets {
        /// Number of the request.
        epoch: u64,
        /// The books for which the decision is likely right too, in the order requested.
        books: Vec<PropagationTarget>,
    },
    /// Two near copies were compared.
    CopiesCompared(CopyComparison),
    /// Another edition was aligned with the open book.
    Aligned {
        /// The ticket of the request.
        ticket: u64,
        /// The comparison, or why the edition cannot be read.
        result: Result<Arc<EditionComparison>, String>,
    },
    /// A message from a worker, to be shown.
    Notice(String),
    /// The editor was closed or the program resumed: the book may have changed.
    Returned,
    /// The terminal is gone, or the program must end: save everything and end without a question.
    HangUp,
}

/// The result of learning from verdicts. The learned weights stay with the worker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearningSummary {
    /// Number of verdicts learned from.
    pub verdicts: usize,
    /// The second opinions of the corpus were known.
    pub has_opinions: bool,
    /// Indices of books, with their new proposals.
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
    /// Where the record's positions are in the page, if the record was made for other bytes.
    pub anchored: Option<Box<Anchored>>,
    /// Conflict copies of the record, saved because two people changed it at the same time.
    pub conflict_copies: Vec<ConflictCopy>,
    /// What curators decided differently, if it is adjudicated.
    pub dispute: Option<Arc<Dispute>>,
    /// A record of the same text under another id.
    pub same_text_record: Option<Box<Record>>,
    /// Why the truth folder cannot be read or written, if so.
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
            dispute: None,
            same_text_record: None,
            trouble: None,
        }
    }
}

/// A record to write.
#[derive(Clone, Debug)]
pub struct SaveRequest {
    /// Identifies the request in the answer.
    pub ticket: u64,
    /// The record.
    pub record: Box<Record>,
    /// The expected contents of the file, as last read.
    pub expected: Snapshot,
    /// Conflict copies that it settles, removed after the write.
    pub settles: Vec<PathBuf>,
}

/// An effect that a session requests.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Read a book and its record; answer with [`Message::Opened`].
    Open {
        /// Returned in the answer; answers with an old ticket are ignored.
        ticket: u64,
        /// Index of the book.
        book: usize,
    },
    /// Remember this book as the first of the next sitting.
    Remember(usize),
    /// Preload these books, which may be opened soon.
    Preload(Vec<usize>),
    /// Read another edition and align it with the open book; answer with [`Message::Aligned`]. Replaces the previous request, of
    /// evidence or not.
    Align(EditionRequest),
    /// Compute the heat map shades of these books, in this order; answer with [`Message::Heat`], several at a time. Replaces the
    /// previous request; an empty list stops it.
    Heat {
        /// Returned in the answers.
        epoch: u64,
        /// Indices of the books.
        books: Vec<usize>,
    },
    /// Search the scans of the corpus for a line; answer with [`Message::Hits`], several times. Replaces the previous request;
    /// `None` stops it.
    FindOccurrences(Option<OccurrenceRequest>),
    /// Search all books; answer with [`Message::FoundBooks`]. Replaces the previous request.
    SearchCorpus {
        /// Returned in the answer.
        epoch: u64,
        /// The query.
        text: String,
    },
    /// Learn from the records of decided books, and propose cuts for the undecided ones again; answer with
    /// [`Message::Learned`]. Pages read later use the learned weights.
    Learn {
        /// Returned in the answer.
        epoch: u64,
        /// Indices of the decided books.
        decided: Vec<usize>,
        /// Indices of the undecided books.
        undecided: Vec<usize>,
    },
    /// Search for near copies that can be cut at the same words, and for books in which the change of a correction is likely right
    /// too; answer with [`Message::PropagationTargets`]. Replaces the previous request.
    FindPropagationTargets {
        /// Returned in the answer.
        epoch: u64,
        /// The decision.
        source: PropagationSource,
        /// The books to search, in this order, with their current cuts.
        books: Vec<PropagationTarget>,
    },
    /// Compare these near copies by the words at their cuts; answer each with [`Message::CopiesCompared`]. Replaces the previous
    /// request.
    CompareCopies(Vec<CopyPair>),
    /// Use the initial weights of the sitting for pages read later, and drop pending requests to learn.
    Forget,
    /// Write a record; answer with [`Message::Saved`].
    Save(SaveRequest),
    /// Restore the file of a record; answer with [`Message::Saved`].
    Restore {
        /// Returned in the answer.
        ticket: u64,
        /// The book's id.
        id: String,
        /// The contents to restore.
        previous: Snapshot,
        /// The expected current contents.
        expected: Snapshot,
    },
    /// Keep an encoding for a book or for all, or the guess again, and read it so from now on.
    KeepEncoding {
        /// Index of the book; `None`: all books without a choice of their own.
        book: Option<usize>,
        /// The encoding; `None`: the guess.
        encoding: Option<Encoding>,
    },
    /// Open the book in the user's editor.
    Editor {
        /// Index of the book.
        book: usize,
        /// The line.
        line: u32,
    },
    /// Copy a text to the terminal's clipboard.
    Copy(String),
    /// Capture the mouse (`true`), or release it.
    Mouse(bool),
    /// Leave the screen and suspend the process.
    Suspend,
    /// Clear and draw everything.
    Redraw,
    /// End the program; everything is saved.
    Quit,
}
