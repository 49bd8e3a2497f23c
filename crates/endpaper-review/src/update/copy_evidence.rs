//! What the nearest copy says about the cuts of the open book, found without a key: evidence only, it changes no digit.

use super::editions::offers_of;
use crate::editions::{EditionComparison, EditionRequest, cut_positions};
use crate::message::Effect;
use crate::session::Session;
use std::sync::Arc;

/// Requests the alignment of the open book with its most useful near copy, once for each time it is opened.
pub(super) fn request(session: &mut Session) -> Vec<Effect> {
    session.background.copy_request = None;
    let (Some(open), Some(entry)) = (&session.doc.open, session.entry()) else {
        return Vec::new();
    };
    if open.hides_proposal() || open.dispute.is_some() || session.modes.replay.is_some() {
        return Vec::new();
    }
    let entries = session.entries.iter().enumerate();
    let copies =
        entries.filter(|&(book, other)| book != session.current && other.is_copy_of(entry));
    // As in the list of editions: decided ones first, then those nearest in length.
    let nearest = copies.min_by_key(|(book, other)| {
        let apart = entry.lines.abs_diff(other.lines);
        (!other.status.is_decided(), apart, *book)
    });
    let Some((book, _)) = nearest else {
        return Vec::new();
    };
    let (here, positions) = (open.page.clone(), cut_positions(session, open));
    let ticket = session.waits.next_ticket();
    session.background.copy_request = Some((ticket, book));
    vec![Effect::Align(EditionRequest {
        ticket,
        book,
        here,
        positions,
        hides_proposal: false,
        is_evidence: true,
    })]
}

/// Keeps what the copy says, if the answer is awaited.
pub(super) fn on_aligned(
    session: &mut Session,
    ticket: u64,
    result: &Result<Arc<EditionComparison>, String>,
) -> bool {
    let awaited = session
        .background
        .copy_request
        .filter(|(t, _)| *t == ticket);
    let Some((_, book)) = awaited else {
        return false;
    };
    session.background.copy_request = None;
    if let Ok(edition) = result {
        let found = offers_of(session, edition, Some(book));
        let same_text = |page: &Arc<crate::BookPage>| Arc::ptr_eq(page, &edition.here);
        if let Some(open) = &mut session.doc.open
            && same_text(&open.page)
        {
            open.copy_evidence = found;
        }
    }
    true
}
