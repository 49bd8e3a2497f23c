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

use super::Part;
pub use tree::Mistake;
pub(super) use tree::{Node, Occurs};

/// A query that was understood. It belongs to no index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub(super) root: Node,
    /// Where words are looked for that name no part.
    pub(super) parts: Vec<Part>,
}

/// How a query is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Books need have only one of the words, as in the paper. Otherwise they need all.
    pub any: bool,
    /// Where words are looked for that name no part.
    pub parts: Vec<Part>,
}

impl Default for Reading {
    fn default() -> Self {
        Reading {
            any: false,
            parts: Part::DEFAULT.to_vec(),
        }
    }
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    ///
    /// A [`Mistake`], with its place.
    pub fn read(text: &str, reading: &Reading) -> Result<Query, Mistake> {
        Ok(Query {
            root: parse::parse(text, reading.any)?,
            parts: reading.parts.clone(),
        })
    }
}
