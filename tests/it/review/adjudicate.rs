//! Resolving differences between two curators on the screen.

use endpaper_truth::{Record, Verdict, yaml};

use crate::review::sitting::{Desk, SIZE, keep, quit, wait_for_book};
use crate::support::Terminal;

const ANNAS_NOTE: &str = "title stands twice";
const BENS_NOTE: &str = "the first one is typed";

/// Three books in two folders: anna and ben differ only in the start of the second one, on which both have a note.
fn two_opinions() -> Desk {
    let desk = Desk::with_books(3);
    let notes = [("anna", "", ANNAS_NOTE), ("ben", "J", BENS_NOTE)];
    for (folder, cut, note) in notes {
        let keys = format!("{cut}n{note}<Enter><Enter>");
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
        terminal.send(&keys);
        terminal.wait_for_text("saved book-2.txt: ");
        quit(&terminal);
    }
    desk
}

fn merge(desk: &Desk) -> assert_cmd::assert::Assert {
    let arguments = [
        "truth", "merge", "--truth", "anna", "--truth", "ben", "--out", "truth",
    ];
    desk.home.endpaper(&arguments).assert()
}

fn adjudicate(desk: &Desk, further: &[&str]) -> Terminal {
    let usual = [
        "--adjudicate",
        "anna",
        "--adjudicate",
        "ben",
        "--curator",
        "judge",
    ];
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
    assert_eq!(conflicts.lines().count(), 3, "{conflicts}");
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
        screen.contains("opinion 1: ") && screen.contains("opinion 2: ")
    });
    for note in [ANNAS_NOTE, BENS_NOTE] {
        assert!(screen.contains(&format!("note: {note}")), "{screen}");
    }
    assert!(
        !screen.contains("anna") && !screen.contains("ben"),
        "{screen}"
    );
    // Nothing is kept until an opinion is chosen.
    terminal.send("<Enter>");
    terminal.wait_for_text("nothing is chosen: 1 or 2 takes that opinion");
    assert!(desk.record("book-2.txt").is_none());
    // Each digit takes the opinion with its number.
    for digit in ["1", "2"] {
        let said = format!("opinion {digit}: ");
        let row = (10..24).find(|&row| screen.row(row).contains(&said));
        let row = row.unwrap_or_else(|| panic!("no opinion {digit}\n{screen}"));
        let row = screen.row(row).to_owned();
        let line = row.split("body starts ").nth(1).expect("a cut");
        let line = line.split_whitespace().next().expect("a line number");
        terminal.send(digit);
        terminal.wait_for_text(&format!("HEAD  body starts {line} · opinion {digit}"));
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
    for note in [ANNAS_NOTE, BENS_NOTE] {
        assert!(record.note.contains(note), "{}", record.note);
    }
    // Opinion 2 was taken as a whole: its note comes first.
    let second = record.reviews[..2]
        .iter()
        .position(|review| review.cuts == record.cuts);
    let first_note = [ANNAS_NOTE, BENS_NOTE][second.expect("an opinion")];
    assert!(record.note.starts_with(first_note), "{}", record.note);
    // No conflict remains, and a second merge succeeds.
    merge(&desk).code(0);
    assert_eq!(desk.record("book-2.txt"), Some(record));
    // Book 1 was merged. The adjudication of book 2 does not make its curators agree.
    let agree = desk
        .home
        .endpaper(&["truth", "agree", "--truth", "truth"])
        .assert()
        .code(0);
    let said = String::from_utf8(agree.get_output().stdout.clone()).expect("text");
    let headings = [
        "anna and ben: 2 books",
        "anna and judge, adjudicating: 1 books",
        "ben and judge, adjudicating: 1 books",
    ];
    for heading in headings {
        assert!(said.contains(heading), "{said}");
    }
    let exact = said
        .lines()
        .find(|line| line.trim_start().starts_with("exact"));
    let both = exact.and_then(|line| line.split_whitespace().nth(1));
    assert_eq!(both, Some("50.0"), "{said}");
}

/// The decision of a curator on the only small book, with a note.
fn verdict_of(desk: &Desk, folder: &str, keys: &str) -> Record {
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
    terminal.send(keys);
    terminal.wait_for_text("saved book-1.txt: ");
    quit(&terminal);
    let path = desk.home.work().join(folder).join("book-1.txt.yaml");
    yaml::read(&std::fs::read_to_string(path).expect("a record")).expect("a record")
}

