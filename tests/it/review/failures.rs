//! Records that cannot be written: no decision is lost silently, and no partial file is written.

use std::process::Command;

use crate::review::sitting::{Desk, SIZE, is_surveyed, keep, quit, wait_for_book};
use crate::support::{ENDPAPER, Terminal};

#[test]
fn read_only_goes_through_the_books_and_never_writes() {
    let desk = Desk::with_books(3);
    let terminal = desk.sit_with(&["--read-only"], &[]);
    terminal.send("J");
    let screen = terminal.wait_for_text("read-only sitting: nothing is saved");
    assert!(!screen.contains("moved"), "{screen}");
    terminal.send("<Enter>");
    wait_for_book(&terminal, 2, 3);
    terminal.send("wn");
    terminal.wait_for_text("read-only sitting: nothing is saved");
    quit(&terminal);
    assert!(!desk.home.work().join("truth").exists());
}

/// Starts a sitting that cannot write any file, as on a full disk. The books are analysed before.
fn on_a_full_disk(desk: &Desk) -> Terminal {
    desk.survey();
    let words = desk.arguments(&[]).join(" ");
    let command = format!("trap '' XFSZ; ulimit -S -f 0; exec {ENDPAPER} {words}");
    let terminal = desk.home.run("sh", &["-c", &command], SIZE, &[]);
    terminal.wait_for("a surveyed corpus", is_surveyed);
    terminal
}

/// Lifts the limit; `false` if the system has no tool for it.
fn make_room(terminal: &Terminal) -> bool {
    let process = terminal.process().to_string();
    let changed = Command::new("prlimit")
        .args(["--pid", &process, "--fsize=unlimited:"])
        .status();
    changed.is_ok_and(|status| status.success())
}

#[test]
fn on_a_full_disk_the_decision_stays_with_the_reason_and_quitting_asks() {
    let desk = Desk::with_books(2);
    let terminal = on_a_full_disk(&desk);
    terminal.send("J");
    terminal.wait_for_text("(moved +");
    terminal.send("<Enter>");
    let screen = terminal.wait_for_text("File too large");
    assert!(screen.contains("(moved +"), "{screen}");
    assert!(screen.row(0).contains("1/2 book-1.txt"), "{screen}");
    terminal.send("<Enter>");
    wait_for_book(&terminal, 2, 2);
    terminal.wait_for_text("NOT SAVED");
    terminal.send("q");
    terminal.wait_for_text("could not be saved");
    terminal.send("n");
    terminal.wait_until_gone("could not be saved");
    terminal.send("q");
    terminal.wait_for_text("could not be saved");
    terminal.send("y");
    let status = terminal.exit_status();
    assert_eq!(status.exit_code(), 1, "{}", terminal.screen());
    terminal.wait_for_text("1 decision could NOT be saved");
    assert_eq!(desk.records(), []);
}

#[test]
fn what_could_not_be_saved_is_saved_when_there_is_room_again() {
    let desk = Desk::with_books(2);
    let terminal = on_a_full_disk(&desk);
    terminal.send("<Enter>");
    terminal.wait_for_text("File too large");
    terminal.send("<Enter>");
    wait_for_book(&terminal, 2, 2);
    if !make_room(&terminal) {
        crate::support::absent("prlimit");
        return;
    }
    let last = quit(&terminal);
    assert!(last.contains("decided 1"), "{last}");
    desk.assert_confirmed(1);
    // The next sitting has no trace of it.
    let terminal = desk.sit();
    wait_for_book(&terminal, 2, 2);
    keep(&terminal, 2);
    quit(&terminal);
}
