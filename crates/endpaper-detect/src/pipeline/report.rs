//! The result of an analysis.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{CorpusOpinions, ModelUsed};
use crate::frequency::Model;
use crate::{CorpusProfiles, Cuts, Detection, Method, Parameters};
use endpaper_text::corpus::{Book, Encoding, EncodingChoice, Skipped};
use endpaper_text::scan::{Header, Scan, Template};

/// What is said of a collection that only the generic profile can cut.
const UNKNOWN_COLLECTION: &str = "no profile knows this collection: deciding about ten of its books in `endpaper review` teaches it";

/// The data of a book after an analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookSummary {
    /// Number of lines.
    pub lines: u32,
    /// Size of the (inflated) text in bytes.
    pub bytes: u64,
    /// CRC-64/XZ of the bytes.
    pub crc: u64,
    /// How its bytes were read.
    pub encoding: Encoding,
    /// The contents of the header.
    pub header: Header,
    /// Equal for books that were made from the same template.
    pub template: Template,
    /// Proposed cuts.
    pub detection: Detection,
}

/// A book with its summary and, on request, its Scan.
#[derive(Clone, Debug, PartialEq)]
pub struct BookReport {
    /// The book.
    pub book: Book,
    /// Its summary.
    pub summary: BookSummary,
    /// Its Scan, if [`super::AnalysisOptions::keep_scans`] is set.
    pub scan: Option<Box<Scan>>,
}

/// Source bytes that are read at once. A larger book is read alone.
const BATCH_BYTES: u64 = 32 << 20;
/// Most books at once.
const BATCH_BOOKS: usize = 256;

impl BookReport {
    /// The cuts as numbers: the last line of the preamble, and the first line of the epilogue (one past the last line of the file
    /// without one).
    pub fn cut_lines(&self) -> (u32, u32) {
        let cuts = self.summary.detection.cuts;
        let none = self.summary.lines.saturating_add(1);
        (cuts.preamble_end, cuts.epilogue_start.unwrap_or(none))
    }

    /// The books whose texts are read next, the first of `books`.
    pub fn batch(books: &[BookReport]) -> &[BookReport] {
        let mut bytes = 0;
        let fitting = books.iter().take(BATCH_BOOKS).take_while(|book| {
            bytes += book.summary.bytes;
            bytes <= BATCH_BYTES
        });
        let count = fitting.count().max(1).min(books.len());
        &books[..count]
    }
}

/// A whole corpus, scanned, counted and detected.
#[derive(Clone, Debug, PartialEq)]
pub struct CorpusReport {
    /// Books in id order.
    pub books: Vec<BookReport>,
    /// Books that could not be read, and those that the listing left out, in id order.
    pub skipped: Vec<Skipped>,
    /// The frequencies used.
    pub model: Arc<Model>,
    /// The digest of the model, which takes as long to compute as writing the model.
    pub model_digest: String,
    /// The source of the frequencies.
    pub model_used: ModelUsed,
    /// 16 hex digits over the ids, sizes and checksums of the books in id order.
    pub corpus_digest: String,
    /// The profiles that the books were cut by.
    pub profiles: Arc<CorpusProfiles>,
    /// In a collection that no profile knows, the books to decide first, by their index: one of each kind, the largest kind
    /// first. Empty in other collections.
    pub exemplars: Vec<usize>,
    /// The second opinions that reasons and doubt contain; `None` if none were asked for.
    pub opinions: Option<CorpusOpinions>,
    /// Minor problems, such as a cache that cannot be written: one sentence each.
    pub notes: Vec<String>,
}

impl CorpusReport {
    /// Which profiles the books were cut by, as a sentence; `None` for the gap detector, which has none, and where one profile
    /// was asked for.
    pub fn profile_note(&self, asked: &Parameters) -> Option<String> {
        if asked.method == Method::Gap {
            return None;
        }
        let decided = self.profiles.decided_books();
        if decided > 0 {
            return Some(format!(
                "the profile is learned from {decided} decided books"
            ));
        }
        if asked.profiles.is_some() {
            return None;
        }
        let books = self.books.len();
        let of_gutenberg = self.books.iter();
        let of_gutenberg = of_gutenberg.filter(|book| book.summary.detection.is_gutenberg);
        Some(match of_gutenberg.count() {
            0 => UNKNOWN_COLLECTION.to_owned(),
            count if count == books => "profile gutenberg, by the lines of the books".to_owned(),
            count => format!(
                "profile gutenberg for {count} of {books} books, by their lines; the others are of a collection that no profile knows"
            ),
        })
    }

    /// The encodings that books were read in by a guess, most frequent first, with the numbers of these books. Those that
    /// every book is tried for (UTF-8, UTF-16, windows-1252) are not among them.
    pub fn guessed_encodings(&self) -> Vec<(Encoding, usize)> {
        let mut counts: BTreeMap<String, (Encoding, usize)> = BTreeMap::new();
        for book in &self.books {
            let encoding = book.summary.encoding;
            let is_usual = encoding.is_utf8_or_latin() || encoding.is_utf16();
            if !is_usual && !matches!(book.book.encoding, EncodingChoice::Forced(_)) {
                let count = counts.entry(encoding.to_string()).or_insert((encoding, 0));
                count.1 += 1;
            }
        }
        let mut counts: Vec<_> = counts.into_values().collect();
        counts.sort_by_key(|(_, count)| Reverse(*count));
        counts
    }

    /// Number of books without any cut.
    pub fn count_uncut(&self) -> usize {
        let cuts = self.books.iter().map(|book| book.summary.detection.cuts);
        cuts.filter(|cuts| *cuts == Cuts::default()).count()
    }

    /// The parameters of an analysis with the profiles that its books were cut by.
    pub fn parameters(&self, asked: &Parameters) -> Parameters {
        Parameters {
            profiles: Some(self.profiles.clone()),
            ..asked.clone()
        }
    }
}
