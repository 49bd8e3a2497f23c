//! What the session waits for before it goes on.

use super::notice::Notice;
use crate::decision::Decision;
use crate::jump_list::JumpTarget;

/// How often it is said that a book takes long, in milliseconds.
const SLOW: u64 = 1000;

/// What to do with a book when it is there (undo).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PendingJump {
    /// The decision to show.
    pub decision: Option<Decision>,
    /// What to say.
    pub notice: Option<Box<Notice>>,
    /// Where to go in it.
    pub target: Option<JumpTarget>,
}

/// What is waited for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Waiting {
    /// A book is read.
    Open {
        /// The ticket.
        ticket: u64,
        /// The book.
        book: usize,
        /// Where to go in it when it is there (undo).
        goto: Option<PendingJump>,
    },
    /// A verdict is saved; the next book comes after it.
    Save {
        /// The ticket.
        ticket: u64,
    },
    /// A record is put back (undo).
    Restore {
        /// The ticket.
        ticket: u64,
    },
}

/// A book on its way to the screen, milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlowBook {
    /// When it was asked for.
    pub since: u64,
    /// When it was last said that it takes long; when it was asked for, if that was never said.
    pub notified_at: u64,
    /// Whether the notice on screen says so.
    pub is_notice_shown: bool,
}

/// The one answer that keys wait for, and the tickets that answers carry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waits {
    /// What is waited for.
    pub(crate) waiting: Option<Waiting>,
    /// Since when a book is waited for.
    pub(crate) slow: Option<SlowBook>,
    /// The last ticket given out.
    ticket: u64,
}

impl Waits {
    /// A ticket that was not given out before.
    pub(crate) fn next_ticket(&mut self) -> u64 {
        self.ticket += 1;
        self.ticket
    }

    /// Waits for a book from `now` on; returns the ticket its answer is to carry.
    pub(crate) fn for_book(&mut self, book: usize, goto: Option<PendingJump>, now: u64) -> u64 {
        let ticket = self.next_ticket();
        self.slow = Some(SlowBook {
            since: now,
            notified_at: now,
            is_notice_shown: false,
        });
        self.waiting = Some(Waiting::Open { ticket, book, goto });
        ticket
    }

    /// When it is to be said that the book on its way takes long, milliseconds since 1970.
    pub(crate) fn slow_due(&self) -> Option<u64> {
        let waits = matches!(self.waiting, Some(Waiting::Open { .. }));
        let slow = self.slow.filter(|_| waits)?;
        Some(slow.notified_at + SLOW)
    }

    /// A verdict is being saved, or a record put back.
    pub(crate) fn for_disk(&self) -> bool {
        matches!(
            self.waiting,
            Some(Waiting::Save { .. } | Waiting::Restore { .. })
        )
    }
}
