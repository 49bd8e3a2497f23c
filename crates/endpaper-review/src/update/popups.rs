//! Keys for popups.

use tui_input::{Input, InputRequest};

use super::admit::{Attempt, admit_or_notify};
use super::{
    bulk, corpus_search, display, editions, heat_books, inside, lists, mark_all, marks, moves,
    occurrences, opening, versions,
};
use crate::action::{Action, KeyContext};
use crate::bulk::BulkMark;
use crate::chord::{Chord, ChordKey, NamedKey};
use crate::keymap::Lookup;
use crate::message::Effect;
use crate::popup::{ConfirmQuestion, Picker, PickerPurpose, Popup, PromptPurpose};
use crate::scroll_text::ScrollText;
use crate::search::PageSearch;
use crate::session::{KeyNotice, MarkNotice, Session};

/// Maximum length of a prompt, in characters.
const MAX_PROMPT_CHARS: usize = 2000;

/// Whether a key need not wait for a book or a save: closing a popup, or answering the last question.
pub(super) fn answers_at_once(session: &Session, chord: Chord) -> bool {
    let keymap = &session.keymap;
    let closes = keymap.lookup_over(KeyContext::List, chord) == Some(Action::ListClose)
        || keymap.lookup_over(KeyContext::Prompt, chord) == Some(Action::PromptLeave);
    let last = matches!(
        session.screen.popups.last(),
        Some(Popup::Confirm(ConfirmQuestion::QuitUnsaved { .. }))
    );
    closes || last
}

/// The result of a key that was given to the popup on top.
pub(super) enum PopupAnswer {
    /// The popup handled it.
    Done(Vec<Effect>),
    /// The popup is closed, and the key has its usual meaning.
    Press,
    /// The popup is closed, and this action was chosen from it.
    Run(Action),
}

/// Handles a key while a popup is open.
pub(super) fn key(session: &mut Session, chord: Chord) -> PopupAnswer {
    let effects = match session.screen.popups.last_mut() {
        Some(Popup::Prompt { .. }) => prompt(session, chord),
        Some(Popup::Confirm(_)) => confirm(session, chord),
        Some(Popup::Evidence(_)) => return evidence(session, chord),
        Some(Popup::Editions(_)) => editions::key(session, chord),
        Some(Popup::Guidelines(_)) => {
            scroll(session, chord, Action::Guidelines);
            Vec::new()
        }
        Some(Popup::Bytes(_)) => {
            scroll(session, chord, Action::Bytes);
            Vec::new()
        }
        Some(_) => return list(session, chord),
        None => Vec::new(),
    };
    PopupAnswer::Done(effects)
}

/// Whether a key only closes the popup that an action opened.
fn only_closes(session: &Session, chord: Chord, opened_by: Action) -> bool {
    let keymap = &session.keymap;
    let closes = matches!(
        keymap.lookup_over(KeyContext::List, chord),
        Some(Action::ListClose | Action::ListChoose)
    );
    let on_page = keymap.lookup(&[chord]);
    closes || on_page == Lookup::Matched(Action::Quit) || on_page == Lookup::Matched(opened_by)
}

/// Scrolls the evidence if it is longer than the screen; any other key closes it and then has its usual effect.
fn evidence(session: &mut Session, chord: Chord) -> PopupAnswer {
    let paper = session
        .screen
        .popups
        .last()
        .and_then(|popup| ScrollText::of(session, popup));
    let longer = paper.is_some_and(|paper| paper.last() > 0);
    let scrolls = matches!(
        session.keymap.lookup_over(KeyContext::List, chord),
        Some(
            Action::ListDown
                | Action::ListUp
                | Action::ListPageDown
                | Action::ListPageUp
                | Action::ListFirst
                | Action::ListLast
        )
    );
    if longer && scrolls {
        scroll(session, chord, Action::Evidence);
        return PopupAnswer::Done(Vec::new());
    }
    session.screen.popups.pop();
    let again = session.keymap.lookup(&[chord]) == Lookup::Matched(Action::Evidence);
    if again && display::fits_evidence_panel(session) {
        // The popup covered the panel, which showed only a part: the same key hides both.
        session.screen.view_options.evidence = false;
    }
    match only_closes(session, chord, Action::Evidence) {
        true => PopupAnswer::Done(Vec::new()),
        false => PopupAnswer::Press,
    }
}

