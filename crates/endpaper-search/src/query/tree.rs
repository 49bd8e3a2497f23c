//! The syntax tree of a query, and the errors of queries.

use crate::words::WordPositions;
use crate::{BookPart, bare_isbn};

/// Queries with more words are refused.
pub(super) const MOST_WORDS: usize = 64;

/// Why a query cannot be understood, where, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid query at character {at}: {what}")]
pub struct QueryError {
    /// The character it begins with, from 1.
    pub at: usize,
    /// What is wrong, and the repair.
    pub what: String,
}

/// Whether a part of a query must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occurs {
    Must,
    May,
    Never,
}

/// A query as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum QueryNode {
    /// A word, or several as a phrase.
    Words {
        part: Option<BookPart>,
        words: Vec<String>,
    },
    /// The name of a language, in small letters.
    Language(String),
    /// Several of these, never none. Where nothing must match, something that may match must.
    Group(Vec<(Occurs, QueryNode)>),
}

/// The words that a piece of a query represents.
pub(super) fn words_of(part: Option<BookPart>, text: &str) -> Vec<String> {
    if part == Some(BookPart::Isbn) {
        let isbn = bare_isbn(text);
        return if isbn.is_empty() {
            Vec::new()
        } else {
            vec![isbn]
        };
    }
    WordPositions::of(text)
        .map(|word| text[word].to_owned())
        .collect()
}
