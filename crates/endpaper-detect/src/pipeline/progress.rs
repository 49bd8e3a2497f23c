//! How far a run is.

/// What an analysis is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnalysisStep {
    /// Reading and scanning books (and adding up their lines).
    Reading,
    /// Bringing the counts together.
    Counting,
    /// Proposing cuts.
    Detecting,
    /// Comparing books with each other.
    Comparing,
    /// Writing a search index.
    Indexing,
}

/// The progress of an analysis. Sent for every book, from any thread; the receiver decides how often to show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisProgress {
    /// What is being done.
    pub step: AnalysisStep,
    /// Books (or pairs of them) done in this step.
    pub done: usize,
    /// Books (or pairs of them) in all.
    pub total: usize,
}

/// The run was cancelled through its flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;