/// Scrolls a text with the keys of lists or pages; other keys close it.
fn scroll(session: &mut Session, chord: Chord, opened_by: Action) {
    if only_closes(session, chord, opened_by) {
        session.screen.popups.pop();
        return;
    }
    let paper = session
        .screen
        .popups
        .last()
        .and_then(|popup| ScrollText::of(session, popup));
    let Some(paper) = paper else {
        // Nothing is left to show.
        session.screen.popups.pop();
        return;
    };
    let (last, page) = (paper.last(), paper.height.max(2) - 1);
    let on_page = match session.keymap.lookup(&[chord]) {
        Lookup::Matched(action) => Some(action),
        _ => None,
    };
    let action = session
        .keymap
        .lookup_over(KeyContext::List, chord)
        .or(on_page);
    let Some(Popup::Guidelines(top) | Popup::Evidence(top) | Popup::Bytes(top)) =
        session.screen.popups.last_mut()
    else {
        return;
    };
    let at = paper.top;
    *top = match action {
        Some(Action::ListDown | Action::Down) => at + 1,
        Some(Action::ListUp | Action::Up) => at.saturating_sub(1),
        Some(Action::ListPageDown | Action::PageDown) => at + page,
        Some(Action::ListPageUp | Action::PageUp) => at.saturating_sub(page),
        Some(Action::ListFirst | Action::Top) => 0,
        Some(Action::ListLast | Action::Bottom) => last,
        _ => at,
    }
    .min(last);
}

/// Opens the prompt of an action.
pub(super) fn ask(session: &mut Session, action: Action) {
    if action == Action::SearchCorpus {
        session.screen.popups.push(Popup::Prompt {
            purpose: PromptPurpose::Corpus,
            input: Input::default(),
        });
        return;
    }
    let Some(book) = &session.doc.open else {
        return;
    };
    let (asks, text) = match action {
        Action::Note => (PromptPurpose::Note, book.decision.note.clone()),
        Action::Search => (PromptPurpose::Search, String::new()),
        _ => (PromptPurpose::Line, String::new()),
    };
    session.screen.popups.push(Popup::Prompt {
        purpose: asks,
        input: Input::new(text),
    });
}

/// Inserts pasted text into a prompt, as one line.
pub(super) fn paste(session: &mut Session, text: &str) -> Vec<Effect> {
    if let Some(Popup::Prompt { input, .. }) = session.screen.popups.last_mut() {
        for c in text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(MAX_PROMPT_CHARS)
        {
            input.handle(InputRequest::InsertChar(c));
        }
    }
    Vec::new()
}

/// Handles a key in the prompt.
fn prompt(session: &mut Session, chord: Chord) -> Vec<Effect> {
    let action = session.keymap.lookup_over(KeyContext::Prompt, chord);
    if action == Some(Action::PromptKeep) && is_refused(session, Action::PromptKeep) {
        return Vec::new();
    }
    let Some(Popup::Prompt {
        purpose: asks,
        input,
    }) = session.screen.popups.last_mut()
    else {
        return Vec::new();
    };
    match action {
        Some(Action::PromptLeave) => {
            session.screen.popups.pop();
        }
        Some(Action::PromptKeep) => {
            let (asks, text) = (*asks, input.value().to_owned());
            session.screen.popups.pop();
            return answer(session, asks, &text);
        }
        _ => {
            if let Some(request) = edit(chord) {
                input.handle(request);
            }
        }
    }
    Vec::new()
}

/// The change to the prompt's text that a key makes.
fn edit(chord: Chord) -> Option<InputRequest> {
    if let Some(c) = chord.inserts() {
        return Some(InputRequest::InsertChar(c));
    }
    Some(match (chord.code, chord.ctrl) {
        (ChordKey::Named(NamedKey::Backspace), false) => InputRequest::DeletePrevChar,
        (ChordKey::Named(NamedKey::Delete), _) => InputRequest::DeleteNextChar,
        (ChordKey::Named(NamedKey::Left), false) => InputRequest::GoToPrevChar,
        (ChordKey::Named(NamedKey::Right), false) => InputRequest::GoToNextChar,
        (ChordKey::Named(NamedKey::Left), true) => InputRequest::GoToPrevWord,
        (ChordKey::Named(NamedKey::Right), true) => InputRequest::GoToNextWord,
        (ChordKey::Named(NamedKey::Home), _) | (ChordKey::Char('a'), true) => {
            InputRequest::GoToStart
        }
        (ChordKey::Named(NamedKey::End), _) | (ChordKey::Char('e'), true) => InputRequest::GoToEnd,
        (ChordKey::Char('w'), true) => InputRequest::DeletePrevWord,
        (ChordKey::Char('u'), true) => InputRequest::DeleteLine,
        (ChordKey::Char('k'), true) => InputRequest::DeleteTillEnd,
        _ => return None,
    })
}

