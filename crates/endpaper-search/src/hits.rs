//! The results of a search.

use std::ops::Range;
use std::time::Duration;

use super::{BookPart, Chapter, Language};

/// The best hits of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchHits {
    /// Number of books that match, including those not in `hits`.
    pub total: usize,
    /// Number of books in the index.
    pub books: u64,
    /// The best matches, best first.
    pub hits: Vec<SearchHit>,
    /// The time it took to find, rank and locate them, without reading any book.
    pub time: Duration,
}

/// A book that matches.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    /// Its id.
    pub book: String,
    /// Its title, if it has one (decoded, not sanitised).
    pub title: Option<String>,
    /// Its authors (decoded, not sanitised).
    pub authors: Vec<String>,
    /// The year of the printed book, if it states one.
    pub published: Option<u32>,
    /// Its score, comparable within one search only.
    pub score: f32,
    /// Where most of the words occur close together; `None` if they are in no line that was searched, as with a title that only
    /// the header states.
    pub position: Option<HitPosition>,
    /// The text from there. [`HitExcerpt::None`] until the book is read, see [`super::excerpt()`].
    pub excerpt: HitExcerpt,
    pub(super) language: Language,
    pub(super) crc: u64,
    /// The words of the query as terms, for highlighting.
    pub(super) terms: Vec<String>,
}

/// A position in a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitPosition {
    /// Its line, from 1.
    pub line: u32,
    /// One of [`BookPart::TEXT`].
    pub part: BookPart,
    /// The heading at or above it.
    pub chapter: Option<Chapter>,
}

/// The excerpt of a hit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HitExcerpt {
    /// The book was not read, or the hit has no line.
    #[default]
    None,
    /// A few lines as one text (decoded, not sanitised).
    Text {
        /// The text, with single spaces for white space.
        text: String,
        /// Byte ranges of the query's words in it.
        marks: Vec<Range<usize>>,
    },
    /// The book changed since it was indexed, so that the line of the hit is no longer valid.
    Changed,
    /// The book cannot be read, with the reason.
    Unreadable(String),
}
