//! Mapping keys to actions, and running these.

use super::admit::{Attempt, admit_or_notify};
use super::popups::PopupAnswer;
use super::{
    bulk, cuts, display, editions, encodings, heat, inside, jump_list, lists, mark_all, marks,
    most_doubtful, moves, next_book, occurrences, opening, outline, popups, propagation, quitting,
    replay, saving, sitting_marks, undo, versions,
};
use crate::action::{Action, KeyContext};
use crate::chord::{Chord, ChordKey, NamedKey};
use crate::keymap::Lookup;
use crate::message::Effect;
use crate::session::{Deferred, KeyNotice, Notice, PageNotice, Session, Tone, Waiting};
use endpaper_truth::{RecordKind, Verdict};

/// Highest count, more than the lines of any book.
const HIGHEST: u32 = 99_999;
/// Longest line copied to the clipboard, in characters: terminals accept no more than about 100 KB.
const LONGEST_COPY: usize = 20_000;

/// Handles a key.
pub(super) fn key(session: &mut Session, chord: Chord) -> Vec<Effect> {
    let over = !session.screen.popups.is_empty();
    if session.background.heat.shown && !over {
        // The map needs neither a book nor the disk, so it never waits.
        return match heat::takes_key(session, chord) {
            true => Vec::new(),
            false => press(session, chord),
        };
    }
    let at_once = || match over {
        true => popups::answers_at_once(session, chord),
        false => answers_at_once(session, chord),
    };
    if session.bulk.is_some() && !over && chord == Chord::named(NamedKey::Esc) {
        bulk::stop(session);
        return Vec::new();
    }
    if session.is_waiting() && !at_once() {
        session.keys.typed.push(chord);
        return Vec::new();
    }
    if over {
        return match popups::key(session, chord) {
            PopupAnswer::Done(effects) => effects,
            PopupAnswer::Press => key(session, chord),
            PopupAnswer::Run(action) => run(session, action),
        };
    }
    if session.keys.is_too_soon(session.now) && is_decision(session, chord) {
        drop_unseen(session, chord);
        return Vec::new();
    }
    press(session, chord)
}

/// Drops a verdict or a cut that was meant for the previous screen.
fn drop_unseen(session: &mut Session, chord: Chord) {
    let keys: String = session
        .keys
        .pending
        .drain(..)
        .map(|c| c.to_string())
        .collect();
    session.notify(KeyNotice::TypedTooEarly(format!("{keys}{chord}")));
}

/// Whether a key must not wait for a book or a save: quitting, and passing over books while one is being read.
fn answers_at_once(session: &Session, chord: Chord) -> bool {
    let mut keys = session.keys.pending.clone();
    keys.push(chord);
    let goes_on = |&last: &Chord| session.keymap.lookup(&[last, chord]) != Lookup::NotFound;
    if session.keys.typed.last().is_some_and(goes_on) {
        // The rest of a sequence (`gq`) is not a key by itself (`q`).
        return false;
    }
    match session.keymap.lookup(&keys) {
        // A verdict that waits for a draft comes before quitting.
        Lookup::Matched(Action::Quit) => {
            !matches!(session.saves.deferred(), Some(Deferred::Action(_)))
        }
        Lookup::Matched(Action::Redraw | Action::Suspend | Action::Help) => true,
        Lookup::Matched(Action::NextBook | Action::PreviousBook) => {
            match session.saves.deferred() {
                Some(deferred) => matches!(deferred, Deferred::Open(..)),
                None => matches!(session.waits.waiting, Some(Waiting::Open { .. })),
            }
        }
        _ => false,
    }
}

/// Handles the keys typed while a book was loading. A verdict is dropped, because the curator had not seen the book.
pub(super) fn replay(session: &mut Session) -> Vec<Effect> {
    let mut effects = Vec::new();
    if session.bulk.is_some() {
        return effects;
    }
    for chord in std::mem::take(&mut session.keys.typed) {
        if session.waits.waiting.is_none()
            && session.screen.popups.is_empty()
            && is_decision(session, chord)
        {
            let failed = |notice: &Notice| notice.tone() == Tone::Error;
            match session.screen.notice.as_ref().is_some_and(failed) {
                true => session.keys.pending.clear(),
                false => drop_unseen(session, chord),
            }
            continue;
        }
        effects.extend(key(session, chord));
    }
    effects
}

/// Whether a key gives a verdict, also as the last key of a sequence, or moves a cut to a candidate.
fn is_decision(session: &Session, chord: Chord) -> bool {
    let keys: Vec<Chord> = session
        .keys
        .pending
        .iter()
        .copied()
        .chain([chord])
        .collect();
    let verdict = matches!(
        session.keymap.lookup(&keys),
        Lookup::Matched(Action::Keep | Action::NotABook | Action::Undecidable)
    );
    let digit =
        session.keys.pending.is_empty() && session.keys.count.is_none() && chord.digit().is_some();
    verdict || digit
}

