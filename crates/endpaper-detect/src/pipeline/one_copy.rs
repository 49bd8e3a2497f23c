//! Counting one book of each cluster of near copies (suggested by Kaser & Lemire, section 5: copies inflate counts).
//!
//! There are two rounds. The first is an analysis that counts every book; near copies are found between its cuts. The
//! second counts one book of each cluster and all books without a copy. Cuts are proposed for all books, with the
//! counts of the second round.
//!
//! The counted book of a cluster is the oldest by the date in its header; with equal or missing dates the longest, then
//! the one with the first id. A line that all copies contain counts once in any case; the choice matters for lines that
//! only some contain. Lines of new licences are in many other books, so none is missed. Lines of old ones are rare, and
//! each book that is left out may push a count just above the threshold below it. Among 1,033 real books, of which 834
//! are counted, Algorithm 1 without markers leaves 50 lines of boilerplate more than with all books counted if the
//! oldest are counted, and 336 if the longest are (these are the newest, as licences grew). Volumes are joined to the
//! whole that they are part of; one of them has the boilerplate of the others.
//!
//! The threshold is unchanged, as the books that are left out were not independent evidence.

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

/// The books that the second round does not count.
#[derive(Debug)]
pub(super) struct OneCopy {
    left_out: HashSet<BookId>,
    pub copy_counts: CopyCounts,
    /// Minor problems, one sentence each.
    pub notes: Vec<String>,
}

/// Statistics of the near copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CopyCounts {
    /// Number of books that were compared or counted.
    pub books: usize,
    /// Number of clusters of near copies.
    pub clusters: usize,
    /// Number of books that are not counted.
    pub left_out: usize,
}

impl OneCopy {
    /// Finds the near copies among the books of the first round, which used these options.
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

    /// The part of a listing that the second round counts.
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

/// The book of a cluster that is counted.
fn representative(group: &[u32], books: &[&BookReport], copies: &NearCopies) -> Option<u32> {
    let rank = |place: &u32| {
        let released = copies.release_dates.get(place);
        // Indexes are in the order of ids.
        let bytes = Reverse(books[*place as usize].summary.bytes);
        (released.is_none(), released, bytes, *place)
    };
    group.iter().copied().min_by_key(rank)
}

/// A note on books that could not be compared as they disappeared after the first round. They still count if they can
/// be read again or their Scans were stored.
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
