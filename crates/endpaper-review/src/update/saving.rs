//! Saving decisions: verdicts, drafts and failed saves.
//!
//! A verdict is on disk before the next book is shown. A change without a verdict is saved as a draft within a second, or
//! immediately when the book is left. What could not be saved stays in memory and is retried; quitting asks first.

use super::drafts::{retry, save_draft, send};
use super::record::body;
use super::{blind, bulk_saved, cuts, moves, next_book, opening, propagation, quitting};
use crate::alerts;
use crate::decision::{BookState, Decision, SaveState};
use crate::entry::{ReviewStatus, labelling_signature};
use crate::history::Edit;
use crate::message::Effect;
use crate::session::{
    AfterSave, CutNotice, DisputeNotice, PendingSave, SaveNotice, SaveOutcome, SavedAs, Session,
    Waiting,
};

use endpaper_detect::End;
use endpaper_truth::{PROPAGATED, Record, RecordKind, Review, SaveError, SavedRecord, Verdict};

/// Enter: shows a cut that was not seen yet, continues after a failure, or keeps the cuts.
pub(super) fn keep(session: &mut Session) -> Vec<Effect> {
    let Some(book) = &session.doc.open else {
        return next_book::next_open(session);
    };
    if book.read_only.is_some() {
        return opening::step_in_queue(session, 1);
    }
    if book.awaits_choice() {
        session.notify(DisputeNotice::ChooseFirst);
        return Vec::new();
    }
    if !book.decision.is_placed() && !book.decision.verdict.is_decided() {
        blind::ask_for_cut(session);
        return Vec::new();
    }
    let has_rules = book.decision.is_placed();
    if let Some(unseen) = session.doc.seen.iter().position(|&seen| !seen && has_rules) {
        session.doc.end = [End::Start, End::End][unseen];
        moves::centre(session, session.doc.end);
        session.notify(CutNotice::NotSeenYet);
        return Vec::new();
    }
    let beyond = [End::Start, End::End]
        .into_iter()
        .filter(|_| has_rules)
        .find_map(|end| Some((end, alerts::unseen(session, end)?)));
    if let Some((end, alert)) = beyond {
        session.doc.end = end;
        moves::jump(session, alert.line);
        session.notify(CutNotice::Contradicted(alert));
        return Vec::new();
    }
    if session.saves.confirms_failure(session.now) {
        return go_on_unsaved(session);
    }
    let verdict = match book.decision.verdict {
        verdict @ (Verdict::NotABook | Verdict::Undecidable) => verdict,
        // The same text is decided as not a book under another id.
        _ if book.decision.kind == RecordKind::NotABook => Verdict::NotABook,
        _ => Verdict::Confirmed,
    };
    let has_body = cuts::leaves_a_body(&book.page, book.decision.cuts);
    if verdict == Verdict::Confirmed && has_rules && !has_body {
        session.notify(CutNotice::NoBodyLeft);
        return Vec::new();
    }
    decide(session, verdict)
}

/// Gives a verdict on the open book: saves it, then opens the next book.
pub(super) fn decide(session: &mut Session, verdict: Verdict) -> Vec<Effect> {
    let open = session.doc.open.as_mut();
    // `admit` reports the reason; this guards against other callers.
    let Some(book) = open.filter(|book| book.read_only.is_none()) else {
        return Vec::new();
    };
    let before = book.decision.clone();
    let mut after = Decision {
        verdict,
        ..before.clone()
    }
    .with_fitting_verdict(book.page.detection.cuts);
    if verdict == Verdict::NotABook {
        after.kind = RecordKind::NotABook;
    } else if after.kind == RecordKind::NotABook {
        after.kind = RecordKind::Book;
    }
    let last = book
        .record
        .as_ref()
        .and_then(|record| record.reviews.last());
    let is_own = last.is_none_or(|review| review.by == session.options.curator);
    if after == book.on_disk && !book.changed && is_own {
        // Already decided by the same curator and unchanged: nothing to write. Agreeing with another curator adds a review.
        return next_book::next_open(session);
    }
    book.decision = after.clone();
    if before != after {
        let (book, at) = (session.current, session.now);
        session.sitting.history.push(Edit {
            book,
            before,
            after,
            nudge: None,
            at,
            disk: None,
        });
    }
    send(session, Some(AfterSave::Next))
}

