//! Records being saved, failed saves, and what waits for them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::waits::PendingJump;
use crate::action::Action;
use crate::bulk::BulkMark;
use crate::decision::Decision;
use endpaper_truth::{Record, SaveError, Snapshot};

/// Delay before a failed save is retried, in milliseconds.
const RETRY_AFTER: u64 = 5000;

/// What the screen does after a verdict is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterSave {
    Stay,
    /// Go to the next undecided book.
    Next,
}

/// A save that was requested and is not confirmed yet.
#[derive(Clone, Debug)]
pub(crate) struct PendingSave {
    /// Ticket that the answer carries.
    pub ticket: u64,
    /// Index of the book.
    pub book: usize,
    /// The record to write; `None` restores the file as it was before (undo).
    pub record: Option<Box<Record>>,
    /// The decision that is saved.
    pub decision: Decision,
    /// The contents of the file before the save.
    pub before: Snapshot,
    /// What to do after a verdict is saved; `None` for a draft.
    pub then: Option<AfterSave>,
    /// Conflict copies that the record resolves.
    pub settles: Vec<PathBuf>,
    /// The mark of many books that the save is part of.
    pub bulk: Option<BulkSave>,
}

/// A mark of many books, of which one is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BulkSave {
    /// The step of the history.
    pub id: u64,
    pub mark: BulkMark,
}

/// An action that waits until a draft of the same book is saved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deferred {
    Action(Action),
    /// Opening another book, and where to go in it.
    Open(usize, Option<PendingJump>),
}

/// The outcome of a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SaveOutcome {
    Saved {
        /// An earlier save of this book had failed.
        was_retry: bool,
    },
    /// Another curator's record was written in the meantime; the save is not retried.
    Superseded,
    Failed {
        /// The program was about to quit: the curator is asked first.
        asks_to_quit: bool,
    },
}

/// Saves between the screen and the disk. A save is underway until [`SaveQueue::take`]; a failed one is kept and sent
/// again by [`SaveQueue::retry`].
#[derive(Clone, Debug, Default)]
pub(crate) struct SaveQueue {
    underway: Vec<PendingSave>,
    failed: Vec<PendingSave>,
    /// When to retry, in milliseconds since 1970.
    retry_at: u64,
    deferred: Option<Deferred>,
    /// A failed verdict was reported; a second Enter continues anyway.
    warned: bool,
    unsaved: BTreeSet<usize>,
    why: String,
    /// The program quits as soon as no save is underway.
    quitting: bool,
}

impl SaveQueue {
    /// Adds a save that is sent to the disk. It replaces failed saves of the same book, whose content it includes.
    pub(crate) fn send(&mut self, save: PendingSave) {
        self.failed.retain(|other| other.book != save.book);
        self.underway.push(save);
    }

    /// Removes and returns the save whose answer arrived.
    pub(crate) fn take(&mut self, ticket: u64) -> Option<PendingSave> {
        let at = self
            .underway
            .iter()
            .position(|save| save.ticket == ticket)?;
        Some(self.underway.remove(at))
    }

    /// Handles the answer to a save that was taken; `on_screen`: its book is open.
    pub(crate) fn answered(
        &mut self,
        save: &PendingSave,
        error: Option<&SaveError>,
        on_screen: bool,
        now: u64,
    ) -> SaveOutcome {
        match error {
            None => {
                self.warned &= !on_screen;
                SaveOutcome::Saved {
                    was_retry: self.unsaved.remove(&save.book),
                }
            }
            Some(SaveError::Conflict { .. } | SaveError::Changed { .. }) => {
                self.unsaved.remove(&save.book);
                SaveOutcome::Superseded
            }
            Some(error @ SaveError::Io { .. }) => {
                self.why = error.to_string();
                self.unsaved.insert(save.book);
                self.retry_at = now + RETRY_AFTER;
                if on_screen {
                    self.warned = save.then.is_some();
                }
                self.failed.retain(|other| other.book != save.book);
                self.failed.push(save.clone());
                SaveOutcome::Failed {
                    asks_to_quit: std::mem::take(&mut self.quitting),
                }
            }
        }
    }

    /// Returns the failed saves to send again, each with a new ticket, if it is time or `at_once` is set.
    pub(crate) fn retry(
        &mut self,
        at_once: bool,
        now: u64,
        mut next_ticket: impl FnMut() -> u64,
    ) -> Vec<PendingSave> {
        if self.failed.is_empty() || (!at_once && now < self.retry_at) {
            return Vec::new();
        }
        self.retry_at = now + RETRY_AFTER;
        let again = self.failed.drain(..).map(|save| PendingSave {
            ticket: next_ticket(),
            then: None,
            ..save
        });
        let again: Vec<PendingSave> = again.collect();
        self.underway.extend(again.iter().cloned());
        again
    }

