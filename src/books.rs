//! The books of a listing, for those who have records of them.

use std::collections::HashMap;

use endpaper_detect::pipeline::Survey;
use endpaper_text::corpus::{Book, Listing, Text};
use endpaper_truth::Record;
use endpaper_truth::check::Books;

/// Books by id.
pub(super) struct Shelf<'a> {
    books: HashMap<&'a str, &'a Book>,
    /// Why some were left out when the corpus was listed.
    skipped: HashMap<&'a str, String>,
    /// Books by the size of their text, where a survey told.
    sizes: HashMap<u64, Vec<&'a Book>>,
    max_size: u64,
}

impl<'a> Shelf<'a> {
    pub fn new(listing: &'a Listing, max_size: u64) -> Shelf<'a> {
        let books = listing.books.iter();
        let skipped = listing.skipped.iter();
        Shelf {
            books: books.map(|book| (book.id.as_str(), book)).collect(),
            skipped: skipped
                .map(|book| (book.id.as_str(), book.reason.to_string()))
                .collect(),
            sizes: HashMap::new(),
            max_size,
        }
    }

    /// Takes the sizes of all texts from a survey.
    pub fn with_sizes(mut self, survey: &'a Survey) -> Shelf<'a> {
        for book in &survey.books {
            let alike = self.sizes.entry(book.summary.bytes).or_default();
            alike.push(&book.book);
        }
        self
    }

    fn text(&self, book: &Book) -> Result<Text, String> {
        book.text(self.max_size)
            .map_err(|reason| reason.to_string())
    }
}

impl Books for Shelf<'_> {
    fn read(&self, id: &str) -> Option<Result<Text, String>> {
        match (self.books.get(id), self.skipped.get(id)) {
            (Some(book), _) => Some(self.text(book)),
            (None, Some(reason)) => Some(Err(reason.clone())),
            (None, None) => None,
        }
    }

    fn elsewhere(&self, record: &Record) -> Option<String> {
        let alike = self.sizes.get(&record.source.bytes)?;
        let same = |book: &&&Book| {
            let text = self.text(book);
            text.is_ok_and(|text| record.is_about(&endpaper_text::checksum::sha256(text.bytes())))
        };
        alike.iter().find(same).map(|book| book.id.to_string())
    }
}
