//! Algorithm 1 over counts of another structure than the analysis's.

use std::sync::atomic::AtomicBool;

use super::detector::{propose_over_scans, surveyed_cuts};
use super::{System, SystemCuts, SystemError};
use crate::report::LabelledBook;
use endpaper_detect::frequency::{Frequencies, Structure};
use endpaper_detect::pipeline::{self, AnalysisOptions, AnalysisProgress, CorpusReport};
use endpaper_detect::{Method, Parameters};
use endpaper_text::corpus::Listing;

/// Algorithm 1 over counts of another structure, with its own threshold unless one is given. The corpus is counted again.
///
/// # Errors
///
/// Those of [`pipeline::analyse`].
pub fn with_structure(
    listing: &Listing,
    options: &AnalysisOptions,
    structure: Structure,
    threshold: Option<u64>,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
) -> Result<System, SystemError> {
    let mut options = options.clone();
    options.counting.structure = structure;
    options.parameters.method = Method::Gap;
    options.parameters.threshold = threshold.unwrap_or(structure.default_threshold());
    options.document_frequencies = false;
    options.keep_scans = false;
    let survey = pipeline::analyse(listing, &options, progress, &AtomicBool::new(false))?;
    Ok(System {
        name: format!("gap, {structure}"),
        note: None,
        cuts: surveyed_cuts(&survey, 0..survey.books.len()),
    })
}

/// Algorithm 1 over counts that were made elsewhere, for the labelled books of an analysis that kept its Scans.
///
/// # Errors
///
/// An analysis that kept no Scans.
pub fn with_counts(
    survey: &CorpusReport,
    frequencies: &Frequencies,
    parameters: &Parameters,
    labelled: &[LabelledBook],
) -> Result<SystemCuts, SystemError> {
    let parameters = Parameters {
        method: Method::Gap,
        ..parameters.clone()
    };
    propose_over_scans(survey, frequencies, &parameters, labelled.iter())
}
