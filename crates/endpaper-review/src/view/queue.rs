//! The queue column of wide screens: status, name, doubt; the current book stays in the middle.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::theme::ThemeRole;
use crate::{QueueEntry, Session, presenter};

/// Minimum width at which doubt is also shown as a number.
const NUMBERS: u16 = 30;

/// Draws the column, and the line right of it.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    canvas.upright(area.right(), area.top(), area.bottom());
    let title = canvas.style(ThemeRole::Title);
    let (done, all) = session.decided_and_decidable();
    let queue = &session.queue;
    let order = queue.order_words();
    let words = format!(" {} {} {order}", queue.books.len(), queue.what());
    let right = format!("{done}/{all} ");
    let x = canvas.put_right(area.right(), area.y, area.width, &right, title);
    let room = x.saturating_sub(area.x).saturating_sub(1);
    canvas.put(area.x, area.y, room, &words, title);
    let height = area.height.saturating_sub(1);
    let top = presenter::queue_top(session, usize::from(height));
    for (y, &book) in (area.y + 1..area.bottom()).zip(queue.books.iter().skip(top)) {
        if let Some(entry) = session.visible_entry(book) {
            let row = Rect {
                y,
                height: 1,
                ..area
            };
            let doubt = entry.doubt.filter(|_| !session.modes.blind);
            line(canvas, row, &entry, doubt, book == session.current);
        }
    }
}

/// Draws a book of the queue.
fn line(canvas: &mut Canvas<'_>, row: Rect, entry: &QueueEntry, doubt: Option<f32>, current: bool) {
    let base = if current {
        canvas.style(ThemeRole::Chosen)
    } else {
        canvas.style(ThemeRole::Status)
    };
    canvas.fill(row, base);
    let mark = if current { canvas.glyphs().here } else { " " };
    let hard = if entry.hard { '!' } else { ' ' };
    let left = format!("{mark}{}{hard} ", entry.status.letter());
    let x = canvas.put(row.x, row.y, row.width, &left, base);
    let mut right = row.right();
    if let Some(doubt) = doubt {
        let glyph = canvas.glyphs().doubt(doubt);
        let text = if row.width < NUMBERS {
            format!(" {glyph} ")
        } else {
            format!(" {glyph} {doubt:.2} ")
        };
        let style = base.patch(canvas.patch(ThemeRole::doubt(doubt)));
        right = canvas.put_right(row.right(), row.y, row.width, &text, style);
    }
    let width = right.saturating_sub(x);
    let name = match entry.distinct_title() {
        "" => entry.name().to_owned(),
        title => format!("{}  {title}", entry.name()),
    };
    canvas.put(x, row.y, width, &name, base);
}
