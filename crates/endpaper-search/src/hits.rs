//! What a search found.

use std::ops::Range;
use std::time::Duration;

use super::{BookPart, Chapter, Language};

/// The best hits of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchHits {
    /// Books that match, also those that are not among `hits`.
    pub total: usize,
    /// Books in the index.
    pub books: u64,
    /// The best of them, best first.
    pub hits: Vec<SearchHit>,
    /// How long it took to find, rank and locate them. No book was read in it.
    pub time: Duration,
}

/// A book that matches.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    /// Its id.
    pub book: String,
    /// Its title, if it says one (decoded, not sanitised).
    pub title: Option<String>,
    /// Its authors (decoded, not sanitised).
    pub authors: Vec<String>,
    /// How well it matches. Comparable within one search only.
    pub score: f32,
    /// Where most of the words occur together; `None` if they are in no line, as in a title that only metadata has.
    pub position: Option<HitPosition>,
    /// Lines from there. Empty until the book is read, see [`super::excerpt()`].
    pub excerpt: HitExcerpt,
    pub(super) language: Language,
    pub(super) crc: u64,
    /// The words of the query as terms, to be marked.
    pub(super) terms: Vec<String>,
}

/// A place in a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitPosition {
    /// Its line, from 1.
    pub line: u32,
    /// Preamble, body or epilogue.
    pub part: BookPart,
    /// The heading at or above it.
    pub chapter: Option<Chapter>,
}

/// Text of a hit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HitExcerpt {
    /// The book was not read, or the hit has no line.
    #[default]
    None,
    /// A few lines as one text (decoded, not sanitised).
    Text {
        /// The text, white space as single spaces.
        text: String,
        /// Words of the query in it, as byte ranges.
        marks: Vec<Range<usize>>,
    },
    /// The book is another one than was indexed: its lines are not those of the hit.
    Changed,
    /// The book cannot be read, and why.
    Unreadable(String),
}
