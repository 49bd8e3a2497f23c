//! Tests of alignment, offers and rows of two editions.

use std::sync::Arc;

use proptest::prelude::*;

use super::align::{ComparedLine, diff, weighted_common_subsequence};
use super::*;
use crate::page::BookPage;
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::{Cuts, End};
use endpaper_detect::{Method, Parameters};
use endpaper_text::corpus::BookText;
use endpaper_text::line::Key;
use endpaper_truth::{Record, Review, SourceFacts};
use endpaper_truth::{StoredRecord, Verdict};

fn page(text: &str) -> Arc<BookPage> {
    let parameters = Parameters {
        method: Method::Gap,
        ..Parameters::default()
    };
    let text = BookText::new(text.as_bytes().to_vec());
    Arc::new(BookPage::new(text, &Frequencies::default(), &parameters))
}

fn decided(page: &BookPage, preamble_end: u32, epilogue_start: Option<u32>) -> StoredRecord {
    let mut record = Record::new("b.txt", SourceFacts::of(&page.text));
    record.add_review(Review {
        by: "ann".into(),
        verdict: Verdict::Corrected,
        cuts: Cuts {
            preamble_end,
            epilogue_start,
        },
        ..Review::default()
    });
    StoredRecord::Record(Box::new(record))
}

fn edition(
    here: &str,
    there: &str,
    places: [u32; 2],
    found: impl Fn(&BookPage) -> StoredRecord,
) -> EditionComparison {
    let (here, there) = (page(here), page(there));
    let found = found(&there);
    let request = EditionRequest {
        ticket: 1,
        book: 1,
        here,
        positions: places,
        hides_proposal: false,
        is_evidence: false,
    };
    EditionComparison::of(&request, there, &found)
}