#[test]
fn a_verdict_without_cuts_is_an_opinion_like_another() {
    let desk = Desk::with_books(1);
    let one = verdict_of(&desk, "anna", "nnot sure<Enter>wu");
    let other = verdict_of(&desk, "ben", "nlooks right<Enter><Enter>");
    let arguments = desk.arguments(&[
        "--adjudicate",
        "anna",
        "--adjudicate",
        "ben",
        "--curator",
        "judge",
    ]);
    let terminal = desk.home.terminal(&arguments, (160, 48), &[]);
    terminal.wait_for_text("1/1 book-1.txt");
    let screen = terminal.wait_for_text("nothing is chosen");
    // On a wide screen the opinions are side by side.
    let beside = |row: &u16| {
        let row = screen.row(*row);
        row.contains("opinion 1: ") && row.contains("opinion 2: ")
    };
    let row = (0..48).find(beside).unwrap_or_else(|| panic!("{screen}"));
    let columns = screen.row(row).to_owned();
    let first = columns.split("opinion 2: ").next().expect("a column");
    let digit = if first.contains("undecidable") {
        "1"
    } else {
        "2"
    };
    terminal.send(digit);
    terminal.wait_for_text(&format!("opinion {digit} is taken, not saved yet"));
    terminal.send("<Enter>");
    terminal.wait_for_text("saved book-1.txt: undecidable");
    quit(&terminal);
    let record = desk.record("book-1.txt").expect("what was settled");
    assert_eq!(record.verdict, Verdict::Undecidable);
    assert_eq!(record.note, "not sure / looks right");
    let all = [&one.reviews[..], &other.reviews[..]].concat();
    assert_eq!(record.reviews[..2], all);
    assert_eq!(by(&record), ["anna", "ben", "judge"]);
}

#[test]
fn names_are_shown_if_they_are_asked_for() {
    let desk = two_opinions();
    let terminal = adjudicate(&desk, &["--show-names"]);
    terminal.wait_for("both names", |screen| {
        screen.contains("(anna): confirmed") && screen.contains("(ben): corrected")
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
        .endpaper(&["truth", "merge", "--truth", "truth"])
        .assert()
        .code(1);
    assert!(aside.exists());
    let arguments = desk.arguments(&["--adjudicate", "truth"]);
    let terminal = desk.home.terminal(&arguments, SIZE, &[]);
    terminal.wait_for_text("1/1 book-1.txt");
    terminal.wait_for_text("opinion 2: ");
    terminal.send("1<Enter>");
    terminal.wait_for_text("saved book-1.txt: ");
    quit(&terminal);
    let record = desk.record("book-1.txt").expect("what was settled");
    assert_eq!(record.reviews.len(), 3);
    assert_ne!(record.verdict, Verdict::Open);
    desk.home
        .endpaper(&["truth", "merge", "--truth", "truth"])
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
        let arguments = desk.arguments(&["--adjudicate", folders[0], "--adjudicate", folders[1]]);
        let terminal = desk.home.terminal(&arguments, SIZE, &[]);
        assert_eq!(terminal.exit_status().exit_code(), 2);
        assert!(terminal.screen().contains(message), "{}", terminal.screen());
    }
}

#[test]
fn corpus_and_truth_folder_are_told_apart() {
    let desk = two_opinions();
    // The corpus is not taken for a second truth folder.
    let arguments = ["review", "--adjudicate", "anna", "books"];
    let terminal = desk.home.terminal(&arguments, SIZE, &[]);
    assert_eq!(terminal.exit_status().exit_code(), 2);
    assert!(
        terminal.screen().contains("nothing to adjudicate"),
        "{}",
        terminal.screen()
    );
    for (arguments, part) in [
        (
            ["review", "books", "--adjudicate", "anna", "ben"],
            "'ben' is a truth folder and not a corpus; name it with --truth or --adjudicate",
        ),
        (
            ["review", "--adjudicate", "anna", "--adjudicate", "books"],
            "'books' holds no records; --adjudicate names truth folders",
        ),
    ] {
        // The corpus of the first one is a truth folder alone.
        let arguments: Vec<&str> = match part.starts_with("'ben'") {
            true => arguments
                .iter()
                .copied()
                .filter(|word| *word != "books")
                .collect(),
            false => [&arguments[..], &["books"]].concat(),
        };
        let terminal = desk.home.terminal(&arguments, SIZE, &[]);
        assert_eq!(terminal.exit_status().exit_code(), 2, "{arguments:?}");
        // The terminal wraps long lines anywhere.
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let said = bare(&terminal.text());
        assert!(said.contains(&bare(part)), "{said}");
    }
}
