//! Texts, what is done to them, and what must come of their cuts.

use proptest::prelude::*;

use super::*;
use crate::{SourceFacts, context_of_record};

const BOOK: &str = "The Project Gutenberg EBook of Nothing\n\
    This eBook is for the use of anyone anywhere\n\n\
    *** START OF THIS EBOOK ***\n\n\
    Produced by Café Müller\n\n\n\
    NOTHING AT ALL\n\nby Nobody\n\nCHAPTER I\n\n\
    It was a dark night, and nothing happened.\n\
    Then the day came, and nothing happened again.\n\n\
    THE END\n\n\
    *** END OF THIS EBOOK ***\n\n\
    This file should be named nothing.txt\n\
    Updated editions will replace it.\n";

/// The record of [`BOOK`]: the preamble ends with the credits, an alternative is the title, one line inside is marked.
fn record() -> Record {
    let text = BookText::new(BOOK.into());
    let mut record = Record::new("a.txt", SourceFacts::of(&text));
    record.cuts = Cuts {
        preamble_end: 6,
        epilogue_start: Some(20),
    };
    record.alternatives.push(Alternative {
        end: End::Start,
        line: 9,
        why: "title".into(),
    });
    record.inside.push(InnerBoilerplate {
        first: 13,
        last: 13,
        kind: "note".into(),
    });
    record.context = context_of_record(&text, &record);
    record
}

fn found(bytes: &[u8]) -> Anchored {
    relocate(&record(), &BookText::new(bytes.to_vec()))
}

/// The cuts of an edited book, or why not.
fn cuts(text: &str) -> (Result<u32, Refusal>, Result<Option<u32>, Refusal>) {
    let found = found(text.as_bytes());
    let start = found.preamble_end.map(|place| place.line);
    (start, found.epilogue_start.map(|place| place.line))
}

#[test]
fn another_encoding_or_other_newlines_change_nothing() {
    let latin = encoding_rs::WINDOWS_1252.encode(BOOK).0.into_owned();
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let marked = std::iter::once(0xFEFF).chain(BOOK.encode_utf16());
        marked.flat_map(order).collect()
    };
    let texts = [
        latin,
        [b"\xEF\xBB\xBF", BOOK.as_bytes()].concat(),
        wide(u16::to_le_bytes),
        wide(u16::to_be_bytes),
        BOOK.replace('\n', "\r\n").into_bytes(),
        BOOK.replace('\n', "\r\r\n").into_bytes(),
        BOOK.replace('\n', "\r").into_bytes(),
        BOOK.replace(['é', 'ü'], "?").into_bytes(),
    ];
    for text in texts {
        let found = found(&text);
        let shown = text.escape_ascii().to_string();
        assert_eq!(found.cuts(), Some(record().cuts), "{shown}");
        assert_eq!(found.alternatives, record().alternatives, "{shown}");
        assert_eq!(found.inside, record().inside, "{shown}");
        assert!(found.confidence().is_some_and(|c| c >= 0.9), "{shown}");
        assert_eq!(found.lost, 0);
    }
}

#[test]
fn lines_added_and_removed_move_the_cuts() {
    let table: &[(&str, &str, u32, u32)] = &[
        ("The Project", "New.\n\nThe Project", 8, 22),
        ("*** START", "New.\n*** START", 7, 21),
        ("CHAPTER I\n", "CHAPTER I\nOn nights.\n", 6, 21),
        ("\nProduced", "\n\n\nProduced", 8, 22),
        ("Then the day", "New.\nThen the day", 6, 21),
        ("*** END", "\n\n*** END", 6, 22),
        // A line of the context itself goes.
        ("Produced by Café Müller\n", "", 4, 19),
        ("NOTHING AT ALL\n", "", 6, 19),
        ("THE END\n", "", 6, 19),
        ("*** END OF THIS EBOOK ***\n", "", 6, 21),
    ];
    for (from, to, start, end) in table {
        assert!(BOOK.contains(from));
        let text = BOOK.replacen(from, to, 1);
        assert_eq!(cuts(&text), (Ok(*start), Ok(Some(*end))), "{from:?} {to:?}");
    }
}

#[test]
fn what_cannot_be_known_is_refused() {
    let copy = "*** START OF THIS EBOOK ***\n\nProduced by Café Müller\n\nNOTHING AT ALL\nby Nobody\nCHAPTER I\n";
    let table: &[(&str, &str, Refusal)] = &[
        // On which side of the cut are they?
        (
            "NOTHING AT ALL",
            "New.\nNOTHING AT ALL",
            Refusal::ChangedAtCut,
        ),
        (
            "NOTHING AT ALL",
            "Produced by Café Müller\nNOTHING AT ALL",
            Refusal::ChangedAtCut,
        ),
        // Which of the two is it?
        ("Updated", &format!("{copy}Updated"), Refusal::ChangedAtCut),
    ];
    for (from, to, why) in table {
        let text = BOOK.replacen(from, to, 1);
        assert_eq!(cuts(&text).0, Err(*why), "{from:?} {to:?}");
    }
    let far = format!(
        "{BOOK}{}{copy}",
        "Another line of a long book.\n".repeat(60)
    );
    assert_eq!(cuts(&far).0, Err(Refusal::Ambiguous));
    let rest = BOOK.split_once("CHAPTER I").map(|(_, rest)| rest);
    assert_eq!(
        cuts(rest.expect("a chapter")).0,
        Err(Refusal::TooLittleLeft)
    );
    for text in ["", "\n\n", "x", "Something else altogether.\n"] {
        let (start, end) = cuts(text);
        assert!(start.is_err() && end.is_err(), "{text:?}");
    }
}

