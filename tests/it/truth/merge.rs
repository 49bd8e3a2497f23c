//! Two folders become one.

use endpaper_detect::Cuts;
use endpaper_truth::{Verdict, yaml};
use predicates::prelude::*;
use predicates::str::contains;

use crate::truth::desk::{Desk, RIGHT};

const OTHER: Cuts = Cuts {
    preamble_end: 11,
    epilogue_start: None,
};

fn two_people() -> Desk {
    let desk = Desk::new();
    for (number, anna, ben) in [(0, RIGHT, RIGHT), (1, RIGHT, OTHER)] {
        desk.save("anna", &desk.record(number, anna, "anna"));
        desk.save("ben", &desk.record(number, ben, "ben"));
    }
    desk.save("ben", &desk.record(2, RIGHT, "ben"));
    desk
}

#[test]
fn what_is_agreed_is_merged_and_the_rest_is_listed() {
    let desk = two_people();
    desk.run("truth merge anna ben --out both")
        .assert()
        .code(1)
        .stdout(predicate::str::starts_with("book\tfield\tone\tother\n1.txt\tcuts\tbook corrected, preamble 12, epilogue none, of "))
        .stdout(contains("book corrected, preamble 11,"))
        .stderr(contains("2 records written to 'both', 0 unchanged, 0 conflicts settled before, 1 conflicts wait"))
        .stderr(contains("settle them with `endpaper review CORPUS --adjudicate anna ben --truth both`"));
    let both = desk.records("both");
    let books: Vec<(&str, usize)> = both
        .iter()
        .map(|r| (r.book.as_str(), r.reviews.len()))
        .collect();
    assert_eq!(books, [("0.txt", 2), ("2.txt", 1)]);
    desk.run("truth check books --truth both -q")
        .assert()
        .code(0);
    // A second time nothing is left to write; the folders are as they were.
    desk.run("truth merge anna ben --out both")
        .assert()
        .code(1)
        .stderr(contains("0 records written to 'both', 2 unchanged"));
    assert_eq!(desk.records("anna").len(), 2);
}

#[test]
fn a_base_tells_who_changed_what() {
    let desk = two_people();
    for number in 0..2 {
        desk.save("before", &desk.record(number, RIGHT, "anna"));
    }
    // Anna's are as before, so ben's are what is new.
    desk.run("truth merge anna ben --base before --out anna")
        .assert()
        .code(0)
        .stdout("")
        .stderr(contains("3 records written to 'anna'"));
    let merged = desk.records("anna");
    assert_eq!((merged[1].cuts, merged[1].reviews.len()), (OTHER, 2));
}

#[test]
fn wrong_use_and_broken_files_are_named() {
    let desk = two_people();
    desk.write("ben/broken.yaml", "schema: 1\nbook: [\n");
    desk.write("file", "x");
    desk.run("truth merge anna ben --out both")
        .assert()
        .code(1)
        .stderr(contains("left out 'ben/broken.yaml': line 3"))
        .stderr(contains("2 records written"));
    for (words, message) in [
        ("truth merge anna ben", "--out names the folder"),
        (
            "truth merge anna nowhere --out both",
            "'nowhere' is no folder",
        ),
        ("truth merge anna ben --out file", "'file' is a file"),
        ("truth merge", "required"),
    ] {
        desk.run(words).assert().code(2).stderr(contains(message));
    }
    // A record of somebody else's stays.
    desk.save("third", &desk.record(0, OTHER, "carl"));
    desk.run("truth merge anna ben --out third")
        .assert()
        .code(1)
        .stderr(contains(
            "'0.txt' has a record of its own there, which stays; merge that folder too",
        ));
    assert_eq!(desk.records("third")[0].cuts, OTHER);
}

#[test]
fn a_draft_that_was_kept_aside_gives_way_to_a_decision_and_is_told() {
    let desk = Desk::new();
    desk.save("a", &desk.record(0, RIGHT, "ann"));
    let before = desk.read("a/0.txt.yaml");
    let mut draft = desk.record(0, RIGHT, "ben");
    draft.reviews.clear();
    draft.verdict = Verdict::Open;
    draft.cuts.preamble_end = 9;
    desk.write("a/.endpaper/conflicts/0.txt.1.yaml", yaml::write(&draft));
    desk.run("truth merge a").assert().code(0).stderr(contains(
        "'0.txt': a draft (preamble to 9, no epilogue) gave way to the decision",
    ));
    assert_eq!(desk.read("a/0.txt.yaml"), before);
    assert!(!desk.path("a/.endpaper/conflicts/0.txt.1.yaml").exists());
}
