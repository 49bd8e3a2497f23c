//! Counting one book of each cluster of near copies (Kaser & Lemire, section 5, ask for it: copies inflate counts).
//!
//! Two rounds. The first is an analysis that counts every book; between its cuts near copies are found. The second counts the
//! books that are left: one of each cluster, and all that are in none. Cuts are proposed for all books, by the second
//! round's counts.
//!
//! A cluster is counted by its oldest book by the date in the header; of several as old, or where none says, by the longest,
//! then by the first id. A line that all copies have counts once whichever book that is; the choice decides what becomes of
//! lines that only some have. Lines of new licences are in many other books, so none is missed. Those of old ones
//! are rare, and a count just above the threshold is lost with each book that is left out. Among 1,033 real books, with 834
//! of them counted, Algorithm 1 without markers leaves 50 lines of boilerplate more than with all counted if the oldest
//! count, and 336 if the longest (which are the newest: licences grew). Volumes are joined to the whole they are part of;
//! one of them says of boilerplate what the others say.
//!
//! The threshold stays what it is: books that are left out were no evidence of their own.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::copies::{ComparedPart, CopyOptions, LITTLE_MEMORY, find_copies};
use super::{AnalysisOptions, AnalysisProgress, BookReport, NearCopies};
use crate::copies::clusters::clusters;
use endpaper_text::corpus::{Book, BookId, Listing, Skipped};
use endpaper_text::wording::{plural, thousands};

/// What the second round does not count.
#[derive(Debug)]
pub(super) struct OneCopy {
    left_out: HashSet<BookId>,
    pub copy_counts: CopyCounts,
    /// What went wrong without harm.
    pub notes: Vec<String>,
}

/// Near copies that were found, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CopyCounts {
    /// Books that were compared or counted.
    pub books: usize,
    /// Clusters of near copies.
    pub clusters: usize,
    /// Books that are not counted.
    pub left_out: usize,
}

impl OneCopy {
    /// The near copies among the books of the first round, which was made with these options.
    pub fn find_in(
        books: &[BookReport],
        options: &AnalysisOptions,
        progress: &(dyn Fn(AnalysisProgress) + Sync),
        cancel: &AtomicBool,
    ) -> Result<OneCopy> {
        let books: Vec<&BookReport> = books.iter().collect();
        let looked_for = CopyOptions {
            part: ComparedPart::BodyOrWhole,
            memory: options.scan_memory.max(LITTLE_MEMORY),
            ..CopyOptions::of(options)
        };
        let copies = find_copies(&books, None, &looked_for, progress, cancel)?;
        let links = copies.links.iter().map(|link| (link.a, link.b));
        let groups = clusters(books.len(), links);
        let left_out: HashSet<BookId> = groups
            .iter()
            .flat_map(|group| {
                let counted = representative(group, &books, &copies);
                group.iter().filter(move |&&place| Some(place) != counted)
            })
            .map(|&place| books[place as usize].book.id.clone())
            .collect();
        let mut notes = copies.notes;
        notes.extend(describe_uncompared(&copies.skipped));
        Ok(OneCopy {
            copy_counts: CopyCounts {
                books: books.len(),
                clusters: groups.len(),
                left_out: left_out.len(),
            },
            left_out,
            notes,
        })
    }

    /// Whether the second round counts a book.
    pub fn is_counted(&self, book: &Book) -> bool {
        !self.left_out.contains(&book.id)
    }

    /// The books of a listing that the second round counts.
    pub fn counted_listing(&self, listing: &Listing) -> Listing {
        let books = listing.books.iter().filter(|book| self.is_counted(book));
        Listing {
            books: books.cloned().collect(),
            ..listing.clone()
        }
    }
}

impl fmt::Display for CopyCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: usize| thousands(number as u64);
        match self.clusters {
            0 => write!(f, "no near copies were found: every book counts"),
            clusters => write!(
                f,
                "counted {} of {} books: one of each of {} {} of near copies ('endpaper copies' lists them)",
                number(self.books - self.left_out),
                number(self.books),
                number(clusters),
                plural(clusters, "cluster"),
            ),
        }
    }
}

/// The book that a cluster is counted by.
fn representative(group: &[u32], books: &[&BookReport], copies: &NearCopies) -> Option<u32> {
    let rank = |place: &u32| {
        let released = copies.release_dates.get(place);
        // Places are in the order of ids.
        let bytes = Reverse(books[*place as usize].summary.bytes);
        (released.is_none(), released, bytes, *place)
    };
    group.iter().copied().min_by_key(rank)
}

/// Books that went away since the first round were not compared. They count if they can be read again or were kept.
fn describe_uncompared(skipped: &[Skipped]) -> Option<String> {
    let first = skipped.first()?;
    let others = match skipped.len() {
        1 => String::new(),
        count => format!(" (and {} more)", thousands(count as u64 - 1)),
    };
    Some(format!(
        "'{}'{others} was not compared with other books, since it {}",
        first.id, first.reason
    ))
}

#[cfg(test)]
mod tests;
