//! Where a line stands in the corpus: looked for behind the screen, in the Scans of all books.
//!
//! Two things are looked for, one at a time: every occurrence of a line, for the list ([`OccurrenceList`]), and three other books
//! with the line of the cursor, for the evidence ([`LineNeighbours`]). What is found comes in batches; the newest wish replaces
//! the one before it.

mod find;
mod list;
mod position;
mod query;

pub use query::{OccurrenceBatch, OccurrenceHit, OccurrenceQuery};
use std::time::Duration;

pub use find::find_hits;
pub use list::{MAX_LISTED, Occurrence, OccurrenceList};
pub use position::{BookSide, CutBasis, LinePosition};

/// How many other books the evidence names.
pub const NAMED: usize = 3;

/// What is to be looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OccurrenceRequest {
    /// Comes back in the answers; answers with another one are ignored.
    pub epoch: u64,
    /// The line.
    pub query: OccurrenceQuery,
    /// Indices of the books to look into, in this order.
    pub books: Vec<usize>,
    /// So many books with it are enough.
    pub max_books: usize,
    /// Nothing is read before no other wish came for so long.
    pub delay: Duration,
}

/// Other books with the line of the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineNeighbours {
    /// The line.
    pub query: OccurrenceQuery,
    /// The book on screen, which is none of them.
    pub book: usize,
    /// The first place in each of them.
    pub hits: Vec<OccurrenceHit>,
    /// Nothing more comes.
    pub done: bool,
}

/// What is asked for at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OccurrenceTarget {
    /// Every occurrence.
    List,
    /// Other books.
    Neighbours,
}

/// All that a session knows of occurrences.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    /// The list that is shown or was shown last.
    pub list: Option<OccurrenceList>,
    /// Other books with the line of the cursor.
    pub neighbours: Option<LineNeighbours>,
    /// What is asked for.
    pub(super) request: Option<OccurrenceTarget>,
    /// Counts wishes.
    pub(super) epoch: u64,
}
