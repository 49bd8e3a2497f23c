//! Adjudication: choosing between the opinions on a disputed book.

use super::{marks, moves};
use crate::decision::Decision;
use crate::dispute::panel_height;
use crate::history::Edit;
use crate::session::{DisputeNotice, Session};
use endpaper_truth::merge::joined_notes;

/// Takes the opinion with number `n` as a whole: verdict, both cuts and annotations. Enter saves it. A note that is on screen stays.
pub(super) fn choose(session: &mut Session, n: usize) {
    let Some(open) = session.doc.open.as_ref() else {
        return;
    };
    if open.read_only.is_some() {
        return;
    }
    let opinions = open.curator_opinions();
    let Some(opinion) = n.checked_sub(1).and_then(|at| opinions.get(at)) else {
        session.notify(DisputeNotice::NoSuch(opinions.len()));
        return;
    };
    let taken = match opinion.decision(&open.page) {
        Ok(taken) => taken,
        Err(why) => {
            session.notify(DisputeNotice::Untakable(n, why));
            return;
        }
    };
    let before = open.decision.clone();
    let after = Decision {
        note: joined_notes([&*taken.note, &before.note]),
        ..taken
    }
    .with_fitting_verdict(open.page.detection.cuts);
    if before != after {
        let (book, at) = (session.current, session.now);
        session.sitting.history.push(Edit {
            book,
            before,
            after: after.clone(),
            nudge: None,
            at,
            disk: None,
        });
        let end = session.doc.end;
        marks::set_decision(session, after);
        session.doc.end = end;
        moves::show_cuts(session);
    }
    session.notify(DisputeNotice::Taken(n));
}

/// Keeps, for this sitting, a decision on a book that is left before it can be a draft on disk.
pub(super) fn keep_draft(session: &mut Session) {
    if let Some(open) = &session.doc.open
        && open.dispute.is_some()
        && open.has_unsaved_changes()
        && !open.can_be_drafted()
    {
        let left = open.decision.clone();
        session.modes.dispute_drafts.insert(session.current, left);
    }
}

/// Restores the decision when the curator comes back.
pub(super) fn restore_draft(session: &mut Session) {
    let left = session.modes.dispute_drafts.remove(&session.current);
    if let (Some(decision), Some(open)) = (left, &mut session.doc.open)
        && !open.on_disk.verdict.is_decided()
    {
        open.decision = decision;
    }
}

/// Gives the panel of the opinions the rows it needs on this screen; the layout allows it a third.
pub(super) fn fit_panel(session: &mut Session) {
    let open = session.doc.open.as_ref();
    let open = open.filter(|open| open.dispute.is_some());
    let rows = open.map_or(0, |open| panel_height(open, session.screen.size.0));
    session.screen.view_options.opinions = rows;
}

/// Makes the first end active that the opinions cut differently.
pub(super) fn go_to_difference(session: &mut Session) {
    let open = session.doc.open.as_ref();
    if let Some(end) = open.and_then(|open| open.first_disputed_end()) {
        session.doc.end = end;
    }
}
