//! What cannot be reviewed is refused in one sentence, with exit status 2 and an untouched terminal.

use crate::review::sitting::{Desk, SIZE};
use crate::support::{Home, Terminal};

/// Expects wrong use and returns the message.
#[track_caller]
fn refused(terminal: &Terminal) -> String {
    let status = terminal.exit_status();
    let screen = terminal.screen();
    assert_eq!(status.exit_code(), 2, "{screen}");
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(
        !raw.contains("\x1b[?1049h"),
        "the screen was entered: {raw}"
    );
    screen
        .text()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn without_a_terminal_one_sentence_says_so() {
    let home = Home::new();
    let output = home
        .endpaper(&["review", "--demo"])
        .output()
        .expect("a run");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("needs a terminal"), "{said}");
}

#[test]
fn standard_input_from_elsewhere_is_no_terminal() {
    let home = Home::new();
    let command = format!("{} review --demo < /dev/null", crate::support::ENDPAPER);
    let terminal = home.run("sh", &["-c", &command], SIZE, &[]);
    let said = refused(&terminal);
    assert!(said.contains("standard input is not one"), "{said}");
}

#[test]
fn a_folder_without_books_is_wrong_use() {
    let desk = Desk::with_books(0);
    std::fs::create_dir(desk.home.work().join("books")).expect("a folder");
    let terminal = desk.home.terminal(&desk.arguments(&[]), SIZE, &[]);
    let said = refused(&terminal);
    assert!(said.contains("books"), "{said}");
    assert!(!desk.home.work().join("truth").exists());
}

#[test]
fn a_corpus_that_does_not_exist_is_wrong_use() {
    let desk = Desk::with_books(0);
    let terminal = desk.home.terminal(&desk.arguments(&[]), SIZE, &[]);
    let said = refused(&terminal);
    assert!(said.contains("books"), "{said}");
}

#[test]
fn a_truth_folder_that_is_a_file_is_wrong_use() {
    let desk = Desk::with_books(1);
    desk.home.write("truth", "not a folder");
    let terminal = desk.home.terminal(&desk.arguments(&[]), SIZE, &[]);
    let said = refused(&terminal);
    assert!(said.contains("'truth' is a file"), "{said}");
}

#[test]
fn a_theme_that_does_not_exist_is_wrong_use() {
    let desk = Desk::with_books(1);
    let arguments = desk.arguments(&["--theme", "lihgt"]);
    let terminal = desk.home.terminal(&arguments, SIZE, &[]);
    let said = refused(&terminal);
    assert!(said.contains("unknown theme 'lihgt'"), "{said}");
}
