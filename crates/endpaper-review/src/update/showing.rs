//! Putting a page on screen, with its record.

use super::{anchored, blind, copies, dispute, moves};
use crate::decision::{BookState, Decision, ReadOnly, SaveState};
use crate::dispute::first_decision;
use crate::entry::{ReviewStatus, labelling_signature};
use crate::message::Opened;
use crate::page::{BookPage, SharedPage};
use crate::popup::Popup;
use crate::propagation::PropagationPreview;
use crate::rows::Folding;
use crate::session::{Notice, RecordNotice, Session, Tone};
use endpaper_detect::End;
use endpaper_truth::{Record, StoredRecord, Verdict};

/// Puts a page on screen. A page whose text was already on screen (read again after counting or editing) keeps its scroll
/// position and folds, as long as its cuts are unchanged.
pub(super) fn show(session: &mut Session, page: SharedPage, opened: Opened, again: bool) {
    let said = session.screen.notice.take();
    let (decision, record, changed, read_only) = read_record(session, &page, &opened);
    let unchosen = opened
        .dispute
        .as_ref()
        .and_then(|_| first_decision(record.as_deref(), &opened.snapshot));
    let decision = unchosen.unwrap_or(decision);
    let anchored = opened.anchored.as_ref().filter(|_| changed);
    let anchored = anchored.and_then(|anchored| anchored.confidence());
    let veil = match read_only {
        None if !changed => blind::start_blind_review(session, record.as_deref()),
        _ => None,
    };
    let (read_only, decision) = match (&veil, session.options.re_review) {
        (None, true) if read_only.is_none() && session.modes.replay.is_none() => {
            (Some(ReadOnly::NoSecondLook), decision)
        }
        (Some((fresh, _)), _) => (read_only, fresh.clone()),
        _ => (read_only, decision),
    };
    let elsewhere = opened
        .same_text_record
        .filter(|_| record.is_none() && read_only.is_none() && veil.is_none());
    let run = match (&veil, &elsewhere, &read_only) {
        (None, None, None) if !changed => {
            preview(session, session.current, &page, record.as_deref())
        }
        _ => None,
    };
    let shown = match record {
        None => first_proposal(&page, elsewhere.as_deref(), run.as_ref()).unwrap_or(decision),
        Some(_) => decision,
    };
    let same = |old: &&BookState| {
        again && old.page.sha256 == page.sha256 && old.decision.cuts == shown.cuts
    };
    let old = session.doc.open.as_ref();
    let since = old.filter(same).map(|old| old.timed_from);
    // Another encoding shows other characters of the same bytes.
    let encoding = page.text.encoding();
    let same_text = |old: &&BookState| {
        again && old.page.sha256 == page.sha256 && old.page.text.encoding() == encoding
    };
    let offers = old.filter(same_text).map(|old| old.offers.clone());
    let (edition_evidence, is_evidence_of_copy) = old
        .filter(same_text)
        .map(|old| (old.edition_evidence.clone(), old.is_evidence_of_copy))
        .unwrap_or_default();
    if offers.is_none() {
        close_editions(session);
    }
    if !again {
        copies::forget_told(session);
    }
    // Passing over a book changes nothing: a proposal from another record is not an edit of this one.
    session.doc.open = Some(BookState {
        page,
        on_disk: shown.clone(),
        decision: shown,
        record,
        snapshot: opened.snapshot,
        save: SaveState::Clean,
        changed,
        anchor_confidence: anchored,
        conflict_copies: opened.conflict_copies,
        dispute: opened.dispute,
        read_only,
        blind: veil.map(|(_, blind)| blind),
        propagation: run,
        offers: offers.unwrap_or_default(),
        edition_evidence,
        is_evidence_of_copy,
        timed_from: since.unwrap_or(session.now),
    });
    blind::restore_draft(session);
    dispute::restore_draft(session);
    dispute::fit_panel(session);
    if let Some(other) = elsewhere {
        session.notify(RecordNotice::Elsewhere {
            book: other.book,
            verdict: other.verdict,
        });
    }
    notify_versions(session, said.as_ref());
    note_entry(session);
    lay_out(session, since.is_some());
    if since.is_none() {
        dispute::go_to_difference(session);
    }
    // A message about the previous book (saved, undone) is still relevant; a warning about this one matters more.
    session.screen.notice = session.screen.notice.take().or(said);
}

