//! Near copies: their order in the queue, their display, and the propagation of a verdict to them.

use super::*;
use crate::BookCopies;
use crate::copies::LearningRound;
use crate::entry::EntryOpinions;
use crate::presenter::{headline, is_contradicted};
use crate::update::copies::{after_learning, differ};

/// A book with two copies, one with other line breaks and other credits, one with the same credits. The last book has no
/// copies.
fn desk() -> UpdateFixture {
    let one = book("ONE");
    let (header, rest) = one.split_at(one.find("ONE\n\nLine").unwrap());
    let (body, footer) = rest.split_at(rest.find("End of the Project").unwrap());
    let words: Vec<&str> = body.split_whitespace().skip(1).collect();
    let lines: Vec<String> = words.chunks(10).map(|line| line.join(" ")).collect();
    let other = header.replace("Produced by Somebody", "Scanned by Nobody at all");
    let flowed = format!("{header}ONE\n\n{}\n\n{footer}", lines.join("\n"));
    let scanned = format!("{other}{body}{footer}");
    let mut desk = UpdateFixture::new(vec![
        ("a.txt", one),
        (
            "b.txt",
            book("TWO").replace("Produced by Somebody", "A line of the book"),
        ),
        ("c.txt", flowed),
        ("d.txt", scanned),
    ]);
    desk.session.queue.order = QueueOrder::Doubt;
    let texts = desk.texts.clone();
    desk.analysed(false, |at, entry| {
        let is_marker = |line: &str| line.starts_with("End of the");
        let marker = texts[at].1.lines().position(is_marker).unwrap();
        entry.doubt = Some(0.4 - at as f32 / 10.0);
        entry.cuts = Some(Cuts {
            preamble_end: 3,
            epilogue_start: Some(marker as u32 + 1),
        });
    });
    desk
}

use endpaper_detect::Cuts;

fn found(desk: &mut UpdateFixture, differ: bool) {
    let copy = BookCopies {
        cluster: 1,
        is_cut_differently: differ,
    };
    let copies = [copy, BookCopies::default(), copy, copy];
    let opinion = |copies: BookCopies| EntryOpinions {
        copies,
        doubt: copies.is_cut_differently.then_some(0.6),
        ..EntryOpinions::default()
    };
    desk.send(Message::Opinions(copies.map(opinion).to_vec()));
}

const CORRECT: &str = "]<Enter>";

#[test]
fn copies_come_one_after_another_and_the_header_counts_them() {
    let mut desk = desk();
    assert_eq!(desk.session.queue.books, [0, 1, 2, 3]);
    // The next three books keep their positions when copies are found.
    found(&mut desk, false);
    assert_eq!(desk.session.queue.books, [0, 1, 2, 3]);
    desk.session.queue.arrange(&desk.session.entries);
    assert_eq!(desk.session.queue.books, [0, 2, 3, 1]);
    let line = headline(&desk.session);
    assert_eq!((line.copies, line.warnings.len()), ((2, 0), 0));
    desk.keys("<Enter>");
    assert_eq!(headline(&desk.session).copies, (2, 1));
    desk.keys("<Enter>").keys("<Enter>");
    assert_eq!(
        (desk.name(), headline(&desk.session).copies),
        ("b.txt", (0, 0))
    );
    // Results for another listing are ignored.
    desk.send(Message::Opinions(vec![EntryOpinions::default()]));
    assert_eq!(desk.session.entries[0].copies.cluster, 1);
    // An analysis brings entries without copies.
    desk.analysed(true, |_, entry| entry.copies = BookCopies::default());
    assert_eq!(desk.session.entries[0].copies.cluster, 1);
}

#[test]
fn copies_that_are_cut_elsewhere_are_doubted_and_a_blind_review_says_nothing_of_it() {
    let mut desk = desk();
    found(&mut desk, true);
    let line = headline(&desk.session);
    assert_eq!(line.warnings, ["COPIES DISAGREE"]);
    assert!(crate::presenter::evidence_line(&desk.session).contains("copies-differ"));
    let doubts = desk.session.entries.iter().map(|entry| entry.doubt);
    assert_eq!(doubts.collect::<Vec<_>>()[1..3], [Some(0.3), Some(0.6)]);
    let mut blind = self::desk();
    blind.session.modes.blind = true;
    found(&mut blind, true);
    blind.keys("LL");
    assert_eq!(blind.name(), "c.txt");
    let open = blind.session.doc.open.as_ref().unwrap();
    assert!(open.hides_proposal());
    let line = headline(&blind.session);
    assert_eq!(
        (line.warnings, line.doubt),
        (vec!["BLIND".to_owned()], None)
    );
}

