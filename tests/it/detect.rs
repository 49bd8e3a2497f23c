//! `endpaper detect` and `endpaper model` as a user runs them: results, messages, exit status.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

/// A folder with three books of one licence and one empty file, and a cache folder beside it.
fn corpus() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let books = folder.path().join("books");
    fs::create_dir(&books).unwrap();
    for number in 0..3 {
        fs::write(books.join(format!("{number}.txt")), book(number)).unwrap();
    }
    folder
}

fn book(number: usize) -> String {
    let licence =
        (0..12).map(|line| format!("Line {line} of a licence that stands in every book.\n"));
    let body = (0..700)
        .map(|line| format!("Book {number} says in line {line} what no other book says.\n"));
    licence.chain(["\n".to_owned()]).chain(body).collect()
}

fn endpaper(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("endpaper").unwrap();
    command
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("HOME", folder);
    command
}

#[test]
fn tsv_has_a_header_and_a_line_for_each_book_in_id_order() {
    let folder = corpus();
    let arguments = [
        "detect",
        "books",
        "--detector",
        "gap",
        "--format",
        "tsv",
        "--model",
        "corpus",
        "-K",
        "2",
    ];
    let output = endpaper(folder.path()).args(arguments).output().unwrap();
    assert!(output.status.success());
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(
        lines[0],
        "book\tlines\tpreamble_end\tepilogue_start\tdoubt\tdetector\treasons"
    );
    for (number, line) in lines[1..].iter().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields[0], format!("{number}.txt"));
        assert_eq!(fields[1..4], ["713", "12", "714"], "{line}");
        assert_eq!(fields[5], "gap");
    }
    assert_eq!(lines.len(), 4);
}

#[test]
fn the_second_run_prints_the_same_from_the_cache() {
    let folder = corpus();
    let run = || {
        let mut command = endpaper(folder.path());
        command.args(["detect", "books", "--format", "jsonl"]);
        command.output().unwrap().stdout
    };
    let first = run();
    assert!(folder.path().join("cache/endpaper").exists() || cfg!(not(target_os = "linux")));
    assert_eq!(run(), first);
    assert!(!first.is_empty());
}

#[test]
fn a_book_that_cannot_be_read_is_named_and_the_status_says_so() {
    let folder = corpus();
    fs::write(folder.path().join("books/2.txt"), "").unwrap();
    endpaper(folder.path())
        .args(["detect", "books", "--no-cache"])
        .assert()
        .code(1)
        .stdout(contains("0.txt").and(contains("2.txt").not()))
        .stderr(contains("skipped '2.txt': is empty"))
        .stderr(contains(
            "the built-in model, because 2 books are fewer than the 200",
        ));
}

#[test]
fn wrong_use_ends_with_status_2_and_a_reason() {
    let folder = corpus();
    fs::write(folder.path().join("bad.model"), "no model").unwrap();
    let cases: [(&[&str], &str); 5] = [
        (&["detect", "missing"], "missing"),
        (&["detect", "--detector", "magic"], "magic"),
        (
            &["detect", "--structure", "magic"],
            "there are crc64, exact",
        ),
        (
            &["detect", "books", "--model", "bad.model"],
            "not a model file",
        ),
        (
            &["detect", "books", "--explain", "--format", "tsv"],
            "--explain goes with",
        ),
    ];
    for (arguments, expected) in cases {
        let assert = endpaper(folder.path()).args(arguments).assert();
        assert.code(2).stdout("").stderr(contains(expected));
    }
}

#[test]
fn a_model_is_built_looked_into_and_used() {
    let folder = corpus();
    endpaper(folder.path())
        .args(["model", "build", "books", "--out", "a.model"])
        .assert()
        .code(0)
        .stderr(contains("12 lines of 3 books"));
    endpaper(folder.path())
        .args(["model", "info", "a.model"])
        .assert()
        .code(0)
        .stdout(contains("distinct lines       12"));
    endpaper(folder.path())
        .args(["detect", "books", "--model", "a.model", "-K", "2"])
        .assert()
        .code(0)
        .stderr(contains("with the model 'a.model'"));
    endpaper(folder.path())
        .args(["model", "info", "built-in"])
        .assert()
        .code(0)
        .stdout(contains("the built-in model"));
}
