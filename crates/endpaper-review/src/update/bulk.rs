//! Setting a mark on all books of a filtered queue, one after another.
//!
//! Each record is read, changed and saved as if its book were open, but adds no review: a mark is no opinion about the cuts. Keys
//! wait until all are saved; Esc stops. [`super::bulk_saved`] handles the answers of the disk, [`super::bulk_undo`] takes a mark
//! back.

use std::collections::BTreeSet;

use super::record::draft_record;
use super::{drafts, keys, showing};
use crate::bulk::BulkMark;
use crate::decision::Decision;
use crate::message::{Effect, Opened, SaveRequest};
use crate::popup::{ConfirmQuestion, Popup};
use crate::session::{
    BulkNotice, BulkRun, BulkSave, BulkTally, BulkWork, LeftOut, PendingSave, Session, Waiting,
};
use endpaper_truth::{Record, StoredRecord};

/// Number of books that are prepared while one is marked.
const AHEAD: usize = 3;

/// Sets a mark on books.
pub(super) fn start(session: &mut Session, mark: BulkMark, books: Vec<usize>) -> Vec<Effect> {
    let id = session.waits.next_ticket();
    run(session, id, mark, books)
}

/// Sets a mark on books as the step `id` of the history.
pub(super) fn run(
    session: &mut Session,
    id: u64,
    mark: BulkMark,
    books: Vec<usize>,
) -> Vec<Effect> {
    // A change of the open book that is not saved yet comes first.
    let mut effects = drafts::save_draft(session);
    session.bulk = Some(BulkWork::Marking(BulkRun {
        id,
        mark,
        total: books.len(),
        left: books.into(),
        asked: None,
        saving: BTreeSet::new(),
        tally: BulkTally::default(),
    }));
    effects.extend(advance(session));
    effects
}

/// The run, if one is under way.
pub(super) fn running(session: &mut Session) -> Option<&mut BulkRun> {
    match &mut session.bulk {
        Some(BulkWork::Marking(run)) => Some(run),
        _ => None,
    }
}

/// Requests the next book, or ends the run.
pub(super) fn advance(session: &mut Session) -> Vec<Effect> {
    let is_opening = matches!(session.waits.waiting, Some(Waiting::Open { .. }));
    loop {
        let Some(run) = running(session).filter(|run| run.asked.is_none() && !is_opening) else {
            return Vec::new();
        };
        let Some(&book) = run.left.front() else {
            if run.saving.is_empty() {
                finish(session);
            }
            return Vec::new();
        };
        if session.saves.is_underway(book) {
            // Its answer continues.
            return Vec::new();
        }
        let left_out = match session.entries.get(book) {
            Some(entry) if entry.unreadable.is_none() => None,
            _ => Some(LeftOut::Unreadable),
        };
        let unsaved = (!session.saves.has_no_saves(book)).then_some(LeftOut::Unsaved);
        let ticket = session.waits.next_ticket();
        let name = name(session, book);
        let Some(run) = running(session) else {
            return Vec::new();
        };
        run.left.pop_front();
        match left_out.or(unsaved) {
            Some(why) => run.tally.left_out.push((name, why)),
            None => {
                run.asked = Some((ticket, book));
                let next = run.left.iter().take(AHEAD).copied().collect();
                return vec![Effect::Open { ticket, book }, Effect::Preload(next)];
            }
        }
    }
}

/// Requests the book again that is being read: another request may have replaced it.
pub(super) fn ask_again(session: &mut Session) -> Vec<Effect> {
    let Some(run) = running(session) else {
        return Vec::new();
    };
    if let Some((_, book)) = run.asked.take() {
        run.left.push_front(book);
    }
    advance(session)
}

/// Whether the run requested a book with this ticket.
pub(super) fn awaits(session: &Session, ticket: u64) -> bool {
    match &session.bulk {
        Some(BulkWork::Marking(run)) => run.asked.is_some_and(|(asked, _)| asked == ticket),
        _ => false,
    }
}

