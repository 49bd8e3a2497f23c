//! The heat map: opening it, moving on it, leaving it, and requesting its data.
//!
//! Keys that mean the same as on a page (next book, other end, order, filter, help) come from the same keymap; all other
//! actions do nothing on the map.

use ratatui::layout::Position;

use super::{keys, lists, opening};
use crate::action::Action;
use crate::chord::{Chord, NamedKey};
use crate::entry::ReviewStatus;
use crate::heat::{BookProfile, HeatLayout, HeatRequestKey, compute_layout};
use crate::message::{Effect, MouseInput};
use crate::session::{PageNotice, QueueNotice, Session};
use endpaper_detect::End;

const NOTCH: i32 = 3;

pub(super) fn is_map_action(action: Action) -> bool {
    use Action::*;
    let moves = matches!(
        action,
        NextBook
            | PreviousBook
            | PageDown
            | PageUp
            | Top
            | Bottom
            | NextOpen
            | Up
            | Down
            | HalfDown
            | HalfUp
    );
    let features = matches!(
        action,
        OtherEnd | Order | Filter | Queue | NextUnreadable | HeatMore | HeatFewer | HeatLines
    );
    let program = matches!(
        action,
        Keep | HeatMap | Theme | Help | Count | Redraw | Suspend | Quit
    );
    moves || features || program
}

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

/// Arranges the books again after the filter, the order or cuts changed.
pub(super) fn arrange(session: &mut Session) {
    session
        .background
        .heat
        .arrange(&session.queue.books, &session.entries);
}

/// Adopts a new state of the corpus. `counts_changed`: the line frequencies changed.
pub(super) fn on_entries(session: &mut Session, counts_changed: bool) {
    match counts_changed {
        true => session.background.heat.reset(session.entries.len()),
        false => session.background.heat.resize(session.entries.len()),
    }
    if session.background.heat.shown {
        arrange(session);
    }
}

/// Adds book profiles. An order by cut is exact once the last of them has arrived.
pub(super) fn on_profiles(
    session: &mut Session,
    epoch: u64,
    books: Vec<(usize, Option<Box<BookProfile>>)>,
) {
    let heat = &mut session.background.heat;
    if epoch != heat.epoch {
        return;
    }
    let before = heat.unread();
    for (book, profile) in books {
        heat.set_profile(book, profile);
    }
    if heat.shown && heat.sort.is_by_cut() && before > 0 && heat.unread() == 0 {
        arrange(session);
    }
}

/// Called after every message: keeps the map within the screen and requests missing profiles.
pub(super) fn request_missing(session: &mut Session) -> Vec<Effect> {
    let heat = &mut session.background.heat;
    if !heat.shown {
        let stop = heat.asked.take().map(|asked| Effect::Heat {
            epoch: asked.epoch,
            books: Vec::new(),
        });
        return stop.into_iter().collect();
    }
    let Some(plan) = compute_layout(session.screen.size, heat) else {
        return Vec::new();
    };
    heat.fit_to(&plan);
    heat.paint(&session.entries, &plan);
    let visible = heat.visible(usize::from(plan.picture.width));
    let asked = HeatRequestKey {
        epoch: heat.epoch,
        order_version: heat.order_version,
        visible: visible.clone(),
        // While the corpus is being counted, scans are not stored yet, and books would be read twice.
        all: session.background.progress.is_none(),
    };
    if heat.asked.as_ref() == Some(&asked) {
        return Vec::new();
    }
    let (epoch, books) = (heat.epoch, heat.unread_books(visible, asked.all));
    heat.asked = Some(asked);
    // Nothing new is needed: a running request continues.
    match books.is_empty() {
        true => Vec::new(),
        false => vec![Effect::Heat { epoch, books }],
    }
}

pub(super) fn key(session: &mut Session, chord: Chord) -> Vec<Effect> {
    let first = session.keys.pending.is_empty();
    let heat = &mut session.background.heat;
    if first && chord == Chord::named(NamedKey::Esc) {
        // Esc first cancels a count, then leaves the map.
        heat.shown = session.keys.count.take().is_some();
        session.screen.notice = None;
        return Vec::new();
    }
    // The map has no candidates: a digit starts a count.
    if first && session.keys.count.is_none() && chord.digit().is_some_and(|digit| digit > 0) {
        session.keys.count = Some(0);
    }
    keys::press(session, chord)
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
        Action::Theme => keys::theme(session),
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

fn open(session: &mut Session) -> Vec<Effect> {
    let Some(book) = session.background.heat.chosen_book() else {
        return Vec::new();
    };
    session.background.heat.shown = false;
    let here =
        session.current == book && session.doc.open.is_some() && session.waits.waiting.is_none();
    match here {
        true => Vec::new(),
        false => opening::pick(session, book, "heat"),
    }
}

/// Chooses a book that was picked from a list.
pub(super) fn choose(session: &mut Session, book: usize) -> Vec<Effect> {
    if !session.background.heat.choose(book) {
        session.notify(QueueNotice::HiddenOnMap);
    }
    Vec::new()
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
