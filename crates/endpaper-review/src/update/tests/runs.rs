//! Propagation of a correction to other books.

use super::*;
use crate::propagation::PropagationBook;
use endpaper_detect::Cuts;

/// Books `0.txt`, `1.txt` ... of one template, in order of decreasing doubt; the detector leaves their credits in the body.
pub(super) fn desk(count: usize) -> UpdateFixture {
    const NAMES: [&str; 6] = ["0.txt", "1.txt", "2.txt", "3.txt", "4.txt", "5.txt"];
    let texts = NAMES.iter().take(count).map(|name| (*name, book(name)));
    let mut desk = UpdateFixture::new(texts.collect());
    desk.session.queue.order = QueueOrder::Doubt;
    let mut entries = desk.session.entries.clone();
    for (at, entry) in entries.iter_mut().enumerate() {
        entry.doubt = Some(0.9 - at as f32 / 20.0);
        entry.cuts = Some(Cuts {
            preamble_end: 3,
            epilogue_start: Some(MARKER),
        });
    }
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    desk
}

/// Moves the credits of the open book into its preamble.
const CORRECT: &str = "]<Enter>";
const DETECTED: (u32, u32) = (5, MARKER);
const CORRECTED: (u32, u32) = (TITLE, MARKER);

fn run(desk: &UpdateFixture) -> Option<(String, usize, usize)> {
    crate::presenter::headline(&desk.session).propagation
}

fn in_run(at: usize, of: usize) -> Option<(String, usize, usize)> {
    Some(("0.txt".to_owned(), at, of))
}

#[test]
fn a_correction_offers_the_books_with_the_same_block_and_brings_them_up() {
    let mut desk = desk(5);
    assert_eq!((desk.name(), desk.cuts()), ("0.txt", DETECTED));
    desk.keys(CORRECT);
    assert!(
        desk.words()
            .ends_with("same block in 4 others: A puts them next"),
        "{}",
        desk.words()
    );
    // Nothing is proposed before the curator asks for it.
    assert_eq!((desk.name(), desk.cuts()), ("1.txt", DETECTED));
    assert_eq!(desk.session.offered_book_count(), 4);
    desk.keys("A");
    for (at, name) in ["1.txt", "2.txt", "3.txt", "4.txt"].into_iter().enumerate() {
        assert_eq!((desk.name(), desk.cuts()), (name, CORRECTED));
        assert_eq!(run(&desk), in_run(at + 1, 4));
        let open = desk.session.doc.open.as_ref().unwrap();
        assert_eq!(open.page.detection.cuts.preamble_end, 3, "the ghost stays");
        assert!(!open.has_unsaved_changes());
        desk.keys("<Enter>");
        let record = desk.record(name).unwrap();
        let review = &record.reviews[0];
        assert_eq!(review.drawn, "propagated:0.txt");
        assert_eq!(review.verdict, Verdict::Corrected);
        assert_eq!(review.cuts.preamble_end, 5);
        assert_eq!(review.detected.as_ref().unwrap().cuts().preamble_end, 3);
    }
    let own = desk.record("0.txt").unwrap();
    assert_eq!(own.reviews[0].drawn, "doubt");
    let tally = &desk.session.sitting.tally;
    assert_eq!((tally.decided.len(), tally.propagated.len()), (5, 4));
    // Accepting a propagated proposal offers nothing new.
    assert_eq!(desk.session.offered_book_count(), 0);
}

#[test]
fn the_end_that_moves_is_named_and_active_and_nothing_unseen_is_kept() {
    let mut desk = desk(3);
    desk.keys(CORRECT);
    assert!(
        desk.words()
            .ends_with("start moved, same block in 2 others: A puts them next"),
        "{}",
        desk.words()
    );
    let offer = desk.session.background.propagation.offer.as_mut().unwrap();
    for target in &mut offer.books {
        target.cuts = Cuts {
            epilogue_start: None,
            ..target.detected
        };
    }
    desk.keys("A");
    assert!(desk.words().contains("end moved"), "{}", desk.words());
    assert_eq!((desk.name(), desk.session.doc.end), ("1.txt", End::End));
    // While the other end is covered, it has not been seen: Enter goes there first.
    desk.session.doc.seen = [false, true];
    desk.session.screen.size = (80, 2);
    desk.keys("<Enter>");
    assert_eq!(desk.record("1.txt"), None);
    assert_eq!((desk.name(), desk.session.doc.end), ("1.txt", End::Start));
}

