//! How the sitting goes: blind, over a sample, or replaying what was decided.

use std::collections::{BTreeMap, BTreeSet};

use crate::decision::BlindReview;
use crate::decision::Decision;
use crate::sampling::SampleSitting;

/// A replay under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replay {
    /// The books, the one decided first in front.
    pub books: Vec<usize>,
    /// Which one is on screen.
    pub at: usize,
    /// The book to go back to.
    pub back: usize,
    /// The one on screen was taken up, to be corrected.
    pub is_correcting: bool,
}

/// What makes the sitting other than a normal one.
#[derive(Clone, Debug, Default)]
pub struct ModeState {
    /// Nothing is proposed before both cuts are placed.
    pub(crate) blind: bool,
    /// What was said of blind books that were left without a verdict.
    pub(crate) blind_drafts: BTreeMap<usize, (Decision, BlindReview)>,
    /// Books whose proposals were on screen: they cannot be reviewed blind any more.
    pub(crate) proposal_seen: BTreeSet<usize>,
    /// Only the books of a sample come up.
    pub sampling: Option<SampleSitting>,
    /// The last decisions are replayed.
    pub(crate) replay: Option<Replay>,
}

impl ModeState {
    /// A sitting that begins blind, or not.
    pub(crate) fn new(blind: bool) -> ModeState {
        ModeState {
            blind,
            ..ModeState::default()
        }
    }

    /// Whether a book is one of a sample and was not looked at yet.
    pub(crate) fn is_unreviewed_in_sample(&self, book: usize) -> bool {
        let sampling = self.sampling.as_ref();
        sampling.is_some_and(|sampling| sampling.is_unreviewed(book))
    }
}
