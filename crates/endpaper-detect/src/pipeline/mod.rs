//! Scan, count and detect over a whole corpus: in parallel, cached, cancellable, with progress.
//!
//! [`survey()`] is what every command starts with: each book is read once into a
//! [`Scan`](endpaper_text::scan::Scan), the Scans are counted, and cuts are proposed from the Scans. [`build_model`]
//! stops after counting. What a later run can use again is kept in a cache folder: Scans by file, the counts, and the
//! finished survey, which [`CorpusReport::load_cached`] reads fast enough for the first frame of a screen.
//!
//! Where one copy of a book is enough ([`one_copy`](crate::frequency::Counting::one_copy)), all this happens in two
//! rounds: the first finds the copies, the second does not count them.
//!
//! One bad book never stops a run: it is listed in [`CorpusReport::skipped`]. Nothing here draws or prints.

mod again;
mod build;
mod cache;
mod chosen;
mod clusters;
mod copies;
mod fit;
mod found;
mod grams;
mod learn;
mod models;
mod one_copy;
mod options;
mod ordered;
mod parallel;
mod profile;
mod progress;
mod reading;
mod rows;
mod shelf;
mod sink;
mod source;
mod survey;
mod surveyed;
#[cfg(test)]
mod tests;

pub use again::ScanReader;
pub use build::{BuiltModel, ModelSize, build_model, count_part};
pub use chosen::{CountedOtherwise, ThresholdTooLow};
pub use clusters::{CopyClusters, cuts_of_copy, find_clusters};
pub use copies::{
    ComparedPart, CopyLink, CopyOptions, DISTANCE_SHARE, LITTLE_MEMORY, NearCopies, OVERLAP,
    find_copies,
};
pub use fit::{BodyLabel, CrossFittedBook, FittedWeights, LabelMatcher, confident, fit};
pub use grams::{
    FAR, GramCuts, LEARN_FROM, are_far, cut_by, cuts_at, gram_cuts, learn_grams, read_grams,
};
pub use learn::{LearnedProposal, LearningResult, Lesson, OTHERS_COUNT, STRENGTH, learn};
pub use models::{MODEL_BOOKS, ModelChoice, ModelSource, ModelUsed};
pub use options::{AnalysisOptions, background_threads};
pub use parallel::{RunContext, guarded};
pub use profile::{BookProfile, LineProfile, shade_of};
pub use progress::{AnalysisProgress, AnalysisStep, Cancelled};
pub use rows::count_rows;
pub use survey::survey;
pub use surveyed::{BookReport, BookSummary, CorpusReport};
