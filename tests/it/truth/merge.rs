//! Merging two folders.

use endpaper_detect::Cuts;
use endpaper_truth::{Verdict, yaml};
use predicates::prelude::*;
use predicates::str::contains;

use crate::support::world::World;
use crate::truth::records::RIGHT;

const OTHER: Cuts = Cuts {
    preamble_end: 11,
    epilogue_start: None,
};

fn two_people() -> World {
    let world = World::of_three_books();
    for (number, anna, ben) in [(0, RIGHT, RIGHT), (1, RIGHT, OTHER)] {
        world.save("anna", &world.record(number, anna, "anna"));
        world.save("ben", &world.record(number, ben, "ben"));
    }
    world.save("ben", &world.record(2, RIGHT, "ben"));
    world
}

#[test]
fn what_is_agreed_is_merged_and_the_rest_is_listed() {
    let world = two_people();
    world.command("truth merge --truth anna --truth ben --out both")
        .assert()
        .code(1)
        .stdout(predicate::str::starts_with("book\tfield\tone\tother\n1.txt\tcuts\tbook corrected, preamble 12, epilogue none, of "))
        .stdout(contains("book corrected, preamble 11,"))
        .stderr(contains("2 records written to 'both', 0 unchanged, 0 conflicts resolved before, 1 conflict unresolved"))
        .stderr(contains("resolve them with `endpaper review CORPUS --adjudicate anna --adjudicate ben --truth both`"));
    let both = world.records("both");
    let books: Vec<(&str, usize)> = both
        .iter()
        .map(|r| (r.book.as_str(), r.reviews.len()))
        .collect();
    assert_eq!(books, [("0.txt", 2), ("2.txt", 1)]);
    world
        .command("truth check books --truth both -q")
        .assert()
        .code(0);
    // A second merge writes nothing; the folders are unchanged.
    world
        .command("truth merge --truth anna --truth ben --out both")
        .assert()
        .code(1)
        .stderr(contains("0 records written to 'both', 2 unchanged"));
    assert_eq!(world.records("anna").len(), 2);
}

#[test]
fn a_base_tells_who_changed_what() {
    let world = two_people();
    for number in 0..2 {
        world.save("before", &world.record(number, RIGHT, "anna"));
    }
    // Anna's are unchanged, so only ben's are new.
    world
        .command("truth merge --truth anna --truth ben --base before --out anna")
        .assert()
        .code(0)
        .stdout("")
        .stderr(contains("3 records written to 'anna'"));
    let merged = world.records("anna");
    assert_eq!((merged[1].cuts, merged[1].reviews.len()), (OTHER, 2));
}

#[test]
fn wrong_use_and_broken_files_are_named() {
    let world = two_people();
    world.write("ben/broken.yaml", "schema: 1\nbook: [\n");
    world.write("file", "x");
    world
        .command("truth merge --truth anna --truth ben --out both")
        .assert()
        .code(1)
        .stderr(contains("skipping 'ben/broken.yaml': line 3"))
        .stderr(contains("2 records written"));
    for (words, message) in [
        (
            "truth merge --truth anna --truth ben",
            "--out names the folder",
        ),
        (
            "truth merge --truth anna --truth nowhere --out both",
            "'nowhere' is not a folder",
        ),
        (
            "truth merge --truth anna --truth ben --out file",
            "'file' is a file",
        ),
        ("truth merge", "'endpaper-truth' is not a folder"),
    ] {
        world
            .command(words)
            .assert()
            .code(2)
            .stderr(contains(message));
    }
    // An unrelated record is kept.
    world.save("third", &world.record(0, OTHER, "carl"));
    world
        .command("truth merge --truth anna --truth ben --out third")
        .assert()
        .code(1)
        .stderr(contains(
            "'0.txt' has a separate record there, which stays; merge that folder too",
        ));
    assert_eq!(world.records("third")[0].cuts, OTHER);
}

#[test]
fn a_draft_that_was_kept_aside_gives_way_to_a_decision_and_is_told() {
    let world = World::of_three_books();
    world.save("a", &world.record(0, RIGHT, "ann"));
    let before = world.text("a/0.txt.yaml");
    let mut draft = world.record(0, RIGHT, "ben");
    draft.reviews.clear();
    draft.verdict = Verdict::Open;
    draft.cuts.preamble_end = 9;
    world.write("a/.endpaper/conflicts/0.txt.1.yaml", yaml::write(&draft));
    world
        .command("truth merge --truth a")
        .assert()
        .code(0)
        .stderr(contains(
            "'0.txt': a draft (preamble to 9, no epilogue) gave way to the decision",
        ));
    assert_eq!(world.text("a/0.txt.yaml"), before);
    assert!(!world.path("a/.endpaper/conflicts/0.txt.1.yaml").exists());
}
