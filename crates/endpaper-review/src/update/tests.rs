//! Tests of sittings: keys in; cuts, records and messages out. The disk is a map in memory that can be made to fail.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::*;
use crate::action::Action;
use crate::chord::chords;
use crate::copies::CopyComparison;
use crate::decision::ReadOnly;
use crate::dispute::{Dispute, Disputes};
use crate::editions::EditionComparison;
use crate::entry::ReviewStatus;
use crate::keymap::Keymap;
use crate::message::{MouseInput, Opened};
use crate::page::BookPage;
use crate::propagation::{PropagationSource, PropagationTarget, transfer_inside};
use crate::queue::{Queue, QueueOrder};
use crate::rows::{PaneRow, rule_of};
use crate::session::*;
use crate::view::notices;
use crate::{Popup, QueueEntry};
use endpaper_detect::alternation::FrequentGrams;
use endpaper_detect::copies::WordIndex;
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::pipeline::transfer_cuts_to_copy;
use endpaper_detect::{Correction, End, Method, Parameters};
use endpaper_text::corpus::{BookId, BookText};
use endpaper_text::scan::scan;
use endpaper_truth::{
    ConflictCopy, SaveError, SavedRecord, Snapshot, StoredRecord, Verdict, relocate, yaml,
};

/// Asserts that the message line has this form.
macro_rules! assert_said {
    ($desk:expr, $form:pat $(if $also:expr)?) => {{
        let said = $desk.said();
        assert!(matches!(said, Some($form) $(if $also)?), "{said:?}");
    }};
}

mod admit;
mod alerts;
mod any_order;
mod blind;
mod bulk;
mod cold_start;
mod copies;
mod corpus_search;
mod dispute;
mod edition_evidence;
mod editions;
mod encodings;
mod evidence;
mod filter;
mod grams;
mod heat;
mod inside;
mod keys;
mod learning;
mod marks;
mod mouse;
mod occurrences;
mod order;
mod others;
mod outline;
mod outlook;
mod runs;
mod saving;
mod slow;
mod typing;

