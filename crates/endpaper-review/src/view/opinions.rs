//! Draws the opinions of an adjudication below the page: side by side on wide screens, else one below the other.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::canvas::{Canvas, columns};
use super::theme::ThemeRole;
use crate::dispute::{PANEL_MARGIN, fitted_rows, is_side_by_side, opinion_rows, opinion_width};
use crate::{Action, Session};
use endpaper_text::wording::plural;

/// Draws the panel.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    let Some(book) = &session.doc.open else {
        return;
    };
    let base = canvas.style(ThemeRole::Popup);
    canvas.fill(area, base);
    let screen = session.screen.size.0;
    let beside = is_side_by_side(screen);
    let height = usize::from(area.height);
    let (dots, key) = (canvas.glyphs().more, session.keymap.label(Action::Evidence));
    let more = |rows: usize| format!("{dots} {rows} more {}: {key}", plural(rows, "row"));
    let opinions = fitted_rows(opinion_rows(book, screen), beside, height, more);
    let width = opinion_width(screen, opinions.len());
    let chosen = book.chosen_opinions();
    let (mut x, mut y) = (area.x, area.y);
    for (at, rows) in opinions.iter().enumerate() {
        let place = Rect {
            x,
            y,
            width,
            height: u16::try_from(rows.len()).unwrap_or(u16::MAX),
        };
        let place = place.intersection(area);
        let name = &book.curator_opinions()[at].name;
        opinion(canvas, place, (name, rows), chosen.contains(&at), base);
        match beside {
            true => x = x.saturating_add(width),
            false => y = y.saturating_add(place.height),
        }
    }
}

/// Draws one opinion: its name, what it says, and the mark of the chosen one.
fn opinion(
    canvas: &mut Canvas<'_>,
    area: Rect,
    (name, rows): (&str, &[String]),
    is_chosen: bool,
    base: Style,
) {
    let room = area.width.saturating_sub(PANEL_MARGIN);
    for (y, row) in (area.y..area.bottom()).zip(rows) {
        canvas.put(area.x + PANEL_MARGIN, y, room, row, base);
    }
    let name_style = base.patch(canvas.patch(ThemeRole::Key));
    let name_area = Rect {
        x: area.x + PANEL_MARGIN,
        width: columns(name).min(room),
        height: area.height.min(1),
        ..area
    };
    canvas.tint(name_area, name_style);
    if is_chosen && area.height > 0 {
        let mark = base.patch(canvas.patch(ThemeRole::TitleActive));
        let here = canvas.glyphs().here;
        canvas.put_fitted(area.x, area.y, area.width.min(1), here, mark);
    }
}
