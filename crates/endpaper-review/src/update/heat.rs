//! The heat map: opening it, moving on it, leaving it, and requesting its data.
//!
//! Keys that mean the same as on a page (next book, other end, order, filter, help) come from the same keymap; all other
//! actions do nothing on the map.

use ratatui::layout::Position;

use super::heat_books::arrange;
use super::{display, lists, opening};
use crate::action::Action;
use crate::chord::{Chord, NamedKey};
use crate::entry::ReviewStatus;
use crate::heat::{HeatLayout, compute_layout};
use crate::message::{Effect, MouseInput};
use crate::session::{PageNotice, QueueNotice, Session};
use endpaper_detect::End;

const NOTCH: i32 = 3;

/// Shows the map, with the current book chosen.
pub(super) fn show(session: &mut Session) {
    session.background.heat.shown = true;
    session.keys.count = None;
    session.background.heat.resize(session.entries.len());
    session.background.heat.end = session.doc.end;
    session.background.heat.top = 0;
    arrange(session);
    session.background.heat.choose(session.current);
    session.background.heat.left = 0;
}

/// Handles a key that means something else on the map than on the page. Returns whether it did.
pub(super) fn takes_key(session: &mut Session, chord: Chord) -> bool {
    let first = session.keys.pending.is_empty();
    let heat = &mut session.background.heat;
    if first && chord == Chord::named(NamedKey::Esc) {
        // Esc first cancels a count, then leaves the map.
        heat.shown = session.keys.count.take().is_some();
        session.screen.notice = None;
        return true;
    }
    // The map has no candidates: a digit starts a count.
    if first && session.keys.count.is_none() && chord.digit().is_some_and(|digit| digit > 0) {
        session.keys.count = Some(0);
    }
    false
}

/// Runs an action on the map. `count` is a number of repetitions or the number of a book; 0: no count was typed.
pub(super) fn run(session: &mut Session, action: Action, count: u32) -> Vec<Effect> {
    let count = count as usize;
    match action {
        Action::Keep => return open(session),
        Action::HeatMap | Action::Quit => session.background.heat.shown = false,
        Action::Order => order(session, count),
        Action::OtherEnd => other_end(session),
        Action::Filter => lists::words(session, action),
        Action::Queue | Action::NextUnreadable => lists::books(session, action),
        Action::Theme => display::next_theme(session),
        Action::Help => lists::help(session),
        Action::Count => session.keys.count = Some(0),
        Action::Redraw => return vec![Effect::Redraw],
        Action::Suspend => return vec![Effect::Suspend],
        action => {
            if let Some(plan) = compute_layout(session.screen.size, &session.background.heat) {
                go(session, action, count, &plan);
            }
        }
    }
    Vec::new()
}

/// Moves the selection on the map, `count` times.
fn go(session: &mut Session, action: Action, count: usize, plan: &HeatLayout) {
    let heat = &mut session.background.heat;
    let (times, columns) = (count.max(1), usize::from(plan.picture.width));
    let last = heat.order.len().saturating_sub(1);
    let step = times.saturating_mul(heat.zoom);
    let page = step.saturating_mul(columns.saturating_sub(2).max(1));
    match action {
        Action::NextBook => {
            heat.chosen_position = heat.chosen_position.saturating_add(step).min(last)
        }
        Action::PreviousBook => heat.chosen_position = heat.chosen_position.saturating_sub(step),
        Action::PageDown => {
            heat.chosen_position = heat.chosen_position.saturating_add(page).min(last)
        }
        Action::PageUp => heat.chosen_position = heat.chosen_position.saturating_sub(page),
        Action::Top => heat.chosen_position = count.saturating_sub(1).min(last),
        Action::Bottom if count > 0 => heat.chosen_position = (count - 1).min(last),
        Action::Bottom => heat.chosen_position = last,
        Action::NextOpen => next_open(session),
        Action::HeatMore => {
            heat.zoom = heat.zoom.saturating_mul(2).min(heat.farthest(columns));
        }
        Action::HeatFewer => heat.zoom = (heat.zoom / 2).max(1),
        Action::HeatLines => {
            heat.squeezed = !heat.squeezed;
            heat.top = 0;
        }
        _ => scroll(session, action, times, plan),
    }
}

