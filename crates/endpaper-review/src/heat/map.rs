//! State of the heat map.

use std::ops::Range;

use super::cell::HeatColumn;
use super::layout::HeatLayout;
use super::order::HeatOrder;
use super::shades_state::ShadesState;
use crate::entry::QueueEntry;
use endpaper_detect::End;
use endpaper_detect::pipeline::{BookShades, LineShades};

/// Number of counted lines assumed for a window before any book is read (Kaser & Lemire, section 3.1).
const WINDOW: usize = 300;

/// The heat map.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// The map covers the page.
    pub shown: bool,
    /// The end of the books that is shown.
    pub end: End,
    /// The order of the books.
    pub sort: HeatOrder,
    /// Books per column, at least 1.
    pub zoom: usize,
    /// All counted lines share the height; otherwise each row shows two lines, and rows scroll.
    pub squeezed: bool,
    /// Number of counted lines scrolled off at the edge of the books.
    pub top: usize,
    /// The books, in order.
    pub order: Vec<usize>,
    /// The chosen book, as an index into [`HeatMap::order`].
    pub chosen_position: usize,
    /// The first book on screen, as an index into [`HeatMap::order`]; a multiple of [`HeatMap::zoom`].
    pub left: usize,
    /// The state of each book's shades, by book index.
    pub(super) shades: Vec<ShadesState>,
    /// Position of each book in [`HeatMap::order`], by book index.
    pub(super) positions: Vec<usize>,
    /// The columns on screen, `None` if not painted yet. Only outdated columns are painted, because summing up ten thousand
    /// books takes some milliseconds.
    pub(super) picture: Vec<Option<HeatColumn>>,
    /// Inputs of the painted columns.
    pub(super) painted: Option<PaintKey>,
    /// Maximum number of counted lines of a book at each end.
    pub(super) depths: [usize; 2],
    /// Number of resets; shades of older frequencies carry another one.
    pub(crate) epoch: u64,
    pub(crate) order_version: u64,
    pub(crate) asked: Option<HeatRequestKey>,
}

/// Inputs of a request for shades.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeatRequestKey {
    pub epoch: u64,
    pub order_version: u64,
    /// Positions on screen.
    pub visible: Range<usize>,
    /// All other books, too.
    pub all: bool,
}

/// Inputs of the painted columns, except for the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PaintKey {
    pub(super) layout: HeatLayout,
    pub(super) order_version: u64,
    pub(super) epoch: u64,
    pub(super) end: End,
    pub(super) left: usize,
    pub(super) zoom: usize,
    pub(super) top: usize,
}

impl Default for HeatMap {
    fn default() -> HeatMap {
        HeatMap {
            shown: false,
            end: End::Start,
            sort: HeatOrder::Queue,
            zoom: 1,
            squeezed: true,
            top: 0,
            order: Vec::new(),
            chosen_position: 0,
            left: 0,
            shades: Vec::new(),
            positions: Vec::new(),
            picture: Vec::new(),
            painted: None,
            depths: [0; 2],
            epoch: 0,
            order_version: 0,
            asked: None,
        }
    }
}

impl HeatMap {
    /// Index of the chosen book.
    pub fn chosen_book(&self) -> Option<usize> {
        self.order.get(self.chosen_position).copied()
    }

    /// State of a book's shades.
    pub fn shades_state(&self, book: usize) -> &ShadesState {
        self.shades.get(book).unwrap_or(&ShadesState::Unread)
    }

    /// The line shades of a book at the end that is shown.
    pub fn line_shades(&self, book: usize) -> Option<&LineShades> {
        match self.shades_state(book) {
            ShadesState::Read(shades) => Some(shades.line_shades(self.end)),
            ShadesState::Unread | ShadesState::Unreadable => None,
        }
    }

    /// Sets the shades of a book; `None`: it cannot be read.
    pub fn set_shades(&mut self, book: usize, shades: Option<Box<BookShades>>) {
        let Some(look) = self.shades.get_mut(book) else {
            return;
        };
        if let Some(shades) = &shades {
            for (depth, end) in self.depths.iter_mut().zip([End::Start, End::End]) {
                *depth = (*depth).max(shades.line_shades(end).shades().len());
            }
        }
        *look = shades.map_or(ShadesState::Unreadable, ShadesState::Read);
        let place = self
            .positions
            .get(book)
            .and_then(|at| at.checked_sub(self.left));
        if let Some(column) = place.and_then(|place| self.picture.get_mut(place / self.zoom)) {
            *column = None;
        }
    }

