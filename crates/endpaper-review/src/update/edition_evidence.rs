//! What the most useful other edition says about the cuts of the open book, found without a key: evidence only. Its digits come
//! after those that are on screen, which it does not change.
//!
//! It is the edition that is shown first for [`Action::Editions`](crate::Action::Editions), a near copy or not. Finding it compares
//! titles, which costs milliseconds for a hundred thousand books ([`same_work`](crate::editions::same_work)); reading and aligning
//! it is left to a loading thread, after any book that is to be opened. Only the cut of a near copy holds Enter up
//! ([`crate::alerts`]): that of another edition may differ for good reasons.

use super::editions::offers_of;
use crate::editions::{EditionComparison, EditionRequest, cut_positions, related_editions};
use crate::message::Effect;
use crate::session::Session;
use std::sync::Arc;

/// Requests the alignment of the open book with its most useful other edition, once for each time it is opened.
pub(super) fn request(session: &mut Session) -> Vec<Effect> {
    session.background.evidence_request = None;
    let Some(open) = &session.doc.open else {
        return Vec::new();
    };
    if open.hides_proposal() || open.dispute.is_some() || session.modes.replay.is_some() {
        return Vec::new();
    }
    let editions = related_editions(&session.entries, session.current);
    let Some(&book) = editions.first() else {
        return Vec::new();
    };
    let (here, positions) = (open.page.clone(), cut_positions(session, open));
    let ticket = session.waits.next_ticket();
    session.background.evidence_request = Some((ticket, book));
    vec![Effect::Align(EditionRequest {
        ticket,
        book,
        here,
        positions,
        hides_proposal: false,
        is_evidence: true,
    })]
}

/// Keeps what the edition says, if the answer is awaited: that of the page on screen, as each page makes a request of its own.
pub(super) fn on_aligned(
    session: &mut Session,
    ticket: u64,
    result: &Result<Arc<EditionComparison>, String>,
) -> bool {
    let awaited = session
        .background
        .evidence_request
        .filter(|(t, _)| *t == ticket);
    let Some((_, book)) = awaited else {
        return false;
    };
    session.background.evidence_request = None;
    if let Ok(edition) = result {
        let found = offers_of(session, edition, Some(book));
        let is_copy = |other| session.entry().is_some_and(|entry| entry.is_copy_of(other));
        let is_of_copy = session.entries.get(book).is_some_and(is_copy);
        if let Some(open) = &mut session.doc.open {
            open.edition_evidence = found;
            open.is_evidence_of_copy = is_of_copy;
        }
    }
    true
}