/// Scrolls rows on a map whose lines are not squeezed. The edge of the books is at the bottom when their tails are shown.
fn scroll(session: &mut Session, action: Action, times: usize, plan: &HeatLayout) {
    let heat = &mut session.background.heat;
    if heat.squeezed {
        session.notify(PageNotice::AllLinesShown);
        return;
    }
    let half = usize::from(plan.picture.height / 2).max(1);
    let (rows, down) = match action {
        Action::Down => (1, true),
        Action::Up => (1, false),
        Action::HalfDown => (half, true),
        _ => (half, false),
    };
    let lines = rows.saturating_mul(times).saturating_mul(plan.lines);
    heat.top = match down == (heat.end == End::Start) {
        true => heat.top.saturating_add(lines),
        false => heat.top.saturating_sub(lines),
    };
}

/// Chooses the next undecided book to the right, wrapping around.
fn next_open(session: &mut Session) {
    let heat = &mut session.background.heat;
    let count = heat.order.len();
    let open = |at: &usize| {
        let entry = heat
            .order
            .get(*at)
            .and_then(|&book| session.entries.get(book));
        entry.is_some_and(|entry| {
            matches!(
                entry.status,
                ReviewStatus::Undecided | ReviewStatus::Draft | ReviewStatus::Recorded
            )
        })
    };
    let places = (1..count).map(|step| (heat.chosen_position + step) % count);
    match places.into_iter().find(open) {
        Some(at) => heat.chosen_position = at,
        None => session.notify(QueueNotice::NoneUndecidedOnMap),
    }
}

/// Switches to the next order, or `count` orders on.
fn order(session: &mut Session, count: usize) {
    let step = count.max(1) % crate::heat::HeatOrder::ALL.len();
    session.background.heat.sort = session.background.heat.sort.step(step as isize);
    arrange(session);
}

/// Shows the other end of the books.
fn other_end(session: &mut Session) {
    let heat = &mut session.background.heat;
    heat.end = match heat.end {
        End::Start => End::End,
        End::End => End::Start,
    };
    heat.top = 0;
    if heat.sort.is_by_cut() {
        arrange(session);
    }
}

/// Opens the selected book and closes the map.
fn open(session: &mut Session) -> Vec<Effect> {
    let Some(book) = session.background.heat.chosen_book() else {
        return Vec::new();
    };
    session.background.heat.shown = false;
    let here =
        session.current == book && session.doc.open.is_some() && session.waits.waiting.is_none();
    match here {
        true => Vec::new(),
        false => opening::open_picked(session, book, "heat"),
    }
}

/// The wheel moves over the books; a click chooses a book, and opens it if it was already chosen.
pub(super) fn mouse(session: &mut Session, mouse: MouseInput) -> Vec<Effect> {
    let Some(plan) = compute_layout(session.screen.size, &session.background.heat) else {
        return Vec::new();
    };
    let heat = &mut session.background.heat;
    match mouse {
        MouseInput::Wheel(_, _, notches) => {
            let step = i64::from(notches * NOTCH) * heat.zoom as i64;
            heat.chosen_position = heat.chosen_position.saturating_add_signed(step as isize);
        }
        MouseInput::Click(x, y) => {
            let column = usize::from(x.saturating_sub(plan.picture.x));
            let books = heat.column(column);
            let above = Position {
                x,
                y: plan.picture.y,
            };
            let inside = plan.picture.contains(above) && (1..plan.status.y).contains(&y);
            if !inside || books.is_empty() {
                return Vec::new();
            }
            if books.contains(&heat.chosen_position) {
                return open(session);
            }
            heat.chosen_position = books.start;
        }
    }
    Vec::new()
}
