//! Every occurrence of a line.

use crate::review::sitting::{Desk, quit, wait_for_book};
use crate::support::screen::ScreenSnapshot;

fn is_there(screen: &ScreenSnapshot) -> bool {
    let rows = (0..24).map(|row| screen.row(row));
    let mut there = rows.filter(|row| row.contains("This eBook is for the use"));
    there.any(|row| row.contains('▸'))
}

#[test]
fn a_line_is_found_in_all_books_jumped_to_and_come_back_from() {
    let desk = Desk::with_books(6);
    // One book has the line in its body too.
    let path = desk.home.work().join("books/book-4.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let licence = "This eBook is for the use of anyone anywhere at no cost and with";
    let text = text.replace(
        "Story 4 went on in its paragraph 4",
        &format!("{licence}\n\nStory 4"),
    );
    std::fs::write(&path, text).unwrap();
    let terminal = desk.sit();
    terminal.send(":3<Enter>");
    terminal.wait_for("the cursor", is_there);
    terminal.send("gl");
    // All books have been read: the exceptional one comes first.
    let screen = terminal.wait_for("all occurrences", |screen| {
        screen.contains("6 in preambles, 1 in bodies, 0 in epilogues")
            && screen.contains("6 books: the first and last 300 counted lines of each")
    });
    let rows: Vec<String> = (0..24).map(|row| screen.row(row)).collect();
    let first = rows.iter().find(|row| row.contains("▸book-")).unwrap();
    assert!(
        first.contains("book-4.txt") && first.contains("body, "),
        "{screen}"
    );
    terminal.send("<Enter>");
    wait_for_book(&terminal, 4, 6);
    terminal.wait_for("the line", |screen| {
        is_there(screen) && screen.contains("goes back")
    });
    terminal.send("<C-o>");
    wait_for_book(&terminal, 1, 6);
    terminal.wait_for("the place that was left", |screen| {
        is_there(screen) && screen.contains("back where you were")
    });
    terminal.send("gb");
    terminal.wait_for("the bytes", |screen| {
        screen.contains("54 68 69 73 20 65 42 6f 6f 6b") && screen.contains("ends in LF")
    });
    terminal.send("q");
    terminal.wait_for("no bytes", |screen| {
        !screen.contains("54 68 69 73 20 65 42 6f 6f 6b")
    });
    quit(&terminal);
    assert!(desk.records().is_empty(), "looking decides nothing");
}
