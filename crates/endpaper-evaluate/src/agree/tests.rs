use std::collections::HashMap;

use super::compare::alphas;
use super::*;
use crate::Proportion;
use endpaper_detect::Cuts;
use endpaper_text::corpus::BookText;
use endpaper_text::scan::Template;
use endpaper_truth::{ADJUDICATION, Record, Review, SourceFacts, Verdict};

/// Ten lines, two of them blank.
const BOOK: &str = "licence\nmore\n\ncredits\nTITLE\none\ntwo\n\nTHE END\nlicence again\n";

fn cuts(preamble_end: u32, epilogue_start: Option<u32>) -> Cuts {
    Cuts {
        preamble_end,
        epilogue_start,
    }
}

fn review(by: &str, day: u32, blind: bool, verdict: Verdict, cuts: Cuts) -> Review {
    Review {
        by: by.to_owned(),
        at: format!("2026-11-{day:02}T03:22:00Z"),
        blind,
        verdict,
        cuts,
        ..Review::default()
    }
}

/// A record of one of many equal books, distinguished by a last line.
fn record(book: &str, reviews: Vec<Review>) -> Record {
    let text = BookText::new(text_of(book).into_bytes());
    let mut record = Record::new(book, SourceFacts::of(&text));
    for review in reviews {
        record.add_review(review);
    }
    record
}

fn text_of(book: &str) -> String {
    format!("{BOOK}{book}\n")
}

fn decided(book: &str, by: &str, preamble_end: u32, epilogue_start: Option<u32>) -> Record {
    let cuts = cuts(preamble_end, epilogue_start);
    record(book, vec![review(by, 1, false, Verdict::Corrected, cuts)])
}

fn known(books: &[(&str, u64)]) -> HashMap<String, BookFacts> {
    let known = books.iter().map(|(book, template)| {
        let text = BookText::new(text_of(book).into_bytes());
        let known = BookFacts {
            ruler: BodyRuler::of(&text),
            template: Template(*template),
            producer: Some("a hand".to_owned()),
        };
        (SourceFacts::of(&text).sha256, known)
    });
    known.collect()
}

fn folders(a: Vec<Record>, b: Vec<Record>) -> SideMatching {
    between_folders(&[("a".to_owned(), a), ("b".to_owned(), b)])
}

fn of(hits: u64, of: u64) -> Proportion {
    Proportion { hits, total: of }
}

/// Worked by hand. `1`: alike, but for a blank line. `2`: one line apart at the start. `3`: six lines of text apart at
/// the end, since one side sees no epilogue. The boundary similarity of a near miss of one line among two boundaries is
/// 1 - 1/11/2; a boundary only one side has costs 1 of 2.
#[test]
fn distances_are_counted_in_lines_that_are_not_blank() {
    let a = vec![
        decided("1", "ann", 4, Some(10)),
        decided("2", "ann", 2, Some(10)),
        decided("3", "ann", 4, Some(5)),
    ];
    let b = vec![
        decided("1", "ben", 4, Some(10)),
        decided("2", "ben", 4, Some(10)),
        decided("3", "ben", 4, None),
    ];
    let found = folders(a, b);
    let known = known(&[("1", 7), ("2", 7), ("3", 8)]);
    let agreement = compare(&found, (0, 1), &known, NEAR);
    let AgreementTally { start, end, both } = agreement.cuts;
    assert_eq!(agreement.status, of(3, 3));
    assert_eq!(start.within, [of(2, 3), of(3, 3), of(3, 3), of(3, 3)]);
    assert_eq!(end.within, [of(2, 3), of(2, 3), of(2, 3), of(3, 3)]);
    assert_eq!(both.within, [of(1, 3), of(2, 3), of(2, 3), of(3, 3)]);
    let near = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
    assert!(near(start.boundary_similarity(), (3.0 - 1.0 / 11.0) / 3.0));
    assert!(near(end.boundary_similarity(), 2.0 / 3.0));
    assert!(near(
        both.boundary_similarity(),
        (1.0 + (1.0 - 1.0 / 22.0) + 0.5) / 3.0
    ));
    assert_eq!(agreement.without_text, 0);
    assert_eq!(
        agreement.templates[&Template(7)].tally.start.exact(),
        of(1, 2)
    );
    assert_eq!(agreement.templates[&Template(8)].tally.books(), 1);
    let books: Vec<_> = agreement
        .disagreements
        .iter()
        .map(|d| (d.book.as_str(), d.distances))
        .collect();
    assert_eq!(books, [("2", Some((1, 0))), ("3", Some((0, 6)))]);
}

