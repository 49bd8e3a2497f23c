//! Whole proposals for sketched books.

use proptest::prelude::*;

use super::drawn_book::{body, detect, frequency, scan};
use super::propose::propose_with;
use super::row_counts::RowCounts;
use super::*;

fn both() -> Parameters {
    Parameters {
        method: Method::Gap,
        ..Parameters::default()
    }
}

fn alone() -> Parameters {
    Parameters {
        heuristics: false,
        ..both()
    }
}

fn lines(detection: &Detection, end: End) -> Vec<u32> {
    let of_end = |candidate: &&Candidate| candidate.end == end;
    detection
        .candidates
        .iter()
        .filter(of_end)
        .map(|candidate| candidate.line)
        .collect()
}

#[test]
fn cuts_follow_frequent_lines_and_markers_only_reach_further() {
    let text = body(40);
    // The sketch, then `preamble_end` and `epilogue_start` from the end, with and without heuristics.
    let cases = [
        (format!("FFF  {text}  FFF"), (3, Some(3)), (3, Some(3))),
        (format!("FFiS  {text}  EiFF"), (4, Some(4)), (2, Some(2))),
        (format!("P  {text}  E"), (1, Some(1)), (0, None)),
        (format!("FS FFF  {text}  FFF E"), (6, Some(5)), (6, Some(5))),
        (text.clone(), (0, None), (0, None)),
        (format!("FF  {text}  X"), (2, Some(1)), (2, None)),
    ];
    for (sketch, ruled, gap) in cases {
        for (parameters, expected) in [(both(), ruled), (alone(), gap)] {
            let cuts = detect(&sketch, &parameters).cuts;
            let total = sketch.chars().count() as u32;
            let found = (
                cuts.preamble_end,
                cuts.epilogue_start.map(|line| total + 1 - line),
            );
            assert_eq!(
                found, expected,
                "{sketch} heuristics {}",
                parameters.heuristics
            );
        }
    }
}

#[test]
fn an_end_marker_that_text_follows_does_not_cut_the_text_away() {
    let text = body(40);
    let preface = detect(&format!("S  {text} E  {}  E", body(20)), &both());
    assert_eq!(preface.cuts.epilogue_start, Some(70));
    assert!(preface.reasons.contains(&Reason::MarkerBeyondCut));
    let licence = detect(&format!("S  {text} E  iiiGiiii{}  E", body(20)), &both());
    assert_eq!(licence.cuts.epilogue_start, Some(45));
}

#[test]
fn a_licence_with_a_start_marker_at_the_end_of_a_short_file_is_no_preamble() {
    let found = detect(&format!("FS  {}  E FFPFF", body(20)), &both());
    assert_eq!(found.cuts.preamble_end, 2);
    assert_eq!(found.cuts.epilogue_start, Some(27));
}

#[test]
fn when_nothing_is_left_the_cuts_stay_apart_and_doubt_is_certain() {
    for sketch in ["FFFF", "FFF iii FFF", "FS  E FF", "F"] {
        let found = detect(sketch, &both());
        assert_eq!(found.doubt, 1.0, "{sketch}");
        assert_eq!(found.reasons[0], Reason::NoBody, "{sketch}");
    }
}

#[test]
fn an_empty_book_has_nothing_to_cut() {
    for sketch in ["", "   "] {
        let found = detect(sketch, &both());
        assert_eq!(found.cuts, Cuts::default());
        assert_eq!(found.reasons[0], Reason::NoBody);
    }
}

#[test]
fn the_end_of_credits_and_the_start_of_notes_are_the_next_candidates() {
    let text = body(700);
    let sketch = format!("FFS    Ci    T  i   {text}    N iii    E  FFF");
    let found = detect(&sketch, &both());
    assert_eq!(lines(&found, End::Start)[..2], [3, 9]);
    let epilogue = sketch.find('E').unwrap() as u32 + 1;
    let note = sketch.find('N').unwrap() as u32 + 1;
    assert_eq!(lines(&found, End::End)[..2], [epilogue, note]);
}

#[test]
fn a_smaller_window_sees_less() {
    let parameters = Parameters {
        head: 3,
        tail: 2,
        ..both()
    };
    let found = detect(&format!("iii F  {} F iii", body(50)), &parameters);
    assert_eq!(found.cuts, Cuts::default());
}