    /// Whether this Enter is the second one after a failed verdict, with which the curator continues.
    pub(crate) fn confirms_failure(&mut self, now: u64) -> bool {
        let goes_on = std::mem::take(&mut self.warned);
        if goes_on {
            self.retry_at = now + RETRY_AFTER;
        }
        goes_on
    }

    /// Forgets the warning about a failed verdict, as the book on screen changed.
    pub(crate) fn forget_warning(&mut self) {
        self.warned = false;
    }

    /// Removes and returns the failed save of a book that is opened again, if it was based on the record now on disk.
    pub(crate) fn reclaim(&mut self, book: usize, known: &Snapshot) -> Option<PendingSave> {
        let ours = |save: &PendingSave| save.book == book && save.before == *known;
        let at = self.failed.iter().position(ours)?;
        Some(self.failed.remove(at))
    }

    /// Gives up the failed saves of a book.
    pub(crate) fn drop_failed(&mut self, book: usize) {
        self.failed.retain(|save| save.book != book);
        self.unsaved.remove(&book);
    }

    /// The book is again as it is on disk: what could not be saved of it was taken back, unless it still waits to be saved.
    pub(crate) fn forget_reverted(&mut self, book: usize) {
        if !self.is_underway(book) && self.failed.iter().all(|save| save.book != book) {
            self.unsaved.remove(&book);
        }
    }

    /// Gives up the failed saves of a mark of many books; returns their books.
    pub(crate) fn drop_bulk(&mut self, id: u64) -> Vec<usize> {
        let is_part = |save: &PendingSave| save.bulk.as_ref().is_some_and(|bulk| bulk.id == id);
        let dropped = self.failed.extract_if(.., |save| is_part(save));
        let books: Vec<usize> = dropped.map(|save| save.book).collect();
        for book in &books {
            self.unsaved.remove(book);
        }
        books
    }

    /// Notes what to do when the saves are done.
    pub(crate) fn defer(&mut self, deferred: Deferred) {
        self.deferred = Some(deferred);
    }

    /// What is to be done when the saves are done.
    pub(crate) fn deferred(&self) -> Option<&Deferred> {
        self.deferred.as_ref()
    }

    /// What is to be done now that the saves are done; it is forgotten.
    pub(crate) fn take_deferred(&mut self) -> Option<Deferred> {
        self.deferred.take()
    }

    /// Quits as soon as no save is underway.
    pub(crate) fn quit(&mut self) {
        self.quitting = true;
    }

    /// Whether the program ends when the saves are done.
    pub(crate) fn is_quitting(&self) -> bool {
        self.quitting
    }

    /// Whether the program may quit now that no save is underway. A failed save cancels quitting.
    pub(crate) fn can_quit(&mut self) -> bool {
        self.quitting &= self.failed.is_empty();
        self.failed.is_empty()
    }

    /// Whether no save is under way.
    pub(crate) fn is_empty(&self) -> bool {
        self.underway.is_empty()
    }

    /// Whether a save of the book is under way.
    pub(crate) fn is_underway(&self, book: usize) -> bool {
        self.underway.iter().any(|save| save.book == book)
    }

    /// The newest save of the book that is underway.
    pub(crate) fn newest(&self, book: usize) -> Option<&PendingSave> {
        self.underway.iter().rev().find(|save| save.book == book)
    }

    /// Whether a failed record of the book will be retried.
    pub(crate) fn will_retry(&self, book: usize) -> bool {
        let waits = |save: &PendingSave| save.book == book && save.record.is_some();
        self.failed.iter().any(waits)
    }

    /// Whether nothing of the book is being saved or waits to be.
    pub(crate) fn has_no_saves(&self, book: usize) -> bool {
        let failed = |save: &PendingSave| save.book == book;
        !self.is_underway(book) && !self.is_unsaved(book) && !self.failed.iter().any(failed)
    }

    /// Whether changes of the book could not be saved.
    pub(crate) fn is_unsaved(&self, book: usize) -> bool {
        self.unsaved.contains(&book)
    }

    /// Number of books whose last save failed.
    pub(crate) fn unsaved(&self) -> usize {
        self.unsaved.len()
    }

    /// Error of the last failed save.
    pub(crate) fn why(&self) -> &str {
        &self.why
    }

    /// When failed saves are retried, in milliseconds since 1970; `None` if there are none.
    pub(crate) fn retry_due(&self) -> Option<u64> {
        (!self.failed.is_empty()).then_some(self.retry_at)
    }
}

#[cfg(test)]
mod tests;