/// The decision of a book without a record as it would be shown if it were opened; `other` is a record of the same text.
pub(super) fn undecided(
    session: &Session,
    book: usize,
    page: &BookPage,
    other: Option<&Record>,
) -> Decision {
    let run = match other {
        None => preview(session, book, page, None),
        Some(_) => None,
    };
    let proposed = || Decision::proposed(page.detection.cuts);
    first_proposal(page, other, run.as_ref()).unwrap_or_else(proposed)
}

/// What is proposed for a book without a record instead of the detector's cuts: the decision on the same text under another id,
/// or the one propagated to it.
fn first_proposal(
    page: &BookPage,
    other: Option<&Record>,
    run: Option<&PropagationPreview>,
) -> Option<Decision> {
    match (other, run) {
        (Some(other), _) => Some(decision_from_other(page, other)),
        (None, Some(run)) => Some(Decision {
            inside: run.inside.clone(),
            ..Decision::proposed(run.cuts)
        }),
        (None, None) => None,
    }
}

/// Builds the rows of a page, either new or keeping its scroll position and folds.
fn lay_out(session: &mut Session, stays: bool) {
    session.doc.trouble = None;
    if !stays {
        let open = session.doc.open.as_ref();
        let run = open.and_then(|open| open.propagation.as_ref());
        session.doc.end = match run.is_some_and(|run| run.moves_only_end) {
            true => End::End,
            false => End::Start,
        };
        session.doc.folding = Folding::default();
        session.doc.seen = [false; 2];
        session.doc.seen_alerts.clear();
        session.keys.pending.clear();
    }
    moves::rebuild(session);
    if !stays {
        moves::show_cuts(session);
    }
    if let (Some(search), Some(open)) = (&session.doc.search, &session.doc.open) {
        session.doc.search = Some(search.again(&open.page));
    }
}

/// The decision to show according to the record, the record, whether the file changed, and why it is read-only.
fn read_record(
    session: &mut Session,
    page: &SharedPage,
    opened: &Opened,
) -> (Decision, Option<Box<Record>>, bool, Option<ReadOnly>) {
    let proposed = Decision::proposed(page.detection.cuts);
    let mut read_only = session.options.read_only.then_some(ReadOnly::Sitting);
    if let Some(trouble) = &opened.trouble {
        let why = ReadOnly::Folder(trouble.clone());
        session.notify(RecordNotice::ReadOnly(why.clone()));
        read_only = Some(why);
    }
    match &opened.record {
        StoredRecord::Nothing => (proposed, None, false, read_only),
        StoredRecord::Broken { path, error } => {
            let why = ReadOnly::BrokenRecord {
                path: path.clone(),
                error: error.to_string(),
            };
            session.notify(RecordNotice::ReadOnly(why.clone()));
            (proposed, None, false, Some(why))
        }
        StoredRecord::Record(record) if record.source.sha256 != page.sha256 => {
            let found = opened.anchored.as_deref();
            let (decision, anchoring) = anchored::relocated_decision(page, record, found);
            session.notify(RecordNotice::Changed(anchoring));
            (decision, Some(record.clone()), true, read_only)
        }
        StoredRecord::Record(record) => {
            let decision = fitted(page, Decision::of(record));
            (decision, Some(record.clone()), false, read_only)
        }
    }
}

/// The decision with its cuts moved to lines of the page, so that they can be shown.
fn fitted(page: &BookPage, decision: Decision) -> Decision {
    Decision {
        cuts: page.snap_cuts(decision.cuts),
        ..decision
    }
}

