//! What becomes of the records of a mark on many books: they are written, or someone else changed them, or the disk is full.

use super::bulk::{advance, name, running};
use super::{quitting, sitting_marks};
use crate::bulk::{BulkChange, BulkMark, MarkedEntry};
use crate::decision::SaveState;
use crate::entry::{ReviewStatus, labelling_signature};
use crate::message::Effect;
use crate::session::{BulkSave, LeftOut, PendingSave, SaveNotice, SaveOutcome, Session};
use endpaper_truth::{SaveError, SavedRecord};

/// Handles the answer of the disk to a record that was marked.
pub(super) fn on_saved(
    session: &mut Session,
    save: PendingSave,
    bulk: BulkSave,
    result: Result<SavedRecord, SaveError>,
    outcome: SaveOutcome,
) -> Vec<Effect> {
    let (book, ticket, name) = (save.book, save.ticket, name(session, save.book));
    let mut effects = Vec::new();
    let error = match result {
        Ok(saved) => {
            keep(session, save, &bulk, saved);
            None
        }
        Err(error) => Some(error),
    };
    let on_screen = session.current == book && session.doc.open.is_some();
    if outcome == SaveOutcome::Superseded {
        session.sitting.history.forget(book);
        if on_screen {
            effects = session.ask_for(book, None);
        }
    } else if let (Some(error), true) = (&error, on_screen)
        && let Some(open) = &mut session.doc.open
    {
        // An edit of the book is then saved with the mark.
        bulk.mark.apply(&mut open.decision);
        open.save = SaveState::Failed(error.to_string());
    }
    let run = running(session);
    match run.and_then(|run| run.saving.remove(&ticket).then_some(run)) {
        Some(run) => {
            match &error {
                None => run.tally.changed += 1,
                Some(_) if outcome == SaveOutcome::Superseded => {
                    run.tally.left_out.push((name, LeftOut::Changed));
                }
                Some(error) => {
                    run.tally.unsaved += 1;
                    run.tally.why = error.to_string();
                }
            }
            effects.extend(advance(session));
        }
        // A record that was tried again after the run.
        None => session.notify(match error {
            None => SaveNotice::AfterAll(name),
            Some(error @ SaveError::Io { .. }) => SaveNotice::Failed(error.to_string()),
            Some(_) => SaveNotice::Conflict(name),
        }),
    }
    if outcome == (SaveOutcome::Failed { asks_to_quit: true }) {
        quitting::ask_to_quit(session);
    }
    effects
}

/// Notes a marked book in the queue, in the history, and on screen if it is open.
fn keep(session: &mut Session, save: PendingSave, bulk: &BulkSave, saved: SavedRecord) {
    let book = save.book;
    let (Some(record), Some(known)) = (&save.record, known(session, book)) else {
        return;
    };
    session.sitting.tally.files.insert(saved.path);
    let entry = &mut session.entries[book];
    entry.hard = record.hard;
    entry.flags.clone_from(&record.flags);
    entry.labelling_signature = labelling_signature(record);
    entry.status = match (entry.status, record.verdict.is_decided()) {
        (ReviewStatus::Undecided | ReviewStatus::Recorded, false) => ReviewStatus::Draft,
        // Someone else decided it.
        (ReviewStatus::Undecided | ReviewStatus::Recorded, true) => {
            (entry.cuts, entry.kind) = (Some(record.cuts), record.kind);
            ReviewStatus::Decided(record.verdict)
        }
        (status, _) => status,
    };
    match bulk.mark {
        BulkMark::Hard(true) => drop(session.sitting.tally.hard.insert(book)),
        BulkMark::Hard(false) => drop(session.sitting.tally.hard.remove(&book)),
        _ => {}
    }
    let words = sitting_marks::describe(&save.decision);
    session.sitting.marks.insert(book, words);
    let change = BulkChange {
        book,
        before: save.before,
        after: saved.now.clone(),
        known,
    };
    session.sitting.history.add_to_bulk(bulk.id, change);
    if session.current == book
        && let Some(open) = &mut session.doc.open
    {
        bulk.mark.apply(&mut open.decision);
        bulk.mark.apply(&mut open.on_disk);
        open.snapshot = saved.now;
        open.record = save.record;
        if !open.has_unsaved_changes() {
            open.save = SaveState::Saved;
        }
    }
}

/// What the queue and the sitting say of a book now.
fn known(session: &Session, book: usize) -> Option<MarkedEntry> {
    let entry = session.entries.get(book)?;
    Some(MarkedEntry {
        status: entry.status,
        hard: entry.hard,
        flags: entry.flags.clone(),
        labelling_signature: entry.labelling_signature,
        listed: session.sitting.marks.get(&book).cloned(),
        counts_as_hard: session.sitting.tally.hard.contains(&book),
    })
}
