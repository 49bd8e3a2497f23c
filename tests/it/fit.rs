//! `endpaper model fit` as a user runs it: labels from a table and from a truth folder, weights for detect, out-of-fold evaluation.

use std::fs;

use crate::support::world::World;
use predicates::str::contains;

const BOOKS: usize = 24;

/// Small books with a licence, credits below it and a body, and their labels.
fn world() -> World {
    let mut table = "book\tbody_first\tbody_last\tkind\n".to_owned();
    let mut files = Vec::new();
    for number in 0..BOOKS {
        let (text, first, last) = book(number);
        files.push((format!("books/{number}.txt"), text));
        // Labels may come from another folder: the last part of the id identifies the book.
        table += &format!("elsewhere.zip!{number}.txt\t{first}\t{last}\tbook\n");
    }
    files.push(("labels.tsv".to_owned(), table));
    World::of(files)
}

/// Returns a book with the first and last line of its body.
fn book(number: usize) -> (String, usize, usize) {
    let mut lines = vec![
        "*** START OF THIS PROJECT GUTENBERG EBOOK ***".to_owned(),
        String::new(),
        format!("Title: Tales of the number {number}"),
        String::new(),
        format!("Author: Writer{number}"),
        String::new(),
        "Produced by the Online Distributed Proofreading Team".to_owned(),
        String::new(),
        String::new(),
    ];
    let first = lines.len() + 1;
    for line in 0..40 {
        lines.push(format!(
            "Tale {number} tells in its line {line} what no other tale of them told before."
        ));
        if line % 5 == 4 {
            lines.push(String::new());
        }
    }
    let last = lines.len() - 1;
    lines.push(String::new());
    lines.push("*** END OF THIS PROJECT GUTENBERG EBOOK ***".to_owned());
    (lines.join("\n") + "\n", first, last)
}

#[test]
fn labels_of_a_table_give_weights_that_detect_takes() {
    let world = world();
    let output = world
        .run("model fit books --labels labels.tsv --no-cache --out w.tsv --out-of-fold judged.tsv");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.contains("both exact             100.0 %  24 of 24"),
        "{table}"
    );
    let scored = world.text("judged.tsv");
    assert_eq!(scored.lines().count(), BOOKS + 1);
    let header = "book\tlines\tpreamble_end\tepilogue_start\tdoubt\tdetector\treasons";
    assert_eq!(scored.lines().next(), Some(header));
    let detected = world.run("detect books --profile w.tsv --no-cache --format tsv");
    let detected = String::from_utf8(detected.stdout).unwrap();
    let cuts = |text: &str| -> Vec<String> {
        let lines = text.lines().skip(1);
        lines
            .map(|line| line.split('\t').take(4).collect::<Vec<_>>().join(" "))
            .collect()
    };
    assert_eq!(cuts(&scored), cuts(&detected));
}

#[test]
fn labels_that_do_not_fit_are_named_and_the_others_used() {
    let world = world();
    let mut table = world.text("labels.tsv");
    table += "nowhere.txt\t3\t9\tbook\n0.txt\t3\t9\tbook\nindex.txt\t1\t2\tindex\n";
    fs::write(world.path("more.tsv"), table).unwrap();
    world
        .command("model fit books --labels more.tsv --no-cache --unlabelled 1")
        .assert()
        .code(1)
        .stderr(contains(
            "skipping the label of 'nowhere.txt': it is not in the corpus",
        ))
        .stderr(contains(
            "skipping the label of '0.txt': it is labelled twice",
        ))
        .stderr(contains("2 of 26 labels skipped"))
        .stdout(contains("24 of 24"));
}

#[test]
fn a_truth_folder_and_no_labels_at_all_will_do() {
    let world = world();
    let table = world.text("labels.tsv").replace("elsewhere.zip!", "");
    fs::write(world.path("import.tsv"), table).unwrap();
    world.run("truth import import.tsv books --truth truth --curator ann");
    let output = world.run("model fit books --truth truth --no-cache -q");
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("24 of 24")
    );
    let output = world
        .command("model fit books --no-cache")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("no labels: weights are fitted to the cuts"),
        "{said}"
    );
}

#[test]
fn without_labels_and_confident_books_the_message_says_what_to_do() {
    let world = World::of((0..4).map(|number| {
        let lines =
            (0..60).map(|line| format!("Text {number} has line {line} which no other text has.\n"));
        (format!("books/{number}.txt"), lines.collect::<String>())
    }));
    world
        .command("model fit books --no-cache --out w.tsv")
        .assert()
        .code(2)
        .stderr(contains(
            "Algorithm 1 is confident of none of the 4 books: decide some of them in `endpaper review`",
        ));
    assert!(!world.path("w.tsv").exists());
}

#[test]
fn wrong_use_is_refused_and_leaves_no_file() {
    let world = world();
    fs::write(
        world.path("none.tsv"),
        "book\tbody_first\tbody_last\nx.txt\t1\t2\n",
    )
    .unwrap();
    fs::write(
        world.path("one.tsv"),
        "book\tbody_first\tbody_last\n1.txt\t10\t57\n",
    )
    .unwrap();
    for (arguments, expected) in [
        ("--labels none.tsv", "no labelled book is in the corpus"),
        ("--labels one.tsv", "one fold"),
        ("--labels missing.tsv", "'missing.tsv' cannot be read"),
        ("--truth missing", "'missing' is not a truth folder"),
        ("--labels labels.tsv --folds 1", "--folds"),
        ("--labels labels.tsv --penalty 0", "'0' is not a number"),
        (
            "--labels labels.tsv --unlabelled 2",
            "write a share from 0 to 1, such as 0.02 or 2%",
        ),
    ] {
        world
            .command(&format!(
                "model fit books --no-cache --out w.tsv {arguments}"
            ))
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(expected));
        assert!(!world.path("w.tsv").exists(), "{arguments}");
    }
}
