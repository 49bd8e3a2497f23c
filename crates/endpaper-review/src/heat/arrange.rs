//! Books of the heat map brought into order and painted.

use super::areas::Plan;
use super::cell::Column;
use super::map::{Heat, Painted};
use super::sorted::sorted;
use crate::entry::Entry;

impl Heat {
    /// Paints the columns on screen that are not.
    pub(crate) fn paint(&mut self, entries: &[Entry], plan: &Plan) {
        let painted = Painted {
            plan: *plan,
            arranged: self.arranged,
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
                *column = Some(Column::of(self, entries, books, plan));
            }
        }
        self.picture = picture;
    }

    /// Arranges the books of the queue; the chosen book stays chosen.
    pub fn arrange(&mut self, queue: &[usize], entries: &[Entry]) {
        let chosen = self.chosen();
        self.order = sorted(self, queue, entries);
        self.arranged += 1;
        self.places = vec![usize::MAX; self.looks.len()];
        for (at, &book) in self.order.iter().enumerate() {
            if let Some(place) = self.places.get_mut(book) {
                *place = at;
            }
        }
        if let Some(chosen) = chosen {
            self.choose(chosen);
        }
        self.at = self.at.min(self.order.len().saturating_sub(1));
    }
}