/// A session with texts and a disk.
struct UpdateFixture {
    session: Session,
    texts: Vec<(&'static str, String)>,
    disk: BTreeMap<String, Vec<u8>>,
    disk_full: bool,
    conflict_copies: Vec<ConflictCopy>,
    /// What curators decided differently, in an adjudication.
    disputes: Disputes,
    settled: Vec<PathBuf>,
    quit: bool,
    /// Near copies are compared; otherwise the requests wait.
    compares_copies: bool,
    /// N-grams of the alternation detector, which is not used without them.
    grams: Option<FrequentGrams>,
    /// What learned weights propose for every book that is opened.
    learned: Option<endpaper_detect::Cuts>,
}

impl UpdateFixture {
    fn new(texts: Vec<(&'static str, String)>) -> UpdateFixture {
        let queue = Queue {
            order: QueueOrder::Name,
            ..Queue::default()
        };
        let options = SessionOptions {
            curator: "ms".into(),
            detector: "gap".into(),
            ..SessionOptions::default()
        };
        let session = Session::new(options, queue, Keymap::defaults());
        let mut desk = UpdateFixture {
            session,
            texts,
            disk: BTreeMap::new(),
            disk_full: false,
            conflict_copies: Vec::new(),
            disputes: Disputes::default(),
            settled: Vec::new(),
            quit: false,
            compares_copies: false,
            grams: None,
            learned: None,
        };
        desk.session.now = 1_000_000;
        let entry = |(id, _): &(&str, String)| QueueEntry {
            id: Some(BookId::new(id)),
            ..QueueEntry::default()
        };
        let entries = desk.texts.iter().map(entry).collect();
        desk.send(Message::Entries {
            entries,
            counts_changed: false,
            model: None,
        });
        desk
    }

    /// A fixture with three books of one template.
    fn three() -> UpdateFixture {
        UpdateFixture::new(vec![
            ("a.txt", book("ONE")),
            ("b.txt", book("TWO")),
            ("c.txt", book("THREE")),
        ])
    }

    /// An analysis that changes the entries of the books.
    fn analysed(&mut self, counts_changed: bool, mut change: impl FnMut(usize, &mut QueueEntry)) {
        let mut entries = self.session.entries.clone();
        for (at, entry) in entries.iter_mut().enumerate() {
            change(at, entry);
        }
        self.send(Message::Entries {
            entries,
            counts_changed,
            model: None,
        });
    }

    fn send(&mut self, message: Message) {
        let effects = update(&mut self.session, message);
        for effect in effects {
            self.outside(effect);
        }
    }

    fn outside(&mut self, effect: Effect) {
        match effect {
            Effect::Open { ticket, book } => {
                let opened = self.open(ticket, book);
                self.send(Message::Opened(Box::new(opened)));
            }
            Effect::Align(request) => {
                let opened = self.open(0, request.book);
                let found = &opened.record;
                let result = opened
                    .page
                    .map(|page| Arc::new(EditionComparison::of(&request, page, found)));
                let ticket = request.ticket;
                self.send(Message::Aligned { ticket, result });
            }
            Effect::Save(request) => {
                let text = yaml::write(&request.record).into_bytes();
                let result = self.write(&request.record.book, &request.expected, Some(text));
                if result.is_ok() {
                    self.settled.extend(request.settles);
                }
                self.send(Message::Saved {
                    ticket: request.ticket,
                    result,
                });
            }
            Effect::Restore {
                ticket,
                id,
                previous,
                expected: known,
            } => {
                let result = self.write(&id, &known, previous.0);
                self.send(Message::Saved { ticket, result });
            }
            Effect::FindPropagationTargets {
                epoch,
                source: decided,
                books,
            } => {
                let books = self.alike(&decided, books);
                self.send(Message::PropagationTargets { epoch, books });
            }
            Effect::CompareCopies(pairs) if self.compares_copies => {
                for pair in pairs {
                    let text = |book: usize| BookText::new(self.texts[book].1.clone().into_bytes());
                    let texts = pair.books.map(text);
                    let [a, b] = [WordIndex::of(&texts[0]), WordIndex::of(&texts[1])];
                    let found = CopyComparison::of(pair, [(&texts[0], &a), (&texts[1], &b)]);
                    self.send(Message::CopiesCompared(found));
                }
            }
            Effect::Quit => self.quit = true,
            _ => {}
        }
    }

    /// Books to which the cuts of a decision can be propagated.
    fn alike(
        &self,
        decided: &PropagationSource,
        books: Vec<PropagationTarget>,
    ) -> Vec<PropagationTarget> {
        let scan = |book: usize| scan(self.texts[book].1.as_bytes(), Default::default());
        let text = |book: usize| BookText::new(self.texts[book].1.clone().into_bytes());
        let found = Correction::between(&scan(decided.book), decided.detected, decided.cuts);
        let ours = WordIndex::of(&text(decided.book));
        let applied = |alike: PropagationTarget| {
            let ours = (&ours, decided.cuts);
            let copied = || transfer_cuts_to_copy(ours, &text(alike.book), alike.detected);
            let copied = alike.is_copy.then(copied).flatten();
            let block = || found.as_ref()?.apply_to(&scan(alike.book), alike.detected);
            let cuts = match copied {
                Some(cuts) if cuts != alike.detected => cuts,
                same => block().or(same)?,
            };
            let theirs = WordIndex::of(&text(alike.book));
            let inside = transfer_inside(ours, &decided.inside, (&theirs, cuts));
            Some(PropagationTarget {
                cuts,
                inside,
                ..alike
            })
        };
        books.into_iter().filter_map(applied).collect()
    }

    fn open(&self, ticket: u64, book: usize) -> Opened {
        let (id, text) = &self.texts[book];
        let text = BookText::new(text.clone().into_bytes());
        let mut page = BookPage::new(
            text,
            &Frequencies::default(),
            &Parameters {
                // Marker lines determine the proposals in these tests.
                method: Method::Gap,
                ..Parameters::default()
            },
        );
        if let Some(grams) = &self.grams {
            page.apply_alternation(grams);
        }
        page.detection.cuts = self.learned.unwrap_or(page.detection.cuts);
        let page: Result<_, String> = Ok(Arc::new(page));
        let known = Snapshot(self.disk.get(*id).cloned());
        let dispute = self.disputes.get(*id).cloned();
        let found = match &known.0 {
            None => match &dispute {
                Some(dispute) => StoredRecord::Record(Box::new(dispute.draft.clone())),
                None => StoredRecord::Nothing,
            },
            Some(bytes) => match yaml::read(&String::from_utf8_lossy(bytes)) {
                Ok(record) => StoredRecord::Record(Box::new(record)),
                Err(error) => StoredRecord::Broken {
                    path: PathBuf::from(id),
                    error,
                },
            },
        };
        let anchored = match (&found, &page) {
            (StoredRecord::Record(record), Ok(page)) if !record.is_decided_on(&page.sha256) => {
                Some(Box::new(relocate(record, &page.text)))
            }
            _ => None,
        };
        Opened {
            ticket,
            book,
            page,
            record: found,
            snapshot: known,
            anchored,
            conflict_copies: self.conflict_copies.clone(),
            dispute,
            same_text_record: None,
            trouble: None,
        }
    }

    fn write(
        &mut self,
        id: &str,
        known: &Snapshot,
        bytes: Option<Vec<u8>>,
    ) -> Result<SavedRecord, SaveError> {
        let path = PathBuf::from(id);
        if self.disk_full {
            return Err(SaveError::Io {
                path,
                reason: "no space left on device".into(),
            });
        }
        if self.disk.get(id) != known.0.as_ref() {
            let theirs = Snapshot(self.disk.get(id).cloned());
            return Err(SaveError::Conflict {
                book: id.into(),
                kept: "kept.yaml".into(),
                theirs,
            });
        }
        match &bytes {
            Some(bytes) => drop(self.disk.insert(id.into(), bytes.clone())),
            None => drop(self.disk.remove(id)),
        }
        Ok(SavedRecord {
            path,
            written: true,
            now: Snapshot(bytes),
        })
    }

    /// Presses keys; returns the effects without running them.
    fn hold(&mut self, keys: &str) -> Vec<Effect> {
        let press = |chord| update(&mut self.session, Message::Key(chord));
        chords(keys).unwrap().into_iter().flat_map(press).collect()
    }

    /// Runs effects that were held back.
    fn release(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.outside(effect);
        }
    }

