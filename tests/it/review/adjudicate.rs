//! Resolving differences between two curators on the screen.

use endpaper_truth::{Record, Verdict};

use crate::review::sitting::{Desk, SIZE, keep, quit, wait_for_book};
use crate::support::Terminal;

/// Three books in two folders: anna and ben differ only in the start of the second one.
fn two_opinions() -> Desk {
    let desk = Desk::with_books(3);
    for (folder, keys) in [("anna", "<Enter>"), ("ben", "J<Enter>")] {
        let arguments = [
            "review",
            "books",
            "--truth",
            folder,
            "--order",
            "name",
            "--curator",
            folder,
        ];
        desk.survey();
        let terminal = desk.home.terminal(&arguments, SIZE, &[]);
        terminal.wait_for("a surveyed corpus", crate::review::sitting::is_surveyed);
        keep(&terminal, 1);
        // A key typed before the book is shown does not apply to it.
        wait_for_book(&terminal, 2, 3);
        terminal.send(keys);
        terminal.wait_for_text("saved book-2.txt: ");
        quit(&terminal);
    }
    desk
}

fn merge(desk: &Desk) -> assert_cmd::assert::Assert {
    let arguments = ["truth", "merge", "anna", "ben", "--out", "truth"];
    desk.home.endpaper(&arguments).assert()
}

fn adjudicate(desk: &Desk, further: &[&str]) -> Terminal {
    let usual = ["--adjudicate", "anna", "ben", "--curator", "judge"];
    let further: Vec<&str> = usual.iter().chain(further).copied().collect();
    let terminal = desk.home.terminal(&desk.arguments(&further), SIZE, &[]);
    terminal.wait_for_text("1/1 book-2.txt");
    terminal
}

fn by(record: &Record) -> Vec<&str> {
    record
        .reviews
        .iter()
        .map(|review| review.by.as_str())
        .collect()
}

#[test]
fn only_the_conflict_is_opened_and_the_record_keeps_all_opinions() {
    let desk = two_opinions();
    let said = merge(&desk).code(1).get_output().clone();
    let conflicts = String::from_utf8(said.stdout).expect("text");
    assert_eq!(conflicts.lines().count(), 2, "{conflicts}");
    assert!(
        conflicts.contains("\nbook-2.txt\tcuts\tbook confirmed, preamble "),
        "{conflicts}"
    );
    assert_eq!(
        desk.record("book-1.txt").map(|record| record.reviews.len()),
        Some(2)
    );
    assert!(desk.record("book-2.txt").is_none());

    let terminal = adjudicate(&desk, &[]);
    let screen = terminal.wait_for("both opinions", |screen| {
        screen.contains("version 1: body starts ") && screen.contains("version 2: body starts ")
    });
    assert!(
        !screen.contains("anna") && !screen.contains("ben"),
        "{screen}"
    );
    // Each digit selects a version of the record.
    for digit in ["1", "2"] {
        let row = (0..24).find(|&row| screen.row(row).starts_with(&format!("{digit} ")));
        let row = row.unwrap_or_else(|| panic!("no digit {digit}\n{screen}"));
        let line = screen
            .row(row)
            .split_whitespace()
            .nth(1)
            .expect("a line number")
            .to_owned();
        terminal.send(digit);
        terminal.wait_for_text(&format!("HEAD  body starts {line}"));
    }
    terminal.send("<Enter>");
    terminal.wait_for_text("saved book-2.txt: ");
    quit(&terminal);

    let record = desk.record("book-2.txt").expect("what was settled");
    assert_eq!(by(&record), ["anna", "ben", "judge"]);
    assert_eq!(record.reviews[2].drawn, "adjudication");
    assert!(record.verdict.is_decided() && record.cuts == record.reviews[2].cuts);
    let starts: Vec<u32> = record
        .reviews
        .iter()
        .map(|review| review.cuts.preamble_end)
        .collect();
    assert!(
        starts[0] != starts[1] && starts[..2].contains(&starts[2]),
        "{starts:?}"
    );
    // No conflict remains, and a second merge succeeds.
    merge(&desk).code(0);
    assert_eq!(desk.record("book-2.txt"), Some(record));
}

#[test]
fn names_are_shown_if_they_are_asked_for() {
    let desk = two_opinions();
    let terminal = adjudicate(&desk, &["--show-names"]);
    terminal.wait_for("both names", |screen| {
        screen.contains("(anna): body starts ") && screen.contains("(ben): body ")
    });
    quit(&terminal);
    assert!(desk.record("book-2.txt").is_none());
}

#[test]
fn a_clash_in_one_folder_is_settled_and_the_kept_version_goes() {
    let desk = Desk::with_books(2);
    let (ours, theirs) = (desk.sit(), desk.sit());
    theirs.send("J<Enter>");
    theirs.wait_for_text("saved book-1.txt: corrected");
    ours.send("<Enter>");
    ours.wait_for_text("changed by another curator");
    quit(&theirs);
    quit(&ours);
    let aside = desk.truth(".endpaper/conflicts/book-1.txt.1.yaml");
    desk.home
        .endpaper(&["truth", "merge", "truth"])
        .assert()
        .code(1);
    assert!(aside.exists());
    let arguments = desk.arguments(&["--adjudicate", "truth"]);
    let terminal = desk.home.terminal(&arguments, SIZE, &[]);
    terminal.wait_for_text("1/1 book-1.txt");
    terminal.wait_for_text("version 2: body starts ");
    terminal.send("1<Enter>");
    terminal.wait_for_text("saved book-1.txt: ");
    quit(&terminal);
    let record = desk.record("book-1.txt").expect("what was settled");
    assert_eq!(record.reviews.len(), 3);
    assert_ne!(record.verdict, Verdict::Open);
    desk.home
        .endpaper(&["truth", "merge", "truth"])
        .assert()
        .code(0);
    assert!(!aside.exists());
    assert_eq!(desk.record("book-1.txt"), Some(record));
}

#[test]
fn nothing_to_settle_is_wrong_use() {
    let desk = two_opinions();
    for (folders, message) in [
        (["anna", "anna"], "nothing to adjudicate"),
        (["anna", "nowhere"], "'nowhere' is not a folder"),
    ] {
        let arguments = desk.arguments(&["--adjudicate", folders[0], folders[1]]);
        let terminal = desk.home.terminal(&arguments, SIZE, &[]);
        assert_eq!(terminal.exit_status().exit_code(), 2);
        assert!(terminal.screen().contains(message), "{}", terminal.screen());
    }
}

#[test]
fn corpus_that_was_taken_for_a_truth_folder_is_refused_by_name() {
    let desk = two_opinions();
    let arguments = ["review", "--adjudicate", "anna", "books"];
    let terminal = desk.home.terminal(&arguments, SIZE, &[]);
    assert_eq!(terminal.exit_status().exit_code(), 2);
    // The terminal wraps long lines anywhere.
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let said = bare(&terminal.text());
    for part in [
        "'books' holds no records, and was taken for the second truth folder of --adjudicate",
        "endpaper review 'books' --adjudicate 'anna'",
    ] {
        assert!(said.contains(&bare(part)), "{said}");
    }
}
