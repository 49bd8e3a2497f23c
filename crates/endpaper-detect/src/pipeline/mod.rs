//! Scanning, counting and detection over a whole corpus: in parallel, cached, cancellable, with progress.
//!
//! [`analyse`] is the first step of every command: each book is read once into a [`Scan`](endpaper_text::scan::Scan),
//! the Scans are counted, and cuts are proposed from the Scans. [`build_model`] stops after counting. Results that a
//! later run can reuse are stored in a cache folder: Scans by file, the counts, and the finished report, which
//! [`CorpusReport::load_cached`] reads fast enough for the first frame of a screen.
//!
//! With [`one_copy`](crate::frequency::Counting::one_copy) there are two rounds: the first finds the copies, and the
//! second does not count them.
//!
//! An unreadable book never stops a run: it is listed in [`CorpusReport::skipped`]. This module neither draws nor
//! prints.

mod analysis;
mod build;
mod cache;
mod clusters;
mod copies;
mod exemplars;
mod first_pass;
mod first_pass_reader;
mod fit;
mod fit_doubt;
mod gram_cuts;
mod learn;
mod model_resolver;
mod models;
mod one_copy;
mod opinions;
mod options;
mod ordered;
mod packed_scan;
mod parallel;
mod progress;
mod report;
mod rows;
mod scan_reader;
mod scan_store;
mod shades;
mod sink;
mod source;
#[cfg(test)]
mod tests;

pub use analysis::analyse;
pub use build::{BuiltModel, ModelSize, build_model, count_part};
pub use clusters::{
    ComparedCopies, CopyClusters, MAX_COPIES, compare_copies, find_clusters, transfer_cuts_to_copy,
};
pub use copies::{
    ComparedPart, CopyLink, CopyOptions, LITTLE_MEMORY, NearCopies, OVERLAP, default_distance,
    default_unconfirmed_distance, find_copies, fingerprint_books, part_of,
};
pub use first_pass::NoReadableBook;
pub use fit::{
    BodyLabel, CrossFittedBook, FittedProfile, LabelMatcher, collection_examples, confident, fit,
    fit_from,
};
pub use gram_cuts::{
    GramCuts, LEARN_FROM, MIN_DISAGREEMENT, cut_with, differ_widely, learn_grams, line_cuts_at,
    read_grams,
};
pub use learn::{
    LearnedProposal, LearningResult, Lesson, MIN_LESSONS, choose_lessons, learn, propose_again,
};
pub use model_resolver::{CountedOtherwise, ThresholdTooLow};
pub use models::{MODEL_BOOKS, ModelChoice, ModelSource, ModelUsed};
pub use opinions::{CorpusOpinions, find_opinions};
pub use options::{AnalysisOptions, background_threads};
pub use parallel::{RunContext, catch_panic};
pub use progress::{AnalysisProgress, AnalysisStep, Cancelled};
pub use report::{BookReport, BookSummary, CorpusReport};
pub use rows::count_rows;
pub use scan_reader::ScanReader;
pub use shades::{BookShades, LineShades, shade_for};
