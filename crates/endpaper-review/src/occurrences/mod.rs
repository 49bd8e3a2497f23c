//! Where a line stands in the corpus: looked for behind the screen, in the Scans of all books.
//!
//! Two things are looked for, one at a time: every occurrence of a line, for the list ([`List`]), and three other books
//! with the line of the cursor, for the evidence ([`Near`]). What is found comes in batches; the newest wish replaces
//! the one before it.

mod find;
mod list;
mod place;

use std::time::Duration;

pub use find::hits;
pub use list::{Item, List, MOST};
pub use place::{Basis, Place, Side};

use crate::page::Page;
use endpaper_detect::End;
use endpaper_text::line::{Forms, Key, Normaliser};
use endpaper_text::scan::Row;

/// How many other books the evidence names.
pub const NAMED: usize = 3;

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

/// What is to be looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seek {
    /// Comes back in the answers; answers with another one are ignored.
    pub epoch: u64,
    /// The line.
    pub sought: Sought,
    /// Indices of the books to look into, in this order.
    pub books: Vec<usize>,
    /// So many books with it are enough.
    pub enough: usize,
    /// Nothing is read before no other wish came for so long.
    pub rest: Duration,
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

/// Other books with the line of the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// The line.
    pub sought: Sought,
    /// The book on screen, which is none of them.
    pub book: usize,
    /// The first place in each of them.
    pub hits: Vec<Hit>,
    /// Nothing more comes.
    pub done: bool,
}

/// What is asked for at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Every occurrence.
    List,
    /// Other books.
    Near,
}

/// All that a session knows of occurrences.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    /// The list that is shown or was shown last.
    pub list: Option<List>,
    /// Other books with the line of the cursor.
    pub near: Option<Near>,
    /// What is asked for.
    pub(super) asked: Option<Asked>,
    /// Counts wishes.
    pub(super) epoch: u64,
}
