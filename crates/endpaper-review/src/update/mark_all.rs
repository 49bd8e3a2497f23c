//! Choosing a mark for all books of a filtered queue: a list, and a question before anything is written.

use crate::bulk::BulkMark;
use crate::entry::QueueEntry;
use crate::flags::{flag_names, meaning_of};
use crate::popup::{ConfirmQuestion, Picker, PickerPurpose, Popup, PromptPurpose};
use crate::session::{BulkNotice, QueueNotice, Session};
use endpaper_text::wording::plural;

/// The row of the list that asks for a note.
const NOTE: &str = "note";

/// A row of the list: its text, the word that says what it does, and whether it is set, which it never is.
type MarkRow = (String, (String, bool));

/// Opens the list of marks, if the queue is filtered.
pub(super) fn show(session: &mut Session) {
    let count = session.queue.books.len();
    if !session.queue.is_narrowed() {
        session.notify(BulkNotice::NotFiltered(count));
        return;
    }
    if count == 0 {
        let what = session.queue.what();
        session.notify(QueueNotice::Empty { what });
        return;
    }
    session.screen.popups.push(Popup::Words {
        title: format!("for {count} {} of the queue", plural(count, "book")),
        purpose: PickerPurpose::MarkAll,
        picker: Picker::new(rows(session)),
    });
}

/// The marks that would change a book of the queue, as far as its entry says.
fn rows(session: &Session) -> Vec<MarkRow> {
    let entries = session.queue.books.iter();
    let entries: Vec<&QueueEntry> = entries.filter_map(|&at| session.entries.get(at)).collect();
    let of = entries.len();
    let hard = entries.iter().filter(|entry| entry.hard).count();
    let about = "another line could be defended";
    let mut rows = pair(BulkMark::Hard(true), BulkMark::Hard(false), about, hard, of);
    let note = "a line that is added to the notes".to_owned();
    rows.push(row(NOTE.to_owned(), note));
    let mut flags: Vec<&str> = flag_names().collect();
    for flag in entries.iter().flat_map(|entry| &entry.flags) {
        if !flags.contains(&flag.as_str()) {
            flags.push(flag);
        }
    }
    for flag in flags {
        let has = |entry: &&&QueueEntry| entry.flags.iter().any(|other| other == flag);
        let have = entries.iter().filter(has).count();
        let [on, off] = [
            BulkMark::Flag(flag.to_owned()),
            BulkMark::NoFlag(flag.to_owned()),
        ];
        rows.extend(pair(on, off, meaning_of(flag), have, of));
    }
    rows
}

/// The rows of a mark that `have` of `of` books have: setting it, unless all have it, and removing it, if any has it.
fn pair(on: BulkMark, off: BulkMark, about: &str, have: usize, of: usize) -> Vec<MarkRow> {
    let about = match have {
        0 => about.to_owned(),
        _ => format!("{about} ({have} of {of} have it)"),
    };
    let marks = [(on, have < of), (off, have > 0)];
    let useful = marks.into_iter().filter(|(_, is_useful)| *is_useful);
    useful
        .map(|(mark, _)| row(mark.to_string(), about.clone()))
        .collect()
}

/// A row of the list.
fn row(word: String, about: String) -> MarkRow {
    let text = format!("{word:29} {about}").trim_end().to_owned();
    (text, (word, false))
}

/// Handles a row of the list.
pub(super) fn choose(session: &mut Session, word: &str) {
    if word == NOTE {
        session.screen.popups.push(Popup::Prompt {
            purpose: PromptPurpose::NoteAll,
            input: tui_input::Input::default(),
        });
    } else if let Some(mark) = BulkMark::parse(word) {
        ask(session, mark);
    }
}

/// Asks before anything is written, with the number of books.
pub(super) fn ask(session: &mut Session, mark: BulkMark) {
    if mark == BulkMark::Note(String::new()) {
        return;
    }
    let question = ConfirmQuestion::MarkAll {
        mark,
        books: session.queue.books.clone(),
        what: session.queue.what(),
    };
    session.screen.popups.push(Popup::Confirm(question));
}
