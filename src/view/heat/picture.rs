//! The cells of the heat map.
//!
//! Where colours tell the six shades apart, a cell holds two rows of lines as half blocks; elsewhere one, as the glyph of
//! its shade. One pass over the shades of the books on screen for each frame, under a nanosecond a line.

use ratatui::style::{Color, Style};

use super::super::canvas::Canvas;
use super::super::theme::Role;
use super::Plan;
use crate::detect::End;
use crate::review::Session;
use crate::review::heat::{Cell, Look, column};

/// Draws the picture.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, plan: &Plan) {
    let pen = Pen::new(canvas, session.heat.end);
    let rows = usize::from(plan.picture.height);
    let (parts, lines) = match pen.halves {
        true => (rows * 2, plan.lines / 2),
        false => (rows, plan.lines),
    };
    let mut cells = vec![Cell::Nothing; parts];
    for (offset, x) in (plan.picture.left()..plan.picture.right()).enumerate() {
        let books = session.heat.column(offset);
        if books.is_empty() {
            return;
        }
        let heat = &session.heat;
        if column::fill(heat, &session.entries, books.clone(), lines, &mut cells) {
            pen.column(canvas, plan, x, &cells);
        } else {
            let unread = |&book: &usize| *heat.look(book) == Look::Unread;
            let coming = heat.order[books].iter().any(unread);
            pen.unknown(canvas, plan, x, coming);
        }
    }
}

/// How cells are painted.
struct Pen {
    halves: bool,
    end: End,
    paper: Style,
}

impl Pen {
    fn new(canvas: &Canvas<'_>, end: End) -> Pen {
        Pen {
            halves: canvas.has_heat_colours(),
            end,
            paper: canvas.style(Role::Text),
        }
    }

    /// One column, its cells from the edge of the books inwards: from the top for heads, from the bottom for tails.
    fn column(&self, canvas: &mut Canvas<'_>, plan: &Plan, x: u16, cells: &[Cell]) {
        let each = if self.halves { 2 } else { 1 };
        for (row, part) in cells.chunks(each).enumerate() {
            let row = row as u16;
            let y = match self.end {
                End::Start => plan.picture.y + row,
                End::End => plan.picture.bottom() - 1 - row,
            };
            let (glyph, style) = match (part, self.end) {
                (&[top, bottom], End::Start) | (&[bottom, top], End::End) => {
                    self.half_block(canvas, top, bottom)
                }
                _ => self.glyph(canvas, part[0]),
            };
            canvas.put_fitted(x, y, 1, glyph, style);
        }
    }

    /// Two halves, one above the other.
    fn half_block(&self, canvas: &Canvas<'_>, top: Cell, bottom: Cell) -> (&'static str, Style) {
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

    fn colour(&self, canvas: &Canvas<'_>, cell: Cell) -> Option<Color> {
        match cell {
            Cell::Nothing => None,
            Cell::Shade(step) => canvas.patch(Role::heat(step)).fg,
            Cell::Cut => canvas.patch(Role::Cut).fg,
        }
    }

    fn glyph(&self, canvas: &Canvas<'_>, cell: Cell) -> (&'static str, Style) {
        match cell {
            Cell::Nothing => (" ", self.paper),
            Cell::Shade(step) => {
                let glyph = canvas.glyphs().shades[usize::from(step.min(5))];
                (glyph, canvas.style(Role::heat(step)))
            }
            Cell::Cut => (canvas.glyphs().rule, canvas.style(Role::Cut)),
        }
    }

    /// A column of books that are not read yet, or cannot be.
    fn unknown(&self, canvas: &mut Canvas<'_>, plan: &Plan, x: u16, coming: bool) {
        let (glyph, role) = match coming {
            true => (canvas.glyphs().more, Role::Line),
            false => (canvas.glyphs().bad, Role::Error),
        };
        let style = canvas.style(role);
        for y in plan.picture.top()..plan.picture.bottom() {
            canvas.put_fitted(x, y, 1, glyph, style);
        }
    }
}