/// Applies the text of the prompt.
fn answer(session: &mut Session, asks: PromptPurpose, text: &str) -> Vec<Effect> {
    match asks {
        PromptPurpose::Corpus => return corpus_search::ask(session, text),
        PromptPurpose::Note => {
            let note = text.trim().to_owned();
            marks::change(session, None, |decision| decision.note = note);
        }
        PromptPurpose::NoteAll => mark_all::ask(session, BulkMark::Note(text.trim().to_owned())),
        PromptPurpose::Why => marks::add_alternative(session, text.trim()),
        PromptPurpose::Line => match text.trim().parse::<u32>() {
            Ok(line) => moves::jump(session, line),
            Err(_) => session.notify(KeyNotice::NoLineNumber(text.to_owned())),
        },
        PromptPurpose::Search => search(session, text),
    }
    Vec::new()
}

/// Searches the open book for a text.
fn search(session: &mut Session, text: &str) {
    let Some(book) = &session.doc.open else {
        return;
    };
    if text.is_empty() {
        session.doc.search = None;
        return;
    }
    session.doc.search = PageSearch::new(text, &book.page);
    moves::run(session, Action::NextMatch, 1);
}

/// Handles the answer to a question.
fn confirm(session: &mut Session, chord: Chord) -> Vec<Effect> {
    if !matches!(chord.code, ChordKey::Char('y' | 'Y')) {
        session.screen.popups.pop();
        return Vec::new();
    }
    if is_refused(session, Action::ListChoose) {
        return Vec::new();
    }
    let Some(Popup::Confirm(question)) = session.screen.popups.pop() else {
        return Vec::new();
    };
    match question {
        ConfirmQuestion::InsideAll(blocks) => {
            let count = blocks.len();
            if marks::change(session, None, |decision| inside::add(decision, blocks)) {
                session.notify(MarkNotice::MoreInside(count));
            }
            Vec::new()
        }
        ConfirmQuestion::MarkAll { mark, books, .. } => bulk::start(session, mark, books),
        ConfirmQuestion::QuitUnsaved { .. } => vec![Effect::Quit],
    }
}

/// The action that the popup on top answers, if `action` gives an answer about the book or the queue.
fn answered(session: &Session, action: Action) -> Option<Action> {
    let keeps = matches!(
        action,
        Action::ListChoose | Action::ListMark | Action::PromptKeep
    );
    match session.screen.popups.last()? {
        Popup::Queue(_) if action == Action::ListKeep => Some(Action::Filter),
        Popup::Words {
            purpose: PickerPurpose::Encoding,
            ..
        } if action == Action::ListKeep => Some(Action::Encoding),
        _ if !keeps => None,
        Popup::Prompt { purpose: asks, .. } => match asks {
            PromptPurpose::Note => Some(Action::Note),
            PromptPurpose::NoteAll => Some(Action::MarkAll),
            PromptPurpose::Why => Some(Action::Alternative),
            _ => None,
        },
        Popup::Words { purpose, .. } => Some(match purpose {
            PickerPurpose::Filter => Action::Filter,
            PickerPurpose::Order => Action::Order,
            PickerPurpose::Flag => Action::Flag,
            PickerPurpose::MarkAll => Action::MarkAll,
            PickerPurpose::Encoding => Action::Encoding,
        }),
        Popup::Versions(_) => Some(Action::Versions),
        Popup::Confirm(ConfirmQuestion::InsideAll(_)) => Some(Action::Inside),
        Popup::Confirm(ConfirmQuestion::MarkAll { .. }) => Some(Action::MarkAll),
        _ => None,
    }
}

/// Closes the popup on top and shows the reason if the current mode does not allow its answer.
fn is_refused(session: &mut Session, action: Action) -> bool {
    let Some(answered) = answered(session, action) else {
        return false;
    };
    let refused = !admit_or_notify(session, Attempt::Answer(answered));
    if refused {
        session.screen.popups.pop();
    }
    refused
}

