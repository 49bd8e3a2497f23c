//! Orders of the heat map.

use crate::entry::Entry;
use endpaper_text::names;

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
