//! Options of an analysis.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Lesson, ModelChoice};
use crate::frequency::{BookSet, Counting, ModelParameters};
use crate::{CorpusProfiles, Parameters, ProfileAssignment};
use endpaper_text::corpus::{Book, EncodingChoice, MAX_SIZE};
use endpaper_text::line::PREPROCESSING_VERSION;
use endpaper_text::scan;

/// Options of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisOptions {
    /// Thresholds and windows.
    pub parameters: Parameters,
    /// What is counted, and by which structure.
    pub counting: Counting,
    /// Number of threads; 0: one per core. [`background_threads`] leaves one core to the screen.
    pub threads: usize,
    /// The cache folder, which is created if it is missing; `None`: no cache.
    pub cache: Option<PathBuf>,
    /// The source of the frequencies.
    pub model: ModelChoice,
    /// Largest size of a text in bytes; larger ones are skipped.
    pub max_size: u64,
    /// Memory in bytes for the Scans between counting and detecting; further Scans go to a file. A book needs about 15
    /// KB.
    pub scan_memory: usize,
    /// Whether document frequencies are counted too: in how many books a line form occurs, and by how many producers
    /// and authors. They require that books are read whole. The gap detector does not need them.
    pub document_frequencies: bool,
    /// Whether second opinions ([`super::find_opinions`]) enter reasons and doubt.
    pub opinions: bool,
    /// Decided books that the profiles are learned from; empty: the profiles stay as they are.
    pub lessons: Arc<[Lesson]>,
    /// Whether [`super::BookReport::scan`] is set, which takes about 15 KB per book.
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
            opinions: false,
            lessons: Arc::default(),
            keep_scans: false,
        }
    }
}

impl AnalysisOptions {
    /// The same options without second opinions: where only cuts are needed, or needed first.
    pub fn without_opinions(&self) -> AnalysisOptions {
        AnalysisOptions {
            opinions: false,
            ..self.clone()
        }
    }

    /// Options for scanning a book.
    pub(super) fn scanning_of(&self, book: &Book) -> scan::WindowOptions {
        scan::WindowOptions {
            encoding: book.encoding,
            ..self.scanning()
        }
    }

    /// Options for scanning books. Scans of earlier runs are reused if these are the same.
    pub(super) fn scanning(&self) -> scan::WindowOptions {
        scan::WindowOptions {
            head: self.parameters.head,
            tail: self.parameters.tail,
            line_features: self.document_frequencies
                || self.parameters.method == crate::Method::Posterior,
            encoding: EncodingChoice::Guessed,
        }
    }

    /// The profiles that were asked for, or the shipped ones as the corpus has them assigned.
    pub(super) fn profiles(
        &self,
        assignment: impl FnOnce() -> ProfileAssignment,
    ) -> Arc<CorpusProfiles> {
        self.parameters
            .profiles
            .clone()
            .unwrap_or_else(|| Arc::new(CorpusProfiles::shipped(assignment())))
    }

    /// The parameters of complete counts.
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

/// Number of threads for work in the background of a screen: one less than there are cores, but at least one.
pub fn background_threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores - 1).max(1)
}
