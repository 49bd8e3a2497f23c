//! Draws the tour: a heading and six lines below the page, while the curator is new.

use ratatui::layout::Rect;

use super::canvas::{Canvas, columns};
use super::theme::ThemeRole;
use crate::{Session, tour};

/// Draws the tour.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    let base = canvas.style(ThemeRole::Popup);
    canvas.fill(area, base);
    let title = base.patch(canvas.patch(ThemeRole::TitleActive));
    let room = area.width.saturating_sub(1);
    canvas.put(area.x + 1, area.y, room, &tour::heading(session), title);
    let lines = tour::lines(session);
    let widest = lines.iter().map(|(keys, _)| columns(keys)).max();
    let key = base.patch(canvas.patch(ThemeRole::Key));
    for (y, (keys, text)) in (area.y + 1..area.bottom()).zip(&lines) {
        canvas.put(area.x + 1, y, room, keys, key);
        // A line without a key begins at the left.
        let x = match keys.is_empty() {
            true => area.x + 1,
            false => area.x + widest.unwrap_or(0) + 3,
        };
        canvas.put(x, y, area.right().saturating_sub(x), text, base);
    }
}
