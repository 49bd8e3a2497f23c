//! The possible continuations of the keys pressed so far, over the bottom of the page. All keys keep working.

use ratatui::layout::Rect;

use super::boxes::frame;
use super::canvas::{Canvas, columns};
use super::theme::ThemeRole;
use crate::chord::label;
use crate::{Session, presenter};

/// Draws the hints above a line, if keys are pending.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, screen: Rect, above: u16) {
    let hints = presenter::hints(session);
    if hints.is_empty() {
        return;
    }
    let rows: Vec<(String, &str)> = hints
        .iter()
        .map(|(keys, action)| (label(keys), action.info().doc))
        .collect();
    let keys = rows.iter().map(|(key, _)| columns(key)).max().unwrap_or(0);
    let words = rows.iter().map(|(_, doc)| columns(doc)).max().unwrap_or(0);
    let width = (keys + words).saturating_add(6).min(screen.width);
    let height = u16::try_from(rows.len() + 2).unwrap_or(u16::MAX);
    let height = height.min(above.saturating_sub(screen.y));
    let area = Rect {
        x: screen.right().saturating_sub(width),
        y: above.saturating_sub(height),
        width,
        height,
    };
    let inner = frame(
        canvas,
        area,
        &format!("{} then", label(&session.keys.pending)),
    );
    let base = canvas.style(ThemeRole::Popup);
    let style = base.patch(canvas.patch(ThemeRole::Key));
    for (y, (key, doc)) in (inner.y..inner.bottom()).zip(rows) {
        canvas.put(inner.x + 1, y, inner.width.saturating_sub(1), &key, style);
        let x = inner.x.saturating_add(keys + 3);
        canvas.put(x, y, inner.right().saturating_sub(x), doc, base);
    }
}