#[test]
fn books_come_up_before_the_one_on_screen_which_is_next_again() {
    let mut desk = desk(5);
    desk.texts[1].1 = book("1.txt").replace("Produced by Somebody", "A line of the book");
    desk.texts[3].1 = book("3.txt").replace("Produced by Somebody", "A line of the book");
    desk.keys(CORRECT);
    assert_eq!(desk.session.offered_book_count(), 2);
    assert_eq!(desk.name(), "1.txt");
    desk.keys("A");
    assert_eq!(desk.session.queue.books, [0, 2, 4, 1, 3]);
    assert_eq!((desk.name(), run(&desk)), ("2.txt", in_run(1, 2)));
    desk.keys("<Enter>");
    assert_eq!((desk.name(), run(&desk)), ("4.txt", in_run(2, 2)));
    desk.keys("<Enter>");
    assert_eq!((desk.name(), run(&desk)), ("1.txt", None));
}

#[test]
fn the_detectors_cut_can_be_put_back_and_the_rest_is_still_proposed() {
    let mut desk = desk(4);
    desk.keys(CORRECT).keys("Ad");
    assert_eq!((desk.name(), desk.cuts()), ("1.txt", DETECTED));
    desk.keys("<Enter>");
    let record = desk.record("1.txt").unwrap();
    assert_eq!(record.verdict, Verdict::Confirmed);
    assert_eq!(record.reviews[0].drawn, "propagated:0.txt");
    assert_eq!((desk.name(), desk.cuts()), ("2.txt", CORRECTED));
}

#[test]
fn another_correction_in_a_run_ends_it() {
    let mut desk = desk(5);
    desk.keys(CORRECT).keys("A<Enter>");
    assert_eq!((desk.name(), run(&desk)), ("2.txt", in_run(2, 4)));
    desk.keys("]<Enter>");
    assert_eq!(desk.record("2.txt").unwrap().cuts.preamble_end, TITLE);
    assert_eq!((desk.name(), desk.cuts()), ("3.txt", DETECTED));
    assert_eq!(run(&desk), None);
    // The book that was decided in the previous batch keeps its cuts.
    assert_eq!(desk.record("1.txt").unwrap().cuts.preamble_end, 5);
}

#[test]
fn going_elsewhere_loses_nothing_and_writes_nothing() {
    let mut desk = desk(5);
    desk.keys(CORRECT).keys("ALL");
    desk.wait(5000);
    assert_eq!((desk.name(), run(&desk)), ("3.txt", in_run(3, 4)));
    desk.keys("HH");
    assert_eq!((desk.name(), desk.cuts()), ("1.txt", CORRECTED));
    assert_eq!(desk.disk.keys().collect::<Vec<_>>(), ["0.txt"]);
    // A draft keeps an annotation, and is removed with it.
    desk.keys("h").wait(5000);
    assert_eq!(desk.record("1.txt").unwrap().verdict, Verdict::Open);
    desk.keys("LH");
    assert_eq!((desk.cuts(), run(&desk)), (CORRECTED, in_run(1, 4)));
    desk.keys("h").wait(5000);
    assert_eq!(desk.record("1.txt"), None);
    desk.keys("h<Enter>");
    let record = desk.record("1.txt").unwrap();
    assert_eq!(record.reviews[0].drawn, "propagated:0.txt");
    assert!(record.hard);
}

#[test]
fn undo_shows_the_proposal_again_and_undoing_the_correction_takes_it_back() {
    let mut desk = desk(4);
    desk.keys(CORRECT).keys("A<Enter>");
    assert_eq!(desk.name(), "2.txt");
    desk.keys("u");
    assert_eq!((desk.name(), desk.cuts()), ("1.txt", CORRECTED));
    assert_eq!(run(&desk), in_run(1, 3));
    assert_eq!(desk.record("1.txt"), None);
    assert!(desk.session.sitting.tally.propagated.is_empty());
    desk.keys("u");
    assert_eq!((desk.name(), desk.record("0.txt")), ("0.txt", None));
    assert!(desk.session.background.propagation.proposed.is_empty());
    desk.keys("uL");
    assert_eq!(
        (desk.name(), desk.cuts(), run(&desk)),
        ("1.txt", DETECTED, None)
    );
}

#[test]
fn nothing_is_looked_for_where_reviews_must_not_lean_on_each_other() {
    type Change = fn(&mut Session);
    let cases: [(&str, Change); 5] = [
        ("looking only", |session| session.options.read_only = true),
        ("settling", |session| session.options.adjudicates = true),
        ("blind", |session| session.modes.blind = true),
        ("a sample", |session| {
            session.queue.order = QueueOrder::Random
        }),
        ("nothing is undecided", |session| {
            for entry in &mut session.entries[1..] {
                entry.status = ReviewStatus::Draft;
            }
        }),
    ];
    for (what, change) in cases {
        let mut desk = desk(4);
        change(&mut desk.session);
        desk.keys(CORRECT);
        assert_eq!(desk.session.offered_book_count(), 0, "{what}");
        desk.keys("A");
        assert!(
            desk.session.background.propagation.proposed.is_empty(),
            "{what}"
        );
    }
    // The baseline: a normal sitting offers all three.
    assert_eq!(self::desk(4).keys(CORRECT).session.offered_book_count(), 3);
}

