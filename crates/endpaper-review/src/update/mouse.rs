//! The mouse, which is optional: everything also has a key.

use ratatui::layout::{Position, Rect};

use super::admit::{Attempt, admit_or_notify};
use super::{cuts, editions, heat, moves, opening};
use crate::action::Action;
use crate::layout::GUTTER;
use crate::message::{Effect, MouseInput};
use crate::popup::Popup;
use crate::presenter;
use crate::session::{KeyNotice, Session};
use endpaper_detect::End;

/// What a click or a turn of the wheel does.
enum Gesture {
    /// Scrolls a pane by rows.
    Scroll(End, i64),
    /// Picks a book of the queue.
    Pick(usize),
    /// Moves the cursor to a row of a pane.
    Point(End, usize),
}

impl Gesture {
    /// The equivalent attempt by key.
    fn attempt(&self) -> Attempt {
        Attempt::Run(match self {
            Gesture::Scroll(..) => Action::HalfDown,
            Gesture::Pick(_) => Action::Queue,
            Gesture::Point(..) => Action::Down,
        })
    }
}

/// Handles a click or a turn of the wheel.
pub(super) fn mouse(session: &mut Session, mouse: MouseInput) -> Vec<Effect> {
    if session.background.heat.shown && session.screen.popups.is_empty() {
        let attempt = Attempt::Run(match mouse {
            MouseInput::Wheel(..) => Action::NextBook,
            MouseInput::Click(..) => Action::Keep,
        });
        return match admit_or_notify(session, attempt) {
            true => heat::mouse(session, mouse),
            false => Vec::new(),
        };
    }
    if let (Some(Popup::Editions(_)), MouseInput::Wheel(_, _, lines)) =
        (session.screen.popups.last(), mouse)
    {
        editions::scroll(session, lines as isize * 3);
        return Vec::new();
    }
    if !session.screen.popups.is_empty() || session.is_waiting() {
        return Vec::new();
    }
    let Some(gesture) = gesture(session, mouse) else {
        return Vec::new();
    };
    if !admit_or_notify(session, gesture.attempt()) {
        return Vec::new();
    }
    match gesture {
        Gesture::Scroll(end, lines) => {
            moves::scroll_pane(session, end, lines);
            Vec::new()
        }
        Gesture::Pick(book) => opening::open_picked(session, book, "search"),
        Gesture::Point(end, row) => {
            let (MouseInput::Click(x, _) | MouseInput::Wheel(x, ..)) = mouse;
            point(session, end, row, x)
        }
    }
}

/// What a click or a turn of the wheel means at its position.
fn gesture(session: &Session, mouse: MouseInput) -> Option<Gesture> {
    let (x, y) = match mouse {
        MouseInput::Wheel(x, y, lines) => {
            let end = pane_at(session, x, y)?;
            return Some(Gesture::Scroll(end, i64::from(lines) * 3));
        }
        MouseInput::Click(x, y) => (x, y),
    };
    if let Some(book) = queue_row(session, x, y) {
        return Some(Gesture::Pick(book));
    }
    let end = pane_at(session, x, y)?;
    let pane = session.screen.layout().pane(end);
    let row = session.pane(end).top + usize::from(y - pane.y);
    Some(Gesture::Point(end, row))
}

/// Whether a cell is within an area.
fn within(area: Rect, x: u16, y: u16) -> bool {
    area.contains(Position { x, y })
}

/// The end whose pane contains a cell. The single pane of the whole-text view belongs to the active end.
fn pane_at(session: &Session, x: u16, y: u16) -> Option<End> {
    let layout = session.screen.layout();
    if within(layout.head, x, y) {
        return Some(if session.screen.view_options.whole_text {
            session.doc.end
        } else {
            End::Start
        });
    }
    within(layout.tail, x, y).then_some(End::End)
}

/// Moves the cursor to a row, and the cut as well if the digit of a candidate was clicked.
fn point(session: &mut Session, end: End, row: usize, x: u16) -> Vec<Effect> {
    session.doc.end = end;
    let Some(&found) = session.doc.rows.get(row) else {
        return Vec::new();
    };
    if !found.is_text() {
        return Vec::new();
    }
    session.pane_mut().cursor = row;
    let opinion = session.doc.open.as_ref();
    let opinion = opinion.and_then(|open| open.opinion_digit(found.first()));
    let pane = session.screen.layout().pane(end);
    let places = session.doc.digit_positions();
    let candidate = places.iter().position(|&line| line == found.first());
    let digit = opinion.or(candidate.map(|at| at + 1));
    if let (true, Some(digit)) = (x < pane.x + GUTTER.min(2), digit) {
        if session.keys.is_too_soon(session.now) {
            session.notify(KeyNotice::ClickedTooEarly);
            return Vec::new();
        }
        return cuts::digit(session, digit);
    }
    Vec::new()
}

/// The book of the queue at a cell.
fn queue_row(session: &Session, x: u16, y: u16) -> Option<usize> {
    let area = session
        .screen
        .layout()
        .queue
        .filter(|area| within(*area, x, y))?;
    let top = presenter::queue_top(session, usize::from(area.height).saturating_sub(1));
    let row = usize::from(y - area.y).checked_sub(1)?;
    session.queue.books.get(top + row).copied()
}
