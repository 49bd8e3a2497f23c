//! Blind review, second looks, and replay.

use super::*;
use crate::{QueueFilter, presenter};
use endpaper_truth::{Review, SECOND_LOOK};

pub(super) fn blind() -> UpdateFixture {
    blind_with(|_| {})
}

pub(super) fn blind_with(set: impl FnOnce(&mut SessionOptions)) -> UpdateFixture {
    let mut options = SessionOptions {
        curator: "ms".into(),
        detector: "gap".into(),
        blind: true,
        ..SessionOptions::default()
    };
    set(&mut options);
    let mut desk = UpdateFixture::three();
    let queue = desk.session.queue.clone();
    let entries = desk.session.entries.clone();
    desk.session = Session::new(options, queue, Keymap::defaults());
    desk.session.now = 1_000_000;
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    desk
}

/// Number of rows with a rule, either of a cut or of the detector's cut.
fn rules(desk: &UpdateFixture) -> usize {
    let rule = |row: &&PaneRow| matches!(row, PaneRow::Rule(..) | PaneRow::ProposedRule(..));
    desk.session.doc.rows.iter().filter(rule).count()
}

fn review(desk: &UpdateFixture, id: &str) -> Review {
    desk.record(id).unwrap().reviews.last().unwrap().clone()
}

#[test]
fn nothing_of_the_detector_is_shown_until_both_cuts_are_placed() {
    let mut desk = blind();
    assert_eq!(rules(&desk), 0);
    assert!(desk.session.doc.digit_positions().is_empty());
    let line = presenter::headline(&desk.session);
    assert_eq!((line.doubt, line.ends_seen), (None, 0));
    assert!(presenter::evidence_line(&desk.session).starts_with("blind: nothing is proposed"));
    for end in [End::Start, End::End] {
        assert_eq!(
            presenter::pane_title(&desk.session, end),
            "no cut placed yet"
        );
    }
    // Neither keys nor the map reveal it, and nothing is saved.
    for keys in ["d", "1", "gd", "gm", "<Enter>"] {
        desk.keys(keys);
        assert_said!(
            desk,
            Notice::Blind(BlindNotice::PlaceCut(_))
                | Notice::Refused(ModeRefusal::CutIsHidden | ModeRefusal::MapShowsCuts)
        );
        assert_eq!((rules(&desk), desk.name()), (0, "a.txt"), "{keys}");
    }
    desk.wait(5000);
    assert!(desk.disk.is_empty());
}

#[test]
fn cuts_that_were_placed_blind_are_kept_as_such() {
    let mut desk = blind();
    desk.keys(":9<Enter>c");
    assert_said!(desk, Notice::Blind(BlindNotice::Placed));
    assert_eq!(rules(&desk), 1);
    desk.keys("<Tab>:193<Enter>c");
    assert_said!(desk, Notice::Blind(BlindNotice::BothPlaced));
    assert_eq!((rules(&desk), desk.cuts()), (2, (TITLE, MARKER)));
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "b.txt");
    let review = review(&desk, "a.txt");
    assert!(review.blind);
    // The detector's cut was at 5: the record contains it although it was hidden.
    assert_eq!(review.verdict, Verdict::Corrected);
    assert_eq!(review.detected.unwrap().preamble_end, 3);
    assert_eq!(rules(&desk), 0);
}

#[test]
fn no_preamble_and_no_epilogue_are_placed_with_a_key_each() {
    let mut desk = blind();
    desk.keys("0<Tab>0<Enter>");
    let record = desk.record("a.txt").unwrap();
    assert_eq!(
        (record.cuts.preamble_end, record.cuts.epilogue_start),
        (0, None)
    );
    assert!(record.reviews[0].blind);
}

