//! Marking all books of a filtered queue, while it is under way.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::bulk::BulkMark;

/// What is done to many books now; keys wait for its end.
#[derive(Clone, Debug)]
pub(crate) enum BulkWork {
    Marking(BulkRun),
    Undoing(BulkUndo),
}

/// A mark being set on many books, one after another.
#[derive(Clone, Debug)]
pub(crate) struct BulkRun {
    pub id: u64,
    pub mark: BulkMark,
    /// The books that are still to be read.
    pub left: VecDeque<usize>,
    /// The book being read, with the ticket of the request.
    pub asked: Option<(u64, usize)>,
    /// The records being saved, by ticket.
    pub saving: BTreeSet<u64>,
    /// Number of books at the beginning.
    pub total: usize,
    pub tally: BulkTally,
}

/// Records being restored as they were before a mark.
#[derive(Clone, Debug)]
pub(crate) struct BulkUndo {
    pub mark: BulkMark,
    /// The books whose answer is awaited, by ticket.
    pub tickets: BTreeMap<u64, usize>,
    pub tally: BulkTally,
}

/// What became of the books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BulkTally {
    /// Number of books whose record was changed, or restored.
    pub changed: usize,
    /// Number of books that had the mark already.
    pub unchanged: usize,
    /// Books that were not changed, by name, with the reason.
    pub left_out: Vec<(String, LeftOut)>,
    /// Number of records that could not be written; they are kept and tried again.
    pub unsaved: usize,
    /// Why the last of them could not be written.
    pub why: String,
    /// Number of books that were not reached because the curator stopped.
    pub stopped: usize,
}

/// Why a book was not marked with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeftOut {
    /// The book cannot be read.
    Unreadable,
    /// Its record does not parse.
    BrokenRecord,
    /// Its record cannot be read or written.
    NoRecord,
    /// An earlier change of it is not saved yet.
    Unsaved,
    /// Someone else changed its record.
    Changed,
}
