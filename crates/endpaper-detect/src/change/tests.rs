//! Corrections of small books, applied to other small books.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::*;
use endpaper_text::scan::{WindowOptions, scan};

/// The first line of the preamble, and the START marker.
const PREAMBLE: &str = "The Project Gutenberg EBook of a story, by Nobody in Particular\n\n\
                        *** START OF THIS PROJECT GUTENBERG EBOOK A STORY ***\n";
const MARKER: u32 = 3;

/// A book with `between` after its marker. The lines of its text contain `own`, so that no other book has them.
fn book(own: &str, between: &str) -> Scan {
    scan(book_text(own, between).as_bytes(), WindowOptions::default())
}

fn book_text(own: &str, between: &str) -> String {
    let line = |line: u32| format!("Line {line} is a line of {own} that stands nowhere else\n");
    let lines: String = (0..40).map(line).collect();
    let end = "\n\n\n*** END OF THIS PROJECT GUTENBERG EBOOK A STORY ***\n";
    format!("{PREAMBLE}{between}{lines}{end}")
}

fn cuts(preamble_end: u32) -> Cuts {
    Cuts {
        preamble_end,
        epilogue_start: None,
    }
}

/// The last line of `between` that is not blank.
fn last(between: &str) -> u32 {
    MARKER + between.trim_end().lines().count() as u32
}

const CREDITS: &str = "\n\nProduced by Anna Arbuthnot and the Proofreading Team\n\n\n";

#[test]
fn a_block_is_found_by_its_lines_and_not_where_more_follows_or_another_stands() {
    let plain = "\n\nThe tales of the seven houses on the river, told by the fire\n\
                 to those who had come in from the snow with their horses\n\n\n";
    let note = "\n\nTranscriber's Note: the spelling of the original has been kept,\n\
                and the page numbers are left out\n\n\n";
    let other_note = "\n\nTranscriber's Note: the maps stand where they were printed,\n\
                      and the footnotes are at the end\n\n\n";
    let table = [
        ("the same credits", CREDITS, CREDITS, true),
        (
            "credits of another hand",
            CREDITS,
            "\n\nProduced by Bertha Bone and the Proofreading Team\n\n\n",
            true,
        ),
        ("lines that say nothing of producers", plain, plain, true),
        (
            "a note that only opens in the same way",
            note,
            other_note,
            false,
        ),
        (
            "one short line of the book",
            "\n\nby Nobody\n\n\n",
            "\n\nby Nobody\n\n\n",
            false,
        ),
        (
            "another block",
            CREDITS,
            "\n\nThe first line of a long poem that is a book of its own\n\n\n",
            false,
        ),
        (
            "a note behind the credits",
            CREDITS,
            "\n\nProduced by Anna Arbuthnot and the Proofreading Team\n\nTranscriber's Note: none\n\n\n",
            false,
        ),
        (
            "no blank line behind it",
            CREDITS,
            "\n\nProduced by Anna Arbuthnot and the Proofreading Team\n",
            false,
        ),
        ("nothing there", CREDITS, "\n\n", false),
    ];
    for (what, corrected, other, expected) in table {
        let one = book("one", corrected);
        let two = book("two", other);
        let correction = Correction::between(&one, cuts(MARKER), cuts(last(corrected))).unwrap();
        let found = correction.apply_to(&two, cuts(MARKER));
        let right = expected.then(|| cuts(last(other)));
        assert_eq!(found, right, "{what}");
        // A book that is already cut there is not changed.
        let done = correction.apply_to(&two, cuts(last(other)));
        assert_eq!(done, None, "{what}");
    }
}

#[test]
fn what_is_given_back_to_the_body_is_found_too() {
    let plain = "\n\nThe tales of the seven houses on the river, told by the fire\n\
                 to those who had come in from the snow with their horses\n\n\n";
    let (one, two) = (book("one", plain), book("two", plain));
    let correction = Correction::between(&one, cuts(last(plain)), cuts(MARKER)).unwrap();
    assert_eq!(
        correction.apply_to(&two, cuts(last(plain))),
        Some(cuts(MARKER))
    );
    assert_eq!(correction.apply_to(&two, cuts(MARKER)), None);
}

#[test]
fn a_block_of_other_words_is_the_same_only_by_the_same_hand() {
    let typed = |title: &str, producer: &str| {
        format!("\n\nProduced by {producer}\n\n{title}, a tale of old\n\nby Nobody\n\n\n")
    };
    let find = |title: &str, producer: &str| {
        let (a, b) = (
            typed("The Harbour", "Anna Arbuthnot"),
            typed(title, producer),
        );
        let (one, two) = (book("one", &a), book("two", &b));
        // The credits are outside already; the typed title is moved.
        let credits = cuts(MARKER + 3);
        let correction = Correction::between(&one, credits, cuts(last(&a))).unwrap();
        correction.apply_to(&two, credits)
    };
    let moved = Some(cuts(last(&typed("", ""))));
    assert_eq!(find("Four Winters", "Anna Arbuthnot"), moved);
    assert_eq!(find("Four Winters", "Bertha Bone"), None);
}

