//! Errors of records that do not parse.

use endpaper_text::yaml_limits::LimitExceeded;

/// A record that does not parse.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong and how to fix it.
    pub message: String,
}

impl ParseError {
    /// An error of the whole file.
    pub(super) fn whole(message: impl Into<String>) -> ParseError {
        ParseError {
            line: 1,
            column: 1,
            message: message.into(),
        }
    }
}

impl From<LimitExceeded> for ParseError {
    fn from(breach: LimitExceeded) -> ParseError {
        ParseError {
            line: breach.line,
            column: breach.column,
            message: breach.message,
        }
    }
}