/// Handles a key that does not go to a popup: a count, part of a sequence, or an action.
pub(super) fn press(session: &mut Session, chord: Chord) -> Vec<Effect> {
    if take_count_key(session, chord) {
        return Vec::new();
    }
    if session.keys.pending.is_empty()
        && !session.background.heat.shown
        && let Some(digit @ 1..=9) = chord.digit()
    {
        session.screen.notice = None;
        return cuts::digit(session, digit as usize);
    }
    if !session.keys.pending.is_empty() && chord == Chord::named(NamedKey::Esc) {
        session.keys.pending.clear();
        session.keys.count = None;
        return Vec::new();
    }
    session.keys.pending.push(chord);
    match session.keymap.lookup(&session.keys.pending) {
        Lookup::Pending(_) => Vec::new(),
        Lookup::Matched(action) => {
            session.keys.pending.clear();
            session.screen.notice = None;
            let count = session.keys.count.take().unwrap_or(0);
            run_times(session, action, count)
        }
        Lookup::NotFound => {
            session.keys.count = None;
            let keys: String = session
                .keys
                .pending
                .drain(..)
                .map(|chord| chord.to_string())
                .collect();
            let close = matches!(chord.code, ChordKey::Named(NamedKey::Esc));
            if close && session.modes.replay.is_some() {
                return replay::leave(session);
            }
            if close {
                session.screen.notice = None;
                session.doc.search = None;
                moves::show_tour(session, false);
            } else {
                session.notify(KeyNotice::Unknown(keys));
            }
            Vec::new()
        }
    }
}

/// Handles a key that edits a count: a digit, Backspace, or cancelling. Returns whether it did.
fn take_count_key(session: &mut Session, chord: Chord) -> bool {
    let Some(count) = session
        .keys
        .count
        .filter(|_| session.keys.pending.is_empty())
    else {
        return false;
    };
    session.keys.count = match (chord.digit(), chord.code) {
        (Some(digit), _) => Some((count * 10 + digit).min(HIGHEST)),
        (None, ChordKey::Named(NamedKey::Backspace)) => Some(count / 10),
        (None, ChordKey::Named(NamedKey::Esc)) => None,
        _ => return false,
    };
    true
}

/// Runs an action `count` times, or at line `count`.
fn repeat(session: &mut Session, action: Action, count: u32) -> Vec<Effect> {
    let books = isize::try_from(count).unwrap_or(isize::MAX);
    match action {
        Action::NextBook => return opening::step_in_queue(session, books),
        Action::PreviousBook => return opening::step_in_queue(session, -books),
        Action::Top | Action::Bottom => moves::jump(session, count),
        Action::CutPreviousBlock
        | Action::CutNextBlock
        | Action::CutPreviousGap
        | Action::CutNextGap
        | Action::CutNextMarker
        | Action::CutDown
        | Action::CutUp => cuts::run(session, action, count),
        Action::Down
        | Action::Up
        | Action::PageDown
        | Action::PageUp
        | Action::HalfDown
        | Action::HalfUp
        | Action::NextMatch
        | Action::PreviousMatch => moves::run(session, action, count),
        _ => session.notify(KeyNotice::TakesNoCount(action)),
    }
    Vec::new()
}

/// Runs an action once.
pub(super) fn run(session: &mut Session, action: Action) -> Vec<Effect> {
    run_times(session, action, 0)
}

/// Runs an action if the mode admits it, `count` times or at line `count`; 0: no count was typed.
fn run_times(session: &mut Session, action: Action, count: u32) -> Vec<Effect> {
    if !admit_or_notify(session, Attempt::Run(action)) {
        return Vec::new();
    }
    if session.background.heat.shown {
        return heat::run(session, action, count);
    }
    if let Some(effects) = replay::replay_action(session, action) {
        return effects;
    }
    match count {
        0 => run_once(session, action),
        _ => repeat(session, action, count),
    }
}

