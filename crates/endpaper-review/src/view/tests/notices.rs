//! The full texts of notices.

use crate::action::Action;
use crate::bulk::BulkMark;
use crate::decision::ReadOnly;
use crate::entry::ReviewStatus;
use crate::keymap::Keymap;
use crate::queue::{Queue, QueueOrder};
use crate::session::*;
use crate::view::notices::words;
use endpaper_detect::End;
use endpaper_truth::Verdict;
use endpaper_truth::anchor::Refusal;

fn session() -> Session {
    Session::new(
        SessionOptions::default(),
        Queue::default(),
        Keymap::defaults(),
    )
}

fn saved(name: &str) -> Notice {
    let as_what = SavedAs::Body(Verdict::Corrected, (9, 190));
    let name = name.to_owned();
    SaveNotice::Saved { name, as_what }.into()
}

/// Checks the text and the tone of each notice on a screen of 80 columns.
fn check(table: Vec<(Notice, Tone, &str)>) {
    let session = session();
    for (notice, tone, expected) in table {
        assert_eq!(words(&session, &notice), expected, "{notice:?}");
        assert_eq!(notice.tone(), tone, "{notice:?}");
    }
}

#[test]
fn notices_of_the_mode_say_what_is_refused_and_what_works() {
    check(vec![
        (
            ModeRefusal::ReplayIsReadOnly.into(),
            Tone::Warning,
            "the replay is read-only: u reopens this decision to correct it",
        ),
        (
            ModeRefusal::SampleIsWhole.into(),
            Tone::Warning,
            "a sample cannot be filtered or sorted",
        ),
        (
            ModeRefusal::OnlyCuts.into(),
            Tone::Warning,
            "a second look records only the cuts",
        ),
        (
            ModeRefusal::NotOnMap(Action::CutNothing).into(),
            Tone::Warning,
            "cut-nothing is for the page of a book: Enter opens the chosen one, Esc goes back",
        ),
        (
            ModeRefusal::ReadOnly(ReadOnly::Sitting).into(),
            Tone::Error,
            "read-only sitting: nothing is saved",
        ),
        (
            ModeRefusal::CandidatesHidden(End::Start).into(),
            Tone::Warning,
            "blind: c on the first line of the body places this cut, 0 says there is no preamble",
        ),
        (
            BlindNotice::PlaceCut(End::End).into(),
            Tone::Warning,
            "blind: c on the first line of the epilogue places this cut, 0 says there is none",
        ),
        (
            BlindNotice::Placed.into(),
            Tone::Plain,
            "placed; Tab goes to the other end",
        ),
        (
            BlindNotice::BothPlaced.into(),
            Tone::Plain,
            "both cuts are placed: Enter keeps them, gd shows what the detector has",
        ),
        (
            BlindNotice::NoneLeft {
                before: Some(Box::new(
                    BlindNotice::SecondLook {
                        name: "c.txt".to_owned(),
                        lines: None,
                        before: Verdict::Undecidable,
                    }
                    .into(),
                )),
                looked: 3,
            }
            .into(),
            Tone::Good,
            "second look at c.txt saved: before it was undecidable, which stays the current decision · no decided book is left in this queue: 3 reviewed again; q quits",
        ),
        (
            BlindNotice::SecondLook {
                name: "a.txt".to_owned(),
                lines: Some(1),
                before: Verdict::Confirmed,
            }
            .into(),
            Tone::Good,
            "second look at a.txt saved: 1 line from the decision before, which stays the current decision",
        ),
    ]);
}

#[test]
fn notices_about_many_books_count_them_and_name_those_left_out() {
    let ads = || BulkMark::Flag("ads".to_owned());
    let left_out = |books: &[(&str, LeftOut)]| {
        let books = books.iter();
        books
            .map(|(name, why)| ((*name).to_owned(), *why))
            .collect()
    };
    let tally = || BulkTally {
        changed: 1204,
        ..BulkTally::default()
    };
    let marked = |mark, tally| BulkNotice::Marked { mark, tally }.into();
    check(vec![
        (
            BulkNotice::NotFiltered(1).into(),
            Tone::Warning,
            "the queue is not filtered (1 book): filter it first, with s or b",
        ),
        (
            BulkNotice::Marking {
                mark: ads(),
                done: 3,
                total: 37,
            }
            .into(),
            Tone::Plain,
            "flag ads: 3 of 37 books; Esc stops",
        ),
        (
            marked(ads(), tally()),
            Tone::Good,
            "flag ads: 1,204 books changed; u takes it back",
        ),
        (
            marked(
                BulkMark::NoFlag("ads".to_owned()),
                BulkTally {
                    changed: 0,
                    unchanged: 2,
                    ..BulkTally::default()
                },
            ),
            Tone::Good,
            "no flag ads: 0 books changed; 2 had none",
        ),
        (
            marked(
                BulkMark::Hard(true),
                BulkTally {
                    left_out: left_out(&[
                        ("a", LeftOut::Unreadable),
                        ("b", LeftOut::NoRecord),
                        ("c", LeftOut::Unsaved),
                        ("d", LeftOut::Changed),
                        ("e", LeftOut::BrokenRecord),
                    ]),
                    stopped: 7,
                    ..tally()
                },
            ),
            Tone::Warning,
            "hard: 1,204 books changed; not on a (cannot be read), b (its record cannot be read or written), \
             c (an earlier change is not saved yet) and 2 more; stopped before 7 books; u takes it back",
        ),
        (
            BulkNotice::Undone {
                mark: BulkMark::Note("x".to_owned()),
                tally: BulkTally {
                    unsaved: 2,
                    why: "no space left".to_owned(),
                    ..tally()
                },
            }
            .into(),
            Tone::Error,
            "undone: note 'x' on 1,204 books; 2 not saved: no space left; u tries again",
        ),
    ]);
}