#[test]
fn both_ends_are_changed_and_one_alone_where_the_other_differs() {
    let tail = |extra: &str| {
        let text = book_text("x", CREDITS);
        let end = text.find("\n\n\n*** END").unwrap();
        let text = format!("{}{extra}{}", &text[..end], &text[end..]);
        scan(text.as_bytes(), WindowOptions::default())
    };
    let note = "\n\n\nTranscriber's Note: the spelling of the original has been kept\n";
    let (one, two, three) = (tail(note), tail(note), tail(""));
    let marker = |scan: &Scan| scan.lines;
    let note_at = one.lines - 4;
    let before = |scan: &Scan| Cuts {
        preamble_end: MARKER,
        epilogue_start: Some(marker(scan)),
    };
    let after = Cuts {
        preamble_end: last(CREDITS),
        epilogue_start: Some(note_at),
    };
    let correction = Correction::between(&one, before(&one), after).unwrap();
    assert_eq!(correction.apply_to(&two, before(&two)), Some(after));
    let half = Cuts {
        preamble_end: last(CREDITS),
        ..before(&three)
    };
    assert_eq!(correction.apply_to(&three, before(&three)), Some(half));
}

#[test]
fn nothing_is_no_correction_nor_is_half_the_book() {
    let one = book("one", CREDITS);
    assert!(Correction::between(&one, cuts(MARKER), cuts(MARKER)).is_none());
    let long = scan(
        "A line of some book that is long enough to count.\n"
            .repeat(400)
            .as_bytes(),
        WindowOptions::default(),
    );
    assert!(Correction::between(&long, cuts(1), cuts(200)).is_none());
    assert!(Correction::between(&long, cuts(1), cuts(100)).is_some());
    // Cuts beyond the end of the file make no correction.
    assert!(Correction::between(&one, cuts(u32::MAX), cuts(MARKER)).is_none());
}

fn lines() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "",
        "",
        "Produced by Anna Arbuthnot",
        "Transcriber's Note: the spelling has been kept",
        "*** START OF THIS PROJECT GUTENBERG EBOOK ***",
        "A line of the book, and one that is no other's",
        "by Nobody",
        "* * *",
    ]);
    prop::collection::vec(line, 1..40).prop_map(|lines| lines.join("\n"))
}

/// Checks a property on the same 4,000 draws each time. It returns `None` for draws that do not test it; at least 200 must,
/// or it would prove nothing.
fn holds<S: Strategy>(strategy: S, property: impl Fn(S::Value) -> Option<()>) {
    let mut runner = TestRunner::deterministic();
    let held = (0..4000).filter(|_| {
        let drawn = strategy.new_tree(&mut runner).unwrap().current();
        property(drawn).is_some()
    });
    let held = held.count();
    assert!(held >= 200, "only {held} of 4000 draws were about it");
}

#[test]
fn a_correction_fits_its_own_book_or_says_too_little() {
    let draws = (lines(), 0..40_u32, 0..40_u32, any::<bool>());
    holds(draws, |(text, from, to, ends)| {
        let scan = scan(text.as_bytes(), WindowOptions::default());
        let at = |line: u32| match ends {
            true => Cuts {
                preamble_end: 0,
                epilogue_start: Some(line),
            },
            false => cuts(line),
        };
        let correction = Correction::between(&scan, at(from), at(to))?;
        let found = correction.apply_to(&scan, at(from))?;
        // A cut on a blank line is the same as one at the line of text beside it.
        let rows = |cuts: Cuts| {
            let before = |line: u32| scan.rows.partition_point(|row| row.line < line);
            let start = cuts.epilogue_start.unwrap_or(u32::MAX);
            (before(cuts.preamble_end + 1), before(start))
        };
        assert_eq!(rows(found), rows(at(to)), "{from} to {to} in\n{text}");
        Some(())
    });
}

#[test]
fn a_change_leaves_a_body_and_ends_beside_a_row() {
    // The other book has some lines of its own above those of the first.
    let draws = (lines(), lines(), prop::array::uniform2(0..40_u32), 0..3_u32);
    holds(draws, |(one, above, [from, to], off)| {
        let two = format!("{above}\n\n{one}");
        let there = (from + above.split('\n').count() as u32 + 1).saturating_sub(off);
        let text = two.clone();
        let (one, two) = (
            scan(one.as_bytes(), WindowOptions::default()),
            scan(two.as_bytes(), WindowOptions::default()),
        );
        let [from, to, there] = [from, to, there].map(cuts);
        let correction = Correction::between(&one, from, to)?;
        let found = correction.apply_to(&two, there)?;
        let line = found.preamble_end;
        assert!(line < two.lines, "{line} in\n{text}");
        let stands = two.rows.iter().any(|row| row.line == line);
        assert!(line == 0 || stands, "{line} in\n{text}");
        assert_ne!(found, there);
        Some(())
    });
}
