//! Adjudication: two curators decide `a.txt` and `b.txt`, a third chooses between them.

use super::*;
use endpaper_truth::merge::{MergeOutcome, MergeSide, merge};
use endpaper_truth::{Record, RecordKind};

/// The records of a curator who presses these keys on the first books.
fn side(curator: &str, keys: &str) -> MergeSide {
    let mut desk = UpdateFixture::three();
    desk.session.options.curator = curator.to_owned();
    desk.keys(keys);
    MergeSide::of_records(desk.disk.keys().filter_map(|id| desk.record(id)))
}

/// A sitting of the adjudicator on what these two sides decided differently.
fn adjudicate(sides: [MergeSide; 2]) -> UpdateFixture {
    let merge = merge(None, &sides);
    let conflicts = merge
        .books
        .iter()
        .filter_map(|(book, outcome)| match outcome {
            MergeOutcome::Conflict(conflict) => {
                Some((book.clone(), Arc::new(Dispute::new(conflict, false))))
            }
            _ => None,
        });
    let mut desk = UpdateFixture::three();
    desk.disputes = conflicts.collect();
    assert_eq!(desk.disputes.len(), 2, "both books are disputed");
    desk.session.options.adjudicates = true;
    desk.session.options.curator = "judge".to_owned();
    // The first book was opened before it was disputed.
    desk.keys("<Right><Left>");
    desk
}

/// Anna moves the first cut and calls the second book undecidable; ben moves both cuts of the first book. Both note why.
fn disputed() -> UpdateFixture {
    adjudicate([
        side(
            "anna",
            "JJnfirst of anna<Enter>h<Enter>nsecond of anna<Enter>wu",
        ),
        side("ben", "]<Tab>KKnfirst of ben<Enter><Enter><Enter><Enter>"),
    ])
}

/// The number of a curator's opinion on the open book, as a key.
fn digit(desk: &UpdateFixture, by: &str) -> String {
    let open = desk.session.doc.open.as_ref().unwrap();
    let mut opinions = open.curator_opinions().iter();
    let at = opinions.position(|opinion| opinion.record.reviews[0].by == by);
    (at.expect("an opinion") + 1).to_string()
}

fn of(desk: &UpdateFixture, book: &str, by: &str) -> Record {
    let opinions = &desk.disputes[book].opinions;
    let of = opinions.iter().find(|one| one.record.reviews[0].by == by);
    of.expect("an opinion").record.clone()
}

fn reviewers(record: &Record) -> Vec<&str> {
    record.reviews.iter().map(|review| &*review.by).collect()
}

#[test]
fn nothing_is_kept_before_an_opinion_is_chosen() {
    let mut desk = disputed();
    for _ in 0..2 {
        desk.keys("<Enter>");
        assert_said!(desk, Notice::Dispute(DisputeNotice::ChooseFirst));
    }
    assert_eq!(
        desk.words(),
        "nothing is chosen: 1 or 2 takes that opinion, or c puts both cuts elsewhere"
    );
    // A mark before the choice writes nothing either, but stays when the book is left.
    desk.keys("f").keys("<Space><Esc>").wait(5000);
    assert_eq!((desk.name(), desk.disk.len()), ("a.txt", 0));
    desk.keys("<Right><Left>");
    let open = desk.session.doc.open.as_ref().unwrap();
    assert!(open.awaits_choice() && open.decision.flags.len() == 1);
    desk.keys("3");
    assert_said!(desk, Notice::Dispute(DisputeNotice::NoSuch(2)));
}

#[test]
fn a_digit_takes_a_whole_opinion_and_enter_saves_it() {
    for by in ["anna", "ben"] {
        let mut desk = disputed();
        let own = of(&desk, "a.txt", by);
        desk.keys(&digit(&desk, by));
        let decision = &desk.session.doc.open.as_ref().unwrap().decision;
        assert_eq!((decision.cuts, decision.hard), (own.cuts, own.hard));
        assert!(desk.disk.is_empty());
        desk.keys("<Enter>");
        let record = desk.record("a.txt").unwrap();
        assert_eq!((record.cuts, record.verdict), (own.cuts, own.verdict));
        assert_eq!(record.hard, by == "anna");
        // No opinion and no note is lost, neither anna's nor ben's.
        assert_eq!(reviewers(&record), ["anna", "ben", "judge"]);
        assert!(record.reviews[2].is_adjudication());
        for note in ["first of anna", "first of ben"] {
            assert!(record.note.contains(note), "{}", record.note);
        }
        assert_eq!(desk.name(), "b.txt");
    }
}

