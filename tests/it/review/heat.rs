//! The heat map.

use crate::review::sitting::{Desk, quit, wait_for_book};
use crate::support::screen::ScreenSnapshot;

/// Returns the line about the chosen book.
fn chosen(screen: &ScreenSnapshot) -> String {
    screen.row(22)
}

#[test]
fn a_book_is_chosen_on_the_heat_map_and_opened() {
    let desk = Desk::with_books(5);
    let terminal = desk.sit();
    terminal.send("gm");
    let screen = terminal.wait_for("the map", |screen| {
        screen.row(0).contains("heat map: heads") && !screen.row(3).contains("………")
    });
    let text = chosen(&screen);
    assert!(text.contains("1/5 book-1.txt · preamble to "), "{screen}");
    assert!(text.contains("undecided"), "{screen}");
    terminal.send("<Right>2<Right>");
    terminal.wait_for("the fourth book", |screen| {
        chosen(screen).contains("4/5 book-4.txt")
    });
    terminal.send("<Tab>");
    terminal.wait_for("the tails", |screen| {
        screen.row(0).contains("heat map: tails") && chosen(screen).contains("4/5 book-4.txt")
    });
    terminal.send("<Enter>");
    wait_for_book(&terminal, 4, 5);
    terminal.send("<Enter>");
    terminal.wait_for_text("saved book-4.txt: confirmed");
    wait_for_book(&terminal, 5, 5);
    terminal.send("gm");
    // The verdict is below the heat map, one column left of the chosen book.
    terminal.wait_for("the verdict", |screen| {
        screen.row(20).contains("state ···=·") && chosen(screen).contains("5/5 book-5.txt")
    });
    terminal.send("q");
    wait_for_book(&terminal, 5, 5);
    quit(&terminal);
    desk.assert_confirmed(4);
}
