//! The result of the first pass.

use anyhow::{Result, ensure};

use super::AnalysisOptions;
use super::scan_store::StoredScan;
use crate::frequency::{BookDigest, BookSet, Frequencies, LineTexts, Model};
use endpaper_text::corpus::{Book, Listing, Skipped, Unreadable};

/// The data of a book after the first pass.
#[derive(Debug)]
pub(super) struct ScannedBook {
    /// Size of the text in bytes.
    pub bytes: u64,
    /// CRC-64/XZ of the bytes; `None` if the book was not scanned.
    pub crc: Option<u64>,
    /// Digest of the counted lines ([`crate::frequency::BookLines::digest`]).
    pub lines_digest: u64,
    /// Whether a shipped profile knows lines of it ([`crate::has_known_lines`]); false without a Scan.
    pub has_known_lines: bool,
    /// Its Scan, if Scans are stored.
    pub stored_scan: Option<StoredScan>,
    /// Whether the book was read, and not the Scan of an earlier run.
    pub was_read: bool,
}

/// The result of reading, scanning and counting all books once.
pub(super) struct FirstPass {
    /// Books that were read, in id order.
    pub books: Vec<(Book, ScannedBook)>,
    /// Books that could not be read, and those that the listing left out, in id order.
    pub skipped: Vec<Skipped>,
    /// The frequencies; empty if lines were not counted or were written to a part.
    pub frequencies: Frequencies,
    /// Texts of lines, if the goal needs them.
    pub line_texts: LineTexts,
    /// Number of lines counted.
    pub lines: u64,
    /// The counted books: all, or without near copies if one copy is enough.
    pub counted_books: BookSet,
    /// Remarks, one sentence each.
    pub notes: Vec<String>,
}

impl FirstPass {
    /// Digest of the complete contents of the books, if they were read whole.
    pub fn corpus_digest(&self) -> Option<u64> {
        let marks = self.books.iter().map(|(book, read)| {
            let crc = read.crc?;
            Some(BookDigest::new(book.id.as_str(), read.bytes, crc))
        });
        Some(marks.collect::<Option<BookSet>>()?.digest())
    }

    /// Takes the counts out as a model.
    pub fn take_model(&mut self, options: &AnalysisOptions) -> Model {
        let parameters = options.counted(&self.counted_books, self.lines);
        let frequencies = std::mem::take(&mut self.frequencies);
        Model::new(
            parameters,
            frequencies,
            std::mem::take(&mut self.line_texts),
        )
    }

    /// Fails if there is no book.
    pub fn check_not_empty(&self) -> Result<()> {
        if self.books.is_empty() && !self.skipped.is_empty() {
            return Err(NoReadableBook(self.skipped.clone()).into());
        }
        ensure!(!self.books.is_empty(), "there is no book in this corpus");
        Ok(())
    }
}

/// The books that were read, and the others together with those that the listing left out, both in id order.
pub(super) fn split_skipped(
    listing: &Listing,
    results: Vec<Result<ScannedBook, Unreadable>>,
) -> (Vec<(Book, ScannedBook)>, Vec<Skipped>) {
    let mut books = Vec::with_capacity(results.len());
    let mut skipped = listing.skipped.clone();
    for (book, result) in listing.books.iter().zip(results) {
        match result {
            Ok(read) => books.push((book.clone(), read)),
            Err(reason) => skipped.push(Skipped {
                id: book.id.clone(),
                reason,
            }),
        }
    }
    skipped.sort_by(|a, b| a.id.cmp(&b.id));
    (books, skipped)
}

/// A corpus without a book that can be read: all were skipped.
#[derive(Debug, thiserror::Error)]
#[error("no book can be read: {}", list_skipped(.0))]
pub struct NoReadableBook(pub Vec<Skipped>);

/// The skipped books with the reasons; if there are very many, the first of them.
fn list_skipped(skipped: &[Skipped]) -> String {
    const MAX_LISTED: usize = 20;
    let each = skipped.iter().take(MAX_LISTED);
    let mut reasons: Vec<String> = each
        .map(|book| format!("'{}' {}", book.id, book.reason))
        .collect();
    if let Some(others @ 1..) = skipped.len().checked_sub(MAX_LISTED) {
        reasons.push(format!("and {others} others"));
    }
    reasons.join("; ")
}

/// The [`BookDigest`] of a book from its counted lines.
pub(super) fn book_digest(book: &Book, read: &ScannedBook) -> BookDigest {
    BookDigest::new(book.id.as_str(), read.bytes, read.lines_digest)
}
