//! Undo and redo, across books.
//!
//! Undoing a saved verdict first restores the previous bytes of the record on disk, or removes its file, unless another
//! curator has changed it since. Then the book is shown as it was before the verdict.

use super::drafts::{save_draft, send};
use super::{bulk_undo, marks, opening};
use crate::decision::{BookState, Decision};
use crate::entry::{QueueEntry, ReviewStatus};
use crate::history::{Edit, HistoryStep};
use crate::message::Effect;
use crate::session::{AfterSave, PendingJump, Session, UndoNotice, Waiting};
use endpaper_truth::{SaveError, SavedRecord, Snapshot, yaml};

/// Undoes the last edit, also in another book.
pub(super) fn undo(session: &mut Session) -> Vec<Effect> {
    let edit = match session.sitting.history.last() {
        Some(HistoryStep::Edit(edit)) => edit.clone(),
        Some(HistoryStep::Bulk(_)) => return bulk_undo::begin(session),
        None => {
            session.notify(UndoNotice::Nothing);
            return Vec::new();
        }
    };
    if session.saves.is_underway(edit.book) {
        session.notify(UndoNotice::BeingSaved);
        return Vec::new();
    }
    if edit.disk.is_some() && give_second_opinion(session, &edit) {
        let goto = PendingJump {
            decision: None,
            notice: Some(UndoNotice::SecondOpinion(book_name(session, edit.book)).into()),
            target: None,
        };
        return session.ask_for(edit.book, Some(goto));
    }
    match edit.disk.clone() {
        Some((previous, known)) => {
            let ticket = session.waits.next_ticket();
            session.waits.waiting = Some(Waiting::Restore { ticket });
            let id = session.entries[edit.book].id().to_owned();
            // A draft saved after the verdict is undone with it.
            let open = session
                .doc
                .open
                .as_ref()
                .filter(|_| session.current == edit.book);
            let expected = open.map_or(known, |open| open.snapshot.clone());
            vec![Effect::Restore {
                ticket,
                id,
                previous,
                expected,
            }]
        }
        None => {
            session.sitting.history.undo();
            session.saves.drop_failed(edit.book);
            show(
                session,
                edit.book,
                edit.before.clone(),
                undid(session, &edit),
            )
        }
    }
}

/// In a sample no opinion is taken back: the book comes up again, blind, and its next verdict is a second opinion beside the
/// first. Returns whether the edit is such an opinion; it is then left out of the history.
fn give_second_opinion(session: &mut Session, edit: &Edit) -> bool {
    let Some(sampling) = &mut session.modes.sampling else {
        return false;
    };
    if !sampling.books.contains(&edit.book) {
        return false;
    }
    sampling.second_opinions.insert(edit.book);
    session.sitting.history.forget(edit.book);
    session.modes.proposal_seen.remove(&edit.book);
    session.modes.blind_drafts.remove(&edit.book);
    true
}

/// Handles the answer of the disk to an undo; `None`: it is not awaited.
pub(super) fn restored(
    session: &mut Session,
    ticket: u64,
    result: Result<SavedRecord, SaveError>,
) -> Option<Vec<Effect>> {
    if session.waits.waiting != (Some(Waiting::Restore { ticket })) {
        return None;
    }
    session.waits.waiting = None;
    let effects = match result {
        Ok(saved) => {
            session.sitting.tally.files.insert(saved.path);
            match session.sitting.history.undo() {
                Some(HistoryStep::Edit(edit)) => {
                    note_status(&mut session.entries[edit.book], &saved.now);
                    reopen(session, *edit)
                }
                _ => Vec::new(),
            }
        }
        Err(error) => {
            session.notify(UndoNotice::Failed(error.to_string()));
            if let (SaveError::Changed { .. }, Some(HistoryStep::Edit(edit))) =
                (&error, session.sitting.history.last())
            {
                // A retry cannot succeed, so the edit is dropped; earlier ones can still be undone.
                let book = edit.book;
                session.sitting.history.forget(book);
            }
            Vec::new()
        }
    };
    Some(effects)
}

