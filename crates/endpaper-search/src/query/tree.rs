//! The tree of a query, and parse errors.

use super::field::YearField;
use crate::words::WordPositions;
use crate::{BookPart, Language, bare_isbn};

/// Most words of a query.
pub(super) const MOST_WORDS: usize = 64;

/// Why and where a query is invalid, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid query at character {at}: {what}")]
pub struct QueryError {
    /// The position of the error, in characters from 1.
    pub at: usize,
    /// What is wrong, and how to fix it.
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
    /// A word, or several words as a phrase.
    Words {
        part: Option<BookPart>,
        words: Vec<String>,
    },
    /// The books in a language.
    Language(Language),
    /// The books with a year from `first` to `last`.
    Years {
        field: YearField,
        first: u32,
        last: u32,
    },
    /// One or more nodes. If none must match, at least one of those that may match must.
    Group(Vec<(Occurs, QueryNode)>),
}

/// The words of a token.
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
