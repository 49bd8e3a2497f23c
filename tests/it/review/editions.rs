//! Another edition next to the open book, on a terminal.

use endpaper_truth::Verdict;

use crate::review::sitting::{Desk, book, quit, wait_for_book};
use crate::support::screen::ScreenSnapshot;

const LICENCE: &str = "The owner of this story lets everybody copy it and read it aloud,\n\
    as long as nobody pays for it and as long as this licence stays.\n\n";

/// Returns the first row of the title in the comparison.
fn title_row(screen: &ScreenSnapshot) -> Option<String> {
    let rows = (1..22).map(|row| screen.row(row).to_owned());
    let mut titles = rows.filter(|row| row.trim_end().ends_with(" STORY 1"));
    titles.next()
}

#[test]
fn the_digit_of_a_block_that_another_edition_has_not_puts_the_cut() {
    let desk = Desk::with_books(2);
    // Two editions of one tale; the first has a licence before its title.
    let (before, after) = book(1)
        .split_once("STORY 1\n\nby")
        .map(|(before, after)| (before.to_owned(), after.to_owned()))
        .expect("a title");
    let with_licence = format!("{before}{LICENCE}STORY 1\n\nby{after}");
    let licence_ends = before.lines().count() + 2;
    desk.home.write("books/book-1.txt", with_licence);
    desk.home.write("books/book-2.txt", book(1));
    let terminal = desk.sit();
    wait_for_book(&terminal, 1, 2);
    // With the cut removed, the block is visible. What the other edition lacks is said without its key.
    terminal.send("0");
    terminal.wait_for_text("absent from book-2.txt");
    terminal.send("=");
    let screen = terminal.wait_for("the comparison with a digit", |screen| {
        let has_digit = |row: String| row.starts_with(|c: char| c.is_ascii_digit());
        screen.row(1).contains("beside book-2.txt") && title_row(screen).is_some_and(has_digit)
    });
    let licence = (1..22).map(|row| screen.row(row).to_owned());
    let mut licence = licence.filter(|row| row.contains("lets everybody copy it"));
    assert!(
        licence.next().is_some_and(|row| row.get(6..7) == Some("-")),
        "{screen}"
    );
    let row = title_row(&screen).unwrap_or_else(|| panic!("no title: {screen}"));
    let digit = &row[..1];
    assert!(digit.parse::<u8>().is_ok(), "{row}");
    terminal.send(digit);
    terminal.wait_for_text(&format!("preamble ends {licence_ends} "));
    // The key only moves the cut; the next one decides.
    assert_ne!(desk.verdict("book-1.txt"), Some(Verdict::Corrected));
    terminal.send("<Enter>");
    terminal.wait_for_text("saved book-1.txt");
    let record = desk.record("book-1.txt").expect("a record");
    assert_eq!(record.cuts.preamble_end as usize, licence_ends);
    // The decided edition now offers its cut, and can be opened from there.
    wait_for_book(&terminal, 2, 2);
    terminal.send("=");
    terminal.wait_for_text("is the cut of book-1.txt");
    terminal.send("<Enter>");
    wait_for_book(&terminal, 1, 2);
    quit(&terminal);
}
