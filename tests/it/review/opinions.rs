//! One answer: the screen, `detect` and `strip` give a book the same cuts, doubt and reasons.

use std::collections::HashMap;
use std::path::Path;

use crate::collections;
use crate::review::sitting::{Desk, SIZE, keep, quit};
use crate::support::{Home, fine, real_books};

/// What a book is said to be: first and last line cut away, doubt to three places.
type Answer = (u64, u64, String);

fn doubt(value: &serde_json::Value) -> String {
    format!("{:.3}", value.as_f64().expect("a doubt"))
}

/// The answer of `detect`, with the reasons.
fn detected(home: &Home, corpus: &str, further: &[&str]) -> HashMap<String, (Answer, Vec<String>)> {
    let arguments = [&["detect", corpus, "--quiet", "--format", "jsonl"], further].concat();
    let output = home
        .endpaper(&arguments)
        .output()
        .expect("the program runs");
    let rows = fine(&output);
    let rows = rows.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let number = |name: &str| row[name].as_u64().expect("a line");
        let answer = (
            number("preamble_end"),
            number("epilogue_start"),
            doubt(&row["doubt"]),
        );
        let reasons = row["reasons"].as_array().expect("reasons").iter();
        let reasons = reasons.map(|reason| reason.as_str().expect("a word").to_owned());
        let book = row["book"].as_str().expect("a book").to_owned();
        (book, (answer, reasons.collect()))
    });
    rows.collect()
}

/// Keeps `count` books on the screen, and compares what their records say was shown with what `detect` says.
fn assert_screen_agrees(desk: &Desk, names: &[String]) {
    let terminal = desk.sit();
    for number in 1..=names.len() {
        keep(&terminal, number);
    }
    quit(&terminal);
    let expected = detected(&desk.home, "books", &[]);
    for name in names {
        let record = desk.record(name).expect("a record");
        let shown = record.reviews[0].detected.as_ref().expect("what was shown");
        let (answer, _) = &expected[name];
        let none = u64::from(record.source.lines) + 1;
        let end = shown.cuts().epilogue_start.map_or(none, u64::from);
        let of_screen = (
            u64::from(shown.cuts().preamble_end),
            end,
            format!("{:.3}", shown.doubt),
        );
        assert_eq!(&of_screen, answer, "{name}");
    }
}

#[test]
fn the_screen_records_what_detect_says() {
    let desk = Desk::with_books(5);
    let names: Vec<String> = (1..=5).map(|number| format!("book-{number}.txt")).collect();
    assert_screen_agrees(&desk, &names);
}

/// What a sitting learns at its start from earlier records is what `detect` learns from them.
#[test]
fn the_screen_proposes_what_detect_learns_from_the_same_records() {
    let desk = Desk::new(collections::collection());
    collections::decide(&desk.home, 6);
    let expected = collections::detect(&desk.home, &["--truth", "truth"]);
    desk.survey();
    let terminal = (desk.home).terminal(&desk.arguments(&[]), SIZE, &[]);
    terminal.wait_for_text("Enter keep");
    // The book on screen keeps its proposal; the others have new ones. The next round is at ten.
    for _ in 0..3 {
        terminal.wait_quiet(std::time::Duration::from_millis(500));
        terminal.send("<Enter>");
    }
    terminal.wait_quiet(std::time::Duration::from_millis(500));
    quit(&terminal);
    let mut compared = 0;
    for record in desk.records() {
        let Some(detected) = record.reviews[0].detected.as_ref() else {
            continue;
        };
        if !detected.model.contains('+') {
            continue;
        }
        let (preamble_end, epilogue_start, doubt) = &expected[&record.book];
        let none = record.source.lines + 1;
        let found = (
            u64::from(detected.cuts().preamble_end),
            u64::from(detected.cuts().epilogue_start.unwrap_or(none)),
        );
        assert_eq!(found, (*preamble_end, *epilogue_start), "{}", record.book);
        assert_eq!(&format!("{:.3}", detected.doubt), doubt, "{}", record.book);
        compared += 1;
    }
    assert!(compared >= 1, "no proposal of what was learned was kept");
}

/// The first `count` real books, in a folder of their own and under names that the tests of the screen wait for.
fn real_desk(count: usize) -> (Desk, Vec<String>) {
    let desk = Desk::with_books(0);
    let mut books: Vec<_> = std::fs::read_dir(real_books().join("books"))
        .expect("the real books")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    books.sort();
    let names = books.iter().step_by(books.len() / count).take(count);
    let names = names.enumerate().map(|(at, path)| {
        let text = unzipped(path);
        let name = format!("book-{}.txt", at + 1);
        desk.home.write(format!("books/{name}"), text);
        name
    });
    let names = names.collect();
    (desk, names)
}

fn unzipped(path: &Path) -> Vec<u8> {
    let file = std::fs::File::open(path).expect("an archive");
    let mut archive = zip::ZipArchive::new(file).expect("a zip file");
    let mut text = Vec::new();
    let mut member = archive.by_index(0).expect("a member");
    std::io::copy(&mut member, &mut text).expect("a text");
    text
}

#[test]
#[ignore = "needs ENDPAPER_CORPUS"]
fn detect_and_strip_agree_on_real_books() {
    let (desk, names) = real_desk(200);
    let plain = detected(&desk.home, "books", &["--no-cache"]);
    assert_eq!(plain.len(), names.len());
    assert_eq!(detected(&desk.home, "books", &[]), plain, "counted");
    assert_eq!(detected(&desk.home, "books", &[]), plain, "cached");
    let told = plain.values().filter(|(_, reasons)| {
        let opinions = ["copies-differ", "alternation-differs", "contents-outside"];
        reasons
            .iter()
            .any(|reason| opinions.contains(&reason.as_str()))
    });
    assert!(
        told.count() > 0,
        "no second opinion differs: nothing was compared"
    );
    let quiet = detected(&desk.home, "books", &["--no-opinions"]);
    assert!(
        quiet
            .iter()
            .any(|(book, answer)| answer.0.2 != plain[book].0.2)
    );
    let strip = ["strip", "books", "--quiet", "--out", "bodies"];
    let output = desk.home.endpaper(&strip).output();
    let said = crate::support::stderr(&output.expect("the program runs"));
    let manifest = desk.home.work().join("bodies/endpaper-manifest.tsv");
    let manifest =
        std::fs::read_to_string(manifest).unwrap_or_else(|error| panic!("{error}: {said}"));
    let mut lines = manifest.lines();
    let columns: Vec<&str> = lines.next().expect("a header").split('\t').collect();
    let column = |name: &str| columns.iter().position(|column| *column == name);
    let [book, doubt] = ["book", "doubt"].map(|name| column(name).expect("a column"));
    let mut stripped = 0;
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let of_strip: f64 = cells[doubt].parse().expect("a number");
        assert_eq!(
            format!("{of_strip:.3}"),
            plain[cells[book]].0.2,
            "{}",
            cells[book]
        );
        stripped += 1;
    }
    assert!(stripped > 150, "{stripped} bodies");
}
