//! What the session knows of learning from its verdicts.
//!
//! The fit itself happens outside ([`super::Effect::Learn`]); this is what was asked for, and what was in the queue
//! before, so that it can be taken back.

use std::collections::BTreeMap;

use endpaper_detect::Cuts;
use endpaper_detect::Reason;

/// Verdicts that are learned from at most: each takes about 100 KB while weights are fitted.
pub(super) const MAX_VERDICTS: usize = 300;

/// What is proposed for a book that is not open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BookProposal {
    /// The cuts; `None` before detection.
    pub cuts: Option<Cuts>,
    /// Doubt; `None` before detection.
    pub doubt: Option<f32>,
    /// Weightiest reason for doubt.
    pub reason: Option<Reason>,
}

/// What was asked for and what came of it.
#[derive(Clone, Debug, Default)]
pub struct LearningState {
    /// The number of the last request; answers to older ones are ignored.
    pub(super) epoch: u64,
    /// Verdicts of this sitting at the last request.
    pub(super) asked_at: usize,
    /// A request has no answer yet.
    pub(super) is_underway: bool,
    /// Learnt weights are current.
    pub(super) is_active: bool,
    /// What was in the queue before anything was learned, of every book that learning has touched.
    pub(super) original_proposals: BTreeMap<usize, BookProposal>,
}
