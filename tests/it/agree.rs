//! `endpaper truth agree` as a user runs it: figures, messages, exit status.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{Home, text};
use endpaper_detect::Cuts;
use endpaper_text::corpus::{self, Book, BookText, ListingRequest};
use endpaper_truth::{Record, Review, SourceFacts, Store, Verdict};
use serde_json::Value;

/// Runs it with the truth folders that come first, and the options and the corpus after them.
fn run(home: &Home, arguments: &[&str]) -> Output {
    let (folders, more) = arguments.split_at(
        arguments
            .iter()
            .position(|word| word.starts_with("--"))
            .unwrap_or(arguments.len()),
    );
    let folders = folders.iter().flat_map(|folder| ["--truth", folder]);
    let folders: Vec<&str> = folders.collect();
    home.endpaper(&[&["truth", "agree"], &folders[..], more].concat())
        .output()
        .unwrap()
}

fn review(by: &str, day: u32, blind: bool, preamble_end: u32) -> Review {
    Review {
        by: by.to_owned(),
        at: format!("2026-11-{day:02}T03:22:00Z"),
        blind,
        verdict: Verdict::Corrected,
        cuts: Cuts {
            preamble_end,
            epilogue_start: None,
        },
        ..Review::default()
    }
}

fn save(home: &Home, folder: &str, id: &str, source: &BookText, reviews: Vec<Review>) {
    let mut record = Record::new(id, SourceFacts::of(source));
    for review in reviews {
        record.add_review(review);
    }
    let store = Store::open(&home.work().join(folder)).unwrap();
    let (_, known) = store.load(id).unwrap();
    store.save(&record, &known).unwrap();
}

/// Ten books of 100 numbered lines, every second one blank.
fn books(home: &Home) -> Vec<(String, BookText)> {
    let book = |number: usize| {
        let lines = (1..=50).map(|line| format!("book {number}, line {line}\n\n"));
        let text: String = lines.collect();
        let id = format!("{number}.txt");
        home.write(format!("books/{id}"), &text);
        (id, BookText::new(text.into_bytes()))
    };
    (0..10).map(book).collect()
}

/// Two curators: books 0 to 6 are identical, 7 differs by one line of text, 8 by four, 9 by twenty.
fn two_folders(home: &Home) {
    for (number, (id, source)) in books(home).iter().enumerate() {
        save(home, "ann", id, source, vec![review("ann", 1, false, 21)]);
        let apart = [0, 0, 0, 0, 0, 0, 0, 1, 4, 20][number];
        save(
            home,
            "ben",
            id,
            source,
            vec![review("ben", 1, false, 21 + 2 * apart)],
        );
    }
}

fn objects(output: &Output, kind: &str) -> Vec<Value> {
    let text = text(&output.stdout);
    let objects = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    objects.filter(|object| object["kind"] == kind).collect()
}

