//! The mouse: never needed, always possible.

use ratatui::layout::{Position, Rect};

use super::{cuts, editions, heat, moves, opening};
use crate::layout::GUTTER;
use crate::message::{Effect, Mouse};
use crate::popup::Popup;
use crate::session::{Session, Tone};
use crate::sight;
use endpaper_detect::End;

/// A wheel turn or a click.
pub(super) fn mouse(session: &mut Session, mouse: Mouse) -> Vec<Effect> {
    if session.background.heat.shown && session.screen.popups.is_empty() {
        return heat::mouse(session, mouse);
    }
    if let (Some(Popup::Editions(_)), Mouse::Wheel(_, _, lines)) =
        (session.screen.popups.last(), mouse)
    {
        editions::scroll(session, lines as isize * 3);
        return Vec::new();
    }
    if !session.screen.popups.is_empty()
        || session.waits.waiting.is_some()
        || session.saves.deferred().is_some()
    {
        return Vec::new();
    }
    match mouse {
        Mouse::Wheel(x, y, lines) => {
            if let Some(end) = pane_at(session, x, y) {
                moves::scroll_pane(session, end, i64::from(lines) * 3);
            }
            Vec::new()
        }
        Mouse::Click(x, y) => click(session, x, y),
    }
}

fn within(area: Rect, x: u16, y: u16) -> bool {
    area.contains(Position { x, y })
}

/// The end whose pane is at a cell. The only pane of the whole-text view belongs to the active end.
fn pane_at(session: &Session, x: u16, y: u16) -> Option<End> {
    let layout = session.screen.layout();
    if within(layout.head, x, y) {
        return Some(if session.screen.wish.whole_text {
            session.doc.end
        } else {
            End::Start
        });
    }
    within(layout.tail, x, y).then_some(End::End)
}

fn click(session: &mut Session, x: u16, y: u16) -> Vec<Effect> {
    if let Some(book) = queue_row(session, x, y) {
        return opening::pick(session, book, "search");
    }
    let Some(end) = pane_at(session, x, y) else {
        return Vec::new();
    };
    session.doc.end = end;
    let pane = session.screen.layout().pane(end);
    let row = session.pane(end).top + usize::from(y - pane.y);
    let Some(&found) = session.doc.rows.get(row) else {
        return Vec::new();
    };
    if !found.is_text() {
        return Vec::new();
    }
    session.pane_mut().cursor = row;
    // A click on a candidate's digit puts the cut there.
    let digit = session
        .doc
        .digits()
        .iter()
        .position(|&line| line == found.first());
    if let (true, Some(digit)) = (x < pane.x + GUTTER.min(2), digit) {
        if session.keys.is_too_soon(session.now) {
            let text = "that click came before this book was shown: click again";
            session.say(Tone::Warning, text);
            return Vec::new();
        }
        return cuts::digit(session, digit + 1);
    }
    Vec::new()
}

/// The book of a row of the queue column.
fn queue_row(session: &Session, x: u16, y: u16) -> Option<usize> {
    let area = session
        .screen
        .layout()
        .queue
        .filter(|area| within(*area, x, y))?;
    let top = sight::queue_top(session, usize::from(area.height).saturating_sub(1));
    let row = usize::from(y - area.y).checked_sub(1)?;
    session.queue.books.get(top + row).copied()
}