#[test]
fn what_the_detector_has_may_be_shown_then_and_a_cut_moved_after_it_is_not_blind() {
    for (keys, blind_still) in [("", true), ("K", false), ("KJ", true), ("Ku", true)] {
        let mut desk = blind();
        desk.keys(":9<Enter>c<Tab>:193<Enter>c<Tab>gd");
        assert_eq!(rules(&desk), 3, "both cuts and a ghost");
        assert!(presenter::headline(&desk.session).doubt.is_some());
        desk.keys(keys).keys("<Enter>");
        assert_eq!(review(&desk, "a.txt").blind, blind_still, "{keys}");
    }
}

#[test]
fn undo_takes_a_placed_cut_away_again() {
    let mut desk = blind();
    desk.keys(":9<Enter>cu");
    assert_eq!(rules(&desk), 0);
    desk.keys("<C-r>");
    assert_eq!(rules(&desk), 1);
    desk.keys("<Tab>0<Enter>u");
    assert_eq!((desk.name(), rules(&desk)), ("a.txt", 2));
    assert!(desk.disk.is_empty());
    desk.keys("<Enter>");
    assert!(review(&desk, "a.txt").blind);
}

#[test]
fn half_a_blind_review_is_kept_for_the_sitting_and_never_written() {
    let mut desk = blind();
    desk.keys(":9<Enter>c").wait(5000);
    desk.keys("<Right><Left>");
    assert_eq!((desk.name(), rules(&desk)), ("a.txt", 1));
    assert!(desk.disk.is_empty());
    desk.keys("q");
    assert!(desk.quit && desk.disk.is_empty());
}

#[test]
fn blind_mode_goes_on_with_the_next_book_and_off_at_once() {
    let mut desk = UpdateFixture::three();
    desk.keys("B");
    // The cuts of this book were already shown.
    assert_eq!(rules(&desk), 2);
    desk.keys("<Right>");
    assert_eq!(rules(&desk), 0);
    desk.keys("<Left>");
    assert_eq!(rules(&desk), 2);
    desk.keys("<Enter>");
    assert!(!review(&desk, "a.txt").blind);
    desk.keys("B");
    assert_eq!((rules(&desk), desk.cuts()), (2, (5, MARKER)));
    desk.keys("<Enter>");
    assert!(!review(&desk, "b.txt").blind);
}

/// Three decided books, in a second look.
pub(super) fn again() -> UpdateFixture {
    let mut first = UpdateFixture::three();
    first.keys("<Enter>]<Enter>wu");
    let mut desk = blind_with(|options| options.re_review = true);
    desk.disk = first.disk;
    desk.session.queue.filter = QueueFilter::Decided;
    let mut entries = first.session.entries.clone();
    entries.push(QueueEntry {
        id: Some(BookId::new("d.txt")),
        ..QueueEntry::default()
    });
    let (options, queue) = (desk.session.options.clone(), desk.session.queue.clone());
    desk.session = Session::new(options, queue, Keymap::defaults());
    desk.session.now = 2_000_000;
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    desk
}

