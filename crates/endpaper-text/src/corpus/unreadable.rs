//! Reasons why a book is left out.

use serde::{Deserialize, Serialize};

use super::id::BookId;
use crate::wording::byte_size;

/// Why a book cannot be read. The message continues the sentence `BOOK: ...`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Unreadable {
    /// Nothing but white space.
    #[error("is empty")]
    Empty,
    /// Not a text.
    #[error("is not a text ({0})")]
    Binary(String),
    /// Larger than the limit.
    #[error("is larger than the limit of {}", byte_size(*limit))]
    TooLarge {
        /// The current limit, in bytes.
        limit: u64,
    },
    /// An encrypted member.
    #[error("is encrypted; unpack it with its password first")]
    Encrypted,
    /// A broken archive or stream.
    #[error("cannot be unpacked: {0}")]
    Broken(String),
    /// A PDF or EPUB file whose text cannot be extracted.
    #[error("{0}")]
    Extraction(String),
    /// The operating system refused.
    #[error("cannot be read: {0}")]
    Io(String),
    /// More lines than the limit.
    #[error("has more than the limit of {limit} lines; split it")]
    TooManyLines {
        /// The limit.
        limit: u32,
    },
    /// A text in UTF-32.
    #[error("is UTF-32; convert it to UTF-8")]
    Utf32,
}

/// A book that was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// The book that was left out.
    pub id: BookId,
    /// Why.
    pub reason: Unreadable,
}
