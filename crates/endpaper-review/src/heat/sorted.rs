//! The books of the heat map in order.

use super::look::Look;
use super::map::Heat;
use super::sort::Sort;
use crate::entry::{Entry, Standing};
use endpaper_truth::Verdict;

/// The books of a queue in the order of the map.
pub(super) fn sorted(heat: &Heat, queue: &[usize], entries: &[Entry]) -> Vec<usize> {
    let mut books: Vec<usize> = queue
        .iter()
        .copied()
        .filter(|&b| b < entries.len())
        .collect();
    let by_cut = |book: usize| (outside(heat, entries, book), book);
    match heat.sort {
        Sort::Queue => {}
        Sort::Name => books.sort_unstable(),
        Sort::Cut => books.sort_by_cached_key(|&book| by_cut(book)),
        Sort::Doubt => {
            let doubt = |book: usize| entries[book].doubted().unwrap_or(-1.0);
            books.sort_by(|&a, &b| doubt(b).total_cmp(&doubt(a)).then(a.cmp(&b)));
        }
        Sort::Status => {
            books.sort_by_cached_key(|&book| (rank(entries[book].standing), by_cut(book)));
        }
        Sort::Template => {
            // Books without a template come last.
            let rank = |book: usize| entries[book].template_rank.wrapping_sub(1);
            books.sort_by_cached_key(|&book| (rank(book), by_cut(book)));
        }
    }
    books
}

/// Lines outside the cut: counted ones where the lines of the book are known, so that the cuts make a smooth line on the
/// map. Cuts beyond the window come after those inside it, books without known cuts last.
fn outside(heat: &Heat, entries: &[Entry], book: usize) -> (u8, u32) {
    let Some(lines) = entries[book].outside(heat.end) else {
        return (2, 0);
    };
    if *heat.look(book) == Look::Unread {
        return (0, lines);
    }
    match heat.outside(entries, book) {
        Some(counted) => (0, counted as u32),
        None => (1, lines),
    }
}

/// Undecided books first, then decided ones by their verdict, then what cannot be decided.
fn rank(standing: Standing) -> u8 {
    match standing {
        Standing::Undecided => 0,
        Standing::Draft | Standing::Decided(Verdict::Open) => 1,
        Standing::Recorded => 2,
        Standing::Decided(Verdict::Confirmed) => 3,
        Standing::Decided(Verdict::Corrected) => 4,
        Standing::Decided(Verdict::Undecidable) => 5,
        Standing::Decided(Verdict::NotABook) => 6,
        Standing::Broken => 7,
        Standing::Unreadable => 8,
    }
}
