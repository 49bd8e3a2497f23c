//! All kinds of decisions, and the resulting files.

use endpaper_truth::{RecordKind, Verdict};

use crate::review::sitting::{Desk, keep, quit, wait_for_book};
use crate::support::screen::ScreenSnapshot;

#[test]
fn three_decided_books_are_on_disk_and_the_next_sitting_begins_with_the_fourth() {
    let desk = Desk::with_books(8);
    let terminal = desk.sit();
    for number in 1..=3 {
        wait_for_book(&terminal, number, 8);
        keep(&terminal, number);
        // The file exists as soon as the screen reports it, not only at the end.
        desk.assert_confirmed(number);
    }
    let last = quit(&terminal);
    assert!(last.contains("decided 3, corrected 0"), "{last}");
    assert_eq!(desk.records().len(), 3);
    let terminal = desk.sit();
    wait_for_book(&terminal, 4, 8);
    quit(&terminal);
}

#[test]
fn a_digit_corrects_the_cut() {
    let desk = Desk::with_demo_books(&["cdbfr10.txt"]);
    let terminal = desk.sit();
    // A candidate above the current cut.
    let candidate = |screen: &ScreenSnapshot| {
        (2..24).find(|&row| screen.row(row).starts_with(|c: char| c.is_ascii_digit()))
    };
    let screen = terminal.wait_for("a candidate", |screen| candidate(screen).is_some());
    let row = candidate(&screen).expect("a candidate");
    let line: u32 = screen.row(row)[1..7]
        .trim()
        .parse()
        .expect("its line number");
    terminal.send(&screen.row(row)[..1]);
    terminal.wait_for_text(&format!("body starts {line} (moved"));
    terminal.send("<Enter>");
    terminal.wait_for_text("saved cdbfr10.txt: corrected");
    quit(&terminal);
    let record = desk.record("cdbfr10.txt").expect("a record");
    assert_eq!(record.verdict, Verdict::Corrected);
    let detected = record.reviews[0].detected.clone().expect("what was found");
    assert_ne!(detected.cuts().preamble_end, record.cuts.preamble_end);
    assert!(record.cuts.preamble_end < line);
}

#[test]
fn one_line_down_is_a_correction_and_back_again_is_none() {
    let desk = Desk::with_books(2);
    let terminal = desk.sit();
    terminal.send("J<Enter>");
    terminal.wait_for_text("saved book-1.txt: corrected");
    wait_for_book(&terminal, 2, 2);
    terminal.send("JK<Enter>");
    terminal.wait_for_text("saved book-2.txt: confirmed");
    quit(&terminal);
    assert_eq!(desk.verdict("book-1.txt"), Some(Verdict::Corrected));
    desk.assert_confirmed(2);
}

#[test]
fn w_n_says_that_the_file_is_no_book() {
    let desk = Desk::with_books(2);
    let terminal = desk.sit();
    terminal.send("wn");
    terminal.wait_for_text("saved book-1.txt: not-a-book");
    wait_for_book(&terminal, 2, 2);
    quit(&terminal);
    let record = desk.record("book-1.txt").expect("a record");
    assert_eq!(record.verdict, Verdict::NotABook);
    assert_eq!(record.kind, RecordKind::NotABook);
}

#[test]
fn undo_takes_the_record_away_and_brings_its_book_back() {
    let desk = Desk::with_books(2);
    let terminal = desk.sit();
    keep(&terminal, 1);
    wait_for_book(&terminal, 2, 2);
    assert!(desk.truth("book-1.txt.yaml").exists());
    terminal.send("u");
    terminal.wait_for_text("undone in book-1.txt: ");
    wait_for_book(&terminal, 1, 2);
    assert!(!desk.truth("book-1.txt.yaml").exists());
    let last = quit(&terminal);
    assert!(last.contains("decided 0"), "{last}");
    assert_eq!(desk.records(), []);
}

#[test]
fn a_change_without_a_verdict_is_kept_as_a_draft_and_comes_back() {
    let desk = Desk::with_books(2);
    let terminal = desk.sit();
    terminal.send("J");
    let moved = terminal.wait_for_text("(moved +");
    quit(&terminal);
    assert_eq!(desk.verdict("book-1.txt"), Some(Verdict::Open));
    let terminal = desk.sit();
    let again = wait_for_book(&terminal, 1, 2);
    assert_eq!(
        again.row(1).split(')').next(),
        moved.row(1).split(')').next()
    );
    quit(&terminal);
}
