//! The books of something that is cited.

use serde::Serialize;

/// Something that is cited, and how often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CitedItem {
    /// Books that cite it.
    pub cited_by: u32,
    /// All citations: a book may cite it more than once.
    pub citations: u32,
    /// Title of the work or name of the venue, in the longest spelling that was read.
    pub name: String,
    /// Who wrote the work; `None` for a venue and where no reference says it.
    pub author: Option<String>,
    /// The year that most references of the work name, the earliest of those; `None` for a venue and where none does.
    pub year: Option<u32>,
    /// How many spellings of the name were read, but for case, accents and punctuation.
    pub spellings: u32,
}

/// The books of something, each once, and how often they cite it.
#[derive(Clone, Debug, Default)]
pub(super) struct CitationTally {
    /// In order.
    books: Vec<u32>,
    pub(super) citations: u32,
}

impl CitationTally {
    /// Counts a citation by `book`; books are added in their order.
    pub(super) fn add(&mut self, book: u32) {
        if self.books.last() != Some(&book) {
            self.books.push(book);
        }
        self.citations = self.citations.saturating_add(1);
    }

    /// The tallies of several spellings as one.
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

    pub(super) fn cited_by(&self) -> u32 {
        u32::try_from(self.books.len()).unwrap_or(u32::MAX)
    }
}
