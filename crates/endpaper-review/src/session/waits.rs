//! Answers that the session waits for.

use super::notice::Notice;
use crate::decision::Decision;
use crate::jump_list::JumpTarget;

/// Interval between notices that a book is still being read, in milliseconds.
const NOTICE_INTERVAL_MS: u64 = 1000;

/// What to show in a book after it is opened.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PendingJump {
    /// The decision to show (undo).
    pub decision: Option<Decision>,
    /// The message to show.
    pub notice: Option<Box<Notice>>,
    /// Where to go in it.
    pub target: Option<JumpTarget>,
}

/// The answer of a worker that the screen waits for. An answer with another ticket is out of date.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Waiting {
    /// A book is being read.
    Open {
        ticket: u64,
        book: usize,
        goto: Option<PendingJump>,
    },
    /// A verdict is being saved; the next book follows.
    Save { ticket: u64 },
    /// A record is being restored (undo).
    Restore { ticket: u64 },
}

/// A book that is being read; times are in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlowBook {
    /// When it was requested.
    pub since: u64,
    /// Time of the last notice that it takes long; equal to `since` before the first.
    pub notified_at: u64,
    /// The notice on screen is about it.
    pub is_notice_shown: bool,
}

/// The answer that keys wait for, and the source of tickets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waits {
    pub(crate) waiting: Option<Waiting>,
    pub(crate) slow: Option<SlowBook>,
    ticket: u64,
}

impl Waits {
    /// A number that no request had before.
    pub(crate) fn next_ticket(&mut self) -> u64 {
        self.ticket += 1;
        self.ticket
    }

    /// Starts to wait for a book; returns the ticket of the answer.
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

    /// When the next notice that the book takes long is due, in milliseconds since 1970.
    pub(crate) fn slow_due(&self) -> Option<u64> {
        let waits = matches!(self.waiting, Some(Waiting::Open { .. }));
        let slow = self.slow.filter(|_| waits)?;
        Some(slow.notified_at + NOTICE_INTERVAL_MS)
    }

    /// Whether the session waits for a record to be written.
    pub(crate) fn for_disk(&self) -> bool {
        matches!(
            self.waiting,
            Some(Waiting::Save { .. } | Waiting::Restore { .. })
        )
    }
}
