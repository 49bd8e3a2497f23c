//! Marks for all books of a filtered queue: choosing one, and setting it on one book after another.
//!
//! Each record is read, changed and saved as if its book were open, but adds no review: a mark is no opinion about the cuts. Keys
//! wait until all are saved; Esc stops. [`super::bulk_undo`] takes a mark back.

use super::record::draft_record;
use super::{drafts, keys, showing, sitting_marks};
use crate::bulk::{BulkChange, BulkMark, MarkedEntry};
use crate::decision::{Decision, SaveState};
use crate::entry::{ReviewStatus, labelling_signature};
use crate::flags::{flag_names, meaning_of};
use crate::message::{Effect, Opened, SaveRequest};
use crate::popup::{ConfirmQuestion, Picker, PickerPurpose, Popup, PromptPurpose};
use crate::session::{
    BulkNotice, BulkRun, BulkSave, BulkTally, BulkWork, LeftOut, PendingSave, QueueNotice,
    SaveNotice, SaveOutcome, Session, Waiting,
};
use endpaper_text::wording::plural;
use endpaper_truth::{Record, SaveError, SavedRecord, StoredRecord};

/// The row of the list that asks for a note.
const NOTE: &str = "note";
/// Number of books that are prepared while one is marked.
const AHEAD: usize = 3;

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
fn rows(session: &Session) -> Vec<(String, (String, bool))> {
    let of = session.queue.books.len();
    let entries = session.queue.books.iter();
    let entries: Vec<_> = entries.filter_map(|&at| session.entries.get(at)).collect();
    let mut rows = Vec::new();
    let mut row = |word: String, about: &str, have: usize| {
        let have = match have {
            0 => String::new(),
            have => format!(" ({have} of {of} have it)"),
        };
        let text = format!("{word:29} {about}{have}");
        rows.push((text.trim_end().to_owned(), (word, false)));
    };
    let mut pair = |on: BulkMark, off: BulkMark, about: &str, have: usize| {
        if have < of {
            row(on.to_string(), about, have);
        }
        if have > 0 {
            row(off.to_string(), about, have);
        }
    };
    let hard = entries.iter().filter(|entry| entry.hard).count();
    let about = "another line could be defended";
    pair(BulkMark::Hard(true), BulkMark::Hard(false), about, hard);
    let known: Vec<&str> = flag_names().collect();
    let mut flags = known.clone();
    for flag in entries.iter().flat_map(|entry| &entry.flags) {
        if !flags.contains(&flag.as_str()) {
            flags.push(flag);
        }
    }
    for flag in flags {
        let has = |flags: &[String]| flags.iter().any(|other| other == flag);
        let have = entries.iter().filter(|entry| has(&entry.flags)).count();
        let mark = |flag: &str| flag.to_owned();
        pair(
            BulkMark::Flag(mark(flag)),
            BulkMark::NoFlag(mark(flag)),
            meaning_of(flag),
            have,
        );
    }
    let note = format!("{NOTE:29} a line that is added to the notes");
    rows.insert(1, (note, (NOTE.to_owned(), false)));
    rows
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

/// Sets a mark on books.
pub(super) fn start(session: &mut Session, mark: BulkMark, books: Vec<usize>) -> Vec<Effect> {
    let id = session.waits.next_ticket();
    run(session, id, mark, books)
}

/// Sets a mark on books as the step `id` of the history.
pub(super) fn run(
    session: &mut Session,
    id: u64,
    mark: BulkMark,
    books: Vec<usize>,
) -> Vec<Effect> {
    // A change of the open book that is not saved yet comes first.
    let mut effects = drafts::save_draft(session);
    session.bulk = Some(BulkWork::Marking(BulkRun {
        id,
        mark,
        total: books.len(),
        left: books.into(),
        asked: None,
        saving: 0,
        tally: BulkTally::default(),
    }));
    effects.extend(advance(session));
    effects
}

/// The run, if one is under way.
fn running(session: &mut Session) -> Option<&mut BulkRun> {
    match &mut session.bulk {
        Some(BulkWork::Marking(run)) => Some(run),
        _ => None,
    }
}

/// Requests the next book, or ends the run.
pub(super) fn advance(session: &mut Session) -> Vec<Effect> {
    let is_opening = matches!(session.waits.waiting, Some(Waiting::Open { .. }));
    loop {
        let Some(run) = running(session).filter(|run| run.asked.is_none() && !is_opening) else {
            return Vec::new();
        };
        let Some(&book) = run.left.front() else {
            if run.saving == 0 {
                finish(session);
            }
            return Vec::new();
        };
        if session.saves.is_underway(book) {
            // Its answer continues.
            return Vec::new();
        }
        let left_out = match session.entries.get(book) {
            Some(entry) if entry.unreadable.is_none() => None,
            _ => Some(LeftOut::Unreadable),
        };
        let unsaved = (!session.saves.has_no_saves(book)).then_some(LeftOut::Unsaved);
        let ticket = session.waits.next_ticket();
        let name = name(session, book);
        let Some(run) = running(session) else {
            return Vec::new();
        };
        run.left.pop_front();
        match left_out.or(unsaved) {
            Some(why) => run.tally.left_out.push((name, why)),
            None => {
                run.asked = Some((ticket, book));
                let next = run.left.iter().take(AHEAD).copied().collect();
                return vec![Effect::Open { ticket, book }, Effect::Preload(next)];
            }
        }
    }
}

/// Requests the book again that is being read: another request may have replaced it.
pub(super) fn ask_again(session: &mut Session) -> Vec<Effect> {
    let Some(run) = running(session) else {
        return Vec::new();
    };
    if let Some((_, book)) = run.asked.take() {
        run.left.push_front(book);
    }
    advance(session)
}

/// Whether the run requested a book with this ticket.
pub(super) fn awaits(session: &Session, ticket: u64) -> bool {
    match &session.bulk {
        Some(BulkWork::Marking(run)) => run.asked.is_some_and(|(asked, _)| asked == ticket),
        _ => false,
    }
}

/// Marks a book that was read.
pub(super) fn on_read(session: &mut Session, opened: Opened) -> Vec<Effect> {
    let Some(run) = running(session) else {
        return Vec::new();
    };
    run.asked = None;
    let (id, mark, book) = (run.id, run.mark.clone(), opened.book);
    let marked = marked_record(session, &opened, &mark);
    let name = name(session, book);
    let Some(run) = running(session) else {
        return Vec::new();
    };
    let mut effects = Vec::new();
    match marked {
        Ok(None) => run.tally.unchanged += 1,
        Err(why) => run.tally.left_out.push((name, why)),
        Ok(Some((record, decision))) => {
            run.saving += 1;
            let ticket = session.waits.next_ticket();
            session.sitting.history.begin_bulk(id, &mark);
            session.saves.send(PendingSave {
                ticket,
                book,
                record: Some(record.clone()),
                decision,
                before: opened.snapshot.clone(),
                then: None,
                settles: Vec::new(),
                bulk: Some(BulkSave { id, mark }),
            });
            effects.push(Effect::Save(SaveRequest {
                ticket,
                record,
                expected: opened.snapshot,
                settles: Vec::new(),
            }));
        }
    }
    if let Some(run) = running(session) {
        let (done, total) = (run.total - run.left.len(), run.total);
        let mark = run.mark.clone();
        session.notify(BulkNotice::Marking { mark, done, total });
    }
    effects.extend(advance(session));
    if session.bulk.is_none() {
        effects.extend(keys::replay(session));
    }
    effects
}

/// The record of a book with the mark, and its decision; `None` if it has the mark already.
fn marked_record(
    session: &Session,
    opened: &Opened,
    mark: &BulkMark,
) -> Result<Option<(Box<Record>, Decision)>, LeftOut> {
    if opened.trouble.is_some() {
        return Err(LeftOut::NoRecord);
    }
    match (&opened.record, &opened.page) {
        (StoredRecord::Broken { .. }, _) => Err(LeftOut::BrokenRecord),
        (StoredRecord::Record(record), _) => {
            // Only the mark changes: a record of other bytes keeps their cuts.
            let mut decision = Decision::of(record);
            if !mark.apply(&mut decision) {
                return Ok(None);
            }
            let mut marked = record.clone();
            marked.hard = decision.hard;
            marked.flags.clone_from(&decision.flags);
            marked.note.clone_from(&decision.note);
            Ok(Some((marked, decision)))
        }
        (StoredRecord::Nothing, Err(_)) => Err(LeftOut::Unreadable),
        (StoredRecord::Nothing, Ok(page)) => {
            let other = opened.same_text_record.as_deref();
            let mut decision = showing::undecided(session, opened.book, page, other);
            if !mark.apply(&mut decision) {
                return Ok(None);
            }
            let id = session.entries[opened.book].id();
            let record = draft_record(session, id, page, &decision);
            Ok(Some((Box::new(record), decision)))
        }
    }
}

/// Handles the answer of the disk to a record that was marked.
pub(super) fn on_saved(
    session: &mut Session,
    save: PendingSave,
    bulk: BulkSave,
    result: Result<SavedRecord, SaveError>,
    outcome: SaveOutcome,
) -> Vec<Effect> {
    let (book, name) = (save.book, name(session, save.book));
    let mut effects = Vec::new();
    let error = match result {
        Ok(saved) => {
            keep(session, save, &bulk, saved);
            None
        }
        Err(error) => Some(error),
    };
    let on_screen = session.current == book && session.doc.open.is_some();
    if outcome == SaveOutcome::Superseded {
        session.sitting.history.forget(book);
        if on_screen {
            effects = session.ask_for(book, None);
        }
    } else if let (Some(error), true) = (&error, on_screen)
        && let Some(open) = &mut session.doc.open
    {
        // An edit of the book is then saved with the mark.
        bulk.mark.apply(&mut open.decision);
        open.save = SaveState::Failed(error.to_string());
    }
    match running(session).filter(|run| run.id == bulk.id) {
        Some(run) => {
            run.saving -= 1;
            match &error {
                None => run.tally.changed += 1,
                Some(_) if outcome == SaveOutcome::Superseded => {
                    run.tally.left_out.push((name, LeftOut::Changed));
                }
                Some(error) => {
                    run.tally.unsaved += 1;
                    run.tally.why = error.to_string();
                }
            }
            effects.extend(advance(session));
        }
        // A record that was tried again after the run.
        None => session.notify(match error {
            None => SaveNotice::AfterAll(name),
            Some(error @ SaveError::Io { .. }) => SaveNotice::Failed(error.to_string()),
            Some(_) => SaveNotice::Conflict(name),
        }),
    }
    if outcome == (SaveOutcome::Failed { asks_to_quit: true }) {
        super::quitting::ask_to_quit(session);
    }
    effects
}

/// Notes a marked book in the queue, in the history, and on screen if it is open.
fn keep(session: &mut Session, save: PendingSave, bulk: &BulkSave, saved: SavedRecord) {
    let book = save.book;
    let (Some(record), Some(known)) = (&save.record, known(session, book)) else {
        return;
    };
    session.sitting.tally.files.insert(saved.path);
    let entry = &mut session.entries[book];
    entry.hard = record.hard;
    entry.flags.clone_from(&record.flags);
    entry.labelling_signature = labelling_signature(record);
    entry.status = match (entry.status, record.verdict.is_decided()) {
        (ReviewStatus::Undecided | ReviewStatus::Recorded, false) => ReviewStatus::Draft,
        (ReviewStatus::Recorded, true) => ReviewStatus::Decided(record.verdict),
        (status, _) => status,
    };
    match bulk.mark {
        BulkMark::Hard(true) => drop(session.sitting.tally.hard.insert(book)),
        BulkMark::Hard(false) => drop(session.sitting.tally.hard.remove(&book)),
        _ => {}
    }
    let words = sitting_marks::describe(&save.decision);
    session.sitting.marks.insert(book, words);
    let change = BulkChange {
        book,
        before: save.before,
        after: saved.now.clone(),
        known,
    };
    session.sitting.history.add_to_bulk(bulk.id, change);
    if session.current == book
        && let Some(open) = &mut session.doc.open
    {
        bulk.mark.apply(&mut open.decision);
        bulk.mark.apply(&mut open.on_disk);
        open.snapshot = saved.now;
        open.record = save.record;
        if !open.has_unsaved_changes() {
            open.save = SaveState::Saved;
        }
    }
}

/// What the queue and the sitting say of a book now.
fn known(session: &Session, book: usize) -> Option<MarkedEntry> {
    let entry = session.entries.get(book)?;
    Some(MarkedEntry {
        status: entry.status,
        hard: entry.hard,
        flags: entry.flags.clone(),
        labelling_signature: entry.labelling_signature,
        listed: session.sitting.marks.get(&book).cloned(),
        counts_as_hard: session.sitting.tally.hard.contains(&book),
    })
}

/// Stops a run: what is being saved ends, the other books stay as they are.
pub(super) fn stop(session: &mut Session) {
    let Some(run) = running(session) else { return };
    run.tally.stopped += run.left.len() + usize::from(run.asked.take().is_some());
    run.left.clear();
    if run.saving == 0 {
        finish(session);
    }
}

/// Drops what refers to books by their index, as the list of books changes.
pub(super) fn forget_books(session: &mut Session) {
    stop(session);
    let is_asked = |popup: &Popup| matches!(popup, Popup::Confirm(ConfirmQuestion::MarkAll { .. }));
    session.screen.popups.retain(|popup| !is_asked(popup));
}

/// Ends a run with a report.
fn finish(session: &mut Session) {
    if let Some(BulkWork::Marking(run)) = session.bulk.take() {
        session.notify(BulkNotice::Marked {
            mark: run.mark,
            tally: run.tally,
        });
    }
}

/// The name of a book.
pub(super) fn name(session: &Session, book: usize) -> String {
    let entry = session.entries.get(book);
    entry.map_or_else(String::new, |entry| entry.name().to_owned())
}
