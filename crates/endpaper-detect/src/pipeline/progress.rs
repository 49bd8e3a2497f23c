//! Progress of a run.

/// A step of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnalysisStep {
    /// Reading and scanning books, and counting their lines.
    Reading,
    /// Merging the counts.
    Counting,
    /// Proposing cuts.
    Detecting,
    /// Comparing books with each other.
    Comparing,
    /// Writing a search index.
    Indexing,
}

/// Progress of an analysis. Reported for every book, from any thread: the receiver decides how often to show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisProgress {
    /// The current step.
    pub step: AnalysisStep,
    /// Number of finished books, or pairs of books, of this step.
    pub done: usize,
    /// Total number of books, or pairs of books.
    pub total: usize,
}

/// The run was cancelled through its flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;
