//! Conflicts: two curators changed one record at the same time. Both versions are on disk; the curator chooses one, and the
//! record keeps the reviews of both.

use super::{drafts, marks};
use crate::decision::Decision;
use crate::message::Effect;
use crate::page::BookPage;
use crate::popup::{Picker, Popup};
use crate::session::{AfterSave, RecordNotice, Session};
use endpaper_truth::Record;

/// Opens the list of the record's versions.
pub(super) fn show(session: &mut Session) {
    let Some(book) = &session.doc.open else {
        return;
    };
    if book.conflict_copies.is_empty() {
        session.notify(RecordNotice::NoVersions);
        return;
    }
    if book.has_unsaved_changes() || session.saves.is_underway(session.current) {
        session.notify(RecordNotice::ConflictCopiesWait);
        return;
    }
    let in_force = match &book.record {
        Some(record) => format!("current: {}", in_words(&book.page, record)),
        None => "current: none, the record was removed".to_owned(),
    };
    let conflict_copies = book.conflict_copies.iter().map(|aside| {
        let words = in_words(&book.page, &aside.record);
        format!("second version: {words}")
    });
    let items = std::iter::once(in_force).chain(conflict_copies);
    let items = items.zip(0..).collect();
    session
        .screen
        .popups
        .push(Popup::Versions(Picker::new(items)));
}

/// Describes a version in one line: its verdict, by whom and when.
fn in_words(page: &BookPage, record: &Record) -> String {
    let by = record.reviews.last().map_or_else(
        || record.verdict.to_string(),
        |review| format!("{} by {} at {}", record.verdict, review.by, review.at),
    );
    if !record.is_decided_on(&page.sha256) {
        return format!("{by}, of another text");
    }
    let first = page.body_first(record.cuts).unwrap_or(0);
    let last = page.cut_position(record.cuts, endpaper_detect::End::End) - 1;
    let last = page.non_blank_at_or_before(last);
    let note = match record.note.as_str() {
        "" => String::new(),
        note => format!(" · {note}"),
    };
    let hard = if record.hard { " · hard" } else { "" };
    format!("{by}: body {first}-{last}{hard}{note}")
}

/// Chooses a version: 0 is the current one, the others are conflict copies. The reviews of all versions are merged into the
/// record, and the conflict copies are removed.
pub(super) fn settle(session: &mut Session, version: usize) -> Vec<Effect> {
    let open = session.doc.open.as_ref();
    let Some(book) = open.filter(|book| book.read_only.is_none()) else {
        return Vec::new();
    };
    if session.saves.is_underway(session.current) {
        session.notify(RecordNotice::SettleAgain);
        return Vec::new();
    }
    let chosen = match version {
        0 => book.record.as_deref(),
        number => book
            .conflict_copies
            .get(number - 1)
            .map(|aside| &aside.record),
    };
    let Some(chosen) = chosen.cloned() else {
        session.notify(RecordNotice::NothingToKeep);
        return Vec::new();
    };
    if version > 0 && !chosen.is_decided_on(&book.page.sha256) {
        session.notify(RecordNotice::OfOtherBytes);
        return Vec::new();
    }
    let mut record = book.record.as_deref().unwrap_or(&chosen).clone();
    for aside in &book.conflict_copies {
        record.add_opinions(&aside.record);
    }
    if version > 0 {
        record.adopt_outcome(&chosen);
    }
    let settles = book
        .conflict_copies
        .iter()
        .map(|aside| aside.path.clone())
        .collect();
    // A current version made on other bytes is kept unchanged; its decision still needs confirmation.
    if record.is_decided_on(&book.page.sha256) {
        marks::set_decision(session, Decision::of(&record));
    }
    drafts::send_record(session, Box::new(record), Some(AfterSave::Stay), settles)
}
