//! Queries for lines, and their results.

use crate::page::BookPage;
use endpaper_detect::End;
use endpaper_text::line::{FormHasher, Key, Normaliser};
use endpaper_text::scan::ScanRow;

/// The lines that a search for occurrences looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OccurrenceQuery {
    /// A line, identified by its key.
    Line(Key),
    /// Lines with this half key of a skeleton, which is known only for lines near both ends.
    Skeleton(u32),
}

impl OccurrenceQuery {
    /// The query for a line of a page.
    pub fn line(page: &BookPage, line: u32) -> OccurrenceQuery {
        let key = page.row(line).map(|row| row.key);
        OccurrenceQuery::Line(key.unwrap_or_else(|| {
            let normalised = page.normalised(line);
            Normaliser::default().text(&normalised).key()
        }))
    }

    /// The query for the skeleton of a line; `None` if the scan has no skeletons, as with the gap detector.
    pub fn skeleton(page: &BookPage, line: u32) -> Option<OccurrenceQuery> {
        let known = |row: &ScanRow| row.features.skeleton != 0;
        page.scan.rows.iter().any(known).then(|| {
            let (skeleton, _) = FormHasher::default().half_keys(&page.normalised(line));
            OccurrenceQuery::Skeleton(skeleton)
        })
    }

    /// Whether a row of a scan matches.
    pub fn matches(self, row: &ScanRow) -> bool {
        match self {
            OccurrenceQuery::Line(key) => row.key == key,
            // Rows whose features were not extracted have no skeleton.
            OccurrenceQuery::Skeleton(half) => half != 0 && row.features.skeleton == half,
        }
    }
}

/// A line that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OccurrenceHit {
    /// Index of the book.
    pub book: usize,
    /// The line.
    pub line: u32,
    /// The end of the book near which the line is.
    pub end: End,
}

/// Results since the last answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OccurrenceBatch {
    /// The number of the request.
    pub epoch: u64,
    /// The lines, book by book.
    pub hits: Vec<OccurrenceHit>,
    /// Number of books searched since the start.
    pub read: usize,
    /// Number of these books that cannot be read.
    pub unreadable: usize,
    /// Counted lines of the first and of the last window of a book; lines beyond them are not searched.
    pub windows: (u32, u32),
    /// This is the last answer.
    pub done: bool,
}