    fn keys(&mut self, keys: &str) -> &mut UpdateFixture {
        for chord in chords(keys).unwrap() {
            self.send(Message::Key(chord));
        }
        self
    }

    /// Lets time pass.
    fn wait(&mut self, milliseconds: u64) -> &mut UpdateFixture {
        self.session.now += milliseconds;
        self.send(Message::Tick);
        self
    }

    fn name(&self) -> &str {
        self.session.entry().unwrap().name()
    }

    /// Positions of both cuts of the open book: first line of the body, first line of the epilogue.
    fn cuts(&self) -> (u32, u32) {
        let book = self.session.doc.open.as_ref().unwrap();
        let cuts = book.decision.cuts;
        (
            book.page.cut_position(cuts, End::Start),
            book.page.cut_position(cuts, End::End),
        )
    }

    fn record(&self, id: &str) -> Option<endpaper_truth::Record> {
        let bytes = self.disk.get(id)?;
        Some(yaml::read(std::str::from_utf8(bytes).unwrap()).unwrap())
    }

    /// The text of the message line.
    fn words(&self) -> String {
        let said = self.said();
        said.map_or_else(String::new, |notice| notices::words(&self.session, notice))
    }

    /// The notice in the message line.
    fn said(&self) -> Option<&Notice> {
        self.session.screen.notice.as_ref()
    }
}

fn book(title: &str) -> String {
    let mut lines = vec![
        format!("The Project Gutenberg EBook of {title}, by Nobody in Particular"),
        String::new(),
        "*** START OF THIS PROJECT GUTENBERG EBOOK ***".into(),
        String::new(),
        "Produced by Somebody".into(),
        String::new(),
        String::new(),
        String::new(),
        title.into(),
        String::new(),
    ];
    for paragraph in 0..20 {
        for line in 0..8 {
            lines.push(format!(
                "Line {line} of paragraph {paragraph} of {title}, which nobody wrote before"
            ));
        }
        lines.push(String::new());
    }
    lines.push("THE END".into());
    lines.push(String::new());
    lines.push("End of the Project Gutenberg EBook of this book, by Nobody in Particular".into());
    lines.push("*** END OF THIS PROJECT GUTENBERG EBOOK ***".into());
    lines.join("\n") + "\n"
}

/// The result of an analysis: books whose doubt grows with their names.
fn analysis_message(desk: &UpdateFixture) -> Message {
    let mut entries = desk.session.entries.clone();
    for (at, entry) in entries.iter_mut().enumerate() {
        entry.doubt = Some(0.1 + 0.1 * at as f32);
    }
    Message::Entries {
        entries,
        counts_changed: true,
        model: Some("new".into()),
    }
}

const TITLE: u32 = 9;
const THE_END: u32 = 191;
const MARKER: u32 = 193;

#[test]
fn markers_give_the_first_proposal() {
    assert_eq!(UpdateFixture::three().cuts(), (5, MARKER));
}

#[test]
fn one_enter_keeps_what_was_seen_and_the_next_book_comes() {
    let mut desk = UpdateFixture::three();
    assert_eq!(desk.session.doc.seen, [true, true]);
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "b.txt");
    let record = desk.record("a.txt").unwrap();
    assert_eq!(record.verdict, Verdict::Confirmed);
    assert_eq!(record.reviews.len(), 1);
    assert_eq!(record.reviews[0].by, "ms");
    assert_eq!(
        desk.session.entries[0].status,
        ReviewStatus::Decided(Verdict::Confirmed)
    );
    assert_said!(desk, Notice::Save(SaveNotice::Saved { name, .. }) if name == "a.txt");
}

