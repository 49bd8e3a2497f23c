//! How a corpus is analysed.

use std::path::PathBuf;

use super::ModelChoice;
use crate::Parameters;
use crate::frequency::{BookSet, Counting, ModelParameters};
use endpaper_text::corpus::MAX_SIZE;
use endpaper_text::line::PREPROCESSING_VERSION;
use endpaper_text::scan;

/// How a corpus is analysed.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisOptions {
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
    /// Whether document frequencies are counted too: in the books of how many producers and authors a line form occurs. The gap
    /// detector does not need them. Books are read whole for it.
    pub document_frequencies: bool,
    /// Whether [`super::BookReport::scan`] is filled: about 15 KB a book.
    pub keep_scans: bool,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        AnalysisOptions {
            parameters: Parameters::default(),
            counting: Counting::default(),
            threads: 0,
            cache: None,
            model: ModelChoice::default(),
            max_size: MAX_SIZE,
            scan_memory: 8 << 20,
            document_frequencies: true,
            keep_scans: false,
        }
    }
}

impl AnalysisOptions {
    /// How books are scanned. Scans of an earlier run serve where this was the same.
    pub(super) fn scanning(&self) -> scan::WindowOptions {
        scan::WindowOptions {
            head: self.parameters.head,
            tail: self.parameters.tail,
            line_features: self.document_frequencies
                || self.parameters.method == crate::Method::Posterior,
        }
    }

    /// The parameters of counts of which nothing was left out.
    pub(super) fn counted(&self, books: &BookSet, lines: u64) -> ModelParameters {
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

/// Number of threads for work in the background of a screen: one fewer than there are cores, at least one.
pub fn background_threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores - 1).max(1)
}
