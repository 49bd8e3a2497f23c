//! Orders of the heat map.

use super::{Heat, Look};
use crate::entry::{Entry, Standing};
use endpaper_text::names;
use endpaper_truth::Verdict;

/// Orders of the books on the heat map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// As in the queue.
    #[default]
    Queue,
    /// By the lines outside the cut, fewest first.
    Cut,
    /// Most doubtful first.
    Doubt,
    /// By how far they are decided, inside it by the cut.
    Status,
    /// By template, the largest first, inside it by the cut.
    Template,
    /// By id.
    Name,
}

names!(Sort, "order", {
    Queue => "queue",
    Cut => "cut",
    Doubt => "doubt",
    Status => "status",
    Template => "template",
    Name => "name",
});

impl Sort {
    /// The order `step` places after this one, round and round.
    pub fn step(self, step: isize) -> Sort {
        let at = self as usize as isize + step;
        Sort::ALL[at.rem_euclid(Sort::ALL.len() as isize) as usize]
    }

    /// Whether the order depends on where the cuts are.
    pub fn is_by_cut(self) -> bool {
        matches!(self, Sort::Cut | Sort::Status | Sort::Template)
    }

    /// What books that stand together have in common, in a word; `None` in an order without groups.
    pub fn group(self, entry: &Entry) -> Option<String> {
        match self {
            Sort::Status => Some(entry.standing.word().to_owned()),
            Sort::Template if entry.template_rank == 0 => Some("none".to_owned()),
            Sort::Template => Some(format!("t{}", entry.template_rank)),
            Sort::Queue | Sort::Cut | Sort::Doubt | Sort::Name => None,
        }
    }
}

/// The books of a queue in the order of the map.
pub fn sorted(heat: &Heat, queue: &[usize], entries: &[Entry]) -> Vec<usize> {
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
