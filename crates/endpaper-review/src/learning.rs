//! The session's state of learning from verdicts.
//!
//! A background worker fits the weights ([`super::Effect::Learn`]); this module holds the requests and the proposals from before,
//! which undo the learning.

use std::collections::BTreeMap;

use endpaper_detect::Cuts;
use endpaper_detect::Reason;

/// The proposal for a book that is not open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BookProposal {
    /// The cuts; `None` before detection.
    pub cuts: Option<Cuts>,
    /// Doubt; `None` before detection.
    pub doubt: Option<f32>,
    /// The most important reason for doubt.
    pub reason: Option<Reason>,
}

/// Requests and results of learning.
#[derive(Clone, Debug, Default)]
pub struct LearningState {
    /// The number of the last request; answers to older ones are ignored.
    pub(super) epoch: u64,
    /// Number of decided books at the last request.
    pub(super) asked_at: usize,
    /// A request has not been answered yet.
    pub(super) is_underway: bool,
    /// Learned weights are in use.
    pub(super) is_active: bool,
    /// The decided books of the last request, with their cuts.
    pub(super) taught: BTreeMap<usize, Option<Cuts>>,
    /// The second opinions of the corpus are known.
    pub(super) knows_opinions: bool,
    /// Learned proposals lack the second opinions that came later.
    pub(super) is_outdated: bool,
    /// For every book that learning has changed, the proposal from before.
    pub(super) original_proposals: BTreeMap<usize, BookProposal>,
}