#[test]
fn a_cut_that_was_not_seen_is_shown_before_enter_keeps_it() {
    let mut desk = UpdateFixture::three();
    desk.keys("W<Right>");
    assert_eq!(
        (desk.name(), desk.session.doc.seen),
        ("b.txt", [true, false])
    );
    desk.keys("<Enter>");
    assert_eq!((desk.name(), desk.session.doc.end), ("b.txt", End::End));
    assert!(desk.disk.is_empty());
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "c.txt");
    assert!(desk.record("b.txt").is_some());
}

#[test]
fn keys_move_the_cut_of_the_active_end() {
    let table: &[(&str, (u32, u32))] = &[
        ("]", (TITLE, MARKER)),
        ("}", (TITLE, MARKER)),
        ("}{", (1, MARKER)),
        ("[", (3, MARKER)),
        ("[[", (1, MARKER)),
        ("J", (TITLE, MARKER)),
        ("JJK", (TITLE, MARKER)),
        ("0", (1, MARKER)),
        ("0d", (5, MARKER)),
        ("]]]M", (5, MARKER)),
        ("<Tab>K", (5, THE_END)),
        ("<Tab>[", (5, THE_END)),
        ("<Tab>[]", (5, MARKER)),
        ("<Tab>0", (5, 195)),
        ("<Tab>J", (5, 194)),
        ("<Tab>JJ", (5, 195)),
        ("<Tab>JJK", (5, 194)),
        ("jjc", (TITLE, MARKER)),
        (":9<Enter>c", (TITLE, MARKER)),
    ];
    for (keys, expected) in table {
        let mut desk = UpdateFixture::three();
        desk.keys(keys);
        assert_eq!(desk.cuts(), *expected, "after {keys}: {}", desk.words());
    }
}

#[test]
fn a_digit_puts_the_cut_at_a_candidate_in_line_order() {
    let mut desk = UpdateFixture::three();
    let places = desk.session.doc.digit_positions();
    assert!(places.contains(&5) && places.contains(&TITLE), "{places:?}");
    assert!(places.is_sorted());
    let digit = places.iter().position(|&place| place == TITLE).unwrap() + 1;
    desk.keys(&digit.to_string());
    assert_eq!(desk.cuts(), (TITLE, MARKER));
    desk.keys("<Enter>");
    let record = desk.record("a.txt").unwrap();
    assert_eq!(
        (record.verdict, record.cuts.preamble_end),
        (Verdict::Corrected, 5)
    );
}