#[test]
fn a_correction_is_carried_to_copies_by_their_words() {
    let mut desk = desk();
    found(&mut desk, false);
    desk.keys(CORRECT);
    let said = "same words in 1 copy: A puts it next";
    assert!(desk.words().ends_with(said), "{}", desk.words());
    // The copy with other credits does not show where its body begins.
    assert_eq!(
        (desk.session.offered_book_count(), desk.name()),
        (1, "b.txt")
    );
    desk.keys("A");
    assert_eq!((desk.name(), desk.cuts().0), ("c.txt", TITLE));
    assert_eq!(
        headline(&desk.session).propagation,
        Some(("a.txt".to_owned(), 1, 1))
    );
    assert!(desk.record("c.txt").is_none());
    desk.keys("<Enter>");
    let review = desk.record("c.txt").unwrap().reviews.remove(0);
    assert_eq!(
        (review.drawn.as_str(), review.verdict),
        ("propagated:a.txt", Verdict::Corrected)
    );
    assert_eq!(desk.session.sitting.tally.propagated.len(), 1);
}

#[test]
fn a_confirmation_is_offered_to_copies_that_are_cut_at_the_same_words() {
    let mut desk = desk();
    found(&mut desk, false);
    desk.keys("<Enter>");
    assert_said!(
        desk,
        Notice::WithNews(
            _,
            News::Propagates {
                copies: 1,
                others: 0,
                ..
            }
        )
    );
    desk.keys("A");
    assert_eq!((desk.name(), desk.cuts().0), ("c.txt", 5));
    assert!(headline(&desk.session).propagation.is_some());
    desk.keys("<Enter>");
    let review = desk.record("c.txt").unwrap().reviews.remove(0);
    assert_eq!(
        (review.drawn.as_str(), review.verdict),
        ("propagated:a.txt", Verdict::Confirmed)
    );
    // A decision that was proposed because of a copy is not propagated again.
    assert_eq!(desk.session.offered_book_count(), 0);
    // A book without copies has nothing to propagate to.
    desk.keys("<Enter>");
    assert_eq!(
        (
            desk.session.offered_book_count(),
            desk.session.background.propagation.pending_source
        ),
        (0, None)
    );
}

#[test]
fn what_is_no_book_is_offered_to_no_copy() {
    let mut desk = desk();
    found(&mut desk, false);
    desk.keys("n<Enter>");
    assert_eq!(desk.session.offered_book_count(), 0);
    assert!(desk.session.background.propagation.pending_source.is_none());
}

/// The message about two decided copies, if it is shown.
fn contradiction(desk: &UpdateFixture) -> Option<([String; 2], bool, [u32; 2])> {
    match desk.said() {
        Some(Notice::Queue(QueueNotice::CopiesDisagree {
            names,
            at_end,
            lines,
        })) => Some((names.clone(), *at_end, *lines)),
        _ => None,
    }
}

fn comparing() -> UpdateFixture {
    let mut desk = desk();
    desk.compares_copies = true;
    found(&mut desk, false);
    desk
}