#[test]
fn a_twin_is_not_taken_for_the_place_when_that_is_gone() {
    let title = "THE BOOK\nby\nNOBODY\nIN TWO PARTS\n";
    let text = format!("PREFACE\n{title}ONE MORE NOTE\n{title}CHAPTER I\nIt began.\n");
    let read = BookText::new(text.clone().into());
    let mut record = Record::new("a.txt", SourceFacts::of(&read));
    record.cuts = Cuts {
        preamble_end: 6,
        epilogue_start: None,
    };
    record.context = context_of_record(&read, &record);
    assert_eq!(relocate(&record, &read).cuts(), Some(record.cuts));
    let without = BookText::new(
        text.replacen(&format!("ONE MORE NOTE\n{title}"), "", 1)
            .into(),
    );
    assert!(relocate(&record, &without).preamble_end.is_err());
}

#[test]
fn no_preamble_and_no_epilogue_are_found_again_unless_something_came_before_or_after() {
    let body = "ONE\nTWO\nTHREE\nFOUR\nFIVE\n";
    let text = BookText::new(body.into());
    let mut record = Record::new("a.txt", SourceFacts::of(&text));
    record.context = context_of_record(&text, &record);
    let look = |text: &str| relocate(&record, &BookText::new(text.into()));
    let windows = look(&body.replace('\n', "\r\n"));
    assert_eq!(windows.cuts(), Some(Cuts::default()));
    assert_eq!(
        look(&format!("A LICENCE\n{body}")).preamble_end,
        Err(Refusal::ChangedAtCut)
    );
    assert_eq!(
        look(&format!("{body}A LICENCE\n")).epilogue_start,
        Err(Refusal::ChangedAtCut)
    );
    assert_eq!(look(&format!("\n\n{body}\n")).cuts(), Some(Cuts::default()));
}

#[test]
fn a_record_without_context_is_refused_and_a_hostile_one_does_no_harm() {
    let mut record = record();
    record.context = Default::default();
    let text = BookText::new(BOOK.into());
    assert_eq!(
        relocate(&record, &text).preamble_end,
        Err(Refusal::NoContext)
    );
    assert_eq!(relocate(&record, &text).lost, 2);
    record.context.preamble_end.before = vec!["x".into(); 5000];
    record.context.preamble_end.after = vec!["".into(); 5000];
    record.context.preamble_end.seen = vec![u32::MAX; 9];
    record.context.preamble_end.twin = Some(u32::MAX);
    record.cuts.preamble_end = u32::MAX;
    record.source.lines = u32::MAX;
    assert!(relocate(&record, &text).preamble_end.is_err());
}

#[test]
fn a_place_that_is_found_and_confirmed_keeps_earlier_opinions_apart() {
    let mut record = record();
    record.add_review(super::super::Review {
        by: "ms".into(),
        at: "2026-11-21T03:22:00Z".into(),
        cuts: record.cuts,
        verdict: super::super::Verdict::Confirmed,
        ..Default::default()
    });
    let shorter = BookText::new(
        BOOK.replace("Then the day", "")
            .replace("\n\n", "\n")
            .into(),
    );
    let cuts = relocate(&record, &shorter).cuts().expect("found");
    record.set_source(SourceFacts::of(&shorter));
    record.cuts = cuts;
    // The opinion's cuts are lines of the longer text: nothing is wrong with them.
    assert_eq!(record.find_problems(), Vec::<String>::new());
    assert_eq!(
        record.reviews[0].source.as_ref().map(|source| source.lines),
        Some(23)
    );
}

/// Lines with few different words, so that copies and near misses are the rule.
fn any_lines() -> impl Strategy<Value = Vec<String>> {
    let word = prop::sample::select(vec!["", "by", "A", "B", "C", "THE END", "***", "x é", "y"]);
    let line = (word, prop::option::of(0..30u8))
        .prop_map(|(word, number)| number.map_or(word.to_owned(), |n| format!("{word} {n}")));
    prop::collection::vec(line, 8..40)
}

proptest! {
    /// What is found is right: no line that is left changed its side, whatever lines were taken away.
    #[test]
    fn lines_that_are_left_keep_their_side(
        lines in any_lines(),
        at in 0..40usize,
        gone in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let text = BookText::new(lines.join("\n").into_bytes());
        let mut record = Record::new("a", SourceFacts::of(&text));
        record.cuts.preamble_end = (at.min(lines.len()) as u32).min(text.lines());
        record.context = context_of_record(&text, &record);
        let gone: Vec<usize> = gone.iter().map(|index| index.index(lines.len())).collect();
        let left: Vec<usize> = (0..lines.len()).filter(|index| !gone.contains(index)).collect();
        let joined: Vec<&str> = left.iter().map(|&index| lines[index].as_str()).collect();
        let edited = BookText::new(joined.join("\n").into_bytes());
        if let Ok(place) = relocate(&record, &edited).preamble_end {
            for (new, &old) in left.iter().enumerate() {
                let blank = lines[old].trim().is_empty();
                let (before, now) = (old < record.cuts.preamble_end as usize, new < place.line as usize);
                prop_assert!(blank || before == now, "line {old} of {lines:?} without {gone:?}");
            }
        }
    }

    /// Nothing that a file may hold does harm.
    #[test]
    fn no_text_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = found(&bytes);
        let text = BookText::new(bytes);
        let mut record = Record::new("a", SourceFacts::of(&text));
        record.context = context_of_record(&text, &record);
        let _ = relocate(&record, &text);
    }
}
