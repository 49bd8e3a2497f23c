//! The outline of one book of a corpus.

use crate::{Outline, outline};
use endpaper_text::corpus::{Book, BookText, Encoding, Unreadable};
use endpaper_text::panics::catch_panic_message;
use endpaper_text::scan::{WindowOptions, scan};

/// A book and its outline.
#[derive(Debug)]
pub struct BookOutline<'a> {
    /// The book.
    pub book: &'a Book,
    /// Number of lines of its text.
    pub lines: u32,
    /// Length of its text in bytes.
    pub bytes: u64,
    /// The encoding its bytes are decoded with.
    pub encoding: Encoding,
    /// Its metadata, parts and references.
    pub outline: Outline,
}

impl BookOutline<'_> {
    /// Reads a book and its outline.
    ///
    /// # Errors
    ///
    /// The book cannot be read. A panic is returned as an error too, so that one book never ends a run over many.
    pub fn read(book: &Book, max_size: u64) -> Result<BookOutline<'_>, Unreadable> {
        BookOutline::read_with(book, max_size, |_, outlined| outlined)
    }

    /// As [`BookOutline::read`], and returns what `then` makes of the outline and the text, which is not kept.
    ///
    /// # Errors
    ///
    /// As [`BookOutline::read`], also for a panic of `then`.
    pub fn read_with<'b, T>(
        book: &'b Book,
        max_size: u64,
        then: impl FnOnce(&BookText, BookOutline<'b>) -> T,
    ) -> Result<T, Unreadable> {
        let read = catch_panic_message(|| {
            let text = book.text(max_size)?;
            let scanned = scan(text.bytes(), WindowOptions::of(&text));
            let outlined = BookOutline {
                book,
                lines: text.lines(),
                bytes: scanned.bytes,
                encoding: text.encoding(),
                outline: outline(&text, &scanned),
            };
            Ok(then(&text, outlined))
        });
        read.unwrap_or_else(|_| {
            let why = "internal error; please report this with the file";
            Err(Unreadable::Io(why.to_owned()))
        })
    }
}
