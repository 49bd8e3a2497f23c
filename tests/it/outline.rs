//! `endpaper outline` and `endpaper catalog` as a user runs them: formats, people, parts, messages, exit status.

use crate::support::{Home, demo, fine, stderr};
use serde_json::Value;

fn over_demo(home: &Home, arguments: &[&str]) -> String {
    let demo = demo();
    let mut all = arguments.to_vec();
    all.push(demo.to_str().unwrap());
    fine(&home.endpaper(&all).output().unwrap())
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

/// A text of `pages` pages with a table of contents, form feeds, and optionally an ISBN before it.
fn paged(pages: usize, isbn: bool) -> String {
    let isbn = if isbn { "ISBN 0-306-40615-2\n" } else { "" };
    let contents =
        "CONTENTS\n\nI. The Boat ........ 3\nII. The River ...... 9\nIII. The Sea ....... 40\n";
    let prose =
        "it was late when they came down to the river, and nobody had thought of it.\n".repeat(20);
    let mut text = format!("THE BOAT\n\nby Ann Lee\n\n{isbn}\n\u{c}\n{contents}\n");
    for page in 3..=pages {
        let heading = match page {
            3 => "CHAPTER I\n\nTHE BOAT\n\n",
            9 => "CHAPTER II\n\nTHE RIVER\n\n",
            40 => "CHAPTER III\n\nTHE SEA\n\n",
            _ => "",
        };
        text += &format!("\u{c}\n{heading}{prose}\n");
    }
    text
}

#[test]
fn books_are_told_from_other_texts() {
    let home = Home::new();
    home.write("books/strong.txt", paged(120, true));
    home.write("books/weak.txt", paged(120, false));
    home.write("books/short.txt", paged(60, true));
    let printed = |arguments: &[&str]| fine(&home.endpaper(arguments).output().unwrap());
    let rows = printed(&["catalog", "books", "--format", "jsonl"]);
    let told: Vec<(String, u64, bool, String)> = rows
        .lines()
        .map(|row| {
            let row: Value = serde_json::from_str(row).unwrap();
            let text = |key: &str| row[key].as_str().unwrap().to_owned();
            let estimated = row["pages_estimated"].as_bool().unwrap();
            (
                text("book"),
                row["pages"].as_u64().unwrap(),
                estimated,
                text("book_filter"),
            )
        })
        .collect();
    let row = |book: &str, pages, filter: &str| (book.to_owned(), pages, false, filter.to_owned());
    assert_eq!(
        told,
        [
            row("short.txt", 60, "none"),
            row("strong.txt", 120, "strong"),
            row("weak.txt", 120, "weak")
        ]
    );
    let tsv = printed(&["catalog", "books", "--format", "tsv", "--only-books"]);
    let books: Vec<&str> = tsv
        .lines()
        .skip(1)
        .filter_map(|row| row.split('\t').next())
        .collect();
    assert_eq!(books, ["strong.txt", "weak.txt"]);
    let table = printed(&["outline", "books/strong.txt"]);
    assert!(
        table
            .contains("120 pages, contents on page 2, ISBN on page 1: a book by the strong filter"),
        "{table}"
    );
}

#[test]
fn what_books_cite_is_counted() {
    let home = Home::new();
    let one = "A TALE\n\nIt was late.\n\nREFERENCES\n\n\
        [1] D. E. Knuth. The Art of Computer Programming. Addison-Wesley, 1968.\n\
        [2] A. Lee, \"A theory of boats,\" Journal of Boats, 12:1-9, 1999.\n\
        [3] D. Knuth. he Art of Computer Programming. Addison-Wesley, 1973.\n";
    let other = "ANOTHER TALE\n\nIt was early.\n\nREFERENCES\n\n\
        Knuth, D. E. (1968). The art of computer programming. Addison-Wesley.\n\n\
        Miller, C. (2001). Boats again. J. Boats, 13, 1-5.\n\n";
    home.write("books/one.txt", one);
    home.write("books/other.txt", other);
    let printed = |arguments: &[&str]| fine(&home.endpaper(arguments).output().unwrap());
    let works = printed(&["catalog", "citations", "books", "--format", "tsv"]);
    let rows: Vec<Vec<&str>> = works.lines().map(|row| row.split('\t').collect()).collect();
    assert_eq!(
        rows[0],
        [
            "cited_by",
            "citations",
            "name",
            "author",
            "year",
            "spellings"
        ]
    );
    assert_eq!(rows[1][..3], ["2", "3", "The Art of Computer Programming"]);
    assert_eq!(rows[1][4], "1968");
    let venues = printed(&[
        "catalog",
        "citations",
        "books",
        "--venues",
        "--format",
        "jsonl",
    ]);
    let first: Value = serde_json::from_str(venues.lines().next().unwrap()).unwrap();
    assert_eq!(
        (first["name"].as_str(), first["cited_by"].as_u64()),
        (Some("Journal of Boats"), Some(2))
    );
    let table = printed(&["catalog", "citations", "books"]);
    assert!(
        table.starts_with("cited by citations  year  author"),
        "{table}"
    );
    let catalog = printed(&["catalog", "books", "--format", "jsonl"]);
    let row: Value = serde_json::from_str(catalog.lines().next().unwrap()).unwrap();
    assert_eq!(row["references"].as_u64(), Some(3));
}
