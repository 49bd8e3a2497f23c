//! How often works and venues are cited by the books of a corpus (Wu et al., *Searching Online Book Documents and Analyzing
//! Book Citations*, sections 3.2.4, 4.5 and 4.6).
//!
//! Two numbers are counted, as in the paper's Tables 9 and 10: the books that cite a work or venue, and all citations. Two
//! citations are of the same work if their titles differ only in case, accents and punctuation, or are nearly equal and their
//! authors and venues agree. References without a title count only for their venue.
//!
//! ```
//! use endpaper_outline::{Bibliography, Citations, BibliographyItem};
//!
//! let item = |title: &str| BibliographyItem { title: Some(title.to_owned()), ..BibliographyItem::default() };
//! let list = |items| Bibliography { line: 1, items, numbered: true, last: 2 };
//! let mut citations = Citations::default();
//! citations.add(&[list(vec![item("The TeXbook"), item("A raven")])]);
//! citations.add(&[list(vec![item("The Texbook."), item("The TeXbook")])]);
//! let works = citations.works();
//! assert_eq!((works[0].name.as_str(), works[0].cited_by, works[0].citations), ("The TeXbook", 2, 3));
//! ```

mod cited_titles;
mod disjoint_sets;
mod links;
mod tally;
mod venues;

pub use links::{CitationLink, CitationLinks, CitingReference};
pub use tally::CitedItem;

use super::bibliography::Bibliography;

/// Counts the citations of the books added to it.
#[derive(Clone, Debug, Default)]
pub struct Citations {
    books: u32,
    works: cited_titles::CitedTitles,
    venues: venues::Venues,
}

impl Citations {
    /// Adds the reference lists of one book.
    pub fn add(&mut self, lists: &[Bibliography]) {
        for item in lists.iter().flat_map(|list| &list.items) {
            self.works.add(self.books, item);
            if let Some(venue) = &item.venue {
                self.venues.add(self.books, venue);
            }
        }
        self.books += 1;
    }

    /// Returns the works, those cited by most books first.
    pub fn works(&self) -> Vec<CitedItem> {
        ranked(self.works.count())
    }

    /// Returns the journals, series and proceedings, those cited by most books first.
    pub fn venues(&self) -> Vec<CitedItem> {
        ranked(self.venues.count())
    }
}

/// Sorts by the number of citing books, then by citations, the most first.
fn ranked(mut all: Vec<CitedItem>) -> Vec<CitedItem> {
    all.sort_by(|a, b| {
        let most = |one: &CitedItem| {
            (
                std::cmp::Reverse(one.cited_by),
                std::cmp::Reverse(one.citations),
            )
        };
        most(a).cmp(&most(b)).then_with(|| a.name.cmp(&b.name))
    });
    all
}

#[cfg(test)]
mod tests;