#[test]
fn decided_copies_that_are_cut_at_other_words_are_told_at_once_and_when_one_is_opened() {
    let mut desk = comparing();
    desk.keys(CORRECT).keys("<Enter>");
    // The first is decided; the analysis knows nothing of it.
    assert_eq!(desk.name(), "c.txt");
    assert!(is_contradicted(&desk.session));
    assert_eq!(contradiction(&desk), None);
    desk.keys("<Enter>");
    let names = || ["a.txt".to_owned(), "c.txt".to_owned()];
    let told = Some((names(), false, [TITLE, 5]));
    assert_eq!((desk.name(), contradiction(&desk)), ("d.txt", told.clone()));
    assert_eq!(differ(&desk.session, 2, 0), Some(true));
    assert_eq!(differ(&desk.session, 0, 1), None);
    for (keys, name) in [("H", "c.txt"), ("HH", "a.txt")] {
        desk.keys(keys);
        assert_eq!(desk.name(), name);
        assert_eq!(contradiction(&desk), told, "{name}");
        assert!(is_contradicted(&desk.session), "{name}");
    }
    // Put right: the same words, whatever the analysis said.
    found(&mut desk, true);
    desk.session.entries[3].copies = BookCopies::default();
    let open = |desk: &mut UpdateFixture, book: usize| {
        let effects = opening::open(&mut desk.session, book, None);
        desk.release(effects);
    };
    open(&mut desk, 2);
    desk.keys(CORRECT);
    assert_eq!(contradiction(&desk), None);
    for (book, name) in [(2, "c.txt"), (0, "a.txt")] {
        open(&mut desk, book);
        let line = headline(&desk.session);
        assert_eq!((desk.name(), line.copies), (name, (1, 1)));
        assert_eq!(desk.cuts().0, TITLE);
        assert!(!is_contradicted(&desk.session), "{name}");
        assert_eq!(differ(&desk.session, 0, 2), Some(false), "{name}");
        assert_eq!(contradiction(&desk), None, "{name}");
    }
}

#[test]
fn reviews_that_must_be_independent_are_not_compared() {
    let mut desk = comparing();
    desk.session.modes.blind = true;
    desk.session.background.copies = Default::default();
    desk.keys("LLHH<Enter><Enter><Enter>");
    assert!(desk.session.background.copies.known.is_empty());
    let mut desk = self::desk();
    desk.compares_copies = true;
    desk.session.queue.order = QueueOrder::Random;
    found(&mut desk, true);
    desk.keys(CORRECT).keys("<Enter><Enter><Enter>");
    assert!(desk.session.background.copies.known.is_empty());
    // Nor after learning, which tells nothing of the last verdicts either.
    for (is_blind, expected) in [(true, None), (false, Some((3, 3)))] {
        let mut desk = comparing();
        desk.session.modes.blind = is_blind;
        desk.session.background.copies = Default::default();
        desk.session.screen.notice = None;
        for entry in &mut desk.session.entries[..3] {
            entry.status = ReviewStatus::Decided(Verdict::Confirmed);
        }
        desk.session.sitting.tally.recent = vec![0, 1, 2];
        let effects = after_learning(
            &mut desk.session,
            &[2],
            LearningRound {
                cuts: 1,
                verdicts: 3,
                ..LearningRound::default()
            },
        );
        assert_eq!(effects.is_empty(), is_blind);
        desk.release(effects);
        assert_said!(
            desk,
            Notice::WithNews(_, News::Learned { kept, .. }) if *kept == expected
        );
    }
}

#[test]
fn learning_that_moves_one_of_two_copies_tells() {
    use crate::learning::BookProposal;
    use crate::message::LearningSummary;
    let learn = |desk: &mut UpdateFixture, moved: &[(usize, u32)]| {
        let learning = &mut desk.session.background.learning;
        (learning.epoch, learning.is_underway) = (1, true);
        let proposal = |&(book, preamble_end): &(usize, u32)| {
            let entry = &desk.session.entries[book];
            let cuts = entry.cuts.map(|cuts| Cuts {
                preamble_end,
                ..cuts
            });
            let (doubt, reason) = (entry.doubt, entry.reason);
            (
                book,
                BookProposal {
                    cuts,
                    doubt,
                    reason,
                },
            )
        };
        let result = Ok(Box::new(LearningSummary {
            has_opinions: true,
            verdicts: 3,
            proposals: moved.iter().map(proposal).collect(),
        }));
        desk.send(Message::Learned { epoch: 1, result });
    };
    let apart = |desk: &UpdateFixture| match desk.said() {
        Some(Notice::WithNews(_, News::Learned { apart, .. })) => apart.clone(),
        said => panic!("{said:?}"),
    };
    let mut desk = comparing();
    // Only a blank line more, and a book without copies.
    learn(&mut desk, &[(2, 4), (1, 5)]);
    assert_eq!(apart(&desk), None);
    learn(&mut desk, &[(2, TITLE - 1)]);
    let names = ["a.txt".to_owned(), "c.txt".to_owned()];
    assert_eq!(apart(&desk), Some((names, 1)));
    let told = "learned from 3 verdicts: 1 proposal changed; copies DISAGREE now: a.txt, c.txt";
    assert_eq!(desk.words(), told);
    assert!(is_contradicted(&desk.session));
    // The message waits for the comparison.
    let mut desk = comparing();
    desk.compares_copies = false;
    learn(&mut desk, &[(2, TITLE - 1)]);
    assert!(desk.session.background.copies.round.is_some());
    assert!(!matches!(desk.said(), Some(Notice::WithNews(..))));
}

