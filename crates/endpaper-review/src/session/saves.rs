//! What is on its way to the disk, could not be saved, or waits for either.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::action::Action;
use crate::decision::Decision;
use crate::update::Goto;
use endpaper_truth::{Record, Snapshot};

/// What comes after a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// Stay on the book.
    Stay,
    /// Go to the next book that is not decided.
    Next,
}

/// A record on its way to the disk.
#[derive(Clone, Debug)]
pub(crate) struct PendingSave {
    /// Answers carry it.
    pub ticket: u64,
    /// Index of the book.
    pub book: usize,
    /// What is written; `None`: the file is put back to `known`'s predecessor.
    pub record: Option<Box<Record>>,
    /// What is written, as the curator said it.
    pub decision: Decision,
    /// What the file held before.
    pub before: Snapshot,
    /// A verdict; what comes after it.
    pub then: Option<Then>,
    /// Versions kept aside that the record brings together.
    pub settles: Vec<PathBuf>,
}

/// What waits for a draft of the same book that is on its way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deferred {
    /// An action.
    Action(Action),
    /// Opening another book, and what to do with it.
    Open(usize, Option<Goto>),
}

/// Records between the screen and the disk.
#[derive(Clone, Debug, Default)]
pub struct SaveQueue {
    /// Records on their way to the disk.
    pub(crate) underway: Vec<PendingSave>,
    /// Records that could not be saved, to be tried again.
    pub(crate) failed: Vec<PendingSave>,
    /// When to try again, milliseconds since 1970.
    pub(crate) retry_at: u64,
    /// What waits for a draft of the current book.
    pub(crate) deferred: Option<Deferred>,
    /// A failed save was reported; a second Enter goes on.
    pub(crate) warned: bool,
    /// Books whose last save failed and that were left all the same.
    pub unsaved: BTreeSet<usize>,
    /// The program is to end as soon as nothing is on its way.
    pub(crate) quitting: bool,
}

impl SaveQueue {
    /// Something of the book is on its way to the disk.
    pub(crate) fn is_underway(&self, book: usize) -> bool {
        self.underway.iter().any(|save| save.book == book)
    }
}
