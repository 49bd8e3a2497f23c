//! What is looked for, and what was found.

use crate::page::BookPage;
use endpaper_detect::End;
use endpaper_text::line::{FormHasher, Key, Normaliser};
use endpaper_text::scan::ScanRow;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OccurrenceQuery {
    /// The line, as it is counted.
    Line(Key),
    /// Lines with this half key of a skeleton: known of the lines near both ends only.
    Skeleton(u32),
}

impl OccurrenceQuery {
    /// A line of a page.
    pub fn line(page: &BookPage, line: u32) -> OccurrenceQuery {
        let key = page.row(line).map(|row| row.key);
        OccurrenceQuery::Line(key.unwrap_or_else(|| {
            let normalised = page.normalised(line);
            Normaliser::default().text(&normalised).key()
        }))
    }

    /// Its skeleton; `None` where Scans hold none (the gap detector does without).
    pub fn skeleton(page: &BookPage, line: u32) -> Option<OccurrenceQuery> {
        let known = |row: &ScanRow| row.looks.skeleton != 0;
        page.scan.rows.iter().any(known).then(|| {
            let (skeleton, _) = FormHasher::default().half_keys(&page.normalised(line));
            OccurrenceQuery::Skeleton(skeleton)
        })
    }

    /// A row of a Scan is what is looked for.
    pub fn matches(self, row: &ScanRow) -> bool {
        match self {
            OccurrenceQuery::Line(key) => row.key == key,
            // Rows that were not looked at have none.
            OccurrenceQuery::Skeleton(half) => half != 0 && row.looks.skeleton == half,
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
    /// The end of the book that it stands near.
    pub end: End,
}

/// What was found since the last answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OccurrenceBatch {
    /// The number of the wish.
    pub epoch: u64,
    /// The lines, book by book.
    pub hits: Vec<OccurrenceHit>,
    /// Books that were looked into, since the beginning.
    pub read: usize,
    /// Those of them that cannot be read.
    pub unreadable: usize,
    /// Counted lines of the first and of the last window of a book: beyond them nothing is found.
    pub windows: (u32, u32),
    /// This is the last answer.
    pub done: bool,
}
