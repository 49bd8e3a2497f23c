//! Learning from verdicts: what it may change, and what it must not.

use super::*;
use crate::entry::EntryOpinions;
use crate::learning::BookProposal;
use crate::message::LearningSummary;
use crate::session::{PassProgress, Tone};
use endpaper_detect::Cuts;

/// Books `0.txt`, `1.txt` ... in order of decreasing doubt, and one that was decided in an earlier sitting: learning waits for
/// two verdicts.
fn desk(count: usize) -> UpdateFixture {
    const NAMES: [&str; 10] = [
        "0.txt", "1.txt", "2.txt", "3.txt", "4.txt", "5.txt", "6.txt", "7.txt", "8.txt", "9.txt",
    ];
    let texts = NAMES.iter().take(count + 1).map(|name| (*name, book(name)));
    let mut desk = UpdateFixture::new(texts.collect());
    desk.session.options.learning = true;
    desk.session.queue.order = QueueOrder::Doubt;
    let mut entries = desk.session.entries.clone();
    for (at, entry) in entries.iter_mut().enumerate() {
        entry.doubt = Some(0.9 - at as f32 / 20.0);
        entry.cuts = Some(cuts(5));
    }
    entries[count].status = ReviewStatus::Decided(Verdict::Confirmed);
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    desk
}

fn cuts(preamble_end: u32) -> Cuts {
    Cuts {
        preamble_end,
        epilogue_start: Some(MARKER),
    }
}

fn request(effects: &[Effect]) -> Option<(u64, Vec<usize>, Vec<usize>)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Learn {
            epoch,
            decided,
            undecided,
        } => Some((*epoch, decided.clone(), undecided.clone())),
        _ => None,
    })
}

/// Presses Enter; returns the learning request, if any.
fn decide(desk: &mut UpdateFixture) -> Option<(u64, Vec<usize>, Vec<usize>)> {
    let mut asked = None;
    let mut effects = update(&mut desk.session, Message::Key("<Enter>".parse().unwrap()));
    while !effects.is_empty() {
        asked = asked.or(request(&effects));
        let mut next = Vec::new();
        for effect in effects {
            let message = match effect {
                Effect::Save(request) => {
                    let text = yaml::write(&request.record).into_bytes();
                    Message::Saved {
                        ticket: request.ticket,
                        result: desk.write(&request.record.book, &request.expected, Some(text)),
                    }
                }
                Effect::Open { ticket, book } => Message::Opened(Box::new(desk.open(ticket, book))),
                _ => continue,
            };
            next.extend(update(&mut desk.session, message));
        }
        effects = next;
    }
    asked
}

/// An answer that moves a cut of every book and reverses the order by doubt.
fn answer(epoch: u64, count: usize) -> Message {
    answer_with(epoch, count, cuts(3))
}

/// The same with these cuts.
fn answer_with(epoch: u64, count: usize, cuts: Cuts) -> Message {
    let proposal = |at: usize| BookProposal {
        cuts: Some(cuts),
        doubt: Some(0.1 + at as f32 / 20.0),
        reason: None,
    };
    let result = Ok(Box::new(LearningSummary {
        has_opinions: true,
        verdicts: 2,
        proposals: (0..count).map(|at| (at, proposal(at))).collect(),
    }));
    Message::Learned { epoch, result }
}

#[test]
fn learning_is_asked_for_after_so_many_verdicts_and_as_many_again() {
    let mut desk = desk(9);
    assert_eq!(decide(&mut desk), None);
    let (epoch, decided, undecided) = decide(&mut desk).unwrap();
    assert_eq!(decided, [0, 1, 9]);
    // The open book too, although only its curator is told.
    assert_eq!(undecided, [2, 3, 4, 5, 6, 7, 8]);
    for _ in 0..3 {
        assert_eq!(decide(&mut desk), None, "an answer is still awaited");
    }
    desk.send(answer(epoch, 0));
    assert_eq!(
        desk.session.background.learning.asked_at, 6,
        "what came in the meantime is learned at once"
    );
}