#[test]
fn a_second_look_adds_an_opinion_and_leaves_the_outcome() {
    let mut desk = again();
    assert_eq!((desk.name(), rules(&desk)), ("a.txt", 0));
    let line = presenter::headline(&desk.session);
    assert_eq!(line.warnings, ["SECOND LOOK"]);
    // A second look does not cover other annotations.
    desk.keys("h");
    assert_said!(desk, Notice::Refused(ModeRefusal::OnlyCuts));
    desk.keys(":9<Enter>c<Tab>:193<Enter>c<Enter>");
    assert_said!(
        desk,
        Notice::Blind(BlindNotice::SecondLook { lines: Some(1), .. })
    );
    let record = desk.record("a.txt").unwrap();
    assert_eq!(
        (record.verdict, record.cuts.preamble_end),
        (Verdict::Confirmed, 3)
    );
    assert_eq!(record.reviews.len(), 2);
    let last = &record.reviews[1];
    assert_eq!(
        (last.blind, last.drawn.as_str(), last.cuts.preamble_end),
        (true, SECOND_LOOK, 5)
    );
    assert!(endpaper_truth::check::check_record(&record).is_empty());
    // The next decided book with the same cuts, then an undecidable one.
    assert_eq!((desk.name(), rules(&desk)), ("b.txt", 0));
    desk.keys(":9<Enter>c<Tab>:193<Enter>c<Enter>");
    assert_said!(
        desk,
        Notice::Blind(BlindNotice::SecondLook { lines: Some(0), .. })
    );
    assert_eq!(desk.name(), "c.txt");
    desk.keys("0<Tab>0<Enter>");
    assert_said!(desk, Notice::Blind(BlindNotice::NoneLeft { before: Some(before), .. })
            if matches!(**before, Notice::Blind(BlindNotice::SecondLook { lines: None, before: Verdict::Undecidable, .. })));
    assert_said!(desk, Notice::Blind(BlindNotice::NoneLeft { looked: 3, .. }));
    let found: Vec<_> = desk
        .session
        .sitting
        .tally
        .second_looks
        .values()
        .copied()
        .collect();
    assert_eq!(found, [Some(1), Some(0), None]);
    assert!(desk.session.sitting.tally.corrected.is_empty());
}

#[test]
fn a_second_look_can_be_undone() {
    let mut desk = again();
    let before = desk.disk.clone();
    desk.keys("0<Tab>0<Enter>");
    assert_ne!(desk.disk, before);
    desk.keys("u");
    assert_eq!((&desk.disk, desk.name()), (&before, "a.txt"));
    assert!(desk.session.sitting.tally.second_looks.is_empty());
    // If it is left without a verdict, nothing is written.
    desk.keys("<Right>").wait(5000);
    assert_eq!(desk.disk, before);
}

#[test]
fn the_last_decisions_are_replayed_and_only_looked_at() {
    let mut desk = UpdateFixture::three();
    desk.keys("R");
    assert_said!(desk, Notice::Replay(ReplayNotice::NothingDecided));
    desk.keys("<Enter>]<Enter>");
    let before = desk.disk.clone();
    desk.keys("R");
    assert_eq!(desk.name(), "a.txt");
    assert_said!(
        desk,
        Notice::Replay(ReplayNotice::Shown {
            at: 1,
            of: 2,
            verdict: Verdict::Confirmed,
            body: Some((5, _))
        })
    );
    for keys in ["]", "1", "h", "x", "wn", "3J", "c"] {
        desk.keys(keys);
        assert_said!(desk, Notice::Refused(ModeRefusal::ReplayIsReadOnly));
    }
    desk.keys("<Tab>v<PageDown>").wait(5000);
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "b.txt");
    assert_said!(
        desk,
        Notice::Replay(ReplayNotice::Shown {
            at: 2,
            of: 2,
            verdict: Verdict::Corrected,
            body: Some((9, _))
        })
    );
    desk.keys("<Left>");
    assert_eq!(desk.name(), "a.txt");
    desk.keys("<Enter><Enter>");
    assert_eq!(
        (desk.name(), desk.session.modes.replay.is_none()),
        ("c.txt", true)
    );
    assert_eq!(desk.disk, before);
}

#[test]
fn a_replay_can_be_left_where_it_stands() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter><Enter>R<Esc>");
    assert_eq!(
        (desk.name(), desk.session.modes.replay.is_none()),
        ("c.txt", true)
    );
    desk.keys("R<Enter>R");
    assert_eq!(
        (desk.name(), desk.session.modes.replay.is_none()),
        ("c.txt", true)
    );
    // Opening another book also ends the replay.
    desk.keys("Rb<Down><Enter>");
    assert!(desk.session.modes.replay.is_none());
}

