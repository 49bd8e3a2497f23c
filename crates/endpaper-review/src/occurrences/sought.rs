//! What is looked for, and what was found.

use crate::page::Page;
use endpaper_detect::End;
use endpaper_text::line::{Forms, Key, Normaliser};
use endpaper_text::scan::Row;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// The line, as it is counted.
    Line(Key),
    /// Lines with this half key of a skeleton: known of the lines near both ends only.
    Skeleton(u32),
}

impl Sought {
    /// A line of a page.
    pub fn line(page: &Page, line: u32) -> Sought {
        let key = page.row(line).map(|row| row.key);
        Sought::Line(key.unwrap_or_else(|| {
            let normalised = page.normalised(line);
            Normaliser::default().text(&normalised).key()
        }))
    }

    /// Its skeleton; `None` where Scans hold none (the gap detector does without).
    pub fn skeleton(page: &Page, line: u32) -> Option<Sought> {
        let known = |row: &Row| row.looks.skeleton != 0;
        page.scan.rows.iter().any(known).then(|| {
            let (skeleton, _) = Forms::default().of(&page.normalised(line));
            Sought::Skeleton(skeleton)
        })
    }

    /// A row of a Scan is what is looked for.
    pub fn is(self, row: &Row) -> bool {
        match self {
            Sought::Line(key) => row.key == key,
            // Rows that were not looked at have none.
            Sought::Skeleton(half) => half != 0 && row.looks.skeleton == half,
        }
    }
}

/// A line that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Index of the book.
    pub book: usize,
    /// The line.
    pub line: u32,
    /// The end of the book that it stands near.
    pub end: End,
}

/// What was found since the last answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The number of the wish.
    pub epoch: u64,
    /// The lines, book by book.
    pub hits: Vec<Hit>,
    /// Books that were looked into, since the beginning.
    pub read: usize,
    /// Those of them that cannot be read.
    pub unreadable: usize,
    /// Counted lines of the first and of the last window of a book: beyond them nothing is found.
    pub windows: (u32, u32),
    /// This is the last answer.
    pub done: bool,
}