#[test]
fn only_undecided_books_that_are_not_open_change_and_what_comes_next_stays() {
    let mut desk = desk(9);
    decide(&mut desk);
    let (epoch, ..) = decide(&mut desk).unwrap();
    // A draft of another book.
    desk.session.entries[7].status = ReviewStatus::Draft;
    let before = desk.session.entries.clone();
    desk.send(answer(epoch, 9));
    let entries = &desk.session.entries;
    assert_eq!(desk.session.current, 2);
    for book in [0, 1, 2, 7] {
        assert_eq!(entries[book], before[book], "{book}");
    }
    for book in [3, 4, 5, 6, 8] {
        assert_eq!(entries[book].cuts, Some(cuts(3)), "{book}");
    }
    // After the next three books the new order applies; the draft keeps its old doubt.
    assert_eq!(desk.session.queue.books, [0, 1, 2, 3, 4, 5, 7, 8, 9, 6]);
    assert!(
        desk.words()
            .ends_with("learned from 2 verdicts: 5 proposals changed"),
        "{}",
        desk.words()
    );
    assert_eq!(desk.cuts(), (5, MARKER), "the open book is as it was");
}

#[test]
fn a_curator_is_told_that_another_cut_is_proposed_for_the_open_book() {
    let mut desk = desk(9);
    decide(&mut desk);
    let (epoch, ..) = decide(&mut desk).unwrap();
    desk.send(answer_with(epoch, 9, cuts(2)));
    let told = "learned from 2 verdicts: 6 proposals changed; this book's too: Right Left";
    assert_eq!(desk.words(), told);
    assert_eq!(desk.cuts(), (5, MARKER), "the open book is as it was");
    // Going away and back shows it.
    desk.learned = Some(cuts(2));
    desk.keys("<Right><Left>");
    assert_eq!(
        desk.session.doc.open.as_ref().unwrap().decision.cuts,
        cuts(2)
    );
}

#[test]
fn an_undone_decision_shows_what_was_learned_unless_its_cuts_were_placed() {
    for (placed, record) in [("", None), (":20<Enter>c", Some(Verdict::Open))] {
        let mut desk = desk(9);
        decide(&mut desk);
        let (epoch, ..) = decide(&mut desk).unwrap();
        desk.send(answer(epoch, 9));
        desk.keys(placed);
        let shown = |desk: &UpdateFixture| desk.session.doc.open.as_ref().unwrap().decision.cuts;
        let before = shown(&desk);
        decide(&mut desk);
        // The round proposes for the decided book what was placed there.
        let learned = if placed.is_empty() { cuts(3) } else { before };
        desk.learned = Some(learned);
        desk.keys("u");
        assert_eq!(desk.name(), "2.txt");
        assert_eq!(shown(&desk), learned, "{placed}");
        desk.keys("<Right>");
        let found = desk.record("2.txt").map(|record| record.verdict);
        assert_eq!(found, record, "{placed}");
    }
}

#[test]
fn a_run_of_one_template_keeps_its_order() {
    let mut desk = desk(9);
    decide(&mut desk);
    let (epoch, ..) = decide(&mut desk).unwrap();
    for book in 1..7 {
        desk.session.entries[book].template_rank = 4;
    }
    desk.send(answer(epoch, 9));
    assert_eq!(desk.session.queue.books, [0, 1, 2, 3, 4, 5, 6, 8, 7, 9]);
    // An order by template consists of one such sequence after another.
    desk.session.queue.order = QueueOrder::Template;
    let before = desk.session.queue.books.clone();
    desk.session.queue.arrange_behind(0, &desk.session.entries);
    assert_eq!(desk.session.queue.books, before);
}

#[test]
fn old_answers_count_for_nothing() {
    let mut desk = desk(9);
    decide(&mut desk);
    let (epoch, ..) = decide(&mut desk).unwrap();
    let entries = desk.session.entries.clone();
    desk.send(answer(epoch + 1, 9));
    assert_eq!(desk.session.entries, entries);
    // An analysis ended in the meantime.
    desk.send(Message::Entries {
        entries: entries.clone(),
        counts_changed: true,
        model: None,
    });
    let before = desk.session.entries.clone();
    desk.send(answer(epoch, 9));
    assert_eq!(desk.session.entries, before);
}

