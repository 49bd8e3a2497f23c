//! Sending records to the disk: drafts, verdicts and retries.

use super::record::record;
use crate::decision::{Decision, SaveState};
use crate::message::{Effect, SaveRequest};
use crate::session::{AfterSave, PendingSave, Session, Waiting};
use endpaper_truth::{Record, Snapshot};
use std::path::PathBuf;

/// Sends the record of the open book to be saved; `then`: what to do afterwards.
pub(super) fn send(session: &mut Session, then: Option<AfterSave>) -> Vec<Effect> {
    let Some(book) = &session.doc.open else {
        return Vec::new();
    };
    let record = Box::new(record(session, book));
    send_record(session, record, then, Vec::new())
}

/// Saves a record of the open book that matches its decision.
pub(super) fn send_record(
    session: &mut Session,
    record: Box<Record>,
    then: Option<AfterSave>,
    settles: Vec<PathBuf>,
) -> Vec<Effect> {
    let Some(book) = &session.doc.open else {
        return Vec::new();
    };
    let (expected, decision) = (book.snapshot.clone(), book.decision.clone());
    let ticket = session.waits.next_ticket();
    let save = PendingSave {
        ticket,
        book: session.current,
        record: Some(record.clone()),
        decision,
        before: expected.clone(),
        then,
        settles: settles.clone(),
        bulk: None,
    };
    session.saves.send(save);
    if let Some(book) = &mut session.doc.open {
        book.save = SaveState::Saving;
    }
    if then.is_some() {
        session.waits.waiting = Some(Waiting::Save { ticket });
    }
    vec![Effect::Save(SaveRequest {
        ticket,
        record,
        expected,
        settles,
    })]
}

/// Saves the draft of the open book if it has one. A draft without content is removed from disk.
pub(super) fn save_draft(session: &mut Session) -> Vec<Effect> {
    let Some(book) = &session.doc.open else {
        return Vec::new();
    };
    if !book.has_unsaved_changes()
        || !book.can_be_drafted()
        || book.read_only.is_some()
        || session.saves.is_underway(session.current)
    {
        return Vec::new();
    }
    if matches!(book.save, SaveState::Failed(_)) && session.saves.will_retry(session.current) {
        // Unchanged since it failed: it is retried with the others.
        return Vec::new();
    }
    let blank = book.decision == Decision::proposed(book.proposed_cuts());
    let draft_only = book
        .record
        .as_ref()
        .is_some_and(|record| record.reviews.is_empty() && record.unknown.is_empty());
    if !(blank && draft_only) {
        return send(session, None);
    }
    let (expected, decision) = (book.snapshot.clone(), book.decision.clone());
    let (ticket, id) = (
        session.waits.next_ticket(),
        session.entries[session.current].id().to_owned(),
    );
    let save = PendingSave {
        ticket,
        book: session.current,
        record: None,
        decision,
        before: expected.clone(),
        then: None,
        settles: Vec::new(),
        bulk: None,
    };
    session.saves.send(save);
    vec![Effect::Restore {
        ticket,
        id,
        previous: Snapshot(None),
        expected,
    }]
}

/// Sends failed saves again, those that are due or (`at_once`) all.
pub(super) fn retry(session: &mut Session, at_once: bool) -> Vec<Effect> {
    let (saves, waits) = (&mut session.saves, &mut session.waits);
    let again = saves.retry(at_once, session.now, || waits.next_ticket());
    let effects = again.into_iter().map(|save| match save.record {
        Some(record) => Effect::Save(SaveRequest {
            ticket: save.ticket,
            record,
            expected: save.before,
            settles: save.settles,
        }),
        None => Effect::Restore {
            ticket: save.ticket,
            id: session.entries[save.book].id().to_owned(),
            previous: Snapshot(None),
            expected: save.before,
        },
    });
    effects.collect()
}

/// When the runtime should wake up, in milliseconds since 1970.
pub fn deadline(session: &Session) -> Option<u64> {
    let draft = match session.doc.open.as_ref().map(|book| &book.save) {
        Some(SaveState::Dirty { deadline }) => Some(*deadline),
        _ => None,
    };
    let retry = session.saves.retry_due();
    let slow = session.waits.slow_due();
    draft.into_iter().chain(retry).chain(slow).min()
}
