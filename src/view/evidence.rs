//! Why: doubt with its reasons, what was found at each end, the line of the cursor, and what is known of the file.

use ratatui::layout::Rect;

use super::canvas::{Canvas, wrap};
use super::theme::Role;
use crate::review::{Session, sight};
use crate::words::thousands;

/// The panel of wide screens, with a line left of it.
pub fn panel(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    canvas.upright(area.x.saturating_sub(1), area.top(), area.bottom());
    let style = canvas.style(Role::Title);
    canvas.put(area.x, area.y, area.width, " EVIDENCE", style);
    let rest = Rect {
        y: area.y.saturating_add(1),
        height: area.height.saturating_sub(1),
        ..area
    };
    text(session, canvas, rest, canvas.style(Role::Text));
}

/// Labels and texts, wrapped, as many as fit.
pub fn text(session: &Session, canvas: &mut Canvas<'_>, area: Rect, base: ratatui::style::Style) {
    let mut y = area.y;
    let mut before = String::new();
    for (label, words) in facts(session) {
        if label != before {
            let style = base.patch(canvas.patch(Role::TitleActive));
            if y > area.y {
                y = y.saturating_add(1);
            }
            if y >= area.bottom() {
                return;
            }
            canvas.put(area.x + 1, y, area.width.saturating_sub(1), &label, style);
            y += 1;
            before = label;
        }
        for row in wrap(&words, area.width.saturating_sub(4)) {
            if y >= area.bottom() {
                return;
            }
            canvas.put(area.x + 3, y, area.width.saturating_sub(3), &row, base);
            y += 1;
        }
    }
}

/// Rows that [`text`] would take at a width.
pub fn rows(session: &Session, width: u16) -> u16 {
    let mut count = 0u16;
    let mut before = String::new();
    for (label, words) in facts(session) {
        if label != before {
            count = count.saturating_add(if count > 0 { 2 } else { 1 });
            before = label;
        }
        let rows = wrap(&words, width.saturating_sub(4)).len();
        count = count.saturating_add(u16::try_from(rows).unwrap_or(u16::MAX));
    }
    count
}

fn facts(session: &Session) -> Vec<(String, String)> {
    let Some(book) = &session.open else {
        return Vec::new();
    };
    let mut facts = match book.is_veiled() {
        true => sight::plain_facts(&book.page, session.cursor_line()),
        false => sight::evidence(&book.page, &book.offers, session.cursor_line()),
    };
    let decision = &book.decision;
    if !decision.flags.is_empty() {
        facts.push(("flags".to_owned(), decision.flags.join(", ")));
    }
    if !decision.note.is_empty() {
        facts.push(("note".to_owned(), decision.note.clone()));
    }
    for other in &decision.alternatives {
        let why = if other.why.is_empty() {
            "no reason given"
        } else {
            &other.why
        };
        facts.push(("alternatives".to_owned(), format!("{}: {why}", other.line)));
    }
    for block in &decision.inside {
        let text = format!("{}-{} {}", block.first, block.last, block.kind);
        facts.push(("boilerplate inside".to_owned(), text));
    }
    if let Some(why) = &book.read_only {
        facts.push(("read-only".to_owned(), why.clone()));
    }
    let lines = thousands(book.page.lines() as usize);
    let id = session.entry().map_or("", |entry| entry.id());
    facts.push(("file".to_owned(), format!("{id}, {lines} lines")));
    facts
}
