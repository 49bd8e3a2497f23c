//! Orders of the heat map.

use crate::entry::QueueEntry;
use endpaper_text::named_enum;

/// Order of the books on the heat map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeatOrder {
    /// As in the queue.
    #[default]
    Queue,
    /// By the number of lines outside the cut, ascending.
    Cut,
    /// By decreasing doubt.
    Doubt,
    /// By review status, then by the cut.
    Status,
    /// By template, the largest first, then by the cut.
    Template,
    /// By id.
    Name,
}

named_enum!(HeatOrder, "order", {
    Queue => "queue",
    Cut => "cut",
    Doubt => "doubt",
    Status => "status",
    Template => "template",
    Name => "name",
});

impl HeatOrder {
    /// The order `step` positions after this one, wrapping around.
    pub fn step(self, step: isize) -> HeatOrder {
        let at = self as usize as isize + step;
        HeatOrder::ALL[at.rem_euclid(HeatOrder::ALL.len() as isize) as usize]
    }

    /// Whether the order depends on the cuts.
    pub fn is_by_cut(self) -> bool {
        matches!(
            self,
            HeatOrder::Cut | HeatOrder::Status | HeatOrder::Template
        )
    }

    /// Name of the group of an entry; `None` in an order without groups.
    pub fn group(self, entry: &QueueEntry) -> Option<String> {
        match self {
            HeatOrder::Status => Some(entry.status.word().to_owned()),
            HeatOrder::Template if entry.template_rank == 0 => Some("none".to_owned()),
            HeatOrder::Template => Some(format!("t{}", entry.template_rank)),
            HeatOrder::Queue | HeatOrder::Cut | HeatOrder::Doubt | HeatOrder::Name => None,
        }
    }
}
