//! Start and end of a sitting.

use crate::review::sitting::{Desk, SIZE, keep, quit, wait_for_book};
use crate::support::Home;

#[test]
fn the_demo_shows_both_cuts_of_its_first_book_and_q_ends_it() {
    let home = Home::new();
    let terminal = home.terminal(&["review", "--demo"], SIZE, &[]);
    let screen = terminal.wait_for("both cuts", |screen| {
        screen.row(0).starts_with(" 1/21 ")
            && screen.contains("preamble ends")
            && screen.contains("21 books")
            && screen.contains("the built-in ")
    });
    assert!(screen.is_alternate() && screen.cursor_hidden(), "{screen}");
    let tail = |text: &str| screen.text().matches(text).count() >= 2;
    assert!(tail("epilogue starts") || tail("no epilogue"), "{screen}");
    // A licence that the cut leaves in the body is shown before the book can be kept.
    assert!(screen.contains("▼ licence at 136"), "{screen}");
    assert!(
        screen.row(23).contains("Enter show what is beyond"),
        "{screen}"
    );
    terminal.send("<Enter>");
    terminal.wait_for("all of it seen", |screen| {
        screen.row(23).contains("Enter keep & next") && screen.contains("2 ends seen")
    });
    let last = quit(&terminal);
    assert!(
        last.contains("decided 0, corrected 0, hard 0; 0 files written"),
        "{last}"
    );
}

#[test]
fn quitting_leaves_the_terminal_as_it_was_found() {
    let desk = Desk::with_books(2);
    let command = format!(
        "echo before; {} review books --truth truth; echo status $?; stty -a",
        crate::support::ENDPAPER
    );
    let terminal = desk.home.run("sh", &["-c", &command], SIZE, &[]);
    wait_for_book(&terminal, 1, 2);
    terminal.send("q");
    assert!(terminal.exit_status().success());
    let screen = terminal.screen();
    assert!(
        !screen.is_alternate() && !screen.cursor_hidden(),
        "{screen}"
    );
    for text in ["before", "status 0", "decided 0"] {
        assert!(screen.contains(text), "'{text}' is missing\n{screen}");
    }
    let words: Vec<String> = screen
        .text()
        .split([' ', '\n', ';'])
        .map(str::to_owned)
        .collect();
    for word in ["icanon", "echo", "isig", "icrnl", "opost"] {
        assert!(words.iter().any(|found| found == word), "{word}\n{screen}");
    }
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    // Screen, paste, and the five modes of the mouse: all that were switched on are off at the end.
    for mode in ["1049", "2004", "1000", "1002", "1003", "1015", "1006"] {
        let on = raw.rfind(&format!("\x1b[?{mode}h")).expect(mode);
        let off = raw.rfind(&format!("\x1b[?{mode}l")).expect(mode);
        assert!(on < off, "mode {mode} is left on");
    }
    let (hidden, shown) = (raw.rfind("\x1b[?25l"), raw.rfind("\x1b[?25h"));
    assert!(
        hidden.is_some() && hidden < shown,
        "the cursor is left hidden"
    );
}

#[test]
fn no_mouse_leaves_the_mouse_to_the_terminal() {
    let desk = Desk::with_books(1);
    let terminal = desk.sit_with(&["--no-mouse"], &[]);
    quit(&terminal);
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(!raw.contains("\x1b[?1000h"), "the mouse was captured");
}

#[test]
fn what_was_decided_is_printed_at_the_end() {
    let desk = Desk::with_books(3);
    let terminal = desk.sit();
    keep(&terminal, 1);
    wait_for_book(&terminal, 2, 3);
    terminal.send("hJ<Enter>");
    terminal.wait_for_text("saved book-2.txt: corrected");
    let last = quit(&terminal);
    for text in [
        "decided 2, corrected 1, hard 1; 2 files written below truth",
        "  book-1.txt.yaml",
        "  book-2.txt.yaml",
    ] {
        assert!(last.contains(text), "'{text}' is missing\n{last}");
    }
}

#[test]
fn a_command_printed_at_the_end_stands_below_what_stood_there_before() {
    let desk = Desk::with_books(1);
    let command = format!(
        "echo before; {} review books --truth truth; echo after",
        crate::support::ENDPAPER
    );
    let terminal = desk.home.run("sh", &["-c", &command], SIZE, &[]);
    wait_for_book(&terminal, 1, 1);
    terminal.send("q");
    terminal.exit_status();
    let rows: Vec<String> = (0..3).map(|row| terminal.screen().row(row)).collect();
    assert_eq!(rows[0], "before");
    assert!(rows[1].starts_with("decided 0"), "{}", rows[1]);
    assert_eq!(rows[2], "after");
}
