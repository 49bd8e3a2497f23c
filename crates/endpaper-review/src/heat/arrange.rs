//! Ordering and painting the books of the heat map.

use super::cell::HeatColumn;
use super::layout::HeatLayout;
use super::map::{HeatMap, PaintKey};
use super::sort_books::sort_books;
use crate::entry::QueueEntry;

impl HeatMap {
    /// Paints the columns on screen that are outdated or missing.
    pub(crate) fn paint(&mut self, entries: &[QueueEntry], plan: &HeatLayout) {
        let painted = PaintKey {
            layout: *plan,
            order_version: self.order_version,
            epoch: self.epoch,
            end: self.end,
            left: self.left,
            zoom: self.zoom,
            top: self.top,
        };
        let mut picture = std::mem::take(&mut self.picture);
        if self.painted.as_ref() != Some(&painted) {
            picture.clear();
            picture.resize(usize::from(plan.picture.width), None);
            self.painted = Some(painted);
        }
        for (at, column) in picture.iter_mut().enumerate() {
            let books = self.column(at);
            if column.is_none() && !books.is_empty() {
                *column = Some(HeatColumn::of(self, entries, books, plan));
            }
        }
        self.picture = picture;
    }

    /// Arranges the books of the queue; the chosen book stays chosen.
    pub fn arrange(&mut self, queue: &[usize], entries: &[QueueEntry]) {
        let chosen = self.chosen_book();
        self.order = sort_books(self, queue, entries);
        self.order_version += 1;
        self.positions = vec![usize::MAX; self.shades.len()];
        for (at, &book) in self.order.iter().enumerate() {
            if let Some(place) = self.positions.get_mut(book) {
                *place = at;
            }
        }
        if let Some(chosen) = chosen {
            self.choose(chosen);
        }
        self.chosen_position = self.chosen_position.min(self.order.len().saturating_sub(1));
    }
}
