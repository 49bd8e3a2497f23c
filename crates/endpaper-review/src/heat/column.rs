//! Computes a column of the heat map: the lines of one book, or the mean of several.

use std::ops::Range;

use super::cell::{HeatCell, HeatColumn};
use super::layout::HeatLayout;
use super::map::HeatMap;
use super::shades_state::ShadesState;
use crate::entry::QueueEntry;

impl HeatColumn {
    /// Computes the column of the books at `positions`.
    pub fn of(
        heat: &HeatMap,
        entries: &[QueueEntry],
        positions: Range<usize>,
        plan: &HeatLayout,
    ) -> HeatColumn {
        let mut cells = vec![HeatCell::Nothing; usize::from(plan.picture.height) * 2];
        let read = fill(heat, entries, positions.clone(), plan.lines / 2, &mut cells);
        let books = heat.order.get(positions).unwrap_or_default();
        let known = || books.iter().filter_map(|&book| entries.get(book));
        let first = known().next().map(|entry| entry.status);
        let decided = known().filter(|entry| entry.status.is_decided());
        let doubts = known().filter_map(|entry| entry.doubt);
        let (sum, count) = doubts.fold((0.0, 0u16), |(sum, count), doubt| {
            (sum + doubt, count.saturating_add(1))
        });
        HeatColumn {
            cells: cells.into(),
            read,
            is_loading: books
                .iter()
                .any(|&book| *heat.shades_state(book) == ShadesState::Unread),
            status: first.filter(|&first| known().all(|entry| entry.status == first)),
            decided: (decided.count(), books.len()),
            doubt: (count > 0).then(|| sum / f32::from(count)),
        }
    }
}

/// Fills cells from the edge of the books towards the body, with `lines` counted lines per cell, for the books at
/// `positions`. The shading is the mean over books and lines; the cut is the median of the cuts of the books within the
/// window. Returns `false` if none of the books is read yet.
pub fn fill(
    heat: &HeatMap,
    entries: &[QueueEntry],
    positions: Range<usize>,
    lines: usize,
    cells: &mut [HeatCell],
) -> bool {
    cells.fill(HeatCell::Nothing);
    let books = heat.order.get(positions).unwrap_or_default();
    // Sum line by line first and aggregate cells at the end, so that each book is one loop of plain additions.
    let room = cells.len().saturating_mul(lines.max(1)).min(heat.depth());
    let (mut sums, mut lasts, mut read) = (vec![0u32; room], vec![0u32; room + 1], false);
    let mut cuts: Vec<usize> = Vec::with_capacity(books.len());
    for &book in books {
        let Some(strip) = heat.line_shades(book) else {
            continue;
        };
        read = true;
        let shown = strip.shades().get(heat.top..).unwrap_or_default();
        for (sum, &shade) in sums.iter_mut().zip(shown) {
            *sum += u32::from(shade);
        }
        lasts[shown.len().min(room)] += 1;
        cuts.extend(heat.lines_outside(entries, book));
    }
    // Turn the number of books that end before a line into the number that have it.
    for line in (1..room).rev() {
        lasts[line] += lasts[line + 1];
    }
    let counts = lasts.get(1..).unwrap_or_default();
    let parts = sums.chunks(lines.max(1)).zip(counts.chunks(lines.max(1)));
    for (cell, (sums, counts)) in cells.iter_mut().zip(parts) {
        let (sum, count): (u32, u32) = (sums.iter().sum(), counts.iter().sum());
        if let Some(mean) = (sum + count / 2).checked_div(count) {
            *cell = HeatCell::Shade(mean as u8);
        }
    }
    if let Some(cut) = cut_cell(cuts, heat.top, lines)
        && let Some(cell) = cells.get_mut(cut)
    {
        *cell = HeatCell::Cut;
    }
    read
}

/// The cell that contains the median of the cuts: that of the first line inside it.
fn cut_cell(mut cuts: Vec<usize>, top: usize, lines: usize) -> Option<usize> {
    let middle = cuts.len().checked_sub(1)? / 2;
    let (_, &mut cut, _) = cuts.select_nth_unstable(middle);
    Some(cut.checked_sub(top)? / lines.max(1))
}
