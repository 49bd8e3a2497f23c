//! The analysis of the books to strip.

use crate::detector::DetectorArgs;
use anyhow::{Result, ensure};
use endpaper_command::common::{CorpusArgs, SCAN_MEMORY};
use endpaper_detect::pipeline::{self, CorpusReport};
use endpaper_text::corpus::{Book, Listing};
use endpaper_truth::Store;
use std::fs;
use std::path::Path;

/// Analyses the books, as far as their cuts are not decided.
pub(super) fn analyse(
    corpus: &CorpusArgs,
    detector: &DetectorArgs,
    store: Option<&Store>,
    listing: &Listing,
    mut options: pipeline::AnalysisOptions,
) -> Result<CorpusReport> {
    prepare_analysis(detector, store, &mut options)?;
    corpus.analyse(listing, &options)
}

/// Sets the detector, and what it learns from the decided books.
pub(super) fn prepare_analysis(
    detector: &DetectorArgs,
    store: Option<&Store>,
    options: &mut pipeline::AnalysisOptions,
) -> Result<()> {
    options.scan_memory = SCAN_MEMORY;
    detector.apply(options)?;
    if let Some(store) = store {
        detector.learn_from(store, options)?;
    }
    Ok(())
}

/// Excludes the output of earlier runs below the corpus: `endpaper strip --out bodies` may be run twice in the folder of the books.
pub(crate) fn exclude_output(listing: &mut Listing, out: &Path, option: &str) -> Result<()> {
    let Ok(out) = fs::canonicalize(out) else {
        return Ok(());
    };
    let is_body = |book: &Book| {
        let path = book.location.path().map(fs::canonicalize);
        path.is_some_and(|path| path.is_ok_and(|path| path.starts_with(&out)))
    };
    listing.books.retain(|book| !is_body(book));
    ensure!(
        !listing.books.is_empty(),
        "all books are in '{}'; give {option} a separate folder, so that no book is overwritten",
        out.display()
    );
    Ok(())
}
