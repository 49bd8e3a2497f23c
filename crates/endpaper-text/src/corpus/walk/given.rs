//! The text on standard input, as a corpus of one book.

use std::io::{self, Read};

use anyhow::{Context, Result};

use crate::corpus::source::HARD_LIMIT;
use crate::corpus::{Book, BookId, BookLocation, EncodingChoice, FileStamp};

/// The id of the text on standard input.
const ID: &str = "stdin";

/// Reads standard input to its end.
///
/// # Errors
///
/// It cannot be read.
pub(super) fn standard_input() -> Result<Book> {
    let mut bytes = Vec::new();
    // One byte more than any text may have, so that what is too large is refused as a file is.
    let mut stdin = io::stdin().lock().take(HARD_LIMIT + 1);
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