#[test]
fn marks_inside_travel_with_a_correction_and_wait_for_enter() {
    let mut desk = super::runs::desk(3);
    for (_, text) in &mut desk.texts {
        *text = text.replace("THE END", "A note on this edition\n\nTHE END");
    }
    desk.keys("L").keys("H");
    desk.keys(":191<Enter>x]<Enter>A");
    assert_eq!(desk.record("0.txt").unwrap().inside.len(), 1);
    assert!(desk.words().contains("2 marks inside"), "{}", desk.words());
    let open = desk.session.doc.open.as_ref().unwrap();
    let marks: Vec<_> = open.decision.inside.iter().map(|mark| mark.first).collect();
    assert_eq!((desk.name(), marks), ("1.txt", vec![191]));
    assert!(!open.has_unsaved_changes() && desk.record("1.txt").is_none());
    desk.keys("<Enter>");
    let record = desk.record("1.txt").unwrap();
    assert_eq!(
        (record.inside.len(), record.verdict),
        (1, Verdict::Corrected)
    );
    assert_eq!((desk.name(), desk.record("2.txt")), ("2.txt", None));
}

#[test]
fn marks_that_travel_far_from_the_cuts_are_shown_before_enter_and_refused_with_the_cut() {
    let run = || {
        let mut desk = super::runs::desk(3);
        for (name, text) in &mut desk.texts {
            let line = format!("Line 7 of paragraph 9 of {name}, which nobody wrote before\n");
            *text = text.replace(&line, &format!("{line}\nA note on this edition\n"));
        }
        desk.keys("L").keys("H");
        desk.keys(":101<Enter>x]<Enter>A");
        let open = desk.session.doc.open.as_ref().unwrap();
        let marks: Vec<_> = open.decision.inside.iter().map(|mark| mark.first).collect();
        assert_eq!((desk.name(), marks), ("1.txt", vec![101]));
        desk
    };
    let mut desk = run();
    desk.keys("<Enter>");
    assert_said!(desk, Notice::Cut(CutNotice::Contradicted(told)) if told.line == 101);
    assert_eq!((desk.name(), desk.session.cursor_line()), ("1.txt", 101));
    desk.keys("<Enter>");
    assert_eq!(desk.record("1.txt").unwrap().inside.len(), 1);
    let mut desk = run();
    desk.keys("d<Enter>");
    let record = desk.record("1.txt").unwrap();
    assert_eq!(
        (record.inside.len(), record.verdict),
        (0, Verdict::Confirmed)
    );
}

#[test]
fn the_detectors_cut_refuses_both_ends_but_not_one_that_was_moved_since() {
    let run = || {
        let mut desk = super::runs::desk(3);
        desk.keys("L").keys("H");
        desk.keys("]<Enter>A");
        assert_eq!(desk.name(), "1.txt");
        let open = desk.session.doc.open.as_mut().unwrap();
        let proposed = open.page.detection.cuts;
        assert_ne!(open.decision.cuts.preamble_end, proposed.preamble_end);
        // The decided book carries over both ends.
        open.decision.cuts.epilogue_start = proposed.epilogue_start.map(|line| line - 4);
        open.propagation.as_mut().unwrap().cuts = open.decision.cuts;
        (desk, proposed)
    };
    let cuts = |desk: &UpdateFixture| desk.session.doc.open.as_ref().unwrap().decision.cuts;
    let (mut desk, proposed) = run();
    desk.keys("d");
    assert_eq!(cuts(&desk), proposed);
    let (mut desk, proposed) = run();
    let active = desk.session.doc.end;
    desk.keys("]<Tab>d");
    let moved = cuts(&desk);
    assert_ne!(desk.session.doc.end, active);
    match active {
        End::Start => assert_eq!(moved.epilogue_start, proposed.epilogue_start),
        End::End => assert_eq!(moved.preamble_end, proposed.preamble_end),
    }
    assert_ne!(moved, proposed, "the end that was moved by hand");
}
