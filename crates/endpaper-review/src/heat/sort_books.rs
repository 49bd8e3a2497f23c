//! Orders the books of the heat map.

use super::map::HeatMap;
use super::order::HeatOrder;
use super::shades_state::ShadesState;
use crate::entry::{QueueEntry, ReviewStatus};
use endpaper_truth::Verdict;

/// The books of the queue, in the order chosen for the map.
pub(super) fn sort_books(heat: &HeatMap, queue: &[usize], entries: &[QueueEntry]) -> Vec<usize> {
    let mut books: Vec<usize> = queue
        .iter()
        .copied()
        .filter(|&b| b < entries.len())
        .collect();
    let by_cut = |book: usize| (lines_outside(heat, entries, book), book);
    match heat.sort {
        HeatOrder::Queue => {}
        HeatOrder::Name => books.sort_unstable(),
        HeatOrder::Cut => books.sort_by_cached_key(|&book| by_cut(book)),
        HeatOrder::Doubt => {
            let doubt = |book: usize| entries[book].doubt.unwrap_or(-1.0);
            books.sort_by(|&a, &b| doubt(b).total_cmp(&doubt(a)).then(a.cmp(&b)));
        }
        HeatOrder::Status => {
            books.sort_by_cached_key(|&book| (rank(entries[book].status), by_cut(book)));
        }
        HeatOrder::Template => {
            // Books without a template come last.
            let rank = |book: usize| entries[book].template_rank.wrapping_sub(1);
            books.sort_by_cached_key(|&book| (rank(book), by_cut(book)));
        }
    }
    books
}

/// Number of lines outside the cut: counted lines if the book is read, so that the cuts form a smooth line on the map. Cuts
/// beyond the window come after those inside it, and books without known cuts last.
fn lines_outside(heat: &HeatMap, entries: &[QueueEntry], book: usize) -> (u8, u32) {
    let Some(lines) = entries[book].lines_outside(heat.end) else {
        return (2, 0);
    };
    if *heat.shades_state(book) == ShadesState::Unread {
        return (0, lines);
    }
    match heat.lines_outside(entries, book) {
        Some(counted) => (0, counted as u32),
        None => (1, lines),
    }
}

/// Undecided books first, then decided ones by verdict, then those that cannot be decided.
fn rank(standing: ReviewStatus) -> u8 {
    match standing {
        ReviewStatus::Undecided => 0,
        ReviewStatus::Draft | ReviewStatus::Decided(Verdict::Open) => 1,
        ReviewStatus::Recorded => 2,
        ReviewStatus::Decided(Verdict::Confirmed) => 3,
        ReviewStatus::Decided(Verdict::Corrected) => 4,
        ReviewStatus::Decided(Verdict::Undecidable) => 5,
        ReviewStatus::Decided(Verdict::NotABook) => 6,
        ReviewStatus::Broken => 7,
        ReviewStatus::Unreadable => 8,
    }
}
