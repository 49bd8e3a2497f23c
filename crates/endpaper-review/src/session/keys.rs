//! Keys that are typed but not yet done.

use crate::chord::Chord;

/// No one reads a book that came by itself within so many milliseconds.
const REACTION: u64 = 700;

/// What was typed, and whether the curator has begun.
#[derive(Clone, Debug, Default)]
pub(crate) struct PendingKeys {
    /// Keys of an unfinished sequence.
    pub(crate) pending: Vec<Chord>,
    /// The count typed for the next key; 0: none of its digits yet.
    pub(crate) count: Option<u32>,
    /// Keys typed while a book was on its way.
    pub(crate) typed: Vec<Chord>,
    /// The curator has pressed a key: the screen does not jump to another book by itself any more.
    pub(crate) has_started: bool,
    /// When the screen went to another book by itself, milliseconds since 1970.
    pub(crate) auto_advanced_at: Option<u64>,
}

impl PendingKeys {
    /// Whether the screen went to another book by itself just before `now`: what is pressed or clicked was meant for the
    /// book before. True for the first key or click only.
    pub(crate) fn is_too_soon(&mut self, now: u64) -> bool {
        let just_came = |&at: &u64| now.saturating_sub(at) < REACTION;
        self.auto_advanced_at.take().filter(just_came).is_some()
    }
}
