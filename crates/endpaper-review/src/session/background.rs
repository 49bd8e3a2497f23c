//! Requests to the workers and their answers.

use crate::copies::CopyComparisons;
use crate::corpus_search::SearchState;
use crate::heat::HeatMap;
use crate::learning::LearningState;
use crate::occurrences::Occurrences;
use crate::propagation::Propagation;

/// Progress of a background pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassProgress {
    /// Current step: `reading`, `counting`, `detecting`.
    pub step: String,
    /// Books done.
    pub done: usize,
    /// Total number of books.
    pub total: usize,
}

/// State of the background work.
#[derive(Clone, Debug, Default)]
pub struct BackgroundWork {
    pub(crate) progress: Option<PassProgress>,
    /// The heat map, which covers the page while it is shown.
    pub heat: HeatMap,
    pub(crate) occurrences: Occurrences,
    pub(crate) corpus_search: SearchState,
    /// What the detector learned from the verdicts of this sitting.
    pub(crate) learning: LearningState,
    pub(crate) propagation: Propagation,
    pub(crate) copies: CopyComparisons,
    /// Ticket and book of the request for what another edition says about the open book.
    pub(crate) evidence_request: Option<(u64, usize)>,
}
