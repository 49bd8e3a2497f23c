//! Blind review, second looks and the replay, on a terminal.

use endpaper_truth::Verdict;

use crate::review::sitting::{Desk, SIZE, book, keep, quit, wait_for_book};
use crate::support::Terminal;
use crate::support::screen::ScreenSnapshot;

/// Returns the line of a small book that starts with `start`.
fn line_of(number: usize, start: &str) -> usize {
    let text = book(number);
    let found = text.lines().position(|line| line.starts_with(start));
    found.expect("a line of the book") + 1
}

fn sit_blind(desk: &Desk, further: &[&str]) -> Terminal {
    desk.survey();
    let arguments = desk.arguments(further);
    let terminal = desk.home.terminal(&arguments, SIZE, &[]);
    terminal.wait_for("a veiled book", is_veiled);
    terminal.wait_for_text("the built-in ");
    terminal
}

/// Whether the proposal is hidden.
pub fn is_veiled(screen: &ScreenSnapshot) -> bool {
    let rules = [
        "preamble ends",
        "epilogue starts",
        "detector had it",
        "body starts",
    ];
    screen.row(1).contains("no cut placed yet") && !rules.iter().any(|rule| screen.contains(rule))
}

/// Places both cuts of the n-th small book and keeps them.
#[track_caller]
pub fn place(terminal: &Terminal, number: usize, first: &str) {
    terminal.send(&format!(":{}<Enter>c", line_of(number, first)));
    terminal.wait_for_text("preamble ends");
    terminal.send(&format!("<Tab>:{}<Enter>c", line_of(number, "*** END OF")));
    terminal.wait_for_text("both cuts are placed");
    terminal.send("<Enter>");
}

#[test]
fn nothing_is_proposed_in_a_blind_sitting_and_a_second_look_tells_how_far_it_agrees() {
    let desk = Desk::with_books(2);
    let terminal = sit_blind(&desk, &["--blind"]);
    place(&terminal, 1, "STORY 1");
    terminal.wait_for_text("saved book-1.txt");
    terminal.wait_for("the next book, veiled", |screen| {
        screen.row(0).contains("2/2 book-2.txt") && is_veiled(screen)
    });
    quit(&terminal);
    let first = desk.record("book-1.txt").expect("a record");
    assert!(first.reviews[0].blind);
    assert_eq!(desk.verdict("book-2.txt"), None);

    let terminal = sit_blind(&desk, &["--blind", "--re-review"]);
    assert!(
        terminal.screen().row(0).contains("1/1 book-1.txt"),
        "{}",
        terminal.screen()
    );
    place(&terminal, 1, "by Nobody");
    terminal.wait_for_text("1 line from the decision before");
    let screen = quit(&terminal);
    assert!(
        screen.contains("second looks 1: both cuts as before in 0, within 1 line in 1"),
        "{screen}"
    );
    let record = desk.record("book-1.txt").expect("a record");
    assert_eq!((record.cuts, record.verdict), (first.cuts, first.verdict));
    assert_eq!(record.reviews.len(), 2);
    assert!(record.reviews[1].blind && record.reviews[1].drawn == "again");
    desk.home
        .endpaper(&["truth", "agree", "--truth", "truth"])
        .assert()
        .success();
}

#[test]
fn a_second_look_is_always_blind() {
    let desk = Desk::with_books(1);
    let wrong = desk
        .home
        .terminal(&desk.arguments(&["--re-review"]), SIZE, &[]);
    assert!(!wrong.exit_status().success());
    assert!(wrong.screen().contains("--blind"), "{}", wrong.screen());
}

#[test]
fn the_last_decisions_are_replayed_and_one_is_corrected() {
    let desk = Desk::with_books(3);
    let terminal = desk.sit();
    keep(&terminal, 1);
    wait_for_book(&terminal, 2, 3);
    keep(&terminal, 2);
    wait_for_book(&terminal, 3, 3);
    terminal.send("R");
    terminal.wait_for_text("replay 1 of 2: confirmed");
    terminal.send("J");
    terminal.wait_for_text("the replay is read-only");
    terminal.send("<Enter>");
    terminal.wait_for_text("replay 2 of 2: confirmed");
    terminal.send("u");
    terminal.wait_for_text("correct the cuts");
    terminal.send("J");
    terminal.wait_for_text("detector had it here");
    terminal.send("<Enter>");
    wait_for_book(&terminal, 3, 3);
    desk.assert_confirmed(1);
    assert_eq!(desk.verdict("book-2.txt"), Some(Verdict::Corrected));
    assert_eq!(desk.verdict("book-3.txt"), None);
    terminal.send("R");
    terminal.wait_for_text("replay 1 of 2");
    terminal.send("<Esc>");
    wait_for_book(&terminal, 3, 3);
    quit(&terminal);
}