/// The decision on the same text under another id, to be confirmed here.
fn decision_from_other(page: &BookPage, other: &Record) -> Decision {
    let decision = Decision {
        verdict: Verdict::Open,
        ..Decision::of(other)
    };
    fitted(page, decision)
}

/// Copies what the opened page shows of the book to its entry in the queue.
fn note_entry(session: &mut Session) {
    let (Some(open), Some(entry)) = (&session.doc.open, session.entries.get_mut(session.current))
    else {
        return;
    };
    entry.doubt = Some(open.page.detection.doubt);
    entry.reason = open.page.detection.reasons.first().copied();
    entry.lines = open.page.lines();
    if open.blind.is_none() && open.on_disk.is_placed() {
        // A propagated proposal is not the detector's: the queue keeps the detector's cuts.
        let shown = open.propagation.is_some() && open.record.is_none();
        entry.cuts = Some(if shown {
            open.page.detection.cuts
        } else {
            open.on_disk.cuts
        });
    }
    let record = open.record.as_deref();
    entry.hard = record.is_some_and(|record| record.hard);
    entry.flags = record.map_or_else(Vec::new, |record| record.flags.clone());
    entry.kind = record.map_or_else(Default::default, |record| record.kind);
    entry.labelling_signature = open.record.as_deref().map_or(0, labelling_signature);
    entry.status = match (&open.record, &open.read_only) {
        (Some(record), _) if open.is_second_look() => ReviewStatus::Decided(record.verdict),
        (None, Some(_)) if !session.options.read_only => ReviewStatus::Broken,
        (None, _) => ReviewStatus::Undecided,
        (Some(_), _) if open.changed || open.on_disk.verdict == Verdict::Open => {
            ReviewStatus::Draft
        }
        (Some(_), _) => ReviewStatus::Decided(open.on_disk.verdict),
    };
}

/// The proposal shown when a propagated book is opened. Its cuts are used only if the book has no record yet; otherwise just
/// the origin is shown.
fn preview(
    session: &Session,
    book: usize,
    page: &BookPage,
    record: Option<&Record>,
) -> Option<PropagationPreview> {
    let member = session.background.propagation.proposed.get(&book)?;
    if session.modes.replay.is_some() || !session.is_propagation_on() {
        return None;
    }
    let scored = |record: &Record| !record.reviews.is_empty() || record.verdict.is_decided();
    if record.is_some_and(scored) {
        return None;
    }
    let cuts = page.snap_cuts(member.target.change(page.detection.cuts)?);
    let first = page.body_first(cuts)?;
    let has_body = first < page.cut_position(cuts, End::End);
    let from = session.entries.get(member.from)?;
    let (start, end) = (first, page.cut_position(cuts, End::End));
    let inside = member.target.inside.iter();
    let inside = inside.filter(|mark| mark.first >= start && mark.last < end);
    has_body.then(|| PropagationPreview {
        batch: member.batch,
        from: from.id().to_owned(),
        name: from.name().to_owned(),
        at: member.at,
        of: member.of,
        cuts,
        inside: inside.cloned().collect(),
        moves_only_end: member.target.moves(End::End) && !member.target.moves(End::Start),
    })
}

/// Reports conflict copies, unless an error that was just shown already does.
fn notify_versions(session: &mut Session, said: Option<&Notice>) {
    let waiting = session
        .doc
        .open
        .as_ref()
        .map_or(0, |book| book.conflict_copies.len());
    let just_reported = said.is_some_and(|notice| notice.tone() == Tone::Error);
    if waiting > 0 && !just_reported {
        session.notify(RecordNotice::ConflictCopies(waiting));
    }
}

/// Closes the comparison, because another book or another text of it is on screen.
fn close_editions(session: &mut Session) {
    session
        .screen
        .popups
        .retain(|popup| !matches!(popup, Popup::Editions(_)));
}
