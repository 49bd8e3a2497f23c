//! The cells of the heat map.
//!
//! If colours distinguish the six shades, a cell shows two rows of lines as half blocks; otherwise it shows them as one glyph.
//! The contents of the cells are computed earlier, when the session changes.

use ratatui::style::{Color, Style};

use super::super::canvas::Canvas;
use super::super::theme::ThemeRole;
use super::HeatLayout;
use crate::Session;
use crate::heat::HeatCell;
use endpaper_detect::End;

/// Draws the picture.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, plan: &HeatLayout) {
    let pen = CellPainter::new(canvas, session.background.heat.end);
    for (offset, x) in (plan.picture.left()..plan.picture.right()).enumerate() {
        match session.background.heat.painted(offset) {
            Some(column) if column.read => pen.column(canvas, plan, x, &column.cells),
            Some(column) => pen.unknown(canvas, plan, x, column.is_loading),
            None => return,
        }
    }
}

/// Draws the columns of cells. With `halves`, a cell shows two rows of lines.
struct CellPainter {
    halves: bool,
    end: End,
    paper: Style,
}

impl CellPainter {
    /// A painter for one end of the books.
    fn new(canvas: &Canvas<'_>, end: End) -> CellPainter {
        CellPainter {
            halves: canvas.has_heat_colours(),
            end,
            paper: canvas.style(ThemeRole::Text),
        }
    }

    /// Draws a column of cells from the edge of the books towards the body: from the top for heads, from the bottom for tails.
    fn column(&self, canvas: &mut Canvas<'_>, plan: &HeatLayout, x: u16, cells: &[HeatCell]) {
        for (row, part) in cells.as_chunks::<2>().0.iter().enumerate() {
            let row = row as u16;
            if row >= plan.picture.height {
                return;
            }
            let y = match self.end {
                End::Start => plan.picture.y + row,
                End::End => plan.picture.bottom() - 1 - row,
            };
            let [outer, inner] = *part;
            let (glyph, style) = match self.end {
                _ if !self.halves => self.glyph(canvas, outer, inner),
                End::Start => self.half_block(canvas, outer, inner),
                End::End => self.half_block(canvas, inner, outer),
            };
            canvas.put_fitted(x, y, 1, glyph, style);
        }
    }

    /// Shows two cells as half blocks, one above the other.
    fn half_block(
        &self,
        canvas: &Canvas<'_>,
        top: HeatCell,
        bottom: HeatCell,
    ) -> (&'static str, Style) {
        let (above, below) = (self.colour(canvas, top), self.colour(canvas, bottom));
        let halves = canvas.glyphs().halves;
        let with = |style: Style, fg: Color| style.fg(fg);
        match (above, below) {
            (None, None) => (" ", self.paper),
            (Some(above), Some(below)) if above == below => (" ", self.paper.bg(above)),
            (Some(above), Some(below)) => (halves[0], with(self.paper, above).bg(below)),
            (Some(above), None) => (halves[0], with(self.paper, above)),
            (None, Some(below)) => (halves[1], with(self.paper, below)),
        }
    }

    /// The colour of a cell; `None` if it is empty.
    fn colour(&self, canvas: &Canvas<'_>, cell: HeatCell) -> Option<Color> {
        match cell {
            HeatCell::Nothing => None,
            HeatCell::Shade(step) => canvas.patch(ThemeRole::heat(step)).fg,
            HeatCell::Cut => canvas.patch(ThemeRole::Cut).fg,
        }
    }

    /// Shows two cells as one glyph.
    fn glyph(
        &self,
        canvas: &Canvas<'_>,
        outer: HeatCell,
        inner: HeatCell,
    ) -> (&'static str, Style) {
        let step = match (outer, inner) {
            (HeatCell::Cut, _) | (_, HeatCell::Cut) => {
                return (canvas.glyphs().rule, canvas.style(ThemeRole::Cut));
            }
            (HeatCell::Nothing, HeatCell::Nothing) => return (" ", self.paper),
            (HeatCell::Shade(one), HeatCell::Shade(other)) => (one + other).div_ceil(2),
            (HeatCell::Shade(step), HeatCell::Nothing)
            | (HeatCell::Nothing, HeatCell::Shade(step)) => step,
        };
        let glyph = canvas.glyphs().shades[usize::from(step.min(5))];
        (glyph, canvas.style(ThemeRole::heat(step)))
    }

    /// Draws a column of books that are still being read, or cannot be read.
    fn unknown(&self, canvas: &mut Canvas<'_>, plan: &HeatLayout, x: u16, coming: bool) {
        let (glyph, role) = match coming {
            true => (canvas.glyphs().more, ThemeRole::Line),
            false => (canvas.glyphs().bad, ThemeRole::Error),
        };
        let style = canvas.style(role);
        for y in plan.picture.top()..plan.picture.bottom() {
            canvas.put_fitted(x, y, 1, glyph, style);
        }
    }
}