#[test]
fn digits_change_the_choice_and_undo_takes_it_back() {
    let mut desk = disputed();
    let (anna, ben) = (digit(&desk, "anna"), digit(&desk, "ben"));
    desk.keys(&anna).keys(&ben);
    let chosen = |desk: &UpdateFixture| {
        let open = desk.session.doc.open.as_ref().unwrap();
        (open.chosen_opinions(), open.awaits_choice())
    };
    let number = |digit: &str| digit.parse::<usize>().unwrap() - 1;
    assert_eq!(chosen(&desk), (vec![number(&ben)], false));
    desk.keys("u");
    assert_eq!(chosen(&desk), (vec![number(&anna)], false));
    desk.keys("u");
    assert_eq!(chosen(&desk), (vec![], true));
    // An answer of one's own is none of theirs.
    desk.keys(&anna).keys("J");
    assert_eq!(chosen(&desk), (vec![], false));
}

#[test]
fn a_verdict_without_cuts_is_taken_as_it_is_and_only_enter_saves_it() {
    let mut desk = disputed();
    desk.keys("<Right>");
    assert_eq!(desk.name(), "b.txt");
    desk.keys(&digit(&desk, "anna")).wait(5000);
    assert!(desk.disk.is_empty());
    // There is no cut to be shown first.
    let hints = crate::presenter::keys(&desk.session);
    assert_eq!(hints[0], ("Enter".to_owned(), "keep & next"));
    // Neither does a choice that was undone and redone.
    desk.keys("uU").wait(5000);
    assert!(desk.disk.is_empty());
    desk.keys("<Enter>");
    let record = desk.record("b.txt").unwrap();
    assert_eq!(record.verdict, Verdict::Undecidable);
    assert_eq!(record.kind, RecordKind::Book);
    assert_eq!(record.note, "second of anna");
    assert_eq!(reviewers(&record), ["anna", "ben", "judge"]);
    let verdicts = record.reviews.iter().map(|review| review.verdict);
    let expected = [
        Verdict::Undecidable,
        Verdict::Confirmed,
        Verdict::Undecidable,
    ];
    assert_eq!(verdicts.collect::<Vec<_>>(), expected);
    // Undo removes the record again.
    desk.keys("u");
    assert!(desk.disk.is_empty());
}

#[test]
fn a_choice_that_is_left_is_a_draft_on_disk_and_goes_on() {
    let mut desk = disputed();
    let ben = digit(&desk, "ben");
    desk.keys(&ben).keys("n / my own<Enter>").wait(5000);
    let record = desk.record("a.txt").unwrap();
    assert_eq!(record.verdict, Verdict::Open);
    assert_eq!(reviewers(&record), ["anna", "ben"]);
    desk.keys("<Right><Left>");
    let open = desk.session.doc.open.as_ref().unwrap();
    assert!(!open.awaits_choice() && open.decision.note.ends_with("my own"));
    // Choosing again keeps what the adjudicator wrote.
    desk.keys(&digit(&desk, "anna")).keys("<Enter>");
    let note = desk.record("a.txt").unwrap().note;
    for part in ["first of anna", "first of ben", "my own"] {
        assert_eq!(note.matches(part).count(), 1, "{note}");
    }
}

#[test]
fn own_cuts_at_both_ends_are_a_choice_too() {
    let mut desk = disputed();
    desk.keys("0<Enter>");
    assert_said!(desk, Notice::Dispute(DisputeNotice::ChooseFirst));
    desk.keys("<Tab>0<Enter><Enter>");
    let record = desk.record("a.txt").unwrap();
    assert_eq!(
        (record.cuts, record.verdict),
        (Default::default(), Verdict::Corrected)
    );
    assert_eq!(reviewers(&record), ["anna", "ben", "judge"]);
}