#[test]
fn notices_of_the_queue_and_of_saves_name_books_and_keys() {
    let none_left = QueueNotice::NoneLeft {
        saved: Some(Box::new(saved("a.txt"))),
        this_is_open: false,
        decided: 3,
        readable: 4,
    };
    let arranged = |by_terms| QueueNotice::Arranged {
        count: 2,
        what: "is:und".to_owned(),
        order: QueueOrder::Name,
        by_terms,
    };
    check(vec![
        (
            saved("a.txt"),
            Tone::Good,
            "saved a.txt: corrected, body 9-190 · u undoes",
        ),
        (
            none_left.into(),
            Tone::Good,
            "saved a.txt: corrected, body 9-190 · u undoes · no undecided book is left in this queue: 3 of 4 decided; q quits",
        ),
        (
            arranged(false).into(),
            Tone::Plain,
            "2 books: is:und, by name",
        ),
        (
            arranged(true).into(),
            Tone::Plain,
            "2 books: is:und, by name; s and Enter shows all again",
        ),
        (
            QueueNotice::Slow {
                name: "b.txt".to_owned(),
                seconds: 12,
            }
            .into(),
            Tone::Plain,
            "still reading 'b.txt' (12 s): Right goes to the next book, q quits",
        ),
        (
            QueueNotice::BroughtUp {
                copies: 1,
                others: 2,
                marks: 0,
                moved: [true, false],
            }
            .into(),
            Tone::Plain,
            "1 copy with the same words, 2 books with the same block, start moved: Enter keeps, d puts it back",
        ),
        (
            QueueNotice::BroughtUp {
                copies: 1,
                others: 0,
                marks: 2,
                moved: [false, false],
            }
            .into(),
            Tone::Plain,
            "1 copy with the same words, 2 marks inside: Enter keeps, d puts the detector's cuts back",
        ),
        (
            QueueNotice::CopiesDisagree {
                names: ["a.txt".to_owned(), "b.txt".to_owned()],
                at_end: true,
                lines: [290, 12],
            }
            .into(),
            Tone::Warning,
            "copies DISAGREE: a.txt ends at 290, b.txt at 12: compare them (=), decide one again",
        ),
        (
            SaveNotice::Conflict("a".to_owned()).into(),
            Tone::Error,
            "'a' was changed by another curator; your version was kept: V resolves it",
        ),
        (
            SaveNotice::KeptInMemory.into(),
            Tone::Error,
            "NOT SAVED: the decision is kept in memory and tried again every few seconds",
        ),
        (
            UndoNotice::Undid {
                book: "a.txt".to_owned(),
                what: "preamble cut 5 → 3".to_owned(),
            }
            .into(),
            Tone::Plain,
            "undone in a.txt: preamble cut 5 → 3",
        ),
        (
            RecordNotice::ConflictCopies(2).into(),
            Tone::Warning,
            "conflict: 2 other versions of this record: V resolves it",
        ),
        (
            RecordNotice::Changed(Anchoring::Found {
                change: FileChange::Bytes,
                confidence: 0.876,
                lost: 2,
            })
            .into(),
            Tone::Warning,
            "the file CHANGED: its cuts are found again (0.88): Enter confirms · 2 marks are lost",
        ),
        (
            RecordNotice::Changed(Anchoring::CutsLost(
                FileChange::Reader {
                    decided: "pdftotext 22.12.0".to_owned(),
                    now: "pdf-extract 0.12.1".to_owned(),
                },
                Refusal::Crossed,
            ))
            .into(),
            Tone::Warning,
            "the text CHANGED (pdftotext 22.12.0, now pdf-extract 0.12.1): cuts NOT found again (the cuts would cross); showing the detector's",
        ),
        (
            ReplayNotice::Shown {
                at: 1,
                of: 2,
                verdict: Verdict::Confirmed,
                body: Some((5, 190)),
            }
            .into(),
            Tone::Plain,
            "replay 1 of 2: confirmed, body 5-190",
        ),
    ]);
}

