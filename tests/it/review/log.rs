//! The log of a sitting: a line for each decision.

use crate::review::sitting::{Desk, SIZE, keep, quit, wait_for_book};

#[test]
fn decisions_and_what_was_undone_are_logged() {
    let desk = Desk::with_books(3);
    let log = desk.home.work().join("log.tsv");
    for sitting in 1..=2 {
        let terminal = desk.sit_with(&["--log", "log.tsv", "--curator", "ms"], &[]);
        wait_for_book(&terminal, sitting, 3);
        keep(&terminal, sitting);
        if sitting == 2 {
            terminal.send("u");
            terminal.wait_for_text("undone");
        }
        quit(&terminal);
    }
    let text = std::fs::read_to_string(log).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split('\t').collect()).collect();
    let cells = |row: usize| (rows[row][1], rows[row][2], rows[row][3], rows[row][7]);
    assert_eq!(cells(0), ("by", "book", "verdict", "file"));
    assert_eq!(
        cells(1),
        ("ms", "book-1.txt", "confirmed", "book-1.txt.yaml")
    );
    assert_eq!(
        cells(2),
        ("ms", "book-2.txt", "confirmed", "book-2.txt.yaml")
    );
    assert_eq!(cells(3), ("ms", "book-2.txt", "undone", "book-2.txt.yaml"));
    assert_eq!(rows.len(), 4, "{text}");
}

#[test]
fn a_file_of_another_kind_gets_no_lines() {
    let desk = Desk::with_books(1);
    let arguments = desk.arguments(&["--log", "books/book-1.txt"]);
    let before = std::fs::read(desk.home.work().join("books/book-1.txt")).unwrap();
    let terminal = desk.home.terminal(&arguments, SIZE, &[]);
    assert_eq!(terminal.exit_status().exit_code(), 2);
    let said = terminal.text().replace('\n', "");
    assert!(said.contains("is not the log of a sitting"), "{said}");
    let after = std::fs::read(desk.home.work().join("books/book-1.txt")).unwrap();
    assert_eq!(after, before);
}

#[cfg(unix)]
#[test]
fn a_link_and_standard_output_are_refused_once_and_before_the_screen() {
    let desk = Desk::with_books(1);
    let link = desk.home.work().join("link.tsv");
    std::os::unix::fs::symlink("books", link).unwrap();
    for (name, reason) in [
        ("link.tsv", "is a symbolic link"),
        ("-", "is standard output"),
    ] {
        let arguments = desk.arguments(&["--log", name]);
        let terminal = desk.home.terminal(&arguments, SIZE, &[]);
        assert_eq!(terminal.exit_status().exit_code(), 2);
        let said = terminal.text().replace('\n', "");
        assert_eq!(said.matches(reason).count(), 1, "{said}");
    }
    assert!(!desk.home.work().join("-").exists());
}
