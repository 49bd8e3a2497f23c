//! Search queries.
//!
//! ```text
//! white whale                 both words, near each other first (with --any: either)
//! "white whale"               the phrase
//! whale OR shark -dolphin     one of two words, without a third; also AND, NOT, + and brackets
//! title:emma author:austen    in one part of a book
//! language:german             books in a language
//! date:1890..1900             books printed in these years; released: for the e-book
//! ```

mod field;
mod lexer;
mod parse;
#[cfg(test)]
mod tests;
mod tree;

use super::{BookPart, Ranking};
pub(super) use field::YearField;
pub use tree::QueryError;
pub(super) use tree::{Occurs, QueryNode};

/// A parsed query. It is not tied to an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub(super) root: QueryNode,
    /// The parts searched for words without a part of their own.
    pub(super) parts: Vec<BookPart>,
    pub(super) ranking: Ranking,
}

/// How a query is parsed, and how its books are ranked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryOptions {
    /// Whether one of the words is enough, as in the paper; otherwise books must have all.
    pub any: bool,
    /// The parts searched for words without a part of their own.
    pub parts: Vec<BookPart>,
    /// How books are ranked.
    pub ranking: Ranking,
}

impl Default for QueryOptions {
    fn default() -> Self {
        QueryOptions {
            any: false,
            parts: BookPart::DEFAULT.to_vec(),
            ranking: Ranking::default(),
        }
    }
}

impl Query {
    /// Parses a query.
    ///
    /// # Errors
    ///
    /// A [`QueryError`] with its position.
    pub fn read(text: &str, reading: &QueryOptions) -> Result<Query, QueryError> {
        Ok(Query {
            root: parse::parse(text, reading.any)?,
            parts: reading.parts.clone(),
            ranking: reading.ranking,
        })
    }

    /// The fields with years that it names, as `date`.
    pub fn year_fields(&self) -> impl Iterator<Item = &'static str> {
        self.root.year_fields().into_iter().map(YearField::name)
    }
}
