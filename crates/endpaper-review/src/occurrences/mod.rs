//! Occurrences of a line in the corpus, searched in the background in the scans of all books.
//!
//! There are two searches, of which one runs at a time: every occurrence of a line, for the list ([`OccurrenceList`]), and
//! three other books with the line of the cursor, for the evidence ([`LineNeighbours`]). Results come in batches; the newest
//! request replaces the previous one.

mod find;
mod list;
mod position;
mod query;

pub use query::{OccurrenceBatch, OccurrenceHit, OccurrenceQuery};
use std::time::Duration;

pub use find::find_hits;
pub use list::{MAX_LISTED, Occurrence, OccurrenceList};
pub use position::{BookSide, CutBasis, LinePosition};

/// Number of other books named in the evidence.
pub const NAMED: usize = 3;

/// A request to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OccurrenceRequest {
    /// Returned in the answers; answers with another one are ignored.
    pub epoch: u64,
    /// The line.
    pub query: OccurrenceQuery,
    /// Indices of the books to search, in this order.
    pub books: Vec<usize>,
    /// The search stops after this many books with a hit.
    pub max_books: usize,
    /// The search starts if no other request arrives for this long.
    pub delay: Duration,
}

/// Other books with the line of the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineNeighbours {
    /// The line.
    pub query: OccurrenceQuery,
    /// The book on screen, which is excluded.
    pub book: usize,
    /// The first occurrence in each book.
    pub hits: Vec<OccurrenceHit>,
    /// The search has ended.
    pub done: bool,
}

/// Where the results of a search for occurrences go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OccurrenceTarget {
    /// Every occurrence.
    List,
    /// Other books.
    Neighbours,
}

/// State of the searches for lines.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    /// The list that is shown or was shown last.
    pub list: Option<OccurrenceList>,
    /// Other books with the line of the cursor.
    pub neighbours: Option<LineNeighbours>,
    pub(super) request: Option<OccurrenceTarget>,
    /// The number of the last request.
    pub(super) epoch: u64,
}