/// In book 2 a blank line is between the cuts.
#[test]
fn without_the_text_no_distance_is_smaller() {
    let found = folders(
        vec![decided("2", "ann", 2, Some(10))],
        vec![decided("2", "ben", 4, Some(10))],
    );
    let blind = compare(&found, (0, 1), &HashMap::new(), NEAR);
    assert_eq!(blind.without_text, 1);
    assert_eq!(blind.disagreements[0].distances, Some((2, 0)));
    assert!(blind.templates.is_empty());
}

#[test]
fn the_near_window_is_that_of_the_boundary_similarity() {
    let found = folders(
        vec![decided("1", "ann", 1, None)],
        vec![decided("1", "ben", 5, None)],
    );
    let known = known(&[("1", 7)]);
    for (near, expected) in [(2, 0.0), (3, 0.25), (10, 1.0 - 3.0 / 11.0)] {
        let similarity = compare(&found, (0, 1), &known, near)
            .cuts
            .start
            .boundary_similarity();
        assert!(
            (similarity.unwrap() - expected).abs() < 1e-12,
            "{near}: {similarity:?}"
        );
    }
}

#[test]
fn verdicts_without_cuts_are_compared_as_verdicts() {
    let undecidable = |by| vec![review(by, 1, false, Verdict::Undecidable, Cuts::default())];
    let a = vec![
        record("1", undecidable("ann")),
        record("2", undecidable("ann")),
        decided("3", "ann", 4, None),
        record(
            "4",
            vec![review("ann", 1, false, Verdict::Open, Cuts::default())],
        ),
    ];
    let b = vec![
        record("1", undecidable("ben")),
        decided("2", "ben", 4, None),
        decided("3", "ben", 4, None),
        decided("4", "ben", 4, None),
    ];
    let agreement = compare(&folders(a, b), (0, 1), &HashMap::new(), NEAR);
    assert_eq!(agreement.status, of(2, 3));
    assert_eq!(agreement.cuts.books(), 1);
    assert_eq!(agreement.disagreements.len(), 1);
    // Two of three alike; by chance 4/9 + 1/9 of them: (2/3 - 4/9) / (1 - 4/9) with one and two cuts of three.
    let kappa = agreement.kappa_of_verdicts().unwrap();
    assert!((kappa - 0.4).abs() < 1e-12, "{kappa}");
}

#[test]
fn one_text_is_one_book_under_any_name_and_one_name_may_be_two_texts() {
    let mut moved = decided("1", "ben", 4, None);
    moved.book = "elsewhere/1".to_owned();
    let mut other = decided("2", "ben", 4, None);
    other.source.sha256 = "0".repeat(64);
    let found = folders(
        vec![decided("1", "ann", 4, None), decided("2", "ann", 4, None)],
        vec![moved, other],
    );
    let books: Vec<&str> = found.cases.iter().map(|case| case.book.as_str()).collect();
    assert_eq!(books, ["1"]);
    assert_eq!(found.other_text, ["2"]);
}

#[test]
fn copies_are_matched_by_name_before_they_are_matched_by_text() {
    let copy = |name: &str, by, start| {
        let mut record = decided("1", by, start, None);
        record.book = name.to_owned();
        record
    };
    let found = folders(
        vec![copy("x", "ann", 1), copy("y", "ann", 2)],
        vec![copy("w", "ben", 1), copy("y", "ben", 2)],
    );
    let agreement = compare(&found, (0, 1), &HashMap::new(), NEAR);
    assert_eq!(agreement.cuts.both.exact(), of(2, 2));
}

#[test]
fn curators_are_compared_by_their_last_reviews() {
    let corrected = |by, day, start| review(by, day, false, Verdict::Corrected, cuts(start, None));
    let records = [
        record(
            "1",
            vec![
                corrected("ann", 1, 2),
                corrected("ben", 2, 4),
                corrected("ann", 3, 4),
            ],
        ),
        record("2", vec![corrected("ann", 1, 2)]),
    ];
    let found = between_curators(&records);
    assert_eq!(found.sides, ["ann", "ben"]);
    let agreement = compare(&found, (0, 1), &HashMap::new(), NEAR);
    assert_eq!(agreement.cuts.both.exact(), of(1, 1));
}

