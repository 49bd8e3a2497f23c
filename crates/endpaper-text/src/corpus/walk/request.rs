//! The request and the result of listing a corpus.

use std::path::PathBuf;

use crate::corpus::Encoding;
use crate::corpus::book::Book;
use crate::corpus::extract::DocumentOptions;
use crate::corpus::unreadable::Skipped;

/// The folders and files to list, and how.
#[derive(Clone, Debug, Default)]
pub struct ListingRequest {
    /// Folders, files, archives and members of archives (`a.zip!b.txt`) named outright. Empty: the current folder.
    pub roots: Vec<PathBuf>,
    /// A file with a list of paths, one per line (`-` for standard input).
    pub files_from: Option<PathBuf>,
    /// Only ids that match one of these globs.
    pub include: Vec<String>,
    /// No ids that match one of these globs.
    pub exclude: Vec<String>,
    /// The truth folder: never part of a corpus.
    pub truth: Option<PathBuf>,
    /// Lists the built-in demonstration corpus instead of any of the above.
    pub demo: bool,
    /// Whether `.html` and `.htm` files count as books, as `.txt` files do.
    pub html: bool,
    /// How PDF and EPUB files are read; with `None` they are not books.
    pub documents: Option<DocumentOptions>,
    /// The encoding of all books; `None`: it is guessed for each.
    pub encoding: Option<Encoding>,
}

/// The books of a corpus in id order, and what was left out.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Books in id order.
    pub books: Vec<Book>,
    /// Files left out while listing (broken archives, encrypted members), in id order.
    pub skipped: Vec<Skipped>,
}
