//! Opening books, and stepping through the queue.

use super::{blind, dispute, drafts, edition_evidence, jumps, marks, showing};
use crate::decision::Decision;
use crate::entry::{QueueEntry, ReviewStatus};
use crate::message::{Effect, Opened};
use crate::session::{Deferred, Notice, PendingJump, QueueNotice, SaveNotice, Session, Waiting};

/// Opens a book, after saving changes to the current one.
pub(super) fn open(session: &mut Session, book: usize, goto: Option<PendingJump>) -> Vec<Effect> {
    // Pending saves of either book come first: a record read before the save was written would be shown, and later saved, in
    // its old state.
    if session.saves.is_underway(session.current) || session.saves.is_underway(book) {
        session.saves.defer(Deferred::Open(book, goto));
        return Vec::new();
    }
    let mut effects = leave(session);
    effects.extend(read(session, book, goto));
    effects
}

/// Saves the changes to the open book, or keeps them for the sitting if they cannot be a draft.
pub(super) fn leave(session: &mut Session) -> Vec<Effect> {
    blind::keep_draft(session);
    dispute::keep_draft(session);
    drafts::save_draft(session)
}

/// Opens a book that was picked from a list or with the mouse, not reached in queue order. This ends a replay. `how` is
/// written into the review of the record: how the book was selected.
pub(super) fn open_picked(session: &mut Session, book: usize, how: &'static str) -> Vec<Effect> {
    session.modes.replay = None;
    session.sitting.selection.insert(book, how);
    jumps::remember_place(session);
    open(session, book, None)
}

/// Requests a book, unless it is known to be unreadable.
pub(super) fn read(session: &mut Session, book: usize, goto: Option<PendingJump>) -> Vec<Effect> {
    if let Some(reason) = session
        .entries
        .get(book)
        .and_then(|entry| entry.unreadable.clone())
    {
        // Known not to be readable text: no request is needed.
        session.waits.waiting = None;
        session.note_time();
        session.forget_slow();
        session.current = book;
        absent(session, reason);
        return Vec::new();
    }
    session.ask_for(book, goto)
}

/// Shows a message instead of the current book.
fn absent(session: &mut Session, reason: String) {
    session.doc.close(reason);
    session.saves.forget_warning();
    session.entries[session.current].status = ReviewStatus::Unreadable;
}

/// Reports that a book takes long to load, and what works in the meantime.
pub(super) fn tell_slow(session: &mut Session) {
    let (Some(Waiting::Open { book, .. }), Some(slow)) =
        (&session.waits.waiting, &mut session.waits.slow)
    else {
        return;
    };
    slow.notified_at = session.now;
    let seconds = session.now.saturating_sub(slow.since) / 1000;
    let name = session.entries.get(*book).map_or("", QueueEntry::name);
    let notice = QueueNotice::Slow {
        name: name.to_owned(),
        seconds,
    };
    // A warning stays on screen.
    let shown = !session
        .screen
        .notice
        .as_ref()
        .is_some_and(Notice::is_warning);
    if shown {
        session.notify(notice);
    }
    if let Some(slow) = &mut session.waits.slow {
        slow.is_notice_shown = shown;
    }
}

/// Goes `by` books forward in the queue (backward if negative), around its ends, to decided books as well.
pub(super) fn step_in_queue(session: &mut Session, by: isize) -> Vec<Effect> {
    let from = match (session.saves.deferred(), &session.waits.waiting) {
        (Some(Deferred::Open(book, _)), _) | (_, Some(Waiting::Open { book, .. })) => *book,
        _ => session.current,
    };
    match session.queue.step(from, by) {
        Some(book) if book != from => {
            session.sitting.selection.remove(&book);
            open(session, book, None)
        }
        Some(_) => {
            session.notify(QueueNotice::OnlyBook);
            Vec::new()
        }
        None => {
            let what = session.queue.what();
            session.notify(QueueNotice::Empty { what });
            Vec::new()
        }
    }
}

/// Shows a book that was read; `None`: it is not awaited.
pub(super) fn opened(session: &mut Session, opened: Opened) -> Option<Vec<Effect>> {
    let Some(Waiting::Open { ticket, book, goto }) = session.waits.waiting.clone() else {
        return None;
    };
    if (ticket, book) != (opened.ticket, opened.book) {
        return None;
    }
    session.waits.waiting = None;
    session.note_time();
    session.forget_slow();
    let again = session.current == book;
    session.current = book;
    session.saves.forget_warning();
    match opened.page.clone() {
        Ok(page) => {
            showing::show(session, page, opened, again);
            if goto.as_ref().is_none_or(|goto| goto.target.is_some()) {
                show_unsaved(session);
            }
            if let Some(goto) = goto {
                apply(session, goto);
            }
        }
        Err(reason) => absent(session, reason),
    }
    let mut effects = vec![Effect::Remember(book), Effect::Preload(neighbours(session))];
    effects.extend(edition_evidence::request(session));
    Some(effects)
}

/// Books that are likely to be opened next.
pub(super) fn neighbours(session: &Session) -> Vec<usize> {
    let next = blind::next(session, session.current);
    let mut books: Vec<usize> = next.into_iter().collect();
    books.extend(session.queue.step(session.current, 1));
    books.extend(next.and_then(|next| blind::next(session, next)));
    books.retain(|&book| book != session.current);
    books.dedup();
    books
}

/// Shows in the opened book what was wanted of it: a decision, a message, a position.
fn apply(session: &mut Session, goto: PendingJump) {
    if let Some(decision) = goto.decision {
        marks::set_decision(session, decision);
        keep_placed_cuts(session);
    }
    let said = session.screen.notice.as_ref();
    // A warning about the book matters more than how it was reached.
    let hidden = goto.target.is_some() && said.is_some_and(Notice::is_warning);
    if let Some(say) = goto.notice.filter(|_| !hidden) {
        session.notify(*say);
    }
    if let Some(spot) = goto.target {
        jumps::go_to(session, spot);
    }
}

/// Cuts that a curator placed stay a draft even if a proposal that was learned later is the same: without the verdict it may be
/// another one.
fn keep_placed_cuts(session: &mut Session) {
    let Some(first) = session.sitting.history.first_of(session.current) else {
        return;
    };
    let proposed = Decision::proposed(first.before.cuts);
    if let Some(open) = &mut session.doc.open
        && open.record.is_none()
        && session.background.learning.is_active
    {
        open.on_disk = proposed;
    }
}

/// Shows a decision again that could not be saved, unless the record has changed.
fn show_unsaved(session: &mut Session) {
    let Some(open) = session
        .doc
        .open
        .as_ref()
        .filter(|open| open.read_only.is_none())
    else {
        return;
    };
    let Some(save) = session.saves.reclaim(session.current, &open.snapshot) else {
        return;
    };
    marks::set_decision(session, save.decision);
    session.notify(SaveNotice::ShownAsLeft);
}

/// Handles the return from the editor or from suspension: the file may have changed.
pub(super) fn returned(session: &mut Session) -> Vec<Effect> {
    let mut effects = vec![Effect::Redraw];
    if session.doc.open.is_some()
        && !session.doc.has_unsaved_changes()
        && session.waits.waiting.is_none()
    {
        effects.extend(session.ask_for(session.current, None));
    }
    effects
}
