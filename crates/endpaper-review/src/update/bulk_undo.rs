//! Undo and redo of a mark that was set on many books.
//!
//! Undo restores the previous bytes of every record, or removes its file, unless someone else has changed it since.

use std::collections::BTreeMap;

use super::{bulk, undo};
use crate::bulk::BulkChange;
use crate::decision::SaveState;
use crate::history::HistoryStep;
use crate::message::Effect;
use crate::session::{BulkNotice, BulkTally, BulkUndo, BulkWork, LeftOut, Session, UndoNotice};
use endpaper_truth::{SaveError, SavedRecord};

/// Takes the newest step back, which is a mark on many books.
pub(super) fn begin(session: &mut Session) -> Vec<Effect> {
    let Some(HistoryStep::Bulk(step)) = session.sitting.history.last() else {
        return Vec::new();
    };
    let (id, mark, changes) = (step.id, step.mark.clone(), step.changes.clone());
    if changes.iter().any(|c| session.saves.is_underway(c.book)) {
        session.notify(UndoNotice::BeingSaved);
        return Vec::new();
    }
    // Records that could not be written are not tried again.
    let dropped = session.saves.drop_bulk(id);
    if changes.is_empty() && dropped.is_empty() {
        session.sitting.history.undo();
        return undo::undo(session);
    }
    let mut work = BulkUndo {
        mark,
        tickets: BTreeMap::new(),
        tally: BulkTally {
            changed: dropped.len(),
            ..BulkTally::default()
        },
    };
    if let Some(step) = session.sitting.history.bulk_mut(id) {
        step.books.extend(dropped);
    }
    let mut effects = Vec::new();
    for change in changes {
        let Some(entry) = session.entries.get(change.book) else {
            continue;
        };
        let (id, ticket) = (entry.id().to_owned(), session.waits.next_ticket());
        work.tickets.insert(ticket, change.book);
        effects.push(Effect::Restore {
            ticket,
            id,
            previous: change.before,
            expected: change.after,
        });
    }
    session.bulk = Some(BulkWork::Undoing(work));
    if effects.is_empty() {
        effects = finish(session);
    }
    effects
}

/// Handles the answer of the disk to a record that is restored; `None`: it is not awaited.
pub(super) fn restored(
    session: &mut Session,
    ticket: u64,
    result: &Result<SavedRecord, SaveError>,
) -> Option<Vec<Effect>> {
    let Some(BulkWork::Undoing(work)) = &mut session.bulk else {
        return None;
    };
    let book = work.tickets.remove(&ticket)?;
    let is_last = work.tickets.is_empty();
    match result {
        Ok(saved) => {
            work.tally.changed += 1;
            session.sitting.tally.files.insert(saved.path.clone());
            if let Some(change) = take_change(session, book) {
                put_back(session, change, saved);
            }
        }
        Err(SaveError::Io { reason, .. }) => {
            work.tally.unsaved += 1;
            work.tally.why.clone_from(reason);
        }
        Err(_) => {
            let name = bulk::name(session, book);
            if let Some(BulkWork::Undoing(work)) = &mut session.bulk {
                work.tally.left_out.push((name, LeftOut::Changed));
            }
            session.sitting.history.forget(book);
        }
    }
    Some(match is_last {
        true => finish(session),
        false => Vec::new(),
    })
}

/// Takes a restored book out of the step.
fn take_change(session: &mut Session, book: usize) -> Option<BulkChange> {
    let Some(HistoryStep::Bulk(step)) = session.sitting.history.last() else {
        return None;
    };
    let id = step.id;
    let changes = &mut session.sitting.history.bulk_mut(id)?.changes;
    let at = changes.iter().position(|change| change.book == book)?;
    Some(changes.remove(at))
}

/// Notes in the queue and in the tally that a record is as it was before the mark.
fn put_back(session: &mut Session, change: BulkChange, saved: &SavedRecord) {
    let BulkChange { book, known, .. } = change;
    if let Some(entry) = session.entries.get_mut(book) {
        (entry.status, entry.hard, entry.flags) = (known.status, known.hard, known.flags);
        entry.labelling_signature = known.labelling_signature;
    }
    let sitting = &mut session.sitting;
    match known.listed {
        Some(words) => drop(sitting.marks.insert(book, words)),
        None => drop(sitting.marks.remove(&book)),
    }
    match known.counts_as_hard {
        true => sitting.tally.hard.insert(book),
        false => sitting.tally.hard.remove(&book),
    };
    if session.current == book
        && let Some(open) = &mut session.doc.open
    {
        // The page is read again at the end.
        open.snapshot = saved.now.clone();
        open.save = SaveState::Clean;
    }
}

/// Ends an undo with a report. Records that could not be written stay in the step, so that undo can be tried again.
fn finish(session: &mut Session) -> Vec<Effect> {
    let Some(BulkWork::Undoing(work)) = session.bulk.take() else {
        return Vec::new();
    };
    let history = &mut session.sitting.history;
    if let Some(HistoryStep::Bulk(step)) = history.last()
        && step.changes.is_empty()
    {
        history.undo();
    }
    session.notify(BulkNotice::Undone {
        mark: work.mark,
        tally: work.tally,
    });
    match session.doc.open.is_some() {
        true => session.ask_for(session.current, None),
        false => Vec::new(),
    }
}

/// Sets the newest undone mark again.
pub(super) fn redo(session: &mut Session) -> Vec<Effect> {
    match session.sitting.history.redo() {
        Some(HistoryStep::Bulk(step)) => {
            let books = match session.sitting.history.bulk_mut(step.id) {
                Some(step) => std::mem::take(&mut step.books),
                None => Vec::new(),
            };
            bulk::run(session, step.id, step.mark, books)
        }
        _ => Vec::new(),
    }
}
