//! `endpaper figures` as a user runs it: files, numbers, the page, wrong use.

// Helpers of tests may unwrap as the tests themselves do.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::PathBuf;
use std::process::Output;

use support::Home;

/// Twelve books of 40 lines of their own, with a licence of 12 lines of which one is the paper's.
fn figures(home: &Home, more: &[&str]) -> Output {
    for number in 0..12 {
        let licence =
            (1..=11).map(|line| format!("Line {line} of a licence that stands in <every> book.\n"));
        let paper = "[3] Pay a trademark license fee to the Foundation of 20% of the\n".to_owned();
        let body = (0..40)
            .map(|line| format!("Book {number} says in line {line} what no other book says.\n"));
        let book: String = licence.chain([paper]).chain(body).collect();
        home.write(format!("books/{number}.txt"), book);
    }
    let arguments = ["figures", "out", "books", "--quiet"];
    home.endpaper(&[&arguments, more].concat())
        .output()
        .unwrap()
}

fn out(home: &Home, name: &str) -> PathBuf {
    home.work().join("out").join(name)
}

fn read(home: &Home, name: &str) -> String {
    std::fs::read_to_string(out(home, name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The cells of a table, without its header.
fn rows(home: &Home, name: &str) -> Vec<Vec<String>> {
    let text = read(home, name);
    let lines = text.lines().skip(1);
    lines
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

#[test]
fn every_figure_has_a_picture_numbers_and_a_place_on_the_page() {
    let home = Home::new();
    let done = figures(&home, &[]);
    assert_eq!(
        done.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let page = read(&home, "index.html");
    for name in [
        "figure2",
        "figure3",
        "figure5",
        "figure6",
        "figure7",
        "figure9",
        "proposition1",
    ] {
        let svg = read(&home, &format!("{name}.svg"));
        assert!(
            svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"),
            "{name}"
        );
        assert!(!rows(&home, &format!("{name}.tsv")).is_empty(), "{name}");
        assert!(page.contains(&svg), "{name}");
    }
    assert!(!out(&home, "figure4.svg").exists());
    assert!(page.contains("12 books (624 counted lines)"), "{page}");
    // Nothing is fetched from anywhere, and what books say is no markup.
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("<every>"));
}

#[test]
fn numbers_are_those_of_the_corpus_and_of_theory() {
    let home = Home::new();
    assert!(figures(&home, &[]).status.success());
    // 480 lines once, 12 lines in every book.
    let histogram = rows(&home, "figure5.tsv");
    let cells: Vec<[&str; 3]> = histogram
        .iter()
        .map(|row| [&*row[0], &*row[1], &*row[2]])
        .collect();
    assert_eq!(cells, [["1", "480", "12"], ["12", "12", "0"]]);
    let lines = rows(&home, "figure4.tsv");
    assert_eq!(lines[9][1..3], ["8061", "12"]);
    assert_eq!(lines[0][1..3], ["68", "0"]);
    assert!(
        lines[10..]
            .iter()
            .any(|row| row[2] == "12"
                && row[3] == "Line 7 of a licence that stands in <every> book.")
    );
    // Twelve books with twelve lines more frequent than ten.
    assert_eq!(rows(&home, "figure2.tsv").len(), 144);
    let theory = rows(&home, "figure3.tsv");
    let at_20 = theory.iter().find(|row| row[0] == "0.2").unwrap();
    let expected: f64 = at_20[1].parse().unwrap();
    assert!((expected - 31.57).abs() < 0.005, "{expected}");
    let [found, error] = [2, 3].map(|at| at_20[at].parse::<f64>().unwrap());
    assert!((found - expected).abs() < 4.0 * error, "{found} {error}");
    let collisions = rows(&home, "figure6.tsv");
    for row in &collisions {
        let numbers: Vec<f64> = row.iter().map(|cell| cell.parse().unwrap()).collect();
        // 491 other lines share the counters.
        let bound = 1.0 - (-491.0 / numbers[0]).exp();
        assert!((numbers[1] - bound).abs() < 1e-9, "{row:?}");
    }
}

#[test]
fn what_needs_no_clock_is_the_same_every_time() {
    let home = Home::new();
    assert!(figures(&home, &[]).status.success());
    let names = [
        "figure2",
        "figure3",
        "figure4",
        "figure5",
        "figure6",
        "figure7",
        "proposition1",
    ];
    let all = |home: &Home| names.map(|name| read(home, &format!("{name}.tsv")));
    let first = all(&home);
    assert!(figures(&home, &["--threads", "1"]).status.success());
    assert!(first == all(&home));
}

#[test]
fn wrong_use_is_said_and_nothing_is_written() {
    let home = Home::new();
    let missing = home
        .endpaper(&["figures", "out", "nowhere"])
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(!home.work().join("out").exists());
    home.write("taken", "a file");
    let taken = figures(&home, &[]);
    assert!(taken.status.success());
    let onto_file = home
        .endpaper(&["figures", "taken", "books"])
        .output()
        .unwrap();
    assert_eq!(onto_file.status.code(), Some(2));
    let said = String::from_utf8_lossy(&onto_file.stderr).into_owned();
    assert!(said.contains("'taken' cannot be made"), "{said}");
}