#[test]
fn an_order_at_random_forgets_all_of_it() {
    let mut desk = desk(4);
    desk.keys(CORRECT).keys("A");
    desk.session.queue.order = QueueOrder::Random;
    desk.send(Message::Tick);
    assert!(desk.session.background.propagation.proposed.is_empty());
    desk.keys("LH");
    assert_eq!(desk.cuts(), DETECTED);
}

#[test]
fn old_answers_and_other_books_count_for_nothing() {
    let mut desk = desk(4);
    let effects = desk.hold(CORRECT);
    desk.release(effects);
    let epoch = desk.session.background.propagation.epoch;
    desk.session.background.propagation.offer = None;
    let alike = PropagationTarget {
        book: 2,
        detected: Cuts::default(),
        cuts: Cuts::default(),
        is_copy: false,
        inside: Vec::new(),
    };
    let books = vec![alike.clone()];
    desk.send(Message::PropagationTargets { epoch, books });
    assert_eq!(
        desk.session.offered_book_count(),
        0,
        "it was answered before"
    );
    desk.keys("H").keys("u");
    let mut entries = desk.session.entries.clone();
    desk.session.background.propagation.proposed.insert(
        1,
        PropagationBook {
            batch: 1,
            from: 0,
            target: alike,
            at: 1,
            of: 1,
        },
    );
    let mut resend = |entries: Vec<QueueEntry>, counts_changed: bool| {
        desk.send(Message::Entries {
            entries,
            counts_changed,
            model: None,
        });
        desk.session.background.propagation.proposed.len()
    };
    assert_eq!(resend(entries.clone(), true), 1);
    entries.pop();
    assert_eq!(resend(entries, true), 0);
}

#[test]
fn a_book_that_is_detected_so_meanwhile_is_no_part_of_a_run() {
    let mut desk = desk(4);
    desk.keys(CORRECT).keys("A");
    // In the meantime the detector learned to propose the change for one of them.
    let member = desk
        .session
        .background
        .propagation
        .proposed
        .get_mut(&2)
        .unwrap();
    member.target.detected.preamble_end = 1;
    member.target.cuts.preamble_end = 3;
    desk.keys("<Enter>");
    assert_eq!(
        (desk.name(), desk.cuts(), run(&desk)),
        ("2.txt", DETECTED, None)
    );
    desk.keys("<Enter>");
    assert_eq!(desk.record("2.txt").unwrap().reviews[0].drawn, "doubt");
    assert_eq!((desk.name(), run(&desk)), ("3.txt", in_run(3, 3)));
}

#[test]
fn the_word_on_the_save_makes_room_and_a_warning_stays() {
    let mut desk = desk(3);
    desk.session.screen.size = (78, 24);
    desk.keys(CORRECT);
    let said = "saved 0.txt · start moved, same block in 2 others: A puts them next";
    assert_eq!(desk.words(), said);
    let mut one = self::desk(2);
    one.keys(CORRECT);
    assert!(one.words().ends_with("in 1 other: A puts it next"));
    let mut desk = self::desk(3);
    let effects = desk.hold(CORRECT);
    let (asked, others): (Vec<_>, Vec<_>) = effects
        .into_iter()
        .partition(|effect| matches!(effect, Effect::FindPropagationTargets { .. }));
    assert!(
        asked.is_empty(),
        "the verdict is not on disk yet: {asked:?}"
    );
    desk.session
        .notify(Notice::External("look here".to_owned()));
    desk.release(others);
    assert!(!desk.words().is_empty());
}

#[test]
fn a_run_keeps_its_order_when_the_corpus_is_counted_or_learned() {
    let mut desk = desk(6);
    desk.keys(CORRECT).keys("A");
    assert_eq!(desk.session.queue.books, [0, 1, 2, 3, 4, 5]);
    let mut entries = desk.session.entries.clone();
    for (at, entry) in entries.iter_mut().enumerate() {
        entry.doubt = Some(at as f32 / 10.0);
    }
    desk.session.keys.has_started = true;
    desk.send(Message::Entries {
        entries,
        counts_changed: true,
        model: None,
    });
    let books = &desk.session.queue.books;
    let at = books.iter().position(|&book| book == 1).unwrap();
    assert_eq!(books[at..at + 5], [1, 2, 3, 4, 5]);
}