/// Handles a key in a list.
fn list(session: &mut Session, chord: Chord) -> PopupAnswer {
    let page = isize::from(session.screen.size.1 as i16).max(8) - 6;
    let action = session.keymap.lookup_over(KeyContext::List, chord);
    let step = match action {
        Some(Action::ListDown) => Some(1),
        Some(Action::ListUp) => Some(-1),
        Some(Action::ListPageDown) => Some(page),
        Some(Action::ListPageUp) => Some(-page),
        Some(Action::ListFirst) => Some(isize::MIN + 1),
        Some(Action::ListLast) => Some(isize::MAX),
        _ => None,
    };
    if let Some(step) = step {
        with_picker(session, |picker| picker.step(step));
        return PopupAnswer::Done(Vec::new());
    }
    if action.is_some_and(|action| is_refused(session, action)) {
        return PopupAnswer::Done(Vec::new());
    }
    match action {
        Some(Action::ListClose) => {
            session.screen.popups.pop();
        }
        Some(Action::ListChoose) => return chosen(session),
        Some(Action::ListMark) if lists::is_flags(session) => lists::toggle_flag(session),
        Some(Action::ListKeep) => return PopupAnswer::Done(lists::keep(session)),
        _ => {
            type_filter(session, chord);
        }
    }
    PopupAnswer::Done(Vec::new())
}

/// Edits the filter of a list with the keys for editing a line of text.
fn type_filter(session: &mut Session, chord: Chord) {
    let Some(request) = edit(chord) else { return };
    with_picker(session, |picker| match request {
        InputRequest::InsertChar(c) => picker.push(c),
        InputRequest::DeletePrevChar => picker.pop_char(),
        InputRequest::DeletePrevWord => picker.pop_word(),
        InputRequest::DeleteLine => picker.clear(),
        _ => {}
    });
    lists::find(session);
}

/// Operations that every list supports.
pub(super) trait AnyPicker {
    /// Moves the selection by rows.
    fn step(&mut self, step: isize);
    /// Appends a character to the filter.
    fn push(&mut self, c: char);
    /// Removes the last character of the filter.
    fn pop_char(&mut self);
    /// Removes the last word of the filter.
    fn pop_word(&mut self);
    /// Clears the filter.
    fn clear(&mut self);
}

impl<T> AnyPicker for Picker<T> {
    fn step(&mut self, step: isize) {
        Picker::step(self, step);
    }

    fn push(&mut self, c: char) {
        Picker::push(self, c);
    }

    fn pop_char(&mut self) {
        Picker::pop_char(self);
    }

    fn pop_word(&mut self) {
        Picker::pop_word(self);
    }

    fn clear(&mut self) {
        Picker::clear(self);
    }
}

/// Changes the list that is open.
fn with_picker(session: &mut Session, act: impl FnOnce(&mut dyn AnyPicker)) {
    match session.screen.popups.last_mut() {
        Some(Popup::Help(picker)) => act(picker),
        Some(Popup::Queue(picker) | Popup::Books { picker, .. }) => act(picker),
        Some(Popup::Versions(picker)) => act(picker),
        Some(Popup::Words { picker, .. }) => act(picker),
        Some(Popup::Outline { picker, .. }) => act(picker),
        Some(Popup::Found { picker, .. }) => act(picker),
        Some(Popup::Occurrences) => {
            if let Some(list) = &mut session.background.occurrences.list {
                list.has_user_choice = true;
                act(&mut list.picker);
            }
        }
        _ => {}
    }
}

/// Applies the selected row of a list.
fn chosen(session: &mut Session) -> PopupAnswer {
    let effects = match session.screen.popups.last() {
        Some(Popup::Help(picker)) => {
            let action = picker.choice().copied();
            session.screen.popups.pop();
            return action.map_or_else(|| PopupAnswer::Done(Vec::new()), PopupAnswer::Run);
        }
        Some(popup @ (Popup::Queue(picker) | Popup::Books { picker, .. })) => {
            let book = picker.choice().copied();
            let how = match popup {
                Popup::Books { selection: how, .. } => how,
                _ => "search",
            };
            session.screen.popups.pop();
            match book {
                Some(book) if session.background.heat.shown => heat_books::choose(session, book),
                Some(book) => opening::open_picked(session, book, how),
                None => Vec::new(),
            }
        }
        Some(Popup::Versions(picker)) => {
            let version = picker.choice().copied();
            session.screen.popups.pop();
            version.map_or_else(Vec::new, |version| versions::settle(session, version))
        }
        Some(Popup::Words { .. }) => lists::word(session),
        Some(Popup::Occurrences) => occurrences::choose(session),
        Some(Popup::Found { .. }) => corpus_search::choose(session),
        Some(Popup::Outline { picker, .. }) => {
            let line = picker.choice().copied();
            session.screen.popups.pop();
            if let Some(line) = line {
                moves::jump(session, line);
            }
            Vec::new()
        }
        _ => Vec::new(),
    };
    PopupAnswer::Done(effects)
}
