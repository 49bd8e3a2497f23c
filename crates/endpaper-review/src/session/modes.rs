//! Modes of a sitting: blind review, review of a sample, replay.

use std::collections::{BTreeMap, BTreeSet};

use crate::decision::BlindReview;
use crate::decision::Decision;
use crate::sampling::SampleSitting;

/// The replay of earlier decisions, one book after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replay {
    /// The decided books, the oldest decision first.
    pub books: Vec<usize>,
    /// Index of the current one in `books`.
    pub at: usize,
    /// The book to return to.
    pub back: usize,
    /// The decision on screen is being corrected.
    pub is_correcting: bool,
}

/// The modes that are on.
#[derive(Clone, Debug, Default)]
pub struct ModeState {
    /// Nothing is proposed until both cuts are placed.
    pub(crate) blind: bool,
    /// Drafts of blind books that were left without a verdict.
    pub(crate) blind_drafts: BTreeMap<usize, (Decision, BlindReview)>,
    /// Decisions on disputed books that were left before an opinion with cuts was chosen.
    pub(crate) dispute_drafts: BTreeMap<usize, Decision>,
    /// Books whose proposal was shown: they can no longer be reviewed blind.
    pub(crate) proposal_seen: BTreeSet<usize>,
    /// The sample under review; only its books are shown.
    pub sampling: Option<SampleSitting>,
    pub(crate) replay: Option<Replay>,
}

impl ModeState {
    /// The modes at the start of a sitting.
    pub(crate) fn new(blind: bool) -> ModeState {
        ModeState {
            blind,
            ..ModeState::default()
        }
    }

    /// Whether a book is in the sample under review and has no review in it.
    pub(crate) fn is_unreviewed_in_sample(&self, book: usize) -> bool {
        let sampling = self.sampling.as_ref();
        sampling.is_some_and(|sampling| sampling.is_unreviewed(book))
    }
}