#[test]
fn nothing_is_learned_where_it_must_not_be() {
    type Change = fn(&mut Session);
    let cases: [(&str, Change); 5] = [
        ("switched off", |session| session.options.learning = false),
        ("looking only", |session| session.options.read_only = true),
        ("settling", |session| session.options.adjudicates = true),
        ("a sample", |session| {
            session.queue.order = QueueOrder::Random
        }),
        ("a survey is under way", |session| {
            session.background.progress = Some(PassProgress {
                step: "reading".into(),
                done: 1,
                total: 2,
            });
        }),
    ];
    for (what, change) in cases {
        let mut desk = desk(9);
        change(&mut desk.session);
        for _ in 0..4 {
            assert_eq!(decide(&mut desk), None, "{what}");
        }
    }
}

#[test]
fn a_random_order_takes_back_what_was_learned() {
    let mut desk = desk(9);
    decide(&mut desk);
    let (epoch, ..) = decide(&mut desk).unwrap();
    let before = desk.session.entries.clone();
    desk.send(answer(epoch, 9));
    assert_ne!(desk.session.entries, before);
    desk.session.queue.order = QueueOrder::Random;
    let effects = update(&mut desk.session, Message::Tick);
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::Forget)),
        "{effects:?}"
    );
    assert_eq!(desk.session.entries, before);
}

#[test]
fn what_was_learned_stays_when_the_records_are_read() {
    let mut desk = desk(9);
    let surveyed = desk.session.entries.clone();
    decide(&mut desk);
    let (epoch, ..) = decide(&mut desk).unwrap();
    desk.send(answer(epoch, 9));
    let learned = desk.session.entries.clone();
    let mut read = surveyed;
    read[8].status = ReviewStatus::Decided(Verdict::Confirmed);
    let recorded = read[8].clone();
    desk.send(Message::Entries {
        entries: read,
        counts_changed: false,
        model: None,
    });
    assert_eq!(desk.session.entries[4], learned[4]);
    assert_eq!(desk.session.entries[8], recorded);
}

#[test]
fn a_failure_is_a_quiet_notice_and_a_warning_stays() {
    let mut desk = desk(9);
    decide(&mut desk);
    let (epoch, ..) = decide(&mut desk).unwrap();
    let failed = || Message::Learned {
        epoch,
        result: Err("the disk is gone".into()),
    };
    let mut other = desk.session.clone();
    let warning = Notice::External("look here".to_owned());
    other.notify(warning.clone());
    update(&mut other, failed());
    assert_eq!(other.screen.notice, Some(warning));
    let before = desk.session.entries.clone();
    desk.send(failed());
    let notice = desk.said().unwrap();
    assert_eq!(notice.tone(), Tone::Plain);
    let news = News::NotLearned("the disk is gone".to_owned());
    assert!(
        matches!(notice, Notice::WithNews(_, told) if *told == news),
        "{notice:?}"
    );
    assert_eq!(desk.session.entries, before);
}

#[test]
fn records_name_the_weights_that_were_learned() {
    let mut desk = desk(2);
    desk.session.options.model = "abc".into();
    let mut opened = desk.open(1, 0);
    let mut page = Arc::into_inner(opened.page.unwrap()).unwrap();
    page.learned_digest = Some("123".into());
    opened.page = Ok(Arc::new(page));
    let waiting = update(&mut desk.session, Message::Returned);
    for effect in waiting {
        if let Effect::Open { ticket, .. } = effect {
            opened.ticket = ticket;
        }
    }
    desk.send(Message::Opened(Box::new(opened)));
    desk.keys("<Enter>");
    let model = |id: &str| {
        let record = desk.record(id).unwrap();
        record.reviews[0].detected.clone().unwrap().model
    };
    assert_eq!(model("0.txt"), "abc+123");
    desk.keys("<Enter>");
    let record = desk.record("1.txt").unwrap();
    assert_eq!(record.reviews[0].detected.clone().unwrap().model, "abc");
}

