//! What is searched for.
//!
//! ```text
//! white whale                 both words, near each other first (with --any: either)
//! "white whale"               the phrase
//! whale OR shark -dolphin     one of two words, without a third; also AND, NOT, + and brackets
//! title:emma author:austen    in one part of a book
//! language:german             books in a language
//! ```

mod lexer;
mod parse;
#[cfg(test)]
mod tests;
mod tree;

use super::BookPart;
pub use tree::QueryError;
pub(super) use tree::{Occurs, QueryNode};

/// A query that was understood. It belongs to no index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub(super) root: QueryNode,
    /// Where words are searched for that name no part.
    pub(super) parts: Vec<BookPart>,
}

/// How a query is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryOptions {
    /// Books need have only one of the words, as in the paper. Otherwise they need all.
    pub any: bool,
    /// Where words are searched for that name no part.
    pub parts: Vec<BookPart>,
}

impl Default for QueryOptions {
    fn default() -> Self {
        QueryOptions {
            any: false,
            parts: BookPart::DEFAULT.to_vec(),
        }
    }
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    ///
    /// A [`QueryError`], with its place.
    pub fn read(text: &str, reading: &QueryOptions) -> Result<Query, QueryError> {
        Ok(Query {
            root: parse::parse(text, reading.any)?,
            parts: reading.parts.clone(),
        })
    }
}
