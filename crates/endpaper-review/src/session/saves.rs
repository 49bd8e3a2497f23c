//! What is on its way to the disk, could not be saved, or waits for either.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::waits::PendingJump;
use crate::action::Action;
use crate::decision::Decision;
use endpaper_truth::{Record, SaveError, Snapshot};

/// What failed to be saved is tried again after this many milliseconds.
const RETRY_AFTER: u64 = 5000;

/// What comes after a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterSave {
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
    pub then: Option<AfterSave>,
    /// Versions kept aside that the record brings together.
    pub settles: Vec<PathBuf>,
}

/// What waits for a draft of the same book that is on its way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deferred {
    /// An action.
    Action(Action),
    /// Opening another book, and what to do with it.
    Open(usize, Option<PendingJump>),
}

/// What became of a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SaveOutcome {
    /// It is on disk.
    Saved {
        /// An earlier save of this book had failed.
        was_retry: bool,
    },
    /// Somebody else's record is in force: ours is not tried again.
    Superseded,
    /// It is tried again later.
    Failed {
        /// The program was to end: the curator is asked first.
        asks_to_quit: bool,
    },
}

/// Records between the screen and the disk. A save is underway until [`SaveQueue::answered`]; one that failed stays and
/// goes again with [`SaveQueue::retry`].
#[derive(Clone, Debug, Default)]
pub(crate) struct SaveQueue {
    underway: Vec<PendingSave>,
    failed: Vec<PendingSave>,
    /// When to try again, milliseconds since 1970.
    retry_at: u64,
    deferred: Option<Deferred>,
    /// A failed verdict was reported; a second Enter goes on.
    warned: bool,
    /// Books whose last save failed.
    unsaved: BTreeSet<usize>,
    /// Why the last save that failed did.
    why: String,
    /// The program is to end as soon as nothing is on its way.
    quitting: bool,
}

impl SaveQueue {
    /// A save goes to the disk: it says all that an older one of its book said, which failed.
    pub(crate) fn send(&mut self, save: PendingSave) {
        self.failed.retain(|other| other.book != save.book);
        self.underway.push(save);
    }

    /// Takes the save that the disk answered.
    pub(crate) fn take(&mut self, ticket: u64) -> Option<PendingSave> {
        let at = self
            .underway
            .iter()
            .position(|save| save.ticket == ticket)?;
        Some(self.underway.remove(at))
    }

    /// The disk answered a save that was taken. `on_screen`: its book is open.
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

    /// Sends again what failed, if it is time (or `at_once`), each with a new ticket: what goes to the disk.
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

    /// A second Enter after a failed verdict: `true` if this is one, and the curator goes on.
    pub(crate) fn confirms_failure(&mut self, now: u64) -> bool {
        let goes_on = std::mem::take(&mut self.warned);
        if goes_on {
            self.retry_at = now + RETRY_AFTER;
        }
        goes_on
    }

    /// The book on screen changed, or is another one: the next Enter is a first one.
    pub(crate) fn forget_warning(&mut self) {
        self.warned = false;
    }

    /// Takes the failed save of a book that is opened again, if it was made on the record that is there now.
    pub(crate) fn reclaim(&mut self, book: usize, known: &Snapshot) -> Option<PendingSave> {
        let ours = |save: &PendingSave| save.book == book && save.before == *known;
        let at = self.failed.iter().position(ours)?;
        Some(self.failed.remove(at))
    }

    /// What failed of a book was undone: it is not tried again.
    pub(crate) fn drop_failed(&mut self, book: usize) {
        self.failed.retain(|save| save.book != book);
        self.unsaved.remove(&book);
    }

    /// Something waits until the disk has answered.
    pub(crate) fn defer(&mut self, deferred: Deferred) {
        self.deferred = Some(deferred);
    }

    /// What waits for the disk.
    pub(crate) fn deferred(&self) -> Option<&Deferred> {
        self.deferred.as_ref()
    }

    /// The disk has answered: what waited for it goes on.
    pub(crate) fn take_deferred(&mut self) -> Option<Deferred> {
        self.deferred.take()
    }

    /// The program is to end as soon as nothing is on its way.
    pub(crate) fn quit(&mut self) {
        self.quitting = true;
    }

    /// Whether the program is to end.
    pub(crate) fn is_quitting(&self) -> bool {
        self.quitting
    }

    /// Whether the program may end, with nothing on its way; if not, it is not to end any more.
    pub(crate) fn can_quit(&mut self) -> bool {
        self.quitting &= self.failed.is_empty();
        self.failed.is_empty()
    }

    /// Nothing is on its way to the disk.
    pub(crate) fn is_empty(&self) -> bool {
        self.underway.is_empty()
    }

    /// Something of the book is on its way to the disk.
    pub(crate) fn is_underway(&self, book: usize) -> bool {
        self.underway.iter().any(|save| save.book == book)
    }

    /// The newest save of the book that is on its way.
    pub(crate) fn newest(&self, book: usize) -> Option<&PendingSave> {
        self.underway.iter().rev().find(|save| save.book == book)
    }

    /// A record of the book failed and is tried again.
    pub(crate) fn will_retry(&self, book: usize) -> bool {
        let waits = |save: &PendingSave| save.book == book && save.record.is_some();
        self.failed.iter().any(waits)
    }

    /// Nothing of the book is on its way, and nothing failed.
    pub(crate) fn has_no_saves(&self, book: usize) -> bool {
        let failed = |save: &PendingSave| save.book == book;
        !self.is_underway(book) && !self.is_unsaved(book) && !self.failed.iter().any(failed)
    }

    /// The last save of the book failed.
    pub(crate) fn is_unsaved(&self, book: usize) -> bool {
        self.unsaved.contains(&book)
    }

    /// Books whose last save failed.
    pub(crate) fn unsaved(&self) -> usize {
        self.unsaved.len()
    }

    /// Why the last save that failed did.
    pub(crate) fn why(&self) -> &str {
        &self.why
    }

    /// When failed saves are tried again, milliseconds since 1970.
    pub(crate) fn retry_due(&self) -> Option<u64> {
        (!self.failed.is_empty()).then_some(self.retry_at)
    }
}

#[cfg(test)]
mod tests;
