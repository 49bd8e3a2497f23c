//! Answers of the loader and the disk, and what waited for them.

use super::{bulk, bulk_undo, keys, opening, quitting, replay, saving, undo};
use crate::message::{Effect, Opened};
use crate::session::{Deferred, Session};
use endpaper_truth::{SaveError, SavedRecord};

/// Handles a book that was read.
pub(super) fn on_opened(session: &mut Session, opened: Opened) -> Vec<Effect> {
    if bulk::awaits(session, opened.ticket) {
        return bulk::on_read(session, opened);
    }
    let Some(mut effects) = opening::opened(session, opened) else {
        return Vec::new();
    };
    effects.extend(bulk::ask_again(session));
    replay::notify_decision(session);
    effects.extend(keys::replay(session));
    effects
}

/// Handles the answer of the disk to a save or an undo.
pub(super) fn on_saved(
    session: &mut Session,
    ticket: u64,
    result: Result<SavedRecord, SaveError>,
) -> Vec<Effect> {
    let effects = match session.saves.take(ticket) {
        Some(save) => Some(saving::on_saved(session, save, result)),
        None => bulk_undo::restored(session, ticket, &result)
            .or_else(|| undo::restored(session, ticket, result)),
    };
    let Some(mut effects) = effects else {
        return Vec::new();
    };
    effects.extend(bulk::advance(session));
    effects.extend(after_answer(session));
    effects
}

/// Runs what waited for the disk.
fn after_answer(session: &mut Session) -> Vec<Effect> {
    if session.saves.is_quitting() {
        return if session.has_nothing_underway() {
            quitting::finish(session)
        } else {
            Vec::new()
        };
    }
    let mut effects = match session.saves.take_deferred() {
        Some(Deferred::Action(action)) => keys::run(session, action),
        Some(Deferred::Open(book, goto)) => opening::open(session, book, goto),
        None => Vec::new(),
    };
    if session.waits.waiting.is_none() && session.saves.deferred().is_none() {
        effects.extend(keys::replay(session));
    }
    effects
}