#[test]
fn a_curator_is_compared_with_blind_reviews_of_what_was_decided_before() {
    let decided =
        |day, blind, start| review("ann", day, blind, Verdict::Corrected, cuts(start, None));
    let draft = review("ann", 1, false, Verdict::Open, cuts(1, None));
    let records = [
        record("again", vec![decided(1, false, 4), decided(9, true, 4)]),
        record("changed", vec![decided(9, true, 1), decided(1, false, 4)]),
        record(
            "not-blind",
            vec![decided(1, false, 4), decided(9, false, 5)],
        ),
        record("first", vec![draft, decided(9, true, 4)]),
        record(
            "others",
            vec![
                decided(1, false, 4),
                review("ben", 9, true, Verdict::Confirmed, cuts(4, None)),
            ],
        ),
    ];
    let matches = within_curators(&records);
    assert_eq!(matches.len(), 1);
    assert_eq!(matches[0].sides, ["ann", "ann again, blind"]);
    let books: Vec<&str> = matches[0]
        .cases
        .iter()
        .map(|case| case.book.as_str())
        .collect();
    assert_eq!(books, ["again", "changed"]);
    let agreement = compare(&matches[0], (0, 1), &HashMap::new(), NEAR);
    assert_eq!(agreement.cuts.both.exact(), of(1, 2));
}

/// Of nine lines that are not blank, one side calls two preamble, the other these and two more.
#[test]
fn kappa_and_alpha_over_lines_are_those_of_the_table() {
    let found = folders(
        vec![decided("1", "ann", 2, None)],
        vec![decided("1", "ben", 5, None)],
    );
    let known = known(&[("1", 7)]);
    let kappa = compare(&found, (0, 1), &known, NEAR)
        .kappa_of_lines()
        .unwrap();
    let expected = crate::kappa(&[[2, 0], [2, 5]]).unwrap();
    assert!((kappa - expected).abs() < 1e-12);
    let [verdicts, lines] = alphas(&found, &known);
    assert_eq!(verdicts, None);
    let mut alpha = crate::KrippendorffAlpha::default();
    for (labels, times) in [([0, 0], 2), ([1, 0], 2), ([1, 1], 5)] {
        alpha.add(&labels, times);
    }
    assert_eq!(lines, alpha.value(crate::LabelDifference::Nominal));
}

fn adjudication(by: &str, day: u32, start: u32) -> Review {
    Review {
        drawn: ADJUDICATION.to_owned(),
        ..review(by, day, false, Verdict::Corrected, cuts(start, None))
    }
}

/// Ann adjudicates a book herself, too: her first opinion stays hers.
#[test]
fn adjudications_count_apart_from_the_curators() {
    let corrected = |by, day, start| review(by, day, false, Verdict::Corrected, cuts(start, None));
    let both = |start| vec![corrected("ann", 1, 2), corrected("ben", 2, start)];
    let with = |start, last| [both(start), vec![last]].concat();
    let records = [
        record("1", both(2)),
        record("2", with(4, adjudication("judge", 3, 4))),
        record("3", with(4, adjudication("judge", 3, 2))),
        record("4", with(4, adjudication("ann", 3, 4))),
    ];
    let found = between_curators(&records);
    assert_eq!(found.sides, ["ann", "ben"]);
    let agreement = compare(&found, (0, 1), &HashMap::new(), NEAR);
    assert_eq!(agreement.cuts.both.exact(), of(1, 4));

    let exact = with_adjudicators(&records).into_iter().map(|found| {
        let agreement = compare(&found, (0, 1), &HashMap::new(), NEAR);
        (found.sides.join(" | "), agreement.cuts.both.exact())
    });
    let expected = [
        ("ann | ann, adjudicating", of(0, 1)),
        ("ann | judge, adjudicating", of(1, 2)),
        ("ben | ann, adjudicating", of(1, 1)),
        ("ben | judge, adjudicating", of(1, 2)),
    ];
    let expected = expected.map(|(sides, exact)| (sides.to_owned(), exact));
    assert_eq!(exact.collect::<Vec<_>>(), expected);
}

/// Both folders were merged, and the differences settled in ann's.
#[test]
fn an_adjudicated_outcome_is_not_the_decision_of_its_folder() {
    let settled = || {
        let mut record = decided("2", "ann", 2, None);
        record.add_review(adjudication("judge", 3, 4));
        record
    };
    let found = folders(
        vec![decided("1", "ann", 2, None), settled()],
        vec![decided("1", "ben", 2, None), decided("2", "ben", 4, None)],
    );
    assert_eq!(found.sides, ["a", "b", "a, adjudicated"]);
    let total = |pair| {
        compare(&found, pair, &HashMap::new(), NEAR)
            .cuts
            .both
            .exact()
    };
    assert_eq!((total((0, 1)), total((1, 2))), (of(1, 1), of(1, 1)));
    assert_eq!(total((0, 2)), of(0, 0));
    // Alpha is that of the first book alone, on which both agree.
    let without = folders(
        vec![decided("1", "ann", 2, None)],
        vec![decided("1", "ben", 2, None)],
    );
    let known = HashMap::new();
    assert_eq!(alphas(&found, &known), alphas(&without, &known));
}
