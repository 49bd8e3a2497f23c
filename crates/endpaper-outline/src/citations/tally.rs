//! How often something is cited, and by how many books.

use serde::Serialize;

/// A cited work or venue and how often it is cited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CitedItem {
    /// Number of books that cite it.
    pub cited_by: u32,
    /// Number of citations; a book may cite it more than once.
    pub citations: u32,
    /// Title of the work or name of the venue, in its longest spelling.
    pub name: String,
    /// Author of the work; `None` for venues and if no reference names one.
    pub author: Option<String>,
    /// Year that most references of the work name, the earliest of a tie; `None` for venues and if no reference names one.
    pub year: Option<u32>,
    /// Number of spellings of the name that differ in more than case, accents and punctuation.
    pub spellings: u32,
}

/// The books that cite something, each once, and the number of citations.
#[derive(Clone, Debug, Default)]
pub(super) struct CitationTally {
    /// In ascending order.
    books: Vec<u32>,
    pub(super) citations: u32,
}

impl CitationTally {
    /// Counts a citation by `book`; books are added in order.
    pub(super) fn add(&mut self, book: u32) {
        if self.books.last() != Some(&book) {
            self.books.push(book);
        }
        self.citations = self.citations.saturating_add(1);
    }

    /// Adds up the tallies of several spellings.
    pub(super) fn sum<'a>(all: impl Iterator<Item = &'a CitationTally>) -> CitationTally {
        let mut sum = CitationTally::default();
        for tally in all {
            sum.books.extend(&tally.books);
            sum.citations = sum.citations.saturating_add(tally.citations);
        }
        sum.books.sort_unstable();
        sum.books.dedup();
        sum
    }

    /// Number of books that cite it.
    pub(super) fn cited_by(&self) -> u32 {
        u32::try_from(self.books.len()).unwrap_or(u32::MAX)
    }
}