/// Saves drafts and retries failed saves because the curator asked for it.
pub(super) fn save_now(session: &mut Session) -> Vec<Effect> {
    let mut effects = save_draft(session);
    effects.extend(retry(session, true));
    if effects.is_empty() && session.doc.open.is_some() {
        session.notify(SaveNotice::Nothing);
    }
    effects
}

/// Handles the passing of time: saves due drafts, retries failed saves.
pub(super) fn tick(session: &mut Session) -> Vec<Effect> {
    let now = session.now;
    let due = |deadline: u64| now >= deadline;
    let mut effects = Vec::new();
    if let Some(SaveState::Dirty { deadline }) =
        session.doc.open.as_ref().map(|book| book.save.clone())
        && due(deadline)
        // A draft between reading and writing the record for a mark would be a conflict.
        && session.bulk.is_none()
    {
        effects.extend(save_draft(session));
    }
    if session.waits.slow_due().is_some_and(due) {
        opening::tell_slow(session);
    }
    // A mark on many books counts its own answers.
    if session.bulk.is_none() {
        effects.extend(retry(session, false));
    }
    effects
}

/// Handles a second Enter after a failed save: keeps the decision in memory and goes to the next book.
fn go_on_unsaved(session: &mut Session) -> Vec<Effect> {
    session.notify(SaveNotice::KeptInMemory);
    next_book::next_open(session)
}

/// Handles the answer of the disk to a save.
pub(super) fn on_saved(
    session: &mut Session,
    save: PendingSave,
    result: Result<SavedRecord, SaveError>,
) -> Vec<Effect> {
    let ticket = save.ticket;
    if session.waits.waiting == Some(Waiting::Save { ticket }) {
        session.waits.waiting = None;
    }
    let on_screen = session.current == save.book && session.doc.open.is_some();
    let outcome = session
        .saves
        .answered(&save, result.as_ref().err(), on_screen, session.now);
    if let Some(mark) = save.bulk.clone() {
        return bulk_saved::on_saved(session, save, mark, result, outcome);
    }
    match result {
        Ok(saved) => success(session, save, saved, outcome),
        Err(error) => failure(session, save, error, outcome),
    }
}

/// Notes a save that succeeded, and does what waited for it.
fn success(
    session: &mut Session,
    save: PendingSave,
    saved: SavedRecord,
    outcome: SaveOutcome,
) -> Vec<Effect> {
    let PendingSave {
        book,
        record,
        decision,
        before,
        then,
        settles,
        ..
    } = save;
    let scored = decision.clone();
    session.sitting.tally.files.insert(saved.path.clone());
    let again = session.current == book
        && session
            .doc
            .open
            .as_ref()
            .is_some_and(BookState::is_second_look);
    let in_force = record.as_deref().filter(|_| again).map(Decision::of);
    note_status(
        session,
        book,
        in_force.as_ref().unwrap_or(&decision),
        record.as_deref(),
    );
    if let Some(record) = record.as_deref().filter(|_| again) {
        session.sitting.tally.corrected.remove(&book);
        session.sitting.tally.hard.remove(&book);
        if session.modes.sampling.is_none() {
            blind::compare(session, record);
        }
    }
    blind::record_sampled(session, book, record.as_deref());
    if !settles.is_empty() {
        // Undoing it would remove the other curator's reviews.
        session.sitting.history.forget(book);
    } else if decision.verdict.is_decided() {
        session
            .sitting
            .history
            .saved(book, before, saved.now.clone());
    } else {
        let history = &mut session.sitting.history;
        history.follow_draft(book, &before, &saved.now);
    }
    if session.current == book
        && let Some(open) = &mut session.doc.open
    {
        open.snapshot = saved.now;
        open.on_disk = decision;
        open.conflict_copies
            .retain(|aside| !settles.contains(&aside.path));
        written(open, record, session.now);
    }
    let mut effects = propagation::on_decided(session, book, &scored);
    match then {
        None => {
            if outcome == (SaveOutcome::Saved { was_retry: true }) {
                let name = session.entries[book].name().to_owned();
                session.notify(SaveNotice::AfterAll(name));
            }
        }
        Some(then) => {
            if !again || session.modes.sampling.is_some() {
                announce(session, book);
            }
            if then == AfterSave::Next {
                effects.extend(next_book::next_open(session));
            }
        }
    }
    effects
}

