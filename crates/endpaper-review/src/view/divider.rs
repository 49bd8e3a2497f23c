//! The title of the head pane, and the line between the panes with the title of the tail pane.

use ratatui::layout::Rect;

use super::canvas::{Canvas, columns};
use super::theme::ThemeRole;
use crate::{Session, presenter};
use endpaper_detect::End;
use endpaper_text::wording::thousands;

/// Draws the title line of the head pane, or of the only pane.
pub fn title(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    let end = if session.screen.view_options.whole_text {
        session.doc.end
    } else {
        End::Start
    };
    let used = name(session, canvas, area, end);
    place(session, canvas, area, used);
}

/// Draws the line between the panes.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    let line = canvas.style(ThemeRole::Line);
    let dashed = canvas.glyphs().dashed;
    canvas.run(area.x, area.y, area.width, dashed, line);
    let used = name(session, canvas, area, End::End);
    let Some(hidden) = hidden(session) else {
        return;
    };
    let words = match hidden {
        0 => " nothing between ".to_owned(),
        1 => " 1 line folded ".to_owned(),
        count => format!(" {} lines folded ", thousands(count)),
    };
    let room = area.right().saturating_sub(used).saturating_sub(4);
    if columns(&words) <= room {
        let style = canvas.style(ThemeRole::Title);
        canvas.put_right(area.right().saturating_sub(2), area.y, room, &words, style);
    }
}

/// Draws the name of a pane and the position of its cut. Returns the column after it.
fn name(session: &Session, canvas: &mut Canvas<'_>, area: Rect, end: End) -> u16 {
    let active = session.doc.end == end && session.doc.open.is_some();
    let word = match (session.screen.view_options.whole_text, end) {
        (true, End::Start) => "WHOLE TEXT, start",
        (true, End::End) => "WHOLE TEXT, end",
        (false, End::Start) => "HEAD",
        (false, End::End) => "TAIL",
    };
    let mark = if active { canvas.glyphs().here } else { " " };
    let role = if active {
        ThemeRole::TitleActive
    } else {
        ThemeRole::Title
    };
    let style = canvas.style(role);
    let text = format!("{mark}{word}");
    let width = area.width;
    let x = canvas.put(area.x, area.y, width, &text, style);
    let title = presenter::pane_title(session, end);
    let rest = area.right().saturating_sub(x);
    if title.is_empty() {
        return x;
    }
    let style = canvas.style(if active {
        ThemeRole::Text
    } else {
        ThemeRole::Title
    });
    canvas.put(x, area.y, rest, &format!("  {title} "), style)
}

/// Draws the range of visible lines at the right of the title line.
fn place(session: &Session, canvas: &mut Canvas<'_>, area: Rect, used: u16) {
    let Some(book) = &session.doc.open else {
        return;
    };
    let visible = presenter::visible(session, End::Start);
    let rows = session.doc.rows.get(visible).unwrap_or_default();
    let mut lines = rows.iter().filter(|row| row.is_text());
    let (Some(first), last) = (lines.next(), lines.next_back()) else {
        return;
    };
    let last = last.unwrap_or(first);
    let count = thousands(book.page.lines() as usize);
    let words = format!("{}-{} of {count} ", first.first(), last.last());
    let room = area.right().saturating_sub(used + 2);
    if columns(&words) <= room {
        let style = canvas.style(ThemeRole::Number);
        canvas.put_right(area.right(), area.y, room, &words, style);
    }
}

/// Number of lines between the last row of the head and the first of the tail; `None` without a book.
fn hidden(session: &Session) -> Option<usize> {
    session.doc.open.as_ref()?;
    let text = |end: End| {
        let rows = session
            .doc
            .rows
            .get(presenter::visible(session, end))
            .unwrap_or_default();
        rows.iter().filter(|row| row.is_text())
    };
    let last = text(End::Start).next_back()?.last();
    let first = text(End::End).next()?.first();
    Some(first.saturating_sub(last.saturating_add(1)) as usize)
}