#[test]
fn two_folders_are_compared_in_lines_that_are_not_blank() {
    let home = Home::new();
    two_folders(&home);
    let output = run(&home, &["ann", "ben", "--list", "books"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // Wilson intervals of 7, 8, 9 of 10 by statsmodels 0.15.0.
    let expected = [
        "ann and ben: 10 books decided by both",
        "same verdict, %      100.0 (72.2-100.0)",
        "of 10 books with cuts by both, in non-blank lines:",
        "exact                 70.0 (39.7-89.2)",
        "within 1 line         80.0 (49.0-94.3)",
        "within 5 lines        90.0 (59.6-98.2)",
        "within 10 lines       90.0 (59.6-98.2)",
        // Seven matches, near misses of 1 and 4 of 11, and one miss.
        "boundary similarity  0.8545              1.0000              0.8545",
        "8.txt: 21/- or 29/- (4 and 0 lines apart)",
    ];
    for line in expected {
        assert!(said.contains(line), "{line}:\n{said}");
    }
    assert!(
        said.lines().all(|line| line.chars().count() <= 80),
        "{said}"
    );
    assert!(!said.to_lowercase().contains("kappa"));
}

#[test]
fn programs_get_everything_with_a_warning_where_it_is_due() {
    let home = Home::new();
    two_folders(&home);
    let output = run(&home, &["ann", "ben", "--format", "jsonl", "books"]);
    let pair = &objects(&output, "pair")[0];
    let start = &pair["cuts"]["start"];
    assert_eq!(start["within"]["5"]["hits"], 9);
    assert_eq!(pair["without_text"], 0);
    assert!(pair["kappa_lines"].as_f64().unwrap() > 0.5 && pair["kappa_verdicts"].is_null());
    assert!(pair["note"].as_str().unwrap().contains("inflated"));
    assert_eq!(objects(&output, "book").len(), 3);
    assert_eq!(objects(&output, "book")[2]["apart"]["start"], 20);
    let all = &objects(&output, "all")[0];
    assert!(all["alpha_lines"].as_f64().unwrap() > 0.5 && all["note"].is_string());
    assert_eq!(objects(&output, "template")[0]["books"], 10);
    let blind = run(&home, &["ann", "ben", "--format", "jsonl"]);
    let pair = &objects(&blind, "pair")[0];
    assert_eq!(
        (
            &pair["without_text"],
            &pair["cuts"]["start"]["within"]["5"]["hits"]
        ),
        (&10.into(), &8.into())
    );
}

#[test]
fn three_folders_are_three_pairs() {
    let home = Home::new();
    two_folders(&home);
    let source = BookText::new(fs::read(home.work().join("books/0.txt")).unwrap());
    save(
        &home,
        "eve",
        "moved/0.txt",
        &source,
        vec![review("eve", 1, false, 19)],
    );
    let output = run(&home, &["ann", "ben", "eve", "--format", "jsonl", "books"]);
    let pairs = objects(&output, "pair");
    let books: Vec<&Value> = pairs.iter().map(|pair| &pair["books"]).collect();
    assert_eq!(books, [10, 1, 1]);
    assert_eq!(pairs[2]["cuts"]["start"]["within"]["1"]["hits"], 1);
}

#[test]
fn one_folder_is_compared_with_its_own_reviews() {
    let home = Home::new();
    for (number, (id, source)) in books(&home).iter().enumerate() {
        let again = if number < 8 { 21 } else { 23 };
        let reviews = vec![
            review("ann", 1, false, 21),
            review("ben", 2, false, 21),
            review("ann", 3, true, again),
        ];
        save(&home, "truth", id, source, reviews);
    }
    let output = run(&home, &["truth", "--quiet", "books"]);
    let said = text(&output.stdout);
    assert!(
        said.contains("ann and ben: 10 books decided by both"),
        "{said}"
    );
    assert!(
        said.contains("ann and ann again, blind: 10 books decided by both"),
        "{said}"
    );
    assert_eq!(
        said.matches("exact                 80.0 (49.0-94.3)")
            .count(),
        2,
        "{said}"
    );
}

#[test]
fn broken_and_wrong_records_are_named_and_the_rest_is_compared() {
    let home = Home::new();
    two_folders(&home);
    home.write("ann/0.txt.yaml", "schema: 1\nbook: [");
    let file = home.work().join("ben/1.txt.yaml");
    let yaml = fs::read_to_string(&file).unwrap();
    fs::write(
        &file,
        yaml.replace("cuts: {preamble_end: 21", "cuts: {preamble_end: 2100"),
    )
    .unwrap();
    let output = run(&home, &["ann", "ben"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("'ann/0.txt.yaml': line")
            && said.contains("'ben/1.txt.yaml': cuts: preamble_end 2100"),
        "{said}"
    );
    assert!(text(&output.stdout).contains("8 books decided by both"));
}

#[test]
fn nothing_to_compare_is_said() {
    let home = Home::new();
    two_folders(&home);
    fs::create_dir(home.work().join("empty")).unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["ann"], "name several truth folders"),
        (
            &["ann", "empty"],
            "no text is decided in two of the folders",
        ),
        (&["ann", "nowhere"], "'nowhere' is not a truth folder"),
        (&["ann", "ben", "--list", "nowhere"], "nowhere"),
        (&[], "'endpaper-truth' is not a truth folder"),
    ];
    for (arguments, expected) in cases {
        let output = run(&home, arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

/// The demo books: one curator cuts before the second non-blank line, one before the third.
#[test]
fn demo_books_come_by_template() {
    let home = Home::new();
    let archive =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/endpaper-text/src/corpus/demo.zip");
    let request = ListingRequest {
        roots: vec![PathBuf::from(&archive)],
        ..ListingRequest::default()
    };
    let listing = corpus::list(&request).unwrap();
    for book in &listing.books {
        let Book { id, .. } = book;
        let source = BookText::new(book.read(u64::MAX).unwrap());
        let mut filled = (1..=source.lines()).filter(|line| !source.is_blank(*line));
        let (first, second) = (filled.next().unwrap(), filled.next().unwrap());
        save(
            &home,
            "ann",
            id.as_str(),
            &source,
            vec![review("ann", 1, false, first)],
        );
        save(
            &home,
            "ben",
            id.as_str(),
            &source,
            vec![review("ben", 1, false, second)],
        );
    }
    let corpus = archive.to_str().unwrap();
    let output = run(&home, &["ann", "ben", "--format", "jsonl", corpus]);
    let books = listing.books.len() as u64;
    let start = &objects(&output, "pair")[0]["cuts"]["start"]["within"];
    assert_eq!(
        (&start["0"]["hits"], &start["1"]["hits"]),
        (&0.into(), &books.into())
    );
    let templates = objects(&output, "template");
    let counted: u64 = templates.iter().map(|t| t["books"].as_u64().unwrap()).sum();
    assert_eq!(counted, books);
    // Three siblings of one producer.
    assert!(
        templates
            .iter()
            .any(|template| template["books"].as_u64() > Some(2))
    );
}