/// Updates the open book after its record was saved. It may have changed while the save was pending.
fn written(open: &mut BookState, record: Option<Box<Record>>, now: u64) {
    open.changed = record
        .as_ref()
        .is_some_and(|record| !record.is_decided_on(&open.page.sha256));
    open.anchor_confidence = open.anchor_confidence.filter(|_| open.changed);
    open.record = record;
    open.save = if open.has_unsaved_changes() && open.can_be_drafted() {
        SaveState::Dirty { deadline: now }
    } else if open.record.is_some() {
        SaveState::Saved
    } else {
        SaveState::Clean
    };
}

/// Shows the message that a verdict was saved.
fn announce(session: &mut Session, book: usize) {
    let Some(open) = &session.doc.open else {
        return;
    };
    let as_what = match (&session.modes.sampling, open.decision.verdict) {
        (Some(sampling), _) => SavedAs::Sample(sampling.summary()),
        (None, verdict) if verdict.has_cuts() => SavedAs::Body(verdict, body(open)),
        (None, verdict) => SavedAs::Verdict(verdict),
    };
    let name = session.entries[book].name().to_owned();
    session.notify(SaveNotice::Saved { name, as_what });
}

/// Sets the status of a book in the queue to that of its record.
fn note_status(session: &mut Session, book: usize, decision: &Decision, record: Option<&Record>) {
    let Some(entry) = session.entries.get_mut(book) else {
        return;
    };
    entry.status = match (record, decision.verdict) {
        (None, _) => ReviewStatus::Undecided,
        (_, Verdict::Open) => ReviewStatus::Draft,
        (_, verdict) => ReviewStatus::Decided(verdict),
    };
    entry.hard = decision.hard;
    entry.flags.clone_from(&decision.flags);
    entry.kind = decision.kind;
    entry.labelling_signature = record.map_or(0, labelling_signature);
    if decision.verdict.has_cuts() || decision.verdict == Verdict::Open {
        entry.cuts = Some(decision.cuts);
    }
    let tally = &mut session.sitting.tally;
    if decision.verdict.is_decided() {
        tally.recent.retain(|&other| other != book);
        tally.recent.push(book);
    }
    let keep = |set: &mut std::collections::BTreeSet<usize>, yes: bool| {
        if yes {
            set.insert(book)
        } else {
            set.remove(&book)
        };
    };
    keep(&mut tally.decided, decision.verdict.is_decided());
    keep(&mut tally.corrected, decision.verdict == Verdict::Corrected);
    keep(&mut tally.hard, decision.hard);
    let last = record.and_then(|record| record.reviews.last());
    let propagated = |review: &Review| review.drawn.starts_with(PROPAGATED);
    keep(
        &mut tally.propagated,
        decision.verdict.is_decided() && last.is_some_and(propagated),
    );
}

/// Notes a save that failed, to be tried again.
fn failure(
    session: &mut Session,
    save: PendingSave,
    error: SaveError,
    outcome: SaveOutcome,
) -> Vec<Effect> {
    session.notify(match &error {
        SaveError::Conflict { book, .. } => SaveNotice::Conflict(book.clone()),
        other => SaveNotice::Failed(other.to_string()),
    });
    let on_screen = session.current == save.book && session.doc.open.is_some();
    if outcome == SaveOutcome::Superseded {
        // The other record is now current and shown; ours, if it had content, is kept as a conflict copy.
        session.sitting.history.forget(save.book);
        // Keys typed ahead were meant for another book.
        session.keys.typed.clear();
        return match on_screen {
            true => session.ask_for(save.book, None),
            false => Vec::new(),
        };
    }
    if on_screen && let Some(open) = &mut session.doc.open {
        open.save = SaveState::Failed(error.to_string());
    }
    if outcome == (SaveOutcome::Failed { asks_to_quit: true }) {
        quitting::ask_to_quit(session);
    }
    Vec::new()
}
