//! Screens that show another edition next to the book.

use super::*;
use crate::editions::{EditionComparison, EditionRequest};
use endpaper_text::corpus::BookId;
use endpaper_truth::{Record, Review, SourceFacts, StoredRecord};

/// The alignment with an edition whose record lets the body begin at the title.
pub(super) fn aligned(request: &EditionRequest, there: Arc<BookPage>) -> Arc<EditionComparison> {
    let mut record = Record::new("study11.txt", SourceFacts::of(&there.text));
    let title =
        (1..=there.lines()).find(|&line| there.text.display(line, 80) == "A STUDY IN SCARLET.");
    record.add_review(Review {
        verdict: Verdict::Corrected,
        cuts: endpaper_detect::Cuts {
            preamble_end: title.unwrap_or(1) - 1,
            epilogue_start: there.detection.cuts.epilogue_start,
        },
        ..Review::default()
    });
    Arc::new(EditionComparison::of(
        request,
        there,
        &StoredRecord::Record(Box::new(record)),
    ))
}

/// The default book, with three other editions in the corpus.
fn desk(size: (u16, u16), other: Result<String, String>) -> ViewFixture {
    let mut desk = ViewFixture::new(book(6), size);
    desk.other = other;
    let entry = |(id, standing): (&str, ReviewStatus)| QueueEntry {
        id: Some(BookId::new(id)),
        title: "A Study in Scarlet".to_owned(),
        number: Some(244),
        status: standing,
        ..QueueEntry::default()
    };
    let decided = ReviewStatus::Decided(Verdict::Corrected);
    let entries = [
        ("study10.txt", ReviewStatus::Undecided),
        ("study11.txt", decided),
        ("a\u{202e}b\u{1b}[31m.txt", ReviewStatus::Undecided),
    ];
    desk.send(Message::Entries {
        entries: entries.map(entry).to_vec(),
        counts_changed: false,
        model: None,
    });
    desk
}

/// The same book with other credits, a re-wrapped paragraph, a corrected line, and one with control characters.
fn other() -> String {
    let text = book(6)
        .replace(
            "Etext prepared by Roger Squires  rsquires@unm.edu\n",
            "Produced by Somebody Else\nand a second \u{1b}[31mred\u{202e} line\n\nAn illustrated \u{6f22}\u{5b57} title page\n",
        )
        .replace("has a line 3 that", "has a l\u{ed}ne 3 that");
    let (before, rest) = text.split_once("Paragraph 0 ").expect("a paragraph");
    let (paragraph, after) = rest.split_once("\n\n").expect("its end");
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let lines: Vec<String> = words.chunks(9).map(|words| words.join(" ")).collect();
    format!("{before}Paragraph 0 {}\n\n{after}", lines.join("\n"))
}

#[test]
fn another_edition_at_every_size() {
    for (width, height) in [
        (40, 8),
        (40, 10),
        (80, 24),
        (110, 30),
        (160, 48),
        (300, 100),
    ] {
        let desk = desk((width, height), Ok(other())).keys("=");
        snapshot(&format!("editions-{width}x{height}"), &desk);
    }
}

#[test]
fn the_other_end_and_everything_unfolded() {
    snapshot("editions-tail", &desk((80, 24), Ok(other())).keys("=<Tab>"));
    snapshot(
        "editions-unfolded",
        &desk((80, 24), Ok(other())).keys("=zG"),
    );
    snapshot(
        "editions-difference",
        &desk((80, 24), Ok(other())).keys("=>"),
    );
}

#[test]
fn marks_tell_the_lines_apart_without_colours_and_without_unicode() {
    let desk = desk((80, 24), Ok(other())).keys("=");
    let plain = characters(&desk.draw(&Theme::of_roles(&ASCII)));
    snapshot_of("editions-ascii", &plain);
    let marks = |mark: &str| {
        let numbered = |row: &&str| row.as_bytes().get(5).is_some_and(u8::is_ascii_digit);
        let rows = plain.lines().filter(numbered);
        rows.filter(|row| row.get(6..7) == Some(mark)).count()
    };
    assert_eq!((marks("-"), marks("+")), (1, 3), "{plain}");
    // Text of books is not translated to ASCII.
    let ours = plain
        .lines()
        .filter(|row| !row.contains(['\u{6f22}', '\u{241b}']));
    assert!(ours.clone().all(str::is_ascii), "{plain}");
}

#[test]
fn an_edition_that_is_not_there_yet_or_never() {
    let never = desk(
        (80, 24),
        Err("'study11.txt' is gone: \u{1b}[31mno such file".to_owned()),
    );
    snapshot("editions-failed", &never.keys("="));
    let mut desk = desk((80, 24), Ok(other()));
    for chord in chords("=").unwrap() {
        // The effect is dropped, so no answer comes.
        let _ = update(&mut desk.session, Message::Key(chord));
    }
    assert!(
        desk.text().contains("reading the other edition"),
        "{}",
        desk.text()
    );
}

#[test]
fn a_blind_review_shows_no_cut_and_no_digit_of_anybody() {
    let mut desk = desk((80, 24), Ok(other()));
    desk.session.modes.blind = true;
    let desk = desk.keys("<Right><Right>=");
    let text = desk.text();
    assert!(text.contains("beside"), "{text}");
    // The last line but one says that nothing is proposed.
    let rows: Vec<&str> = text.lines().collect();
    for told in ["body starts", "other edition", "absent", "1-9"] {
        assert!(!text.contains(told), "{told}: {text}");
    }
    let digit = |row: &&&str| row.starts_with(|c: char| c.is_ascii_digit());
    assert_eq!(rows[2..22].iter().filter(digit).count(), 0, "{text}");
}
