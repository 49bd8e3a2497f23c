//! Typed keys that are not handled yet.

use crate::chord::Chord;

/// Reaction time in milliseconds: a key pressed sooner after the screen changed books was meant for the previous book.
const REACTION: u64 = 700;

/// Keys that wait: for the rest of a sequence, for the action a count belongs to, or for a book that is loading.
#[derive(Clone, Debug, Default)]
pub(crate) struct PendingKeys {
    pub(crate) pending: Vec<Chord>,
    /// The count typed for the next key; `Some(0)` before its first digit.
    pub(crate) count: Option<u32>,
    /// Keys typed while a book was loading.
    pub(crate) typed: Vec<Chord>,
    /// The curator has pressed a key, so the screen no longer changes books automatically.
    pub(crate) has_started: bool,
    /// The curator has pressed a key in this sitting, whatever book an earlier one ended with: the book on screen no longer gets
    /// other proposals.
    pub(crate) has_pressed: bool,
    /// When the screen last changed books automatically, in milliseconds since 1970.
    pub(crate) auto_advanced_at: Option<u64>,
}

impl PendingKeys {
    /// Whether the screen changed books automatically just before `now`, so that this key or click was meant for the previous
    /// book. True for the first key or click only.
    pub(crate) fn is_too_soon(&mut self, now: u64) -> bool {
        let just_came = |&at: &u64| now.saturating_sub(at) < REACTION;
        self.auto_advanced_at.take().filter(just_came).is_some()
    }
}
