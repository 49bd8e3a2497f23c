//! The evidence panel: doubt with its reasons, the facts at each end, the line of the cursor, and facts about the file.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::theme::ThemeRole;
use crate::{Action, Session, evidence};
use endpaper_text::wording::{plural, thousands};

/// Draws the panel of wide screens and a line left of it: the rows that fit, and the key that shows the rest.
pub fn panel(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    canvas.upright(area.x.saturating_sub(1), area.top(), area.bottom());
    let style = canvas.style(ThemeRole::Title);
    canvas.put(area.x, area.y, area.width, " EVIDENCE", style);
    let base = canvas.style(ThemeRole::Text);
    let heading = base.patch(canvas.patch(ThemeRole::TitleActive));
    let room = area.width.saturating_sub(1);
    let (rows, left_out) = evidence::panel(session, area);
    let lines = area.y.saturating_add(1)..area.bottom();
    for (y, row) in lines.zip(&rows) {
        let style = if row.heading { heading } else { base };
        canvas.put(area.x + 1, y, room, &row.text, style);
    }
    if left_out > 0 {
        let key = session.keymap.label(Action::Evidence);
        let (more, count) = (canvas.glyphs().more, thousands(left_out));
        let text = format!("{more} {count} more {}: {key}", plural(left_out, "row"));
        let style = base.patch(canvas.patch(ThemeRole::Key));
        canvas.put(
            area.x + 1,
            area.bottom().saturating_sub(1),
            room,
            &text,
            style,
        );
    }
}
