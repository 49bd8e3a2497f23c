//! How often works and venues are cited by the books of a corpus (Wu et al., *Searching Online Book Documents and Analyzing
//! Book Citations*, sections 3.2.4, 4.5 and 4.6).
//!
//! Two numbers are counted, as in the paper's Tables 9 and 10: the books that cite a work or a venue, and all citations.
//! Citations are one if their titles are the same but for case, accents and punctuation, or nearly the same with authors
//! and venues that agree. References without a title count for their venue only.
//!
//! ```
//! use endpaper_outline::{Bibliography, Citations, Item};
//!
//! let item = |title: &str| Item { title: Some(title.to_owned()), ..Item::default() };
//! let list = |items| Bibliography { line: 1, items, numbered: true, last: 2 };
//! let mut citations = Citations::default();
//! citations.add(&[list(vec![item("The TeXbook"), item("A raven")])]);
//! citations.add(&[list(vec![item("The Texbook."), item("The TeXbook")])]);
//! let works = citations.works();
//! assert_eq!((works[0].name.as_str(), works[0].cited_by, works[0].citations), ("The TeXbook", 2, 3));
//! ```

mod sets;
mod venues;
mod works;

use serde::Serialize;

use super::bibliography::Bibliography;

/// Something that is cited, and how often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cited {
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

/// Citations of the books that were added.
#[derive(Clone, Debug, Default)]
pub struct Citations {
    books: u32,
    works: works::Works,
    venues: venues::Venues,
}

impl Citations {
    /// Adds the lists of references of one book.
    pub fn add(&mut self, lists: &[Bibliography]) {
        for item in lists.iter().flat_map(|list| &list.items) {
            self.works.add(self.books, item);
            if let Some(venue) = &item.venue {
                self.venues.add(self.books, venue);
            }
        }
        self.books += 1;
    }

    /// Works, those that most books cite first.
    pub fn works(&self) -> Vec<Cited> {
        ranked(self.works.count())
    }

    /// Journals, series and proceedings, those that most books cite first.
    pub fn venues(&self) -> Vec<Cited> {
        ranked(self.venues.count())
    }
}

fn ranked(mut all: Vec<Cited>) -> Vec<Cited> {
    all.sort_by(|a, b| {
        let most = |one: &Cited| {
            (
                std::cmp::Reverse(one.cited_by),
                std::cmp::Reverse(one.citations),
            )
        };
        most(a).cmp(&most(b)).then_with(|| a.name.cmp(&b.name))
    });
    all
}

/// The books of something, each once, and how often they cite it.
#[derive(Clone, Debug, Default)]
struct Tally {
    /// In order.
    books: Vec<u32>,
    citations: u32,
}

impl Tally {
    /// Books are added in their order.
    fn add(&mut self, book: u32) {
        if self.books.last() != Some(&book) {
            self.books.push(book);
        }
        self.citations = self.citations.saturating_add(1);
    }

    /// The tallies of several spellings as one.
    fn sum<'a>(all: impl Iterator<Item = &'a Tally>) -> Tally {
        let mut sum = Tally::default();
        for tally in all {
            sum.books.extend(&tally.books);
            sum.citations = sum.citations.saturating_add(tally.citations);
        }
        sum.books.sort_unstable();
        sum.books.dedup();
        sum
    }

    fn cited_by(&self) -> u32 {
        u32::try_from(self.books.len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests;