/// Runs an action on the page. An action that would collide with a draft being saved waits for it (some milliseconds).
fn run_once(session: &mut Session, action: Action) -> Vec<Effect> {
    let writes = matches!(
        action,
        Action::Keep
            | Action::NotABook
            | Action::Undecidable
            | Action::Undo
            | Action::Redo
            | Action::SaveDraft
    );
    if writes && session.saves.is_underway(session.current) {
        session.saves.defer(Deferred::Action(action));
        return Vec::new();
    }
    match action {
        Action::Keep => saving::keep(session),
        Action::NotABook => saving::decide(session, Verdict::NotABook),
        Action::Undecidable => saving::decide(session, Verdict::Undecidable),
        Action::Undo => undo::undo(session),
        Action::Redo => undo::redo(session),
        Action::SaveDraft => saving::save_now(session),
        Action::NextBook => opening::step_in_queue(session, 1),
        Action::PreviousBook => opening::step_in_queue(session, -1),
        Action::NextOpen => next_book::next_open(session),
        Action::MostDoubtful => most_doubtful::open(session),
        Action::BringUp => propagation::put_targets_next(session),
        Action::OtherBook1 => occurrences::other_book(session, 0),
        Action::OtherBook2 => occurrences::other_book(session, 1),
        Action::OtherBook3 => occurrences::other_book(session, 2),
        Action::Back => jump_list::back(session),
        Action::Editions => editions::show(session),
        Action::Replay => replay::begin(session),
        Action::Editor => open_editor(session),
        Action::CopyLine | Action::CopyId => copy(session, action),
        Action::Mouse => toggle_mouse(session),
        Action::Redraw => vec![Effect::Redraw],
        Action::Suspend => vec![Effect::Suspend],
        Action::Quit => quitting::quit(session),
        _ => {
            run_display_action(session, action);
            Vec::new()
        }
    }
}

/// Runs an action that opens a prompt, a list or a panel.
fn run_display_action(session: &mut Session, action: Action) {
    match action {
        Action::Note | Action::Search | Action::GoToLine | Action::SearchCorpus => {
            popups::ask(session, action);
        }
        Action::Versions => versions::show(session),
        Action::SittingMarks => sitting_marks::show(session),
        Action::Outline => outline::show(session),
        Action::Encoding => encodings::show(session),
        Action::MarkAll => mark_all::show(session),
        Action::Flag | Action::Filter | Action::Order => lists::words(session, action),
        Action::Queue | Action::Siblings | Action::NextUnreadable => lists::books(session, action),
        Action::Occurrences | Action::SameSkeleton => occurrences::show(session, action),
        Action::SeveralBooks => marks::kind(session, RecordKind::SeveralBooks),
        Action::Fragment => marks::kind(session, RecordKind::Fragment),
        Action::OneBook => marks::kind(session, RecordKind::Book),
        Action::Hard => marks::hard(session),
        Action::Alternative => marks::alternative(session),
        Action::Inside => inside::mark(session),
        Action::NextInside => inside::next(session),
        Action::Help => lists::help(session),
        Action::HeatMap => heat::show(session),
        Action::HeatMore | Action::HeatFewer | Action::HeatLines => {
            session.notify(KeyNotice::OnlyOnMap);
        }
        Action::CutHere
        | Action::CutNothing
        | Action::CutDetected
        | Action::CutPreviousBlock
        | Action::CutNextBlock
        | Action::CutPreviousGap
        | Action::CutNextGap
        | Action::CutNextMarker
        | Action::CutDown
        | Action::CutUp => cuts::run(session, action, 1),
        Action::Count => {
            session.keys.count = Some(0);
            session.notify(KeyNotice::CountBegun);
        }
        Action::WholeText
        | Action::Grams
        | Action::QueueColumn
        | Action::Map
        | Action::Evidence
        | Action::Bytes
        | Action::Guidelines
        | Action::Tour
        | Action::BlindMode
        | Action::Reveal
        | Action::Theme => {
            display::show(session, action);
        }
        _ if action.key_context() != KeyContext::Page => {
            session.notify(KeyNotice::OnlyInLists(action));
        }
        _ => moves::run(session, action, 1),
    }
}

/// Requests the user's editor for the open book, at the line of the cursor.
fn open_editor(session: &mut Session) -> Vec<Effect> {
    if session.doc.open.is_none() {
        return Vec::new();
    }
    vec![Effect::Editor {
        book: session.current,
        line: session.cursor_line(),
    }]
}

/// Copies the line of the cursor, or the book's id, to the terminal's clipboard.
fn copy(session: &mut Session, action: Action) -> Vec<Effect> {
    let (line, text) = match (&session.doc.open, action) {
        (Some(book), Action::CopyLine) => {
            let line = session.cursor_line();
            let text = book.page.text.display(line, LONGEST_COPY).into_owned();
            (Some(line), text)
        }
        _ => match session.entry() {
            Some(entry) => (None, entry.id().to_owned()),
            None => return Vec::new(),
        },
    };
    // Control characters could run a command where the text is pasted.
    let text: String = text
        .chars()
        .filter(|&c| c == '\t' || !c.is_control())
        .collect();
    session.notify(PageNotice::Copied(line));
    vec![Effect::Copy(text)]
}

/// Switches the mouse between the program and the terminal, where it selects text.
fn toggle_mouse(session: &mut Session) -> Vec<Effect> {
    session.screen.mouse = !session.screen.mouse;
    session.notify(PageNotice::Mouse(session.screen.mouse));
    vec![Effect::Mouse(session.screen.mouse)]
}
