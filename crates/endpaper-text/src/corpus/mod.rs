//! Finding books, reading their bytes, splitting them into lines.
//!
//! [`list`] walks folders and archives and returns all books in a stable order. [`Book::read`] returns the bytes of
//! one book, a [`BookReader`] those of many, and [`BookText`] holds the lines of a book with their encoding. A book
//! that cannot be read becomes a [`Skipped`] with its reason: one bad file never stops a run.

mod book;
mod code_page;
mod collection_encoding;
mod decode;
pub mod demo;
mod encoding;
pub mod extract;
mod guess;
mod id;
mod inflate;
mod members;
mod shift_state;
mod source;
mod stamp;
mod text;
mod unreadable;
mod walk;

pub use book::{Book, BookLocation};
pub use code_page::CodePage;
pub use collection_encoding::{ChosenEncodings, ENCODINGS_FILE};
pub(crate) use decode::strip_ending;
pub use decode::{Newline, TextFormat};
pub use encoding::Encoding;
pub use guess::EncodingChoice;
pub use id::BookId;
pub(crate) use shift_state::{ShiftState, ShiftedLines};
pub use source::{BookReader, MAX_LINES, MAX_SIZE, ReadEnds};
pub use stamp::FileStamp;
pub use text::BookText;
pub use unreadable::{Skipped, Unreadable};
pub use walk::{IdFilter, Listing, ListingRequest, NoBooks, list};
