//! What must be seen first, also on a narrow screen.

use super::*;

#[test]
fn warnings_survive_a_long_file_name_at_80_columns() {
    let mut desk = ViewFixture::open((80, 24)).keys("hfnote<Enter>");
    let name = "a-very-long-file-name-of-a-collection-that-names-its-books-in-full-sentences.txt";
    desk.session.entries[0].id = Some(BookId::new(name));
    desk.session.entries[0].copies.cluster = 1;
    desk.session.entries[0].copies.is_cut_differently = true;
    desk.session.entries[2].copies.cluster = 1;
    let text = desk.text();
    let header = text.lines().next().unwrap();
    for warning in ["COPIES DISAGREE", "HARD", "0.98"] {
        assert!(header.contains(warning), "{warning}: {header}");
    }
    assert!(header.contains("a-very-long"), "{header}");
    // A narrower screen keeps the warnings too.
    desk.send(Message::Resize(60, 24));
    let text = desk.text();
    assert!(text.contains("COPIES DISAGREE HARD"), "{text}");
}

#[test]
fn a_title_above_the_cut_is_marked() {
    let desk = ViewFixture::open((80, 24)).keys("]]");
    let marked = |text: &str| -> Vec<String> {
        let rows = text.lines().filter(|row| row.chars().nth(1) == Some('!'));
        rows.map(str::to_owned).collect()
    };
    let found = marked(&desk.text());
    assert!(
        found.iter().any(|row| row.contains("A STUDY IN SCARLET.")),
        "{}",
        desk.text()
    );
    // Below the cut it is part of the body, and the header lines are not title lines.
    assert_eq!(marked(&desk.keys("d").text()), [""; 0]);
}

#[test]
fn a_column_separates_the_digit_from_the_line_number() {
    for paragraphs in [40, 1200] {
        let desk = ViewFixture::of(&book(paragraphs), (80, 24)).keys("<Tab>");
        let text = desk.text();
        let digits = text.lines().skip(2).take(20).filter(|row| {
            let mut letters = row.chars();
            let first = letters.next().is_some_and(|c| c.is_ascii_digit());
            first && letters.any(|c| c.is_ascii_digit())
        });
        let rows: Vec<&str> = digits.collect();
        assert!(!rows.is_empty(), "{text}");
        for row in rows {
            let second = row.chars().nth(1);
            assert!(matches!(second, Some(' ' | '▸' | '─' | '┃' | '!')), "{row}");
        }
    }
}
