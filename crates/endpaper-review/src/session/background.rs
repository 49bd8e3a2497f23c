//! What was asked of the workers, and what came of it.

use crate::corpus_search::SearchState;
use crate::heat::HeatMap;
use crate::learning::LearningState;
use crate::occurrences::Occurrences;
use crate::propagation::Propagation;

/// How far a background pass is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassProgress {
    /// What is done: `reading`, `counting`, `detecting`.
    pub step: String,
    /// Books done.
    pub done: usize,
    /// Books in all.
    pub total: usize,
}

/// Requests to the workers and their answers.
#[derive(Clone, Debug, Default)]
pub struct BackgroundWork {
    /// A background pass over the corpus.
    pub(crate) progress: Option<PassProgress>,
    /// The heat map, which covers the page while it is shown.
    pub heat: HeatMap,
    /// Where lines stand in the corpus.
    pub(crate) occurrences: Occurrences,
    /// What is searched for in all books.
    pub(crate) corpus_search: SearchState,
    /// What was learnt from this sitting's verdicts.
    pub(crate) learning: LearningState,
    /// What was corrected, looked for in other books.
    pub(crate) propagation: Propagation,
}