/// Stretches in short: `=` the same, `~` re-flowed, `-` here only, `+` there only, with their lines.
fn story(edition: &EditionComparison, end: End) -> String {
    let alignment = edition.at(end);
    let lines = |lines: &[u32], range: &std::ops::Range<usize>| match lines.get(range.clone()) {
        Some([first, .., last]) => format!("{first}-{last}"),
        Some([line]) => line.to_string(),
        _ => String::new(),
    };
    let words = alignment.stretches.iter().map(|stretch| {
        let here = lines(&alignment.here, &stretch.here);
        let there = lines(&alignment.there, &stretch.there);
        match stretch.kind {
            StretchKind::Same => format!("={here}:{there}"),
            StretchKind::Reflowed => format!("~{here}:{there}"),
            StretchKind::OnlyHere => format!("-{here}"),
            StretchKind::OnlyThere => format!("+{there}"),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

const BODY: &str = "\
A STUDY IN SCARLET\n\
\n\
In the year 1878 I took my degree of Doctor of Medicine of the\n\
University of London, and proceeded to Netley.\n\
\n\
The campaign brought honours and promotion to many, but for me\n\
it had nothing but misfortune and disaster.\n";

/// The body in other lines.
const REFLOWED: &str = "\
A Study in Scarlet\n\
\n\
In the year 1878 I took my degree\n\
of Doctor of Medicine of the University of London,\n\
and proceeded to Netley.\n\
\n\
The campaign brought honours and promotion to many, but for me it had\n\
nothing but misfortune and disaster.\n";

#[test]
fn what_belongs_together_is_found() {
    let licence = "Copyright laws are changing all over the world.\n\n";
    let credits = "Etext prepared by Roger Squires\n\n";
    let other = "Etext prepared by Somebody Else\n\n";
    let table = [
        (BODY.to_owned(), BODY.to_owned(), "=1-7:1-7"),
        (format!("{licence}{BODY}"), BODY.to_owned(), "-1 =3-9:1-7"),
        (BODY.to_owned(), format!("{licence}{BODY}"), "+1 =1-7:3-9"),
        (
            format!("{licence}{credits}{BODY}"),
            format!("{licence}{other}{BODY}"),
            "=1:1 -3 +3 =5-11:5-11",
        ),
        (
            format!("{licence}{BODY}"),
            REFLOWED.to_owned(),
            "-1 ~3:1 ~5-6:3-5 ~8-9:7-8",
        ),
        // White space and repeated punctuation are ignored.
        (
            "  a --- line\nof  text\n".to_owned(),
            "a - line\nof text\n".to_owned(),
            "=1-2:1-2",
        ),
        (
            BODY.to_owned(),
            "Nothing of it\nis here.\n".to_owned(),
            "-1-7 +1-2",
        ),
        (String::new(), BODY.to_owned(), "+1-7"),
        (BODY.to_owned(), String::new(), "-1-7"),
        (String::new(), String::new(), ""),
        ("\n\n\n".to_owned(), "\n".to_owned(), ""),
    ];
    for (here, there, expected) in table {
        let found = edition(&here, &there, [1, 1], |_| StoredRecord::Nothing);
        assert_eq!(story(&found, End::Start), expected, "{here:?} {there:?}");
    }
}

#[test]
fn other_encodings_of_the_same_text_are_the_same() {
    let text = "Qu'est-ce que le caf\u{e9} \u{e0} la cr\u{e8}me de Fran\u{e7}ois?\n";
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let page = |bytes: Vec<u8>| {
        let frequencies = Frequencies::default();
        BookPage::new(BookText::new(bytes), &frequencies, &Parameters::default())
    };
    let (here, there) = (page(latin), page(text.as_bytes().to_vec()));
    let alignment = align(&here, &there, End::Start, 1, None);
    assert_eq!(alignment.stretches.len(), 1);
    assert_eq!(alignment.stretches[0].kind, StretchKind::Same);
}

/// A long book of distinct lines, after a preface of `preface` lines.
fn long(preface: usize, lines: usize) -> String {
    let preface = (0..preface).map(|line| format!("Preface line {line} of an edition with one\n"));
    let lines = (0..lines).map(|line| format!("Line {line} of a long book with many of them\n"));
    preface.chain(lines).collect()
}

#[test]
fn the_window_of_the_other_edition_is_found_by_what_both_share() {
    // The other edition has a preface longer than any window, and its cut is proposed before the preface.
    let found = edition(&long(0, 5000), &long(2000, 5000), [1, 5001], |_| {
        StoredRecord::Nothing
    });
    assert_eq!(story(&found, End::Start), "+1101-2000 =1-150:2001-2150");
    assert_eq!(story(&found, End::End), "=4851-5000:6851-7000");
    // Windows have a maximum size for any book.
    for end in [End::Start, End::End] {
        let alignment = found.at(end);
        assert!(alignment.here.len() <= 450 && alignment.there.len() <= 1050);
    }
}

#[test]
fn nothing_of_the_other_editions_cut_is_used_in_a_blind_review() {
    let (here, there) = (page(BODY), page(&format!("{}{REFLOWED}", long(400, 0))));
    let align = |hidden| {
        let request = EditionRequest {
            ticket: 1,
            book: 1,
            here: here.clone(),
            positions: [1, 8],
            hides_proposal: hidden,
            is_evidence: false,
        };
        let found = decided(&there, 400, None);
        EditionComparison::of(&request, there.clone(), &found)
    };
    // With its cut the window is at its body; without it, both windows are at the start.
    assert!(story(&align(false), End::Start).contains('~'));
    assert_eq!(story(&align(true), End::Start), "-1-7 +1-150");
}

fn offered(edition: &EditionComparison, places: [u32; 2]) -> Vec<(End, u32, String)> {
    let offers = find_offers(edition, "b.txt", places, false);
    let plain = |offer: EditionOffer| (offer.end, offer.position, offer.why);
    offers.into_iter().map(plain).collect()
}

#[test]
fn a_block_that_the_other_edition_has_not_is_offered() {
    let head = "Etext prepared by Roger Squires\nrsquires@unm.edu\n\n";
    let tail = "\nThis file should be named study10.txt\n\nIt was proofread by three volunteers.\n";
    let here = format!("{head}{BODY}{tail}");
    // Lines: credits 1-2, body 4-10, tail 12 and 14; the cut is before, at and after the expected position.
    for start in [1, 4, 6] {
        for (there, end) in [(BODY.to_owned(), 15), (REFLOWED.to_owned(), 12)] {
            let found = edition(&here, &there, [start, end], |_| StoredRecord::Nothing);
            let expected = [
                (End::Start, 4, "1-2 absent from b.txt".to_owned()),
                (End::End, 12, "12-14 absent from b.txt".to_owned()),
            ];
            assert_eq!(offered(&found, [start, end]), expected, "{start} {end}");
        }
    }
}

#[test]
fn the_proposed_cut_of_a_copy_that_contradicts_is_offered() {
    let head = "Etext prepared by Roger Squires\nrsquires@unm.edu\n\n";
    let here = format!("{head}{BODY}");
    let lines = here.lines().count() as u32 + 1;
    // Both have the credits, and neither has additional lines.
    let found = edition(&here, &here, [1, lines], |_| StoredRecord::Nothing);
    let offered = |cuts: Cuts, places: [u32; 2]| {
        let found = EditionComparison {
            cuts,
            ends: found.ends.clone(),
            here: found.here.clone(),
            there: found.there.clone(),
            verdict: None,
        };
        find_offers(&found, "b.txt", places, true)
    };
    let cuts = Cuts {
        preamble_end: 2,
        epilogue_start: None,
    };
    let offer = EditionOffer {
        end: End::Start,
        position: 4,
        why: "4 is the cut of b.txt (proposed), carried over".to_owned(),
        is_cut: true,
    };
    assert_eq!(offered(cuts, [1, lines]), [offer]);
    // Cut at the same words.
    assert_eq!(offered(cuts, [4, lines]), []);
}

#[test]
fn what_is_no_block_of_its_own_or_another_text_offers_nothing() {
    let head = "Etext prepared by Roger Squires\n\n";
    let mended = BODY.replace("Netley.", "Netly.");
    let table = [
        // A line of a paragraph was corrected.
        (mended.clone(), BODY.to_owned()),
        // Only the other edition has additional lines.
        (BODY.to_owned(), format!("{head}{BODY}")),
        // Another text.
        (format!("{head}{BODY}"), format!("{head}{}", long(0, 20))),
        (format!("{head}{BODY}"), String::new()),
        (BODY.to_owned(), BODY.to_owned()),
    ];
    for (here, there) in table {
        let lines = here.lines().count() as u32 + 1;
        let found = edition(&here, &there, [1, lines], |_| StoredRecord::Nothing);
        assert!(offered(&found, [1, lines]).is_empty(), "{here:?}");
    }
}

#[test]
fn the_cut_of_a_decided_edition_is_carried_over_and_comes_first() {
    let credits = "Etext prepared by Roger Squires\n\n";
    let licence = "\nThis etext is in the public domain, so the library says.\n\n";
    let here = format!("{credits}{BODY}{licence}");
    // The body is in lines 3 to 9 here.
    let start = |place| {
        (
            End::Start,
            place,
            format!("{place} is the cut of b.txt (corrected), carried over"),
        )
    };
    let end = |place| {
        (
            End::End,
            place,
            format!("{place} is the cut of b.txt (corrected), carried over"),
        )
    };
    let table = [
        // Its body begins with the title, which both have.
        (
            format!("{licence}{BODY}"),
            (2, None),
            Some(start(3)),
            end(11),
        ),
        // With a title page that only it has: no line here is where its body begins.
        (
            format!("{licence}A title page\n\n{BODY}{licence}"),
            (2, Some(14)),
            Some((End::Start, 3, "line 1 absent from b.txt".to_owned())),
            end(11),
        ),
        // With the first paragraph; it ends before the last one.
        (
            format!("{BODY}{licence}"),
            (1, Some(6)),
            Some(start(5)),
            end(8),
        ),
        // The same words in other lines.
        (
            format!("{licence}{REFLOWED}{licence}"),
            (2, Some(13)),
            Some(start(3)),
            end(11),
        ),
        (REFLOWED.to_owned(), (1, Some(7)), Some(start(5)), end(8)),
    ];
    for (there, (preamble_end, epilogue_start), start, end) in table {
        let record = |page: &BookPage| decided(page, preamble_end, epilogue_start);
        let found = edition(&here, &there, [1, 12], record);
        assert_eq!(found.verdict, Some(Verdict::Corrected));
        let offers = offered(&found, [1, 12]);
        let first = |of: End| offers.iter().find(|(end, ..)| *end == of).cloned();
        assert_eq!(first(End::Start), start, "{there:?}");
        assert_eq!(first(End::End), Some(end), "{there:?}");
    }
}

#[test]
fn a_record_of_another_text_or_without_cuts_decides_nothing() {
    let other = |_: &BookPage| decided(&page(REFLOWED), 1, None);
    let none = |page: &BookPage| {
        let mut found = decided(page, 1, None);
        if let StoredRecord::Record(record) = &mut found {
            record.verdict = Verdict::NotABook;
        }
        found
    };
    for found in [
        edition(BODY, BODY, [1, 8], other),
        edition(BODY, BODY, [1, 8], none),
    ] {
        assert_eq!(found.verdict, None);
        assert_eq!(found.cuts, found.there.detection.cuts);
    }
}

#[test]
fn few_offers_are_kept_and_each_place_once() {
    let offer = |end, place, why: &str| EditionOffer {
        end,
        position: place,
        why: why.to_owned(),
        is_cut: false,
    };
    let mut known = vec![offer(End::Start, 3, "first")];
    let new = (3..9).map(|place| offer(End::Start, place, "second"));
    merge(
        &mut known,
        new.chain([offer(End::End, 3, "third")]).collect(),
    );
    let places: Vec<(u32, &str)> = known.iter().map(|o| (o.position, o.why.as_str())).collect();
    let expected = [
        (3, "first"),
        (4, "second"),
        (5, "second"),
        (6, "second"),
        (3, "third"),
    ];
    assert_eq!(places, expected);
}

/// Rows in short, with line numbers.
fn picture(edition: &EditionComparison, beside: bool, edges: &KeptEdges, unfolded: bool) -> String {
    let number = |line: Option<u32>| line.map_or(String::new(), |line| line.to_string());
    let words = rows(edition, End::Start, beside, edges, unfolded)
        .into_iter()
        .map(|row| match row {
            EditionRow::Line { kind, here, there } => {
                let mark = match kind {
                    StretchKind::Same => '=',
                    StretchKind::Reflowed => '~',
                    StretchKind::OnlyHere => '-',
                    StretchKind::OnlyThere => '+',
                };
                format!("{mark}{}:{}", number(here), number(there))
            }
            EditionRow::Blanks(here, there) => format!("b{here}:{there}"),
            EditionRow::Fold {
                is_shared: true,
                count,
            } => format!("f{count}"),
            EditionRow::Fold { count, .. } => format!("d{count}"),
            EditionRow::Cut { here, there } => match (here, there) {
                (true, true) => "BOTH".to_owned(),
                (true, false) => "CUT".to_owned(),
                _ => "OTHER".to_owned(),
            },
        });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn rows_are_unified_or_side_by_side_with_cuts_and_blank_lines() {
    let here = "one of these lines\n\n\ncredits of this edition\n\nTITLE\nbody\n";
    let there = "one of these lines\n\ncredits of the other\nand more of them\n\n\nTITLE\nbody\n";
    let found = edition(here, there, [6, 8], |_| StoredRecord::Nothing);
    let edges = KeptEdges {
        here: Some(6),
        there: Some(3),
        digit_positions: Vec::new(),
    };
    assert_eq!(
        picture(&found, false, &edges, false),
        "=1:1 b2:0 -4: b0:1 OTHER +:3 +:4 b1:0 CUT =6:7 =7:8"
    );
    assert_eq!(
        picture(&found, true, &edges, false),
        "=1:1 b2:1 OTHER -4:3 -:4 b1:2 CUT =6:7 =7:8"
    );
    let edges = KeptEdges {
        here: Some(6),
        there: Some(7),
        digit_positions: Vec::new(),
    };
    let shown = picture(&found, true, &edges, false);
    assert!(shown.ends_with("b1:2 BOTH =6:7 =7:8"), "{shown}");
    // Cuts at the end of a book come after its last line; those before the window are not shown.
    let edges = KeptEdges {
        here: Some(8),
        there: Some(9),
        digit_positions: Vec::new(),
    };
    let shown = picture(&found, false, &edges, false);
    assert!(shown.ends_with("=7:8 BOTH"), "{shown}");
}

#[test]
fn what_is_alike_is_folded_but_near_cuts_candidates_and_differences() {
    let lines: String = (1..=40)
        .map(|line| format!("line {line} of the book\n"))
        .collect();
    let found = edition(&lines, &lines, [10, 41], |_| StoredRecord::Nothing);
    let edges = KeptEdges {
        here: Some(10),
        there: None,
        digit_positions: vec![30],
    };
    let shown = picture(&found, false, &edges, false);
    assert!(
        shown.starts_with("f5 =6:6 =7:7 =8:8 =9:9 CUT =10:10"),
        "{shown}"
    );
    assert!(shown.contains("=13:13 f12 =26:26"), "{shown}");
    assert!(shown.ends_with("=34:34 f6"), "{shown}");
    // Of a long range of one edition only the ends are shown.
    let other: String = (1..=40).map(|line| format!("another {line}\n")).collect();
    let apart = edition(&lines, &other, [1, 41], |_| StoredRecord::Nothing);
    let edges_of = KeptEdges::default();
    let shown = picture(&apart, false, &edges_of, false);
    assert!(shown.starts_with("-1: -2: -3: -4: -5: d"), "{shown}");
    assert!(shown.ends_with("+:36 +:37 +:38 +:39 +:40"), "{shown}");
    let all = picture(&found, false, &edges, true);
    assert_eq!(all.split(' ').count(), 41);
}

/// The greatest weight of a common subsequence, by the recursive definition.
fn naive(a: &[u8], b: &[u8], weight: &impl Fn(u8) -> usize) -> usize {
    let (Some((x, rest)), Some((y, others))) = (a.split_first(), b.split_first()) else {
        return 0;
    };
    let without = naive(rest, b, weight).max(naive(a, others, weight));
    match x == y {
        true => without.max(weight(*x) + naive(rest, others, weight)),
        false => without,
    }
}

fn any_lines() -> impl Strategy<Value = Vec<ComparedLine>> {
    let line = (0u64..6, any::<bool>(), prop::collection::vec(0u64..4, 0..4));
    prop::collection::vec(line, 0..24).prop_map(|lines| {
        let mut block = 0;
        let line = |(key, breaks, words): (u64, bool, Vec<u64>)| {
            block += usize::from(breaks);
            ComparedLine {
                key: Key(key),
                block,
                words: words.into_iter().map(Key).collect(),
                width: 0,
            }
        };
        lines.into_iter().map(line).collect()
    })
}

proptest! {
    #[test]
    fn what_is_found_in_common_weighs_as_much_as_can_be(
        a in prop::collection::vec(0u8..5, 0..9),
        b in prop::collection::vec(0u8..5, 0..9),
    ) {
        let weight = |item: u8| usize::from(item) + 1;
        let equal = |i: usize, j: usize| if a[i] == b[j] { weight(a[i]) } else { 0 };
        let pairs = weighted_common_subsequence(a.len(), b.len(), equal);
        prop_assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
        prop_assert!(pairs.iter().all(|&(i, j)| a[i] == b[j]));
        let found: usize = pairs.iter().map(|&(i, _)| weight(a[i])).sum();
        prop_assert_eq!(found, naive(&a, &b, &weight));
    }

    #[test]
    fn an_alignment_holds_every_line_once(here in any_lines(), there in any_lines()) {
        let stretches = diff(&here, &there);
        let (mut ours, mut theirs) = (0, 0);
        for stretch in &stretches {
            prop_assert_eq!((stretch.here.start, stretch.there.start), (ours, theirs));
            (ours, theirs) = (stretch.here.end, stretch.there.end);
            let (a, b) = (&here[stretch.here.clone()], &there[stretch.there.clone()]);
            match stretch.kind {
                StretchKind::Same => {
                    let keys = |lines: &[ComparedLine]| lines.iter().map(|l| l.key).collect::<Vec<_>>();
                    prop_assert_eq!(keys(a), keys(b));
                }
                StretchKind::OnlyHere => prop_assert!(!a.is_empty() && b.is_empty()),
                StretchKind::OnlyThere => prop_assert!(a.is_empty() && !b.is_empty()),
                StretchKind::Reflowed => prop_assert!(!a.is_empty() && !b.is_empty()),
            }
        }
        prop_assert_eq!((ours, theirs), (here.len(), there.len()));
        let [same, words] = [here == there, here.iter().all(|line| !line.words.is_empty())];
        if same && words {
            prop_assert!(stretches.iter().all(|stretch| stretch.kind == StretchKind::Same));
        }
    }

    #[test]
    fn no_text_makes_it_panic(
        here in prop::collection::vec(any::<u8>(), 0..200),
        there in prop::collection::vec(any::<u8>(), 0..200),
        positions in any::<[u32; 2]>(),
    ) {
        let page = |bytes: Vec<u8>| {
            let frequencies = Frequencies::default();
            Arc::new(BookPage::new(BookText::new(bytes), &frequencies, &Parameters::default()))
        };
        let (here, there) = (page(here), page(there));
        let positions = positions.map(|position| 1 + position % (here.lines() + 1));
        let request = EditionRequest { ticket: 0, book: 0, here, positions, hides_proposal: false, is_evidence: false };
        let found = decided(&there, positions[0], Some(positions[1]));
        let edition = EditionComparison::of(&request, there, &found);
        for offer in find_offers(&edition, "b", positions, true) {
            prop_assert!((1..=edition.here.lines() + 1).contains(&offer.position));
        }
        for end in [End::Start, End::End] {
            let edges = KeptEdges { here: Some(positions[0]), there: Some(positions[1]), digit_positions: Vec::new() };
            let shown = rows(&edition, end, false, &edges, true);
            let ours = shown.iter().filter(|row| matches!(row, EditionRow::Line { here: Some(_), .. }));
            prop_assert_eq!(ours.count(), edition.at(end).here.len());
        }
    }
}