/// Sets the status of a book in the queue to that of its restored record: the curator may go on before the book is read again.
fn note_status(entry: &mut QueueEntry, restored: &Snapshot) {
    let record = restored.0.as_deref().map(yaml::read_bytes);
    entry.status = match record {
        None => ReviewStatus::Undecided,
        Some(Ok(record)) if record.verdict.is_decided() => ReviewStatus::Decided(record.verdict),
        Some(Ok(_)) => ReviewStatus::Draft,
        Some(Err(_)) => ReviewStatus::Broken,
    };
}

/// Reads the book of an undone verdict again, with its restored record.
fn reopen(session: &mut Session, edit: Edit) -> Vec<Effect> {
    session.sitting.tally.decided.remove(&edit.book);
    session.sitting.tally.corrected.remove(&edit.book);
    session.sitting.tally.propagated.remove(&edit.book);
    session.sitting.tally.second_looks.remove(&edit.book);
    session.background.propagation.forget(edit.book);
    session
        .sitting
        .tally
        .recent
        .retain(|&book| book != edit.book);
    let effects = if session.current == edit.book {
        Vec::new()
    } else {
        save_draft(session)
    };
    // Cuts that were only kept are those of a proposal, and learning may have changed it since.
    let was_proposed = edit
        .disk
        .as_ref()
        .is_some_and(|(before, _)| before.0.is_none())
        && session.sitting.history.first_of(edit.book).is_none()
        && session.background.learning.is_active;
    let goto = PendingJump {
        decision: (!was_proposed).then(|| edit.before.clone()),
        notice: Some(undid(session, &edit).into()),
        target: None,
    };
    effects
        .into_iter()
        .chain(session.ask_for(edit.book, Some(goto)))
        .collect()
}

/// Shows a decision that is not on disk yet, opening its book first if necessary.
fn show(session: &mut Session, book: usize, decision: Decision, say: UndoNotice) -> Vec<Effect> {
    if session.current != book || session.doc.open.is_none() {
        let goto = PendingJump {
            decision: Some(decision),
            notice: Some(say.into()),
            target: None,
        };
        return opening::open(session, book, Some(goto));
    }
    marks::set_decision(session, decision);
    session.notify(say);
    Vec::new()
}

/// Does the last undone edit again.
pub(super) fn redo(session: &mut Session) -> Vec<Effect> {
    let edit = match session.sitting.history.next() {
        Some(HistoryStep::Edit(edit)) => edit.clone(),
        Some(HistoryStep::Bulk(_)) => return bulk_undo::redo(session),
        None => {
            session.notify(UndoNotice::NothingToRedo);
            return Vec::new();
        }
    };
    if session.current != edit.book || session.doc.open.is_none() {
        // Open the book first and redo with the next key press, so that the change is visible.
        let goto = PendingJump {
            decision: None,
            notice: Some(UndoNotice::RedoHere.into()),
            target: None,
        };
        return opening::open(session, edit.book, Some(goto));
    }
    session.sitting.history.redo();
    marks::set_decision(session, edit.after.clone());
    let book = book_name(session, edit.book);
    session.notify(UndoNotice::Redid {
        book,
        what: edit.description(),
    });
    let disputed = |open: &BookState| open.dispute.is_some();
    if session.doc.open.as_ref().is_some_and(disputed) {
        // An opinion may bring a verdict, which only Enter gives.
        return Vec::new();
    }
    if edit.after.verdict.is_decided() && edit.after.verdict != edit.before.verdict {
        return send(session, Some(AfterSave::Stay));
    }
    Vec::new()
}

/// The name of a book.
fn book_name(session: &Session, book: usize) -> String {
    let entry = session.entries.get(book);
    entry.map_or_else(String::new, |entry| entry.name().to_owned())
}

/// The message about an undone edit.
fn undid(session: &Session, edit: &Edit) -> UndoNotice {
    UndoNotice::Undid {
        book: book_name(session, edit.book),
        what: edit.undo_description(),
    }
}
