//! Sudden ends: kill, hang-up, termination. Decisions are on disk, whole.

use std::fs;

use endpaper_truth::Verdict;

use crate::review::sitting::{Desk, keep, quit, wait_for_book};
use crate::support::Terminal;

/// Kills the program like the OOM killer, without warning.
fn kill(terminal: &Terminal) {
    terminal.kill("KILL");
    assert!(terminal.exit_status().signal().is_some());
}

#[test]
fn killed_after_any_number_of_decisions_every_decided_book_has_a_whole_record() {
    let desk = Desk::with_books(8);
    let mut decided = 0;
    for count in [1, 3, 2, 1] {
        let terminal = desk.sit();
        for number in decided + 1..=decided + count {
            wait_for_book(&terminal, number, 8);
            keep(&terminal, number);
        }
        kill(&terminal);
        decided += count;
        (1..=decided).for_each(|number| desk.assert_confirmed(number));
        assert_eq!(desk.records().len(), decided);
    }
    let terminal = desk.sit();
    wait_for_book(&terminal, 8, 8);
    keep(&terminal, 8);
    terminal.wait_for_text("no undecided book is");
    quit(&terminal);
}

#[test]
fn killed_with_a_draft_on_its_way_every_file_is_whole_and_the_next_sitting_goes_on() {
    let desk = Desk::with_books(8);
    for number in 1..=4 {
        let terminal = desk.sit();
        wait_for_book(&terminal, number, 8);
        keep(&terminal, number);
        wait_for_book(&terminal, number + 1, 8);
        terminal.send("J");
        terminal.wait_for_text("(moved +");
        if number % 2 == 0 {
            // Saves explicitly: the kill comes during or just after the write.
            terminal.send("<C-s>");
        }
        kill(&terminal);
        (1..=number).for_each(|number| desk.assert_confirmed(number));
        let next = desk.verdict(&format!("book-{}.txt", number + 1));
        assert!(matches!(next, None | Some(Verdict::Open)), "{next:?}");
        let expected = number + usize::from(next.is_some());
        assert_eq!(desk.records().len(), expected);
        // Removed so that the next book can be kept unchanged.
        let _ = fs::remove_file(desk.truth(&format!("book-{}.txt.yaml", number + 1)));
    }
}

#[test]
fn killed_right_after_enter_a_record_is_whole_or_not_there() {
    let desk = Desk::with_books(8);
    let mut expected = 0;
    for number in 1..=8 {
        let terminal = desk.sit();
        wait_for_book(&terminal, expected + 1, 8);
        terminal.send("<Enter>");
        if number % 2 == 0 {
            terminal.wait_for_text("saved book-");
        }
        kill(&terminal);
        let now = desk.records().len();
        assert!((expected..=expected + 1).contains(&now), "{now} records");
        (1..=now).for_each(|number| desk.assert_confirmed(number));
        assert!(number % 2 != 0 || now == expected + 1);
        expected = now;
        if expected == 8 {
            break;
        }
    }
}

#[test]
fn what_a_kill_left_behind_is_no_record_and_disturbs_nobody() {
    let desk = Desk::with_books(2);
    desk.home
        .write("truth/.endpaper-half.tmp", "schema: 1\nboo");
    desk.home.write("truth/.endpaper/lock", "");
    desk.home.write("truth/.endpaper/reviewing.lock", "99999\n");
    let terminal = desk.sit();
    let screen = wait_for_book(&terminal, 1, 2);
    assert!(!screen.contains("another review"), "{screen}");
    keep(&terminal, 1);
    quit(&terminal);
    desk.assert_confirmed(1);
    let mut status = desk.home.endpaper(&["truth", "status", "--truth", "truth"]);
    status.assert().success();
}

#[test]
fn a_hang_up_ends_the_program_and_saves_the_draft() {
    let desk = Desk::with_books(3);
    let mut terminal = desk.sit();
    keep(&terminal, 1);
    wait_for_book(&terminal, 2, 3);
    terminal.send("J");
    terminal.wait_for_text("(moved +");
    terminal.hang_up();
    terminal.exit_status();
    desk.assert_confirmed(1);
    assert_eq!(desk.verdict("book-2.txt"), Some(Verdict::Open));
    assert_eq!(desk.records().len(), 2);
    let terminal = desk.sit();
    let screen = wait_for_book(&terminal, 2, 3);
    assert!(screen.contains("(moved +"), "{screen}");
    quit(&terminal);
}

#[test]
fn a_termination_saves_the_draft_and_brings_the_terminal_back() {
    let desk = Desk::with_books(3);
    let terminal = desk.sit();
    terminal.send("J");
    terminal.wait_for_text("(moved +");
    terminal.kill("TERM");
    let status = terminal.exit_status();
    assert!(status.signal().is_none(), "{status}");
    let screen = terminal.screen();
    assert!(
        !screen.is_alternate() && !screen.cursor_hidden(),
        "{screen}"
    );
    assert!(screen.contains("decided 0"), "{screen}");
    assert_eq!(desk.verdict("book-1.txt"), Some(Verdict::Open));
}
