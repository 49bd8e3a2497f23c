//! Labels from a file, and the analysis of their books.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::frequency::document_frequency::DocumentFrequencyBuilder;
use endpaper_detect::pipeline::{AnalysisOptions, CorpusReport, analyse};
use endpaper_detect::posterior::add_line_forms;
use endpaper_text::corpus::{Listing, ListingRequest, list};

/// Label of a book: the digest of its text, first and last line of the body.
pub struct DigestLabel {
    pub sha256: String,
    pub first: u32,
    pub last: u32,
}

/// Reads labels, by the name of the text.
pub fn labels(path: &PathBuf) -> Result<HashMap<String, DigestLabel>> {
    let named = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(named)?;
    let mut labels = HashMap::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[book, sha256, first, last, .., kind] = cells.as_slice() else {
            bail!(
                "{} line {} has fewer than five columns",
                named(),
                number + 1
            );
        };
        if kind != "book" {
            continue;
        }
        let line = |cell: &str| {
            let what = || format!("{} line {}: '{cell}' is not a line", named(), number + 1);
            cell.parse::<u32>().with_context(what)
        };
        let label = DigestLabel {
            sha256: sha256.to_owned(),
            first: line(first)?,
            last: line(last)?,
        };
        labels.insert(name(book).to_owned(), label);
    }
    Ok(labels)
}

/// Returns the name of a text, without folders and archive.
pub fn name(id: &str) -> &str {
    id.rsplit(['!', '/']).next().unwrap_or(id)
}

pub fn analyse_corpus(corpus: &PathBuf) -> Result<CorpusReport> {
    let listing: Listing = list(&ListingRequest {
        roots: vec![corpus.into()],
        ..ListingRequest::default()
    })?;
    let options = AnalysisOptions {
        keep_scans: true,
        ..AnalysisOptions::default()
    };
    analyse(&listing, &options, &|_| {}, &AtomicBool::new(false))
}

/// The frequencies of the report, with the document frequencies of the forms in its books.
pub fn with_document_frequencies(report: &CorpusReport) -> Result<Frequencies> {
    let frequencies = report.model.frequencies.clone();
    if !frequencies.document_frequencies().is_empty() {
        return Ok(frequencies);
    }
    let mut builder = DocumentFrequencyBuilder::default();
    for book in &report.books {
        add_line_forms(
            book.scan.as_deref().context("the Scan was kept")?,
            &mut builder,
        );
    }
    Ok(frequencies.with_document_frequencies(DocumentFrequencyBuilder::finish(vec![builder])?))
}