#[test]
fn a_replayed_decision_can_be_corrected_and_the_replay_goes_on() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter><Enter>Ru]<Enter>");
    assert_eq!(desk.name(), "b.txt");
    let record = desk.record("a.txt").unwrap();
    assert_eq!(
        (record.verdict, record.cuts.preamble_end),
        (Verdict::Corrected, 5)
    );
    assert_eq!(record.reviews.len(), 2);
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "c.txt");
    // Pressing Enter without a correction continues the replay, too.
    desk.keys("Ru<Enter>");
    assert_eq!(
        desk.session.modes.replay.as_ref().map(|replay| replay.at),
        Some(1)
    );
}

#[test]
fn only_the_last_ten_are_replayed() {
    let names: Vec<String> = (10..24).map(|number| format!("{number}.txt")).collect();
    let names: Vec<&'static str> = names.into_iter().map(|name| &*name.leak()).collect();
    let mut desk = UpdateFixture::new(names.iter().map(|name| (*name, book(name))).collect());
    for _ in 0..12 {
        desk.keys("<Enter>");
    }
    desk.keys("R");
    assert_eq!(desk.name(), "12.txt");
    assert_said!(
        desk,
        Notice::Replay(ReplayNotice::Shown { at: 1, of: 10, .. })
    );
}

#[test]
fn reviews_say_how_their_book_was_drawn() {
    let drawn = |keys: &str| {
        let mut desk = UpdateFixture::three();
        desk.keys(keys).keys("<Enter>");
        let found = ["a.txt", "b.txt", "c.txt"]
            .iter()
            .find_map(|id| desk.record(id));
        found.unwrap().reviews[0].drawn.clone()
    };
    let table = [
        ("", "name"),
        ("<Right>", "name"),
        ("orandom<Enter>", "random"),
        ("sundecided<Enter>", "filtered:name"),
        ("bb.txt<Enter>", "search"),
        ("bb.txt<Enter><Right>", "name"),
        ("bis:undecided<Tab><Right>", "filtered:name"),
        ("gm<Right><Enter>", "heat"),
    ];
    for (keys, expected) in table {
        assert_eq!(drawn(keys), expected, "{keys}");
    }
}

/// A sample of all three books; the second is already decided, as a control.
pub(super) fn sample() -> UpdateFixture {
    use crate::sampling::SampleSitting;
    use endpaper_evaluate::sample::SamplePlan;
    let mut desk = UpdateFixture::three();
    desk.keys("<Right>h<Enter>");
    assert!(desk.session.list_label(1).contains("confirmed, hard"));
    let (queue, entries) = (desk.session.queue.clone(), desk.session.entries.clone());
    let options = SessionOptions {
        blind: true,
        ..SessionOptions::default()
    };
    desk.session = Session::new(options, queue, Keymap::defaults());
    desk.session.now = 1_000_000;
    desk.session.modes.sampling = Some(SampleSitting {
        review_tag: "sample:1".to_owned(),
        population: 3,
        plan: SamplePlan::Size {
            limit: 0.5,
            confidence: 0.95,
        },
        tolerated: [0, 0],
        books: vec![0, 1, 2],
        controls: [1].into(),
        bad: BTreeMap::new(),
        second_opinions: Default::default(),
    });
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    desk
}

/// The earlier decision on a control book would reveal that it is one.
#[test]
fn in_a_sample_nothing_tells_a_decided_book_from_others() {
    let mut desk = sample();
    let mut seen = Vec::new();
    for name in ["a.txt", "b.txt"] {
        assert_eq!(desk.name(), name);
        let line = presenter::headline(&desk.session);
        let list = desk.session.list_label(desk.session.current);
        seen.push((
            line.warnings,
            line.status,
            line.saved,
            list.replace(name, ""),
        ));
        desk.keys("<Right>");
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0].0, ["BLIND"]);
    // Once reviewed, it is shown as decided like any other.
    desk.keys("<Left>:9<Enter>c<Tab>0<Enter>");
    assert_eq!(
        desk.record("b.txt").unwrap().reviews.last().unwrap().drawn,
        "sample:1"
    );
    assert!(desk.session.list_label(1).contains("confirmed"));
}