    /// Marks all columns as outdated, because books were decided.
    pub(crate) fn repaint(&mut self) {
        self.painted = None;
    }

    /// A column of the screen; `None` to the right of the last book.
    pub fn painted(&self, column: usize) -> Option<&HeatColumn> {
        self.picture.get(column)?.as_ref()
    }

    /// Resets the map to `books` unread books, because the frequencies of lines changed.
    pub fn reset(&mut self, books: usize) {
        self.shades = vec![ShadesState::Unread; books];
        self.depths = [0; 2];
        self.epoch += 1;
    }

    /// Changes the number of books.
    pub fn resize(&mut self, books: usize) {
        self.shades.resize(books, ShadesState::Unread);
    }

    /// Height of the map: the maximum number of counted lines of a book at this end.
    pub fn depth(&self) -> usize {
        match self.depths[self.end as usize] {
            0 => WINDOW,
            depth => depth,
        }
    }

    /// Number of books on the map whose shades the program has not computed yet.
    pub fn unread(&self) -> usize {
        let unread = |book: &&usize| *self.shades_state(**book) == ShadesState::Unread;
        self.order.iter().filter(unread).count()
    }

    /// Books that are not read yet: those at `visible` from left to right, then, if `all`, those after them and finally those
    /// before them, the nearest first.
    pub(crate) fn unread_books(&self, visible: Range<usize>, all: bool) -> Vec<usize> {
        let (before, rest) = self.order.split_at(visible.start.min(self.order.len()));
        let (shown, after) = rest.split_at(visible.len().min(rest.len()));
        let others = after.iter().chain(before.iter().rev());
        let others = others.take(if all { self.order.len() } else { 0 });
        let books = shown.iter().chain(others).copied();
        books
            .filter(|&book| *self.shades_state(book) == ShadesState::Unread)
            .collect()
    }

    /// Number of counted lines of a book outside its cut at this end. `None` if the cut or the lines are unknown, or if the cut
    /// is beyond the window.
    pub fn lines_outside(&self, entries: &[QueueEntry], book: usize) -> Option<usize> {
        let lines = entries.get(book)?.lines_outside(self.end)?;
        self.line_shades(book)?.count_in(lines)
    }

    /// Chooses a book; returns `false` if it is not on the map.
    pub fn choose(&mut self, book: usize) -> bool {
        let at = self.positions.get(book).copied();
        let at = at.filter(|&at| at < self.order.len());
        self.chosen_position = at.unwrap_or(self.chosen_position);
        at.is_some()
    }

    /// Books per column with which all of them fit into `columns`.
    pub fn farthest(&self, columns: usize) -> usize {
        self.order.len().div_ceil(columns.max(1)).max(1)
    }

    /// Adjusts zoom and scrolling to a screen, with the chosen book on it.
    pub fn fit_to(&mut self, plan: &HeatLayout) {
        let columns = usize::from(plan.picture.width).max(1);
        self.zoom = self.zoom.clamp(1, self.farthest(columns));
        self.chosen_position = self.chosen_position.min(self.order.len().saturating_sub(1));
        let (here, all) = (
            self.chosen_position / self.zoom,
            self.order.len().div_ceil(self.zoom),
        );
        let margin = 4.min((columns - 1) / 2);
        let low = (here + margin + 1).saturating_sub(columns);
        let high = here.saturating_sub(margin);
        // Both bounds can hold: a margin is less than half of the columns.
        let first = (self.left / self.zoom).clamp(low.min(high), high);
        self.left = first.min(all.saturating_sub(columns)) * self.zoom;
        let shown = usize::from(plan.picture.height) * plan.lines;
        self.top = self.top.min(self.depth().saturating_sub(shown));
    }

    /// Positions of the books in a column of the screen.
    pub fn column(&self, column: usize) -> Range<usize> {
        let start = self.left.saturating_add(column.saturating_mul(self.zoom));
        start.min(self.order.len())..(start.saturating_add(self.zoom)).min(self.order.len())
    }

    /// Positions of the books on screen.
    pub fn visible(&self, columns: usize) -> Range<usize> {
        let end = self.left.saturating_add(columns.saturating_mul(self.zoom));
        self.left.min(self.order.len())..end.min(self.order.len())
    }
}
