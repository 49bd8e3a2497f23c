//! Invariants over the real books of `ENDPAPER_CORPUS`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::support::real_books;
use endpaper_detect::End;
use endpaper_detect::pipeline::{AnalysisOptions, CorpusReport, analyse};
use endpaper_text::corpus::{self, ListingRequest};

fn surveyed(folder: &Path) -> CorpusReport {
    let request = ListingRequest {
        roots: vec![folder.join("books")],
        ..ListingRequest::default()
    };
    let listing = corpus::list(&request).expect("the books are listed");
    assert!(listing.skipped.is_empty(), "{:?}", listing.skipped);
    analyse(
        &listing,
        &AnalysisOptions::default(),
        &|_| {},
        &AtomicBool::new(false),
    )
    .expect("a survey")
}

/// Reads a table with a header line, by the first column.
fn table(path: &Path) -> HashMap<String, HashMap<String, String>> {
    let text = std::fs::read_to_string(path).expect("a table");
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let row = |line: &str| {
        let cells = columns.iter().zip(line.split('\t'));
        let row: HashMap<String, String> = cells
            .map(|(column, cell)| ((*column).to_owned(), cell.to_owned()))
            .collect();
        (row["book"].clone(), row)
    };
    lines.map(row).collect()
}

#[test]
#[ignore = "needs ENDPAPER_CORPUS"]
fn every_real_book_is_read_and_has_as_many_lines_as_its_catalogue_says() {
    let folder = real_books();
    let report = surveyed(&folder);
    assert!(report.skipped.is_empty(), "{:?}", report.skipped);
    let manifest = table(&folder.join("MANIFEST.tsv"));
    assert_eq!(report.books.len(), manifest.len());
    for book in &report.books {
        let row = &manifest[book.book.id.as_str()];
        // Rows without an era have no data on the file; mixed newlines are counted differently in the catalogue.
        if row["era"].is_empty() || row["newlines"].starts_with("mixed") {
            continue;
        }
        assert_eq!(
            book.summary.lines.to_string(),
            row["lines"],
            "{}",
            book.book.id
        );
        assert_eq!(
            book.summary.bytes.to_string(),
            row["bytes"],
            "{}",
            book.book.id
        );
    }
}

#[test]
#[ignore = "needs ENDPAPER_CORPUS"]
fn the_right_cut_is_nearly_always_on_a_digit() {
    let folder = real_books();
    let report = surveyed(&folder);
    let labels = table(&folder.join("labels.tsv"));
    let (mut books, mut starts, mut ends) = (0, 0, 0);
    for book in &report.books {
        let Some(label) = labels
            .get(book.book.id.as_str())
            .filter(|label| label["kind"] == "book")
        else {
            continue;
        };
        let text = corpus::BookText::new(book.book.read(1 << 28).expect("it was read before"));
        let line = |column: &str| label[column].parse::<u32>().expect("a line number");
        // Candidates and labels name the two sides of a cut: compares the first non-blank line after it.
        let after = |mut line: u32| {
            while line <= text.lines() && text.is_blank(line) {
                line += 1;
            }
            line
        };
        let has = |end: End, wanted: u32| {
            let candidates = &book.summary.detection.candidates;
            let place = |line: u32| {
                if end == End::Start {
                    after(line + 1)
                } else {
                    after(line)
                }
            };
            candidates
                .iter()
                .any(|c| c.end == end && place(c.line) == wanted)
        };
        books += 1;
        starts += u32::from(has(End::Start, line("body_first")));
        ends += u32::from(has(End::End, after(line("body_last") + 1)));
    }
    println!("of {books} labelled books, a digit has the start of {starts} and the end of {ends}");
    assert!(starts * 100 >= books * 98, "start: {starts} of {books}");
    assert!(ends * 100 >= books * 94, "end: {ends} of {books}");
}
