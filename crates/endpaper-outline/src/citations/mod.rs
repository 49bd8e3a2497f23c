//! How often works and venues are cited by the books of a corpus (Wu et al., *Searching Online Book Documents and Analyzing
//! Book Citations*, sections 3.2.4, 4.5 and 4.6).
//!
//! Two numbers are counted, as in the paper's Tables 9 and 10: the books that cite a work or a venue, and all citations.
//! Citations are one if their titles are the same but for case, accents and punctuation, or nearly the same with authors
//! and venues that agree. References without a title count for their venue only.
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
mod tally;
mod venues;

pub use tally::CitedItem;

use super::bibliography::Bibliography;

/// Citations of the books that were added.
#[derive(Clone, Debug, Default)]
pub struct Citations {
    books: u32,
    works: cited_titles::CitedTitles,
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
    pub fn works(&self) -> Vec<CitedItem> {
        ranked(self.works.count())
    }

    /// Journals, series and proceedings, those that most books cite first.
    pub fn venues(&self) -> Vec<CitedItem> {
        ranked(self.venues.count())
    }
}

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