#[test]
fn a_cut_that_moved_is_shown_with_a_line_on_each_side_of_it() {
    // Blocks of one line separated by blank lines: a scrolled pane often has blank lines at its edge.
    let text: String = (0..60)
        .map(|n| format!("A line on its own, {n}\n\n\n"))
        .collect();
    for (end, tab) in [(End::Start, ""), (End::End, "<Tab>")] {
        for scrolled in 0..12 {
            for key in ["c", "]", "[", "J", "K"] {
                let mut desk = UpdateFixture::new(vec![("a.txt", text.clone())]);
                desk.keys(&format!("{tab}:30<Enter>c{}", "j".repeat(scrolled)));
                for keys in [key.to_owned(), format!("{}{key}", "k".repeat(scrolled))] {
                    desk.keys(&keys);
                    let session = &desk.session;
                    let rule = rule_of(&session.doc.rows, end).unwrap();
                    let visible = presenter::visible(session, end);
                    assert!(
                        presenter::has_context(&session.doc.rows, visible.clone(), rule),
                        "{tab} {scrolled} {keys}: rule in row {rule} of {visible:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_body_is_never_emptied_by_a_cut() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Tab>:3<Enter>c");
    assert_eq!(desk.cuts(), (5, MARKER));
    assert_said!(desk, Notice::Cut(CutNotice::NoBodyLeft));
}

#[test]
fn undo_takes_back_moves_marks_and_verdicts_across_books() {
    let mut desk = UpdateFixture::three();
    desk.keys("]h<Enter><Enter>");
    assert_eq!((desk.name(), desk.disk.len()), ("c.txt", 2));
    desk.keys("u");
    assert_eq!((desk.name(), desk.disk.len()), ("b.txt", 1));
    assert_eq!(desk.session.entries[1].status, ReviewStatus::Undecided);
    desk.keys("u");
    assert_eq!((desk.name(), desk.disk.len()), ("a.txt", 0));
    let book = desk.session.doc.open.as_ref().unwrap();
    assert_eq!(
        (book.decision.hard, book.decision.verdict),
        (true, Verdict::Open)
    );
    assert_eq!(desk.cuts(), (TITLE, MARKER));
    desk.keys("u");
    assert!(!desk.session.doc.open.as_ref().unwrap().decision.hard);
    desk.keys("u");
    assert_eq!(desk.cuts(), (5, MARKER));
    assert_said!(desk, Notice::Undo(UndoNotice::Undid { what, .. }) if what == "preamble cut 5 → 3");
    desk.keys("u");
    assert_said!(desk, Notice::Undo(UndoNotice::Nothing));
}

#[test]
fn redo_does_again_what_was_undone() {
    let mut desk = UpdateFixture::three();
    desk.keys("]u");
    assert_eq!(desk.cuts(), (5, MARKER));
    desk.keys("U");
    assert_eq!(desk.cuts(), (TITLE, MARKER));
    desk.keys("<Enter>u");
    assert!(desk.disk.is_empty());
    desk.keys("U");
    assert_eq!(desk.record("a.txt").unwrap().verdict, Verdict::Corrected);
}

#[test]
fn nudges_within_a_second_are_one_edit() {
    let mut desk = UpdateFixture::three();
    desk.keys("JJJJuu");
    assert_eq!(desk.cuts(), (5, MARKER));
    assert_said!(desk, Notice::Undo(UndoNotice::Nothing));
}

#[test]
fn a_decided_book_that_is_changed_stays_decided() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter><Left>]<Right>");
    let record = desk.record("a.txt").unwrap();
    assert_eq!(
        (record.verdict, record.reviews.len()),
        (Verdict::Corrected, 2)
    );
    desk.keys("<Left>d<Right>");
    assert_eq!(desk.record("a.txt").unwrap().verdict, Verdict::Confirmed);
}

#[test]
fn whole_file_verdicts_are_two_keys() {
    let mut desk = UpdateFixture::three();
    desk.keys("wn").keys("wu").keys("ws<Enter>");
    assert_eq!(desk.record("a.txt").unwrap().verdict, Verdict::NotABook);
    assert_eq!(
        desk.record("a.txt").unwrap().kind,
        endpaper_truth::RecordKind::NotABook
    );
    assert_eq!(desk.record("b.txt").unwrap().verdict, Verdict::Undecidable);
    let several = desk.record("c.txt").unwrap();
    assert_eq!(
        (several.verdict, several.kind),
        (Verdict::Confirmed, endpaper_truth::RecordKind::SeveralBooks)
    );
    assert_said!(
        desk,
        Notice::Queue(QueueNotice::NoneLeft {
            this_is_open: false,
            ..
        })
    );
}

#[test]
fn a_corpus_without_a_readable_book_says_why() {
    let mut desk = UpdateFixture::new(Vec::new());
    let entry = QueueEntry {
        id: Some(BookId::new("a.pdf")),
        status: ReviewStatus::Unreadable,
        unreadable: Some("is not a text (a PDF file)".into()),
        ..QueueEntry::default()
    };
    desk.send(Message::Entries {
        entries: vec![entry],
        counts_changed: false,
        model: None,
    });
    let trouble = desk.session.doc.trouble.clone();
    assert_eq!(trouble.as_deref(), Some("is not a text (a PDF file)"));
    desk.keys("<Enter><Right>jx]u?<Esc>q");
    assert!(desk.quit);
}

#[test]
fn a_survey_that_ends_under_a_prompt_does_not_move_the_cursor() {
    let mut desk = UpdateFixture::three();
    desk.keys(":9<Enter>a");
    let entries = desk.session.entries.clone();
    desk.send(Message::Entries {
        entries,
        counts_changed: true,
        model: None,
    });
    desk.keys("title<Enter><Enter>");
    assert_eq!(desk.record("a.txt").unwrap().alternatives[0].line, 5);
}

#[test]
fn boilerplate_inside_is_marked_with_its_twins_on_confirmation() {
    let licence = "This licence stands here and\nit stands there as well\n\n";
    let text = book("ONE").replace(
        "THE END",
        &format!("{licence}Some text\n\n{licence}THE END"),
    );
    let mut desk = UpdateFixture::new(vec![("a.txt", text)]);
    desk.keys("<Tab>:191<Enter>x");
    assert_eq!(desk.session.screen.popups.len(), 1);
    desk.keys("y<Enter>");
    let inside = desk.record("a.txt").unwrap().inside;
    assert_eq!(
        inside.iter().map(|i| (i.first, i.last)).collect::<Vec<_>>(),
        [(191, 192), (196, 197)]
    );
}

#[test]
fn notes_flags_and_alternatives_reach_the_record() {
    let mut desk = UpdateFixture::three();
    desk.keys("nodd \"case\"<Enter>h:9<Enter>atitle<Enter>fnote-inside<Enter><Enter>");
    let record = desk.record("a.txt").unwrap();
    assert_eq!((record.note.as_str(), record.hard), ("odd \"case\"", true));
    assert_eq!(record.flags, ["note-inside"]);
    assert_eq!(
        (
            record.alternatives[0].line,
            record.alternatives[0].why.as_str()
        ),
        (5, "title")
    );
}

#[test]
fn search_finds_in_any_case_and_wraps() {
    let mut desk = UpdateFixture::three();
    desk.keys("/the end<Enter>");
    assert_eq!(desk.session.cursor_line(), THE_END);
    desk.keys(">");
    assert_eq!(desk.session.cursor_line(), THE_END);
    desk.keys("/Paragraph 3<Enter>");
    assert_said!(desk, Notice::Page(PageNotice::NoMatch(_)));
}

#[test]
fn filters_and_orders_change_the_queue() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter>sundecided<Enter>");
    assert_eq!(desk.session.queue.books, [1, 2]);
    desk.keys("sall<Enter>oname<Enter>b");
    desk.keys("c.txt<Enter>");
    assert_eq!(desk.name(), "c.txt");
}

#[test]
fn help_runs_what_was_searched() {
    let mut desk = UpdateFixture::three();
    desk.keys("?mark the case hard<Enter>");
    assert!(desk.session.doc.open.as_ref().unwrap().decision.hard);
}

#[test]
fn long_blocks_are_folded_and_a_jump_unfolds_them() {
    let mut desk = UpdateFixture::three();
    assert!(
        desk.session
            .doc
            .rows
            .iter()
            .any(|row| matches!(row, PaneRow::Fold(12, 17))),
        "{:?}",
        &desk.session.doc.rows[..20]
    );
    desk.keys(":14<Enter>");
    assert!(desk.session.doc.rows.contains(&PaneRow::Line(14)));
    assert_eq!(desk.session.cursor_line(), 14);
}

#[test]
fn nothing_panics_at_any_size_with_any_key() {
    let every: Vec<_> = crate::action::ACTIONS
        .iter()
        .flat_map(|facts| facts.keys)
        .collect();
    for size in [
        (0, 0),
        (1, 1),
        (3, 3),
        (20, 5),
        (40, 8),
        (80, 24),
        (160, 48),
    ] {
        let mut desk = UpdateFixture::three();
        desk.send(Message::Resize(size.0, size.1));
        for keys in every
            .iter()
            .filter(|keys| ***keys != "q" && ***keys != "<C-c>")
        {
            desk.keys(keys).keys("<Esc><Esc>").wait(300);
            desk.send(Message::Resize(size.1 + 20, size.0));
            desk.send(Message::Mouse(crate::MouseInput::Click(5, 5)));
            desk.send(Message::Mouse(crate::MouseInput::Wheel(5, 5, 1)));
            desk.send(Message::Resize(size.0, size.1));
        }
    }
}

#[test]
fn a_survey_that_ends_late_takes_nobody_away_from_a_book() {
    let mut desk = UpdateFixture::three();
    desk.session.queue.order = QueueOrder::Doubt;
    let analysis_message = |desk: &UpdateFixture| {
        let mut entries = desk.session.entries.clone();
        for (entry, doubt) in entries.iter_mut().zip([0.1, 0.2, 0.9]) {
            entry.doubt = Some(doubt);
        }
        Message::Entries {
            entries,
            counts_changed: true,
            model: Some("new".into()),
        }
    };
    let message = analysis_message(&desk);
    desk.send(message);
    assert_eq!(
        desk.name(),
        "c.txt",
        "nobody had begun: the most doubtful first"
    );
    let mut desk = UpdateFixture::three();
    desk.keys("<Right>j");
    desk.session.queue.order = QueueOrder::Doubt;
    let message = analysis_message(&desk);
    desk.send(message);
    assert_eq!(desk.name(), "b.txt");
    assert_eq!(desk.session.options.model, "new");
}

#[test]
fn a_sitting_begins_where_the_last_one_ended() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter>]").wait(2000);
    let (texts, disk) = (desk.texts.clone(), desk.disk.clone());
    let mut next = UpdateFixture::new(texts);
    next.disk = disk;
    next.session.options.resume = Some("b.txt".into());
    let recorded = |session: &Session| {
        let mut entries = session.entries.clone();
        entries[0].status = ReviewStatus::Recorded;
        entries[1].status = ReviewStatus::Recorded;
        entries
    };
    for counts_changed in [false, true] {
        // First from the listing, then from the analysis: no key was pressed.
        let entries = recorded(&next.session);
        next.session.entries.clear();
        next.send(Message::Entries {
            entries,
            counts_changed,
            model: None,
        });
        assert_eq!((next.name(), next.cuts().0), ("b.txt", TITLE));
    }
}

#[test]
fn other_counts_with_the_same_cuts_leave_the_page_where_it_was_scrolled_to() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Tab>:100<Enter>");
    let before = (
        desk.session.doc.tail,
        desk.session.doc.end,
        desk.session.cursor_line(),
    );
    let entries = desk.session.entries.clone();
    desk.send(Message::Entries {
        entries,
        counts_changed: true,
        model: None,
    });
    let after = (
        desk.session.doc.tail,
        desk.session.doc.end,
        desk.session.cursor_line(),
    );
    assert_eq!(after, before);
}