#[test]
fn a_verdict_that_is_changed_or_taken_back_is_learned_again() {
    let mut desk = desk(9);
    decide(&mut desk);
    let (epoch, ..) = decide(&mut desk).unwrap();
    let before = desk.session.entries.clone();
    desk.send(answer(epoch, 9));
    // The cut of a decided book moves.
    desk.session.entries[1].cuts = Some(cuts(4));
    let effects = update(&mut desk.session, Message::Tick);
    let (epoch, decided, _) = request(&effects).unwrap();
    assert_eq!(decided, [0, 1, 9]);
    desk.send(answer(epoch, 9));
    assert_eq!(request(&update(&mut desk.session, Message::Tick)), None);
    // Of two verdicts nothing is learned.
    desk.session.entries[1].status = ReviewStatus::Undecided;
    let effects = update(&mut desk.session, Message::Tick);
    let forgets = |effect: &Effect| matches!(effect, Effect::Forget);
    assert!(effects.iter().any(forgets), "{effects:?}");
    assert_eq!(desk.session.entries[4..9], before[4..9]);
}

#[test]
fn the_first_book_of_a_sitting_has_what_earlier_verdicts_taught() {
    let mut desk = desk(9);
    let mut entries = desk.session.entries.clone();
    for entry in &mut entries[7..] {
        entry.status = ReviewStatus::Decided(Verdict::Confirmed);
    }
    let request_of = |desk: &mut UpdateFixture, entries: &[QueueEntry]| {
        let message = Message::Entries {
            entries: entries.to_vec(),
            counts_changed: false,
            model: None,
        };
        request(&update(&mut desk.session, message)).unwrap()
    };
    // It is the book at which an earlier sitting ended.
    desk.session.keys.has_started = true;
    let (epoch, _, undecided) = request_of(&mut desk, &entries);
    assert!(undecided.contains(&desk.session.current));
    let opens = |effect: &Effect| matches!(effect, Effect::Open { book: 0, .. });
    let effects = update(&mut desk.session, answer(epoch, 9));
    assert!(effects.iter().any(opens), "{effects:?}");
    // Once the curator has pressed a key, the book on screen stays as it is.
    let mut desk = self::desk(9);
    desk.keys("j");
    let (epoch, ..) = request_of(&mut desk, &entries);
    let effects = update(&mut desk.session, answer(epoch, 9));
    assert!(!effects.iter().any(opens), "{effects:?}");
    assert_eq!(desk.session.entries[0].cuts, Some(cuts(5)));
}

#[test]
fn what_was_learned_without_second_opinions_is_learned_again_with_them() {
    let opinions = |desk: &UpdateFixture| {
        let none = EntryOpinions::default();
        Message::Opinions(vec![none; desk.session.entries.len()])
    };
    let learned = |epoch: u64, has_opinions: bool| {
        let result = Ok(Box::new(LearningSummary {
            verdicts: 2,
            has_opinions,
            proposals: Vec::new(),
        }));
        Message::Learned { epoch, result }
    };
    // They come after the round.
    let mut desk = desk(9);
    decide(&mut desk);
    let (epoch, ..) = decide(&mut desk).unwrap();
    desk.send(learned(epoch, false));
    let message = opinions(&desk);
    let (epoch, ..) = request(&update(&mut desk.session, message)).unwrap();
    assert_eq!(
        request(&update(&mut desk.session, learned(epoch, true))),
        None
    );
    // They come during a round that has them, or that does not.
    for (has_opinions, asks_again) in [(true, false), (false, true)] {
        let mut desk = self::desk(9);
        decide(&mut desk);
        let (epoch, ..) = decide(&mut desk).unwrap();
        let message = opinions(&desk);
        assert_eq!(request(&update(&mut desk.session, message)), None);
        let effects = update(&mut desk.session, learned(epoch, has_opinions));
        assert_eq!(request(&effects).is_some(), asks_again);
    }
}
