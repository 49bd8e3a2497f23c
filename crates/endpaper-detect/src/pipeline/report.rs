//! What an analysis gives.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ModelUsed;
use crate::Detection;
use crate::frequency::Model;
use endpaper_text::corpus::{Book, Skipped};
use endpaper_text::scan::{Header, Scan, Template};

/// What is known of a book after an analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookSummary {
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

/// A book with its summary and, on request, its scan.
#[derive(Clone, Debug, PartialEq)]
pub struct BookReport {
    /// The book.
    pub book: Book,
    /// Its summary.
    pub summary: BookSummary,
    /// Its Scan, if [`super::AnalysisOptions::keep_scans`] asked for it.
    pub scan: Option<Box<Scan>>,
}

/// A whole corpus, scanned, counted and detected.
#[derive(Clone, Debug, PartialEq)]
pub struct CorpusReport {
    /// Books in id order.
    pub books: Vec<BookReport>,
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
