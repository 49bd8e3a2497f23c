//! The books that records speak of.

use std::collections::HashMap;

use crate::Record;
use endpaper_detect::pipeline::CorpusReport;
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::{Book, BookText, Listing, Unreadable};

/// Where the books of records are found and read.
pub trait BookFinder: Sync {
    /// The text of a book, or why it cannot be read; `None` if there is no such book.
    fn read(&self, id: &str) -> Option<Result<BookText, Unreadable>>;
    /// The id of a book with the very text of a record, where the record's own book is not there.
    fn elsewhere(&self, record: &Record) -> Option<String>;
}

/// The books of a listing by id.
#[derive(Debug)]
pub struct ListedBooks<'a> {
    books: HashMap<&'a str, &'a Book>,
    /// Why some were left out when the corpus was listed.
    skipped: HashMap<&'a str, &'a Unreadable>,
    /// Books by the size of their text, where an analysis told.
    sizes: HashMap<u64, Vec<&'a Book>>,
    max_size: u64,
}

impl<'a> ListedBooks<'a> {
    /// The books of a listing; texts of more bytes than `max_size` are not read.
    pub fn new(listing: &'a Listing, max_size: u64) -> ListedBooks<'a> {
        let books = listing.books.iter();
        let skipped = listing.skipped.iter();
        ListedBooks {
            books: books.map(|book| (book.id.as_str(), book)).collect(),
            skipped: skipped
                .map(|book| (book.id.as_str(), &book.reason))
                .collect(),
            sizes: HashMap::new(),
            max_size,
        }
    }

    /// Takes the sizes of all texts from an analysis.
    pub fn with_sizes(mut self, report: &'a CorpusReport) -> ListedBooks<'a> {
        for book in &report.books {
            let alike = self.sizes.entry(book.summary.bytes).or_default();
            alike.push(&book.book);
        }
        self
    }

    /// Number of listed books.
    pub fn count(&self) -> usize {
        self.books.len()
    }

    /// The text that a record is about; `None` where it is not there or has changed.
    pub fn text_of(&self, record: &Record) -> Option<BookText> {
        let text = self.read(&record.book)?.ok()?;
        record.is_decided_on(&sha256(text.bytes())).then_some(text)
    }
}

impl BookFinder for ListedBooks<'_> {
    fn read(&self, id: &str) -> Option<Result<BookText, Unreadable>> {
        match (self.books.get(id), self.skipped.get(id)) {
            (Some(book), _) => Some(book.text(self.max_size)),
            (None, Some(&reason)) => Some(Err(reason.clone())),
            (None, None) => None,
        }
    }

    fn elsewhere(&self, record: &Record) -> Option<String> {
        let alike = self.sizes.get(&record.source.bytes)?;
        let same = |book: &&&Book| {
            let text = book.text(self.max_size);
            text.is_ok_and(|text| record.is_decided_on(&sha256(text.bytes())))
        };
        alike.iter().find(same).map(|book| book.id.to_string())
    }
}
