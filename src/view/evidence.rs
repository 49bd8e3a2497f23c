//! Why: doubt with its reasons, what was found at each end, the line of the cursor, and what is known of the file.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::theme::Role;
use crate::review::{Session, evidence};

/// The panel of wide screens, with a line left of it: as much as fits.
pub fn panel(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    canvas.upright(area.x.saturating_sub(1), area.top(), area.bottom());
    let style = canvas.style(Role::Title);
    canvas.put(area.x, area.y, area.width, " EVIDENCE", style);
    let base = canvas.style(Role::Text);
    let heading = base.patch(canvas.patch(Role::TitleActive));
    let room = area.width.saturating_sub(1);
    let rows = evidence::rows(session, room.saturating_sub(1));
    for (y, row) in (area.y.saturating_add(1)..area.bottom()).zip(rows) {
        let style = if row.heading { heading } else { base };
        canvas.put(area.x + 1, y, room, &row.text, style);
    }
}