/// Marks a book that was read.
pub(super) fn on_read(session: &mut Session, opened: Opened) -> Vec<Effect> {
    let Some(run) = running(session) else {
        return Vec::new();
    };
    run.asked = None;
    let (id, mark, book) = (run.id, run.mark.clone(), opened.book);
    let marked = marked_record(session, &opened, &mark);
    let name = name(session, book);
    let Some(run) = running(session) else {
        return Vec::new();
    };
    let mut effects = Vec::new();
    match marked {
        Ok(None) => run.tally.unchanged += 1,
        Err(why) => run.tally.left_out.push((name, why)),
        Ok(Some((record, decision))) => {
            let ticket = session.waits.next_ticket();
            if let Some(run) = running(session) {
                run.saving.insert(ticket);
            }
            session.sitting.history.begin_bulk(id, &mark);
            session.saves.send(PendingSave {
                ticket,
                book,
                record: Some(record.clone()),
                decision,
                before: opened.snapshot.clone(),
                then: None,
                settles: Vec::new(),
                bulk: Some(BulkSave { id, mark }),
            });
            effects.push(Effect::Save(SaveRequest {
                ticket,
                record,
                expected: opened.snapshot,
                settles: Vec::new(),
            }));
        }
    }
    if let Some(run) = running(session) {
        let (done, total) = (run.total - run.left.len(), run.total);
        let mark = run.mark.clone();
        session.notify(BulkNotice::Marking { mark, done, total });
    }
    effects.extend(advance(session));
    if session.bulk.is_none() {
        effects.extend(keys::replay(session));
    }
    effects
}

/// The record of a book with the mark, and its decision; `None` if it has the mark already.
fn marked_record(
    session: &Session,
    opened: &Opened,
    mark: &BulkMark,
) -> Result<Option<(Box<Record>, Decision)>, LeftOut> {
    if opened.trouble.is_some() {
        return Err(LeftOut::NoRecord);
    }
    // With the mark, the book on screen would be saved over what someone else decided.
    let on_screen = (session.doc.open.as_ref()).filter(|_| session.current == opened.book);
    if on_screen.is_some_and(|open| open.snapshot != opened.snapshot) {
        return Err(LeftOut::Changed);
    }
    let page = opened.page.as_ref().map_err(|_| LeftOut::Unreadable)?;
    match &opened.record {
        StoredRecord::Broken { .. } => Err(LeftOut::BrokenRecord),
        StoredRecord::Record(record) => {
            // Only the mark changes: a record of other bytes keeps their cuts.
            let mut decision = Decision::of(record);
            if !mark.apply(&mut decision) {
                return Ok(None);
            }
            let mut marked = record.clone();
            marked.hard = decision.hard;
            marked.flags.clone_from(&decision.flags);
            marked.note.clone_from(&decision.note);
            Ok(Some((marked, decision)))
        }
        StoredRecord::Nothing => {
            let other = opened.same_text_record.as_deref();
            let mut decision = showing::undecided(session, opened.book, page, other);
            if !mark.apply(&mut decision) {
                return Ok(None);
            }
            let id = session.entries[opened.book].id();
            let record = draft_record(session, id, page, &decision);
            Ok(Some((Box::new(record), decision)))
        }
    }
}

/// Stops a run: what is being saved ends, the other books stay as they are.
pub(super) fn stop(session: &mut Session) {
    let Some(run) = running(session) else { return };
    run.tally.stopped += run.left.len() + usize::from(run.asked.take().is_some());
    run.left.clear();
    if run.saving.is_empty() {
        finish(session);
    }
}

/// Drops what refers to books by their index, as the list of books changes.
pub(super) fn forget_books(session: &mut Session) {
    stop(session);
    let is_asked = |popup: &Popup| matches!(popup, Popup::Confirm(ConfirmQuestion::MarkAll { .. }));
    session.screen.popups.retain(|popup| !is_asked(popup));
}

/// Ends a run with a report.
fn finish(session: &mut Session) {
    if let Some(BulkWork::Marking(run)) = session.bulk.take() {
        session.notify(BulkNotice::Marked {
            mark: run.mark,
            tally: run.tally,
        });
    }
}

/// The name of a book.
pub(super) fn name(session: &Session, book: usize) -> String {
    let entry = session.entries.get(book);
    entry.map_or_else(String::new, |entry| entry.name().to_owned())
}
