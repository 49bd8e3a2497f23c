//! Blind review: switching it on and off, hiding and revealing proposals, and comparing second looks.

use super::moves;
use crate::blind::{earlier_decision, line_distance};
use crate::decision::BlindReview;
use crate::decision::{BookState, Decision, SaveState};
use crate::entry::ReviewStatus;
use crate::session::{BlindNotice, Session};
use endpaper_detect::End;
use endpaper_truth::{Record, Verdict};

/// The initial decision of a blind review of the current book, with the state of the review; `None` if the book is not
/// reviewed blind.
pub(super) fn start_blind_review(
    session: &mut Session,
    record: Option<&Record>,
) -> Option<(Decision, BlindReview)> {
    let book = session.current;
    let decided = record.is_some_and(|record| record.verdict.is_decided());
    // A decision made before the book was inspected for this sample is what the sample evaluates: it is compared, not changed.
    let sampled = session
        .modes
        .sampling
        .as_ref()
        .is_some_and(|sampling| sampling.awaits_opinion(book, record));
    let revised =
        session.modes.sampling.as_ref().is_some_and(|sampling| {
            record.is_some_and(|record| sampling.may_be_revised(book, record))
        });
    let again = decided && !revised && (session.options.re_review || sampled);
    let seen = session.modes.proposal_seen.contains(&book);
    let is_settled = decided && !again && !revised;
    if !session.modes.blind || seen || session.modes.replay.is_some() || is_settled {
        session.modes.proposal_seen.insert(book);
        return None;
    }
    let fresh = match record.filter(|_| !again) {
        // A draft's annotations were made by a curator: only its cuts are hidden.
        Some(record) => Decision {
            cuts: Default::default(),
            ..Decision {
                unplaced: [true; 2],
                verdict: Verdict::Open,
                ..Decision::of(record)
            }
        },
        None => Decision::unplaced(),
    };
    let blind = BlindReview {
        is_second_look: again,
        cuts_before_reveal: None,
    };
    Some((fresh, blind))
}

/// Keeps the draft of a blind book that is left without a verdict, for this sitting.
pub(super) fn keep_draft(session: &mut Session) {
    if let Some(open) = &session.doc.open
        && let Some(blind) = open.blind
        && (open.has_unsaved_changes() || blind.cuts_before_reveal.is_some())
    {
        let left = (open.decision.clone(), blind);
        session.modes.blind_drafts.insert(session.current, left);
    }
}

/// Restores the draft when the curator comes back to a blind book.
pub(super) fn restore_draft(session: &mut Session) {
    let left = session.modes.blind_drafts.remove(&session.current);
    if let (Some((decision, blind)), Some(open)) = (left, &mut session.doc.open)
        && open.blind.is_some()
    {
        (open.decision, open.blind) = (decision, Some(blind));
        if open.has_unsaved_changes() && open.can_be_drafted() {
            open.save = SaveState::Dirty {
                deadline: session.now,
            };
        }
    }
}

/// Switches blind review on or off from the next book on. It can also end for the book on screen, but not begin.
pub(super) fn switch(session: &mut Session) {
    session.modes.blind = !session.modes.blind;
    let hidden = session
        .doc
        .open
        .as_ref()
        .is_some_and(BookState::hides_proposal);
    match (session.modes.blind, hidden) {
        (true, _) => session.notify(BlindNotice::FromNextBook),
        (false, false) => session.notify(BlindNotice::ShownAgain),
        (false, true) => {
            reveal(session);
            session.notify(BlindNotice::ShownAgainHere);
        }
    }
}

/// Shows the hidden proposal, if both cuts were placed.
pub(super) fn reveal_if_placed(session: &mut Session) {
    let Some(open) = &session.doc.open else {
        return;
    };
    if !open.hides_proposal() {
        session.notify(BlindNotice::NothingHidden);
        return;
    }
    if !open.decision.is_placed() {
        ask_for_cut(session);
        return;
    }
    reveal(session);
    session.notify(BlindNotice::Revealed);
}

/// Reveals the proposal. Cuts that are not placed become the detector's, and the review is no longer blind.
fn reveal(session: &mut Session) {
    let Some(open) = &mut session.doc.open else {
        return;
    };
    let Some(blind) = &mut open.blind else { return };
    if open.decision.is_placed() {
        blind.cuts_before_reveal = Some(open.decision.cuts);
    } else {
        let detected = open.page.detection.cuts;
        let [start, end] = open.decision.unplaced;
        if start {
            open.decision.cuts.preamble_end = detected.preamble_end;
        }
        if end {
            open.decision.cuts.epilogue_start = detected.epilogue_start;
        }
        open.decision.unplaced = [false; 2];
        open.on_disk.unplaced = [false; 2];
        if open.record.is_none() {
            open.on_disk.cuts = detected;
        }
        open.blind = None;
        session.modes.proposal_seen.insert(session.current);
        // Undoing edits of cuts that were placed blind would hide the proposal again.
        session.sitting.history.forget(session.current);
    }
    moves::rebuild(session);
    moves::show_cuts(session);
}

/// The first end whose cut is not placed; the end of the book if both are.
pub(super) fn first_unplaced(open: &BookState) -> End {
    let [start, _] = open.decision.unplaced;
    if start { End::Start } else { End::End }
}

/// Goes to a cut that is not placed, and explains how to place it.
pub(super) fn ask_for_cut(session: &mut Session) {
    let Some(open) = &session.doc.open else {
        return;
    };
    let end = first_unplaced(open);
    if session.doc.end != end {
        session.doc.end = end;
        moves::centre(session, end);
    }
    session.notify(BlindNotice::PlaceCut(end));
}

/// Shows by how much a saved second look differs from the earlier decision.
pub(super) fn compare(session: &mut Session, record: &Record) {
    let Some((review, before)) = record.reviews.split_last() else {
        return;
    };
    let Some(open) = &session.doc.open else {
        return;
    };
    let record = Record {
        reviews: before.to_vec(),
        ..record.clone()
    };
    let old = earlier_decision(&record, &session.options.curator);
    let found = line_distance(&open.page, (review.verdict, review.cuts), old);
    session
        .sitting
        .tally
        .second_looks
        .insert(session.current, found);
    let name = session.entries[session.current].name().to_owned();
    session.notify(BlindNotice::SecondLook {
        name,
        lines: found,
        before: old.0,
    });
}

/// The next book to decide, or to review again.
pub(super) fn next(session: &Session, from: usize) -> Option<usize> {
    if let Some(sampling) = &session.modes.sampling {
        let waits = |book: usize| {
            let standing = session.entries[book].status;
            let readable = !matches!(standing, ReviewStatus::Unreadable | ReviewStatus::Broken);
            book != from && readable && sampling.is_unreviewed(book)
        };
        return session.queue.next_where(from, waits);
    }
    if !session.options.re_review {
        return session.queue.next_to_decide(from, &session.entries);
    }
    let waits = |book: usize| {
        book != from
            && session.entries[book].status.is_decided()
            && !session.sitting.tally.second_looks.contains_key(&book)
    };
    session.queue.next_where(from, waits)
}

/// Records in the sampling plan that a book of the sample was saved.
pub(super) fn record_sampled(session: &mut Session, book: usize, record: Option<&Record>) {
    let (Some(sampling), Some(open)) = (&mut session.modes.sampling, &session.doc.open) else {
        return;
    };
    if let Some(record) = record.filter(|_| session.current == book) {
        let detected = open.page.detection.cuts;
        sampling.record_inspection(book, &open.page.text, record, detected);
    }
}