#[test]
fn notices_of_the_page_say_what_was_done_or_why_not() {
    check(vec![
        (
            CutNotice::Candidates(1).into(),
            Tone::Warning,
            "there is 1 candidate at this end",
        ),
        (
            CutNotice::Candidates(2).into(),
            Tone::Warning,
            "there are 2 candidates at this end",
        ),
        (
            CutNotice::NoBodyLeft.into(),
            Tone::Warning,
            "these cuts leave no body: move one (0 cuts nothing); wn marks the file as not a book",
        ),
        (
            MarkNotice::Hard(vec!["ads".to_owned(), "other".to_owned()]).into(),
            Tone::Plain,
            "hard: ads, other",
        ),
        (
            MarkNotice::NotHard(vec!["ads".to_owned()]).into(),
            Tone::Plain,
            "not hard; its flags stay (ads): f takes them out",
        ),
        (
            MarkNotice::ProposedInside {
                lines: (191, 194),
                kind: "credits".to_owned(),
                at: 1,
                of: 2,
            }
            .into(),
            Tone::Plain,
            "lines 191-194 look like boilerplate inside (credits), 1 of 2: x marks them",
        ),
        (
            PageNotice::NoMatch("whale".to_owned()).into(),
            Tone::Warning,
            "'whale' is not in this book",
        ),
        (
            PageNotice::Jumped(Some(95)).into(),
            Tone::Plain,
            "line 95; <C-o> goes back",
        ),
        (
            PageNotice::NoSkeletons.into(),
            Tone::Plain,
            "skeletons are known only with the posterior detector; without it lines are compared unchanged",
        ),
        (
            KeyNotice::TypedTooEarly("wn".to_owned()).into(),
            Tone::Warning,
            "wn was typed before this book was shown: press it again",
        ),
        (
            KeyNotice::TakesNoCount(Action::Hard).into(),
            Tone::Warning,
            "hard takes no count",
        ),
        (
            Notice::External("no space left (os error 28)".to_owned()),
            Tone::Warning,
            "no space left",
        ),
    ]);
}

#[test]
fn news_stay_behind_a_save_as_far_as_there_is_room() {
    let news = |name: &str| News::Propagates {
        name: name.to_owned(),
        status: ReviewStatus::Decided(Verdict::Corrected),
        copies: 0,
        others: 2,
        moved: [false, true],
    };
    let behind = |before| Notice::WithNews(before, news("0.txt"));
    let told = "end moved, same block in 2 others: A puts them next";
    let mut session = session();
    for (width, before) in [
        (200, "saved 0.txt: corrected, body 9-190 · u undoes · "),
        (80, "saved 0.txt: corrected · "),
        (67, "saved 0.txt · "),
        (61, "saved · "),
        (40, ""),
    ] {
        session.screen.size = (width, 24);
        let notice = behind(Some(Box::new(saved("0.txt"))));
        assert_eq!(
            words(&session, &notice),
            format!("{before}{told}"),
            "{width}"
        );
    }
    session.screen.size = (200, 24);
    assert_eq!(words(&session, &behind(None)), told);
    let learned = News::Learned {
        cuts: 5,
        verdicts: 2,
        apart: None,
        kept: None,
        is_open_book_behind: false,
    };
    let plain = Some(Box::new(Notice::from(PageNotice::CameBack)));
    let notice = Notice::WithNews(plain, learned);
    assert_eq!(
        words(&session, &notice),
        "back where you were · learned from 2 verdicts: 5 proposals changed"
    );
    let apart = |pairs| News::Learned {
        cuts: 1,
        verdicts: 3,
        apart: Some((["b.txt".to_owned(), "c.txt".to_owned()], pairs)),
        kept: None,
        is_open_book_behind: false,
    };
    for (pairs, told) in [
        (1, "copies DISAGREE now: b.txt, c.txt"),
        (3, "3 pairs of copies DISAGREE now: b.txt, c.txt …"),
    ] {
        let notice = Notice::WithNews(None, apart(pairs));
        let expected = format!("learned from 3 verdicts: 1 proposal changed; {told}");
        assert_eq!(words(&session, &notice), expected);
        assert!(notice.is_warning());
    }
    // What was saved stays beside what was learned from it.
    let learned = News::Learned {
        cuts: 2,
        verdicts: 3,
        apart: None,
        kept: Some((0, 3)),
        is_open_book_behind: false,
    };
    let beside_a_save = Notice::WithNews(Some(Box::new(saved("book-3.txt"))), learned);
    for (width, told) in [
        (
            100,
            "saved book-3.txt · learned from 3 verdicts: 2 proposals changed; 0 of your last 3 kept",
        ),
        (
            80,
            "saved · learned from 3 verdicts: 2 proposals changed; 0 of your last 3 kept",
        ),
    ] {
        session.screen.size = (width, 24);
        assert_eq!(words(&session, &beside_a_save), told, "{width}");
    }
    session.screen.size = (40, 24);
    assert_eq!(
        words(&session, &notice),
        "learned from 2 verdicts: 5 proposals changed"
    );
}
