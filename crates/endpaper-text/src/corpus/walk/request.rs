//! The request and the result of listing a corpus.

use std::io;
use std::path::{Path, PathBuf};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::corpus::book::Book;
use crate::corpus::extract::DocumentOptions;
use crate::corpus::unreadable::Skipped;
use crate::corpus::{Encoding, EncodingChoice};

/// The folders and files to list, and how.
#[derive(Clone, Debug, Default)]
pub struct ListingRequest {
    /// Folders, files, archives and members of archives (`a.zip!b.txt`) named outright. Empty: the current folder. `-`
    /// alone: standard input.
    pub roots: Vec<PathBuf>,
    /// A file with a list of paths, one per line (`-` for standard input).
    pub files_from: Option<PathBuf>,
    /// Only ids that match one of these globs.
    pub include: Vec<String>,
    /// No ids that match one of these globs.
    pub exclude: Vec<String>,
    /// The truth folder: never part of a corpus. It may hold [chosen encodings](crate::corpus::ChosenEncodings).
    pub truth: Option<PathBuf>,
    /// Lists the built-in demonstration corpus instead of any of the above.
    pub demo: bool,
    /// Whether `.html` and `.htm` files count as books, as `.txt` files do.
    pub html: bool,
    /// How PDF and EPUB files are read; with `None` they are not books.
    pub documents: Option<DocumentOptions>,
    /// The encoding of all books, whatever else was chosen for them; `None`: see [`EncodingChoice`](crate::corpus::EncodingChoice).
    pub encoding: Option<Encoding>,
    /// The encoding of the books for which the truth folder names none.
    pub usual_encoding: Option<Encoding>,
    /// Most bytes of the text on standard input that are kept, and one more, which shows that it is too large; `None`: as many
    /// as any text may have.
    pub standard_input_limit: Option<u64>,
    /// Number of threads (0: one per core).
    pub threads: usize,
}

impl ListingRequest {
    /// The threads of a listing.
    pub(in crate::corpus) fn pool(&self) -> io::Result<ThreadPool> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build();
        pool.map_err(|error| {
            io::Error::other(format!(
                "{} threads cannot be started: {error}",
                self.threads
            ))
        })
    }

    /// Whether the corpus is the one text on standard input, written `-`.
    pub fn is_standard_input(&self) -> bool {
        self.roots == [Path::new("-")] && self.files_from.is_none()
    }
}

impl Listing {
    /// Guesses the encoding of each book by its own bytes where none was chosen. What is counted in pieces must not depend on
    /// the other books of a piece.
    pub fn settle_nothing(&mut self) {
        let choices = self.books.iter_mut().map(|book| &mut book.encoding);
        for choice in choices.chain([&mut self.usual_encoding]) {
            if let EncodingChoice::Settled(_) = choice {
                *choice = EncodingChoice::Guessed;
            }
        }
    }
}

/// The books of a corpus in id order, and what was left out.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Books in id order.
    pub books: Vec<Book>,
    /// Files left out while listing (broken archives, encrypted members), in id order.
    pub skipped: Vec<Skipped>,
    /// How the encodings of books are found for which the truth folder names none by themselves.
    pub usual_encoding: EncodingChoice,
}
