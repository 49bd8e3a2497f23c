//! `endpaper outline` and `endpaper catalog` as a user runs them: formats, people, parts, messages, exit status.

// Helpers of tests may unwrap as the tests themselves do.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use support::{Home, stderr};

/// The demonstration corpus as an archive on disk.
fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/corpus/demo.zip")
}

/// Runs a command over the demonstration corpus.
fn over_demo(home: &Home, arguments: &[&str]) -> String {
    let demo = demo();
    let mut all = arguments.to_vec();
    all.push(demo.to_str().unwrap());
    stdout(&home.endpaper(&all).output().unwrap())
}

fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_catalogue_has_a_row_for_each_demo_book() {
    let home = Home::new();
    let printed = over_demo(&home, &["catalog", "--format", "tsv", "--quiet"]);
    let mut rows = printed
        .lines()
        .map(|line| line.split('\t').collect::<Vec<&str>>());
    let head = rows.next().unwrap();
    let column = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let rows: Vec<Vec<&str>> = rows.collect();
    assert!(rows.len() > 15);
    assert!(rows.iter().all(|row| row.len() == head.len()));
    let of = |book: &str| rows.iter().find(|row| row[0].contains(book)).unwrap();
    let cell = |book: &str, name: &str| of(book)[column(name)];
    assert_eq!(
        cell("OWLCR10", "title"),
        "An Occurrence at Owl Creek Bridge"
    );
    assert_eq!(cell("OWLCR10", "authors"), "Ambrose Bierce");
    assert_eq!(cell("OWLCR10", "number"), "375");
    assert_eq!(cell("OWLCR10", "released"), "1995-12");
    assert_eq!(cell("OWLCR10", "language"), "English");
    assert_eq!(cell("19947-8", "language"), "Portuguese");
    assert_eq!(cell("31963-0", "encoding"), "utf-8-bom");
    assert_eq!(cell("florante_at_laura", "language"), "Tagalog");
}

#[test]
fn all_formats_say_the_same() {
    let home = Home::new();
    let jsonl = over_demo(
        &home,
        &[
            "outline",
            "--format",
            "jsonl",
            "--quiet",
            "--include",
            "*cdbfr10*",
        ],
    );
    let record: Value = serde_json::from_str(jsonl.trim()).unwrap();
    let yaml = over_demo(
        &home,
        &[
            "outline",
            "--format",
            "yaml",
            "--quiet",
            "--include",
            "*cdbfr10*",
        ],
    );
    let documents = yaml.strip_prefix("---\n").unwrap();
    let same: Value = serde_yaml::from_str(documents).unwrap();
    assert_eq!(record, same);
    // Cyrano has five acts with scenes in them.
    let entries = record["entries"].as_array().unwrap();
    let acts: Vec<&Value> = entries
        .iter()
        .filter(|entry| entry["kind"] == "act")
        .collect();
    assert_eq!(acts.len(), 5);
    assert!(acts.iter().all(|act| act["level"] == 1));
    assert!(
        entries
            .iter()
            .any(|entry| entry["kind"] == "scene" && entry["level"] == 2)
    );
    let table = over_demo(&home, &["outline", "--quiet", "--include", "*cdbfr10*"]);
    for act in acts {
        assert!(table.contains(&format!("{:>8}", act["line"])), "{table}");
    }
    let row = over_demo(
        &home,
        &["catalog", "--format", "jsonl", "--include", "*cdbfr10*"],
    );
    let row: Value = serde_json::from_str(row.trim()).unwrap();
    assert_eq!(row["title"], record["metadata"]["title"]["value"]);
}

#[test]
fn one_thread_and_many_print_the_same() {
    let home = Home::new();
    let one = over_demo(&home, &["outline", "--format", "jsonl", "--threads", "1"]);
    let many = over_demo(&home, &["outline", "--format", "jsonl", "--threads", "4"]);
    assert_eq!(one, many);
}

#[test]
fn a_bad_book_is_named_and_stops_nothing() {
    let home = Home::new();
    home.write(
        "books/book.txt",
        "Title: The Boat\n\nAuthor: Ann Lee\n\nCHAPTER I\n\nIt was late.\n",
    );
    home.write("books/empty.txt", "");
    for command in ["outline", "catalog"] {
        let output = home
            .endpaper(&[command, "books", "--format", "jsonl"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr(&output).contains("skipped 'empty.txt'"),
            "{}",
            stderr(&output)
        );
        assert!(String::from_utf8_lossy(&output.stdout).contains("The Boat"));
        let output = home.endpaper(&[command, "nowhere"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let output = home
            .endpaper(&[command, "books/empty.txt"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains("no book could be read"),
            "{}",
            stderr(&output)
        );
    }
}
