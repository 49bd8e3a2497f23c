//! Everything a curator records except the cuts: kind, hard, flags, note, alternatives.

use super::{moves, sitting_marks};
use crate::decision::{BookState, Decision, SaveState};
use crate::history::Edit;
use crate::page::BookPage;
use crate::popup::{Popup, PromptPurpose};
use crate::session::{MarkNotice, Session};
use endpaper_detect::End;
use endpaper_truth::{Alternative, RecordKind, Verdict};

/// A change without a verdict is saved as a draft after this many milliseconds without another.
const DRAFT_AFTER: u64 = 1000;

/// Edits the decision of the open book: records the edit for undo, marks the book as unsaved and rebuilds the rows. Returns
/// `false` if the edit is not allowed or changes nothing.
pub(super) fn change(
    session: &mut Session,
    nudge: Option<End>,
    edit: impl FnOnce(&mut Decision),
) -> bool {
    let now = session.now;
    let Some(book) = &mut session.doc.open else {
        return false;
    };
    if book.read_only.is_some() {
        return false;
    }
    let before = book.decision.clone();
    let mut after = before.clone();
    edit(&mut after);
    if after.cuts != before.cuts
        && matches!(after.verdict, Verdict::Undecidable | Verdict::NotABook)
    {
        // Cuts contradict these verdicts: the book is open again until Enter.
        after.verdict = Verdict::Open;
        if after.kind == RecordKind::NotABook {
            after.kind = RecordKind::Book;
        }
    }
    let only_cuts = Decision {
        cuts: after.cuts,
        verdict: after.verdict,
        unplaced: after.unplaced,
        ..before.clone()
    };
    if book.is_second_look() && after != only_cuts {
        return false;
    }
    let after = after.with_fitting_verdict(book.page.detection.cuts);
    if after == before {
        return false;
    }
    book.decision = after.clone();
    touch(session, now);
    sitting_marks::touch(session);
    let book = session.current;
    session.sitting.history.push(Edit {
        book,
        before,
        after,
        nudge,
        at: now,
        disk: None,
    });
    moves::rebuild(session);
    true
}

/// Sets or clears the deadline of the draft after the decision changed.
pub(super) fn touch(session: &mut Session, now: u64) {
    session.saves.forget_warning();
    let Some(book) = &mut session.doc.open else {
        return;
    };
    let state = if book.has_unsaved_changes() && book.can_be_drafted() {
        SaveState::Dirty {
            deadline: now + DRAFT_AFTER,
        }
    } else {
        session.saves.forget_reverted(session.current);
        SaveState::Clean
    };
    book.save = state;
}

/// Sets what kind of file the open book is.
pub(super) fn kind(session: &mut Session, kind: RecordKind) {
    change(session, None, |decision| {
        decision.kind = kind;
        if decision.verdict == Verdict::NotABook {
            decision.verdict = Verdict::Open;
        }
    });
}

/// Marks the open book as hard, or no longer.
pub(super) fn hard(session: &mut Session) {
    if change(session, None, |decision| decision.hard = !decision.hard) {
        let Some(open) = &session.doc.open else {
            return;
        };
        let flags = open.decision.flags.clone();
        session.notify(match open.decision.hard {
            true => MarkNotice::Hard(flags),
            false => MarkNotice::NotHard(flags),
        });
    }
}

/// Sets or clears a flag of the open book.
pub(super) fn flag(session: &mut Session, flag: &str) {
    let changed = change(session, None, |decision| {
        match decision.flags.iter().position(|f| f == flag) {
            Some(at) => {
                decision.flags.remove(at);
            }
            None => decision.flags.push(flag.to_owned()),
        }
    });
    if let (true, Some(open)) = (changed, &session.doc.open) {
        let flags = open.decision.flags.clone();
        session.notify(MarkNotice::Flagged(flags));
    }
}

/// Adds the line of the cursor as a cut that a second curator could defend, or removes it.
pub(super) fn alternative(session: &mut Session) {
    let (end, line) = (session.doc.end, session.cursor_line());
    let Some(book) = &session.doc.open else {
        return;
    };
    let value = alternative_value(&book.page, end, line);
    if book
        .decision
        .alternatives
        .iter()
        .any(|other| (other.end, other.line) == (end, value))
    {
        if change(session, None, |decision| {
            decision
                .alternatives
                .retain(|other| (other.end, other.line) != (end, value));
        }) {
            session.notify(MarkNotice::AlternativeDropped);
        }
    } else if is_the_cut(book, end, value) {
        session.notify(MarkNotice::AlternativeIsCut);
    } else {
        session.screen.popups.push(Popup::Prompt {
            purpose: PromptPurpose::Why,
            input: tui_input::Input::default(),
        });
    }
}

/// Whether `value` is the placed cut of an end.
fn is_the_cut(book: &BookState, end: End, value: u32) -> bool {
    let place = book.page.cut_position(book.decision.cuts, end);
    let placed = !book.decision.unplaced[end as usize];
    placed && alternative_value(&book.page, end, place) == value
}

/// The value that a record stores for a cut before a line: `preamble_end` or `epilogue_start`.
pub fn alternative_value(page: &BookPage, end: End, line: u32) -> u32 {
    let cuts = page.with_cut_at(Default::default(), end, line);
    match end {
        End::Start => cuts.preamble_end,
        End::End => cuts.epilogue_start.unwrap_or(page.lines() + 1),
    }
}

/// Adds the line of the cursor as a defensible alternative to the cut, with the reason.
pub(super) fn add_alternative(session: &mut Session, why: &str) {
    let (end, line) = (session.doc.end, session.cursor_line());
    let Some(book) = &session.doc.open else {
        return;
    };
    let line = alternative_value(&book.page, end, line);
    let why = why.to_owned();
    if change(session, None, |decision| {
        decision.alternatives.push(Alternative { end, line, why })
    }) {
        session.notify(MarkNotice::AlternativeAdded);
    }
}

/// Sets the decision of the open book without recording an edit.
pub(super) fn set_decision(session: &mut Session, decision: Decision) {
    let Some(open) = &mut session.doc.open else {
        return;
    };
    let moved = open.decision.cuts != decision.cuts;
    let start_moved = open.decision.cuts.preamble_end != decision.cuts.preamble_end;
    open.decision = decision;
    touch(session, session.now);
    moves::rebuild(session);
    let placed = session
        .doc
        .open
        .as_ref()
        .is_some_and(|open| open.blind.is_some() && open.decision.is_placed());
    if moved && placed {
        // The cuts were not placed before: show both.
        moves::show_cuts(session);
    } else if moved {
        session.doc.end = if start_moved {
            endpaper_detect::End::Start
        } else {
            endpaper_detect::End::End
        };
        moves::follow_cut(session, session.doc.end);
    }
}
