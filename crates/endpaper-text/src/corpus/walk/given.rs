//! The text on standard input, as a corpus of one book.

use std::io::{self, Read};

use anyhow::{Context, Result};

use crate::corpus::source::HARD_LIMIT;
use crate::corpus::{Book, BookId, BookLocation, EncodingChoice, FileStamp};

/// The id of the text on standard input.
const ID: &str = "stdin";

/// Reads standard input to its end, or one byte beyond `limit`, so that what is too large is refused as a file is.
///
/// # Errors
///
/// It cannot be read.
pub(super) fn standard_input(limit: Option<u64>) -> Result<Book> {
    let limit = limit.unwrap_or(HARD_LIMIT).min(HARD_LIMIT);
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock().take(limit + 1);
    let read = stdin.read_to_end(&mut bytes);
    read.context("standard input cannot be read")?;
    let stamp = FileStamp {
        size: bytes.len() as u64,
        ..FileStamp::default()
    };
    Ok(Book {
        id: BookId::new(ID),
        location: BookLocation::Given(bytes.into()),
        stamp,
        encoding: EncodingChoice::Guessed,
    })
}