#[test]
fn reasons_speak_of_what_they_name() {
    let text = body(700);
    let cases = [
        (
            Reason::NoPreamble,
            format!("{text}  E"),
            format!("S {text}  E"),
        ),
        (
            Reason::NoEpilogue,
            format!("S  {text}"),
            format!("S  {text} E"),
        ),
        (
            Reason::StartWithoutMarker,
            format!("F  {text}  E"),
            format!("S  {text}  E"),
        ),
        (
            Reason::EndWithoutMarker,
            format!("S  {text}  F"),
            format!("S  {text}  E"),
        ),
        (
            Reason::StartsDisagree,
            format!("S F  {text}  E"),
            format!("FS  {text}  E"),
        ),
        (
            Reason::EndsDisagree,
            format!("S  {text} F E"),
            format!("S  {text} E F"),
        ),
        (
            Reason::WideGap,
            format!("FiiiiiF  {text}  E"),
            format!("FiiiiF  {text}  E"),
        ),
        (
            Reason::CreditsAfterCut,
            format!("S  C  {text}  E"),
            format!("CS  {text}  E"),
        ),
        (
            Reason::NoteAfterCut,
            format!("S  N  {text}  E"),
            format!("NS  {text}  E"),
        ),
        (
            Reason::NoteBeforeCut,
            format!("S  {text}  Ni  E"),
            format!("S  {text}  E  Ni"),
        ),
        (
            Reason::TitleBeforeCredits,
            format!("S  TC  {text}  E"),
            format!("S  CT  {text}  E"),
        ),
        (
            Reason::TitleRepeated,
            format!("S  T  C  T  {text}  E"),
            format!("S  T  {text}  E"),
        ),
        (
            Reason::SplitBlock,
            format!("Si  {text}  E"),
            format!("S  {text}  E"),
        ),
        (
            Reason::ShortFile,
            format!("S  {}  E", body(40)),
            format!("S  {text}  E"),
        ),
        (
            Reason::GutenbergInBody,
            format!("S  {text}G  E"),
            format!("S  {text}  E  G"),
        ),
        (
            Reason::BetterStart,
            format!("S    C    {text}  E"),
            format!("S    {text}  E"),
        ),
        (
            Reason::BetterEnd,
            format!("S  {text}    N    E"),
            format!("S  {text}    E"),
        ),
        (
            Reason::BodySmall,
            format!("{}  ii", "F".repeat(90)),
            format!("S  {text}  E"),
        ),
    ];
    for (reason, with, without) in cases {
        assert!(
            detect(&with, &both()).reasons.contains(&reason),
            "{reason} {with}"
        );
        assert!(
            !detect(&without, &both()).reasons.contains(&reason),
            "not {reason} {without}"
        );
    }
}

#[test]
fn evidence_tells_markers_credits_and_frequent_lines() {
    let sketch = format!("FFiFS   Ci    {}   E", body(700));
    let told: Vec<_> = detect(&sketch, &both())
        .evidence
        .iter()
        .map(|piece| (piece.lines, piece.text()))
        .collect();
    let expected = [
        ((5, 5), "marker \"START OF\""),
        ((9, 10), "credits block 9-10"),
        ((1, 5), "4 frequent lines, longest gap 1"),
        ((718, 718), "1 End marker, nothing after"),
        ((718, 718), "1 frequent line"),
    ];
    assert_eq!(told, expected.map(|(lines, text)| (lines, text.to_owned())));
}

proptest! {
    #[test]
    fn any_book_gets_consistent_cuts_and_candidates(
        sketch in "[ Fi.\\-SPEXCNGT]{0,120}",
        gap in 0u32..12,
        head in 0u32..40,
        tail in 0u32..40,
        heuristics: bool,
    ) {
        let parameters = Parameters { gap, head, tail, heuristics, ..both() };
        let scan = scan(&sketch);
        let counts = RowCounts::new(&scan, |key, _| frequency(key));
        let found = propose_with(&scan, &counts, &Default::default(), &parameters);
        let none = scan.lines + 1;
        let Cuts { preamble_end, epilogue_start } = found.cuts;
        prop_assert!(preamble_end < epilogue_start.unwrap_or(none));
        prop_assert!((0.0..=1.0).contains(&found.doubt));
        let stands = |line: u32| scan.rows.iter().any(|row| row.line == line);
        for (end, proposed, nothing) in [
            (End::Start, preamble_end, 0),
            (End::End, epilogue_start.unwrap_or(none), none),
        ] {
            let lines = lines(&found, end);
            prop_assert_eq!(lines[0], proposed);
            prop_assert!(lines.len() <= 9 && lines.contains(&nothing));
            prop_assert!(lines.iter().all(|&line| line == nothing || stands(line)));
            let mut distinct = lines.clone();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), lines.len());
        }
        let scores: Vec<_> = found.candidates.iter().map(|candidate| candidate.score).collect();
        prop_assert!(scores.iter().all(|score| score.is_finite()));
        let mut reasons = found.reasons.clone();
        reasons.dedup();
        prop_assert_eq!(reasons.len(), found.reasons.len());
        prop_assert!(found.evidence.iter().all(|piece| piece.lines.0 <= piece.lines.1 && piece.text().len() < 80));
    }
}

#[test]
fn each_end_is_held_against_its_own_frequencies() {
    use crate::frequency::{Certainty, Counts, Frequencies};

    // A short book: both windows contain all of it. Its first lines are frequent in heads, its last in tails, and one
    // line of the body is frequent at the other end only.
    let scan = drawn_book::scan("aaaiiitiiihiiiiiiiiiiiibbb");
    let rows = |lines: &[usize]| -> Counts {
        let pairs = lines.iter().map(|&line| (scan.rows[line - 1].key, 50));
        Counts::from_pairs(pairs, Certainty::Exact)
    };
    let (heads, tails) = ([1, 2, 3, 20], [7, 24, 25, 26]);
    let parameters = both();
    let apart = Frequencies::separate(rows(&heads), rows(&tails));
    let cuts = propose(&scan, &apart, &parameters).cuts;
    assert_eq!((cuts.preamble_end, cuts.epilogue_start), (3, Some(24)));
    let together = Frequencies::from(rows(&[heads, tails].concat()));
    let cuts = propose(&scan, &together, &parameters).cuts;
    assert_eq!((cuts.preamble_end, cuts.epilogue_start), (7, Some(20)));
}
