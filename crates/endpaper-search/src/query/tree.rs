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

impl QueryNode {
    /// Whether it selects books by what they are, and not by their words.
    pub fn selects_books(&self) -> bool {
        matches!(self, QueryNode::Language(_) | QueryNode::Years { .. })
    }

    /// The years that the query names, in its order.
    pub fn year_fields(&self) -> Vec<YearField> {
        match self {
            QueryNode::Years { field, .. } => vec![*field],
            QueryNode::Group(all) => all
                .iter()
                .flat_map(|(_, node)| node.year_fields())
                .collect(),
            QueryNode::Words { .. } | QueryNode::Language(_) => Vec::new(),
        }
    }
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
