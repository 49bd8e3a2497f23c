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

use super::words::Words;
use super::{Part, bare_isbn};

/// More words than this are no query.
pub(super) const MOST_WORDS: usize = 64;

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

/// Why a query cannot be understood, where, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the query cannot be understood at character {at}: {what}")]
pub struct Mistake {
    /// The character it begins with, from 1.
    pub at: usize,
    /// What is wrong, and the repair.
    pub what: String,
}

/// Whether a part of a query must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occurs {
    Must,
    May,
    Never,
}

/// A query as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// A word, or several as a phrase.
    Words {
        part: Option<Part>,
        words: Vec<String>,
    },
    /// The name of a language, in small letters.
    Language(String),
    /// Several of these, never none. Where nothing must match, something that may match must.
    Group(Vec<(Occurs, Node)>),
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

/// The words that a piece of a query stands for.
fn words_of(part: Option<Part>, text: &str) -> Vec<String> {
    if part == Some(Part::Isbn) {
        let isbn = bare_isbn(text);
        return if isbn.is_empty() {
            Vec::new()
        } else {
            vec![isbn]
        };
    }
    Words::of(text).map(|word| text[word].to_owned()).collect()
}
