//! Scan, count and detect over a whole corpus: in parallel, cached, cancellable, with progress.
//!
//! [`survey()`] is what every command starts with: each book is read once into a [`Scan`], the Scans are counted, and
//! cuts are proposed from the Scans. [`build_model`] stops after counting. What a later run can use again is kept
//! in a cache folder: Scans by file, the counts, and the finished survey, which [`Survey::load_cached`]
//! reads fast enough for the first frame of a screen.
//!
//! Where one copy of a book is enough ([`Counting::one_copy`]), all this happens in two rounds: the first finds the copies,
//! the second does not count them.
//!
//! One bad book never stops a run: it is listed in [`Survey::skipped`]. Nothing here draws or prints.

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
mod ordered;
mod parallel;
mod profile;
mod reading;
mod rows;
mod shelf;
mod sink;
mod source;
mod survey;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::frequency::{Books, Counting, Model, ModelParameters};
use crate::{Detection, Parameters};
use endpaper_text::corpus::{Book, MAX_SIZE, Skipped};
use endpaper_text::line::PREPROCESSING_VERSION;
use endpaper_text::scan::{Header, Scan, Template};

pub use again::Scans;
pub use build::{Built, ModelSize, build_model, count_part};
pub use clusters::{Clusters, cuts_of_copy, find_clusters};
pub use copies::{
    Copies, CopyOptions, DISTANCE_SHARE, LITTLE_MEMORY, Link, OVERLAP, Part, find_copies,
};
pub use fit::{Fitted, Judged, Label, Named, confident, fit};
pub use grams::{
    FAR, GramCuts, LEARN_FROM, are_far, cut_by, cuts_at, gram_cuts, learn_grams, read_grams,
};
pub use learn::{Learned, Lesson, OTHERS_COUNT, Proposal, STRENGTH, learn};
pub use models::{ModelChoice, ModelSource, ModelUsed};
pub use parallel::{Run, guarded};
pub use profile::{Profile, Strip, shade_of};
pub use rows::{LEAST_ROW_MEMORY, count_rows};
pub use survey::survey;

/// A corpus of fewer books uses the built-in model.
///
/// K = 10 is an absolute number: a licence in one book of twenty is frequent in a corpus of 200 books and
/// not in a smaller one. The built-in model was made from books of every era and knows such lines.
pub const MODEL_BOOKS: usize = 200;

/// How a corpus is surveyed.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Thresholds and windows.
    pub parameters: Parameters,
    /// What is counted, and by which structure.
    pub counting: Counting,
    /// Threads; 0 for one on each core. [`background_threads`] leaves a core to the screen.
    pub threads: usize,
    /// The cache folder (made if it is missing); `None` for no cache.
    pub cache: Option<PathBuf>,
    /// Where the frequencies come from.
    pub model: ModelChoice,
    /// Larger texts are skipped, in bytes.
    pub max_size: u64,
    /// Memory for the Scans between counting and detecting, in bytes; above it they go to a file. A book needs about
    /// 15 KB.
    pub scan_memory: usize,
    /// Whether it is counted too over how many books, hands and authors forms of lines are spread
    /// ([`crate::frequency::spread`]). The gap detector does not ask for it. Books are read whole for it.
    pub spreads: bool,
    /// Whether [`Surveyed::scan`] is filled: about 15 KB a book.
    pub keep_scans: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            parameters: Parameters::default(),
            counting: Counting::default(),
            threads: 0,
            cache: None,
            model: ModelChoice::default(),
            max_size: MAX_SIZE,
            scan_memory: 8 << 20,
            spreads: true,
            keep_scans: false,
        }
    }
}

impl Options {
    /// How books are scanned. Scans of an earlier run serve where this was the same.
    fn scanning(&self) -> endpaper_text::scan::Options {
        endpaper_text::scan::Options {
            head: self.parameters.head,
            tail: self.parameters.tail,
            evidence: self.spreads || self.parameters.method == crate::Method::Posterior,
        }
    }

    /// The parameters of counts of which nothing was left out.
    fn counted(&self, books: &Books, lines: u64) -> ModelParameters {
        ModelParameters {
            head: self.parameters.head,
            tail: self.parameters.tail,
            preprocessing: PREPROCESSING_VERSION,
            counting: self.counting,
            books: books.len() as u64,
            lines,
            corpus: books.digest(),
            pruned_below: 0,
            scaled_to: 0,
        }
    }
}

/// Threads for work behind a screen: one core fewer than there are, at least one.
pub fn background_threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores - 1).max(1)
}

/// What a survey is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Reading and scanning books (and adding up their lines).
    Reading,
    /// Bringing the counts together.
    Counting,
    /// Proposing cuts.
    Detecting,
    /// Holding books against each other.
    Comparing,
    /// Writing a search index.
    Indexing,
}

/// How far a survey is. Sent for every book, from any thread: whoever shows it decides how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub step: Step,
    /// Books (or pairs of them) done in this step.
    pub done: usize,
    /// Books (or pairs of them) in all.
    pub total: usize,
}

/// The run was cancelled through its flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// What is known of a book after a survey.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of lines.
    pub lines: u32,
    /// Size of the text in bytes (inflated).
    pub bytes: u64,
    /// CRC-64/XZ of the bytes.
    pub crc: u64,
    /// What the header says.
    pub header: Header,
    /// Books made by one template have equal ones.
    pub template: Template,
    /// Proposed cuts.
    pub detection: Detection,
}

/// A book and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Surveyed {
    /// The book.
    pub book: Book,
    /// What is known of it.
    pub summary: Summary,
    /// Its Scan, if [`Options::keep_scans`] asked for it.
    pub scan: Option<Box<Scan>>,
}

/// A whole corpus, scanned, counted and detected.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// Books in id order.
    pub books: Vec<Surveyed>,
    /// What could not be read, in id order, with what the listing had left out already.
    pub skipped: Vec<Skipped>,
    /// The frequencies used.
    pub model: Arc<Model>,
    /// Their digest, which takes as long to make as writing the model does.
    pub model_digest: String,
    /// Where they came from.
    pub model_used: ModelUsed,
    /// 16 hex digits over the ids, sizes and checksums of the books in id order.
    pub corpus_digest: String,
    /// What went wrong without harm, such as a cache that cannot be written: one sentence each.
    pub notes: Vec<String>,
}
