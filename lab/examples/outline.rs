//! Accuracy of the outline, in a table like Table 5 of Wu et al., *Searching Online Book Documents and Analyzing Book Citations*, and its speed.
//!
//! ```text
//! cargo run --release -p lab --example outline -- CORPUS MANIFEST [FIELD]
//! ```
//!
//! MANIFEST is a tab-separated file whose first line names its columns: `book` (the id) and any of `title`, `authors` (separated by `;`),
//! `pg_number`, `language`, `released`, `published`, `isbn`. An empty cell means unknown, `-` that the book has no value. Precision is the
//! fraction of right values among all found, recall among all existing ones. With FIELD (a column) each wrong or missing value is printed.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use endpaper_outline::{Outline, outline, same_person, titles_agree};
use endpaper_text::corpus::{BookText, ListingRequest, list};
use endpaper_text::scan::{WindowOptions, scan};

/// Columns that can be compared with an outline, and the table's name of their extractor.
const FIELDS: &[(&str, &str)] = &[
    ("title", "Title"),
    ("authors", "Authors"),
    ("pg_number", "Number"),
    ("language", "Language"),
    ("released", "Release date"),
    ("published", "Publish date"),
    ("isbn", "ISBN"),
];

#[derive(Clone, Copy, Default)]
struct OutlineTally {
    books: usize,
    wanted: usize,
    found: usize,
    right: usize,
    /// Number of values that match exactly, ignoring case and punctuation.
    exact: usize,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "write: outline CORPUS MANIFEST [FIELD]";
    let corpus = PathBuf::from(arguments.next().context(usage)?);
    let manifest = read_manifest(&arguments.next().context(usage)?)?;
    let shown = arguments.next();

    let request = ListingRequest {
        roots: vec![corpus],
        ..ListingRequest::default()
    };
    let mut tallies = [OutlineTally::default(); FIELDS.len()];
    let (mut bytes, mut scanning, mut outlining) = (0_usize, Duration::ZERO, Duration::ZERO);
    let (mut listed, mut entries, mut linked, mut parted, mut longest) =
        (0, 0, 0, 0, Duration::ZERO);
    let books = list(&request)?.books;
    for book in &books {
        let Ok(source) = book.read(1 << 30) else {
            continue;
        };
        bytes += source.len();
        let start = Instant::now();
        let text = BookText::new(source);
        let scanned = scan(text.bytes(), WindowOptions::default());
        scanning += start.elapsed();
        let start = Instant::now();
        let found = outline(&text, &scanned);
        outlining += start.elapsed();
        longest = longest.max(start.elapsed());
        listed += usize::from(!found.lists.is_empty());
        entries += found.lists.iter().map(|list| list.entries).sum::<u32>();
        linked += found.lists.iter().map(|list| list.linked).sum::<u32>();
        parted += usize::from(found.headings().nth(1).is_some());
        let Some(facts) = manifest.get(book.id.as_str()) else {
            continue;
        };
        for ((field, _), tally) in FIELDS.iter().zip(&mut tallies) {
            let Some(fact) = facts.get(*field).filter(|fact| !fact.is_empty()) else {
                continue;
            };
            let wrong = judge(field, fact, &found, tally);
            if wrong && shown.as_deref() == Some(*field) {
                println!("{}\t{fact}\t{}", book.id, values(field, &found).join(" | "));
            }
        }
    }
    println!(
        "{:<16} {:>12} {:>10} {:>7} {:>10}",
        "Extractor name", "dataset size", "precision", "recall", "to letter"
    );
    for ((_, name), tally) in FIELDS.iter().zip(tallies) {
        if tally.books > 0 {
            let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
            println!(
                "{name:<16} {:>12} {:>8.1} % {:>5.1} % {:>8.1} %",
                tally.books,
                share(tally.right, tally.found),
                share(tally.right, tally.wanted),
                share(tally.exact, tally.wanted)
            );
        }
    }
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "\n{} books; {listed} with a table of contents: {linked} of {entries} entries linked; {parted} with two headings or more",
        books.len()
    );
    println!(
        "{:.0} MB in one thread: scan {:.0} MB/s, outline {:.0} MB/s, longest {:.0} ms",
        bytes as f64 / 1e6,
        rate(scanning),
        rate(outlining),
        longest.as_secs_f64() * 1e3
    );
    Ok(())
}

type OutlineFacts = HashMap<String, String>;

fn read_manifest(path: &str) -> Result<HashMap<String, OutlineFacts>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("'{path}' cannot be read"))?;
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let mut manifest = HashMap::new();
    for line in lines {
        let cells = line.split('\t').map(|cell| cell.trim().to_owned());
        let facts: OutlineFacts = columns
            .iter()
            .map(|column| (*column).to_owned())
            .zip(cells)
            .collect();
        if let Some(book) = facts.get("book") {
            manifest.insert(book.clone(), facts.clone());
        }
    }
    Ok(manifest)
}

fn values(field: &str, found: &Outline) -> Vec<String> {
    let about = &found.metadata;
    match field {
        "title" => about
            .title
            .iter()
            .map(|title| title.value.clone())
            .collect(),
        "authors" => about
            .authors
            .iter()
            .map(|author| author.value.clone())
            .collect(),
        "pg_number" => about
            .number
            .iter()
            .map(|number| number.value.to_string())
            .collect(),
        "language" => about
            .language
            .iter()
            .map(|language| language.value.clone())
            .collect(),
        "released" => about
            .released
            .iter()
            .map(|date| date.value.to_string())
            .collect(),
        "published" => about
            .published
            .iter()
            .map(|year| year.value.to_string())
            .collect(),
        _ => about
            .isbns
            .iter()
            .map(|isbn| isbn.value.to_string())
            .collect(),
    }
}

/// Counts one book; returns whether a value is wrong or missing.
fn judge(field: &str, fact: &str, found: &Outline, tally: &mut OutlineTally) -> bool {
    let facts: Vec<&str> = match field {
        _ if fact == "-" => Vec::new(),
        "authors" | "isbn" => fact.split(';').map(str::trim).collect(),
        _ => vec![fact],
    };
    let values = values(field, found);
    let right = facts
        .iter()
        .filter(|fact| values.iter().any(|value| is_right(field, value, fact)))
        .count();
    let exact = facts
        .iter()
        .filter(|fact| values.iter().any(|value| plain(value) == plain(fact)))
        .count();
    tally.books += 1;
    tally.wanted += facts.len();
    tally.found += values.len();
    tally.right += right;
    tally.exact += exact;
    right < facts.len() || values.len() > facts.len()
}

fn is_right(field: &str, value: &str, fact: &str) -> bool {
    match field {
        // Old headers have title and author in one line, and so do lists made from them.
        "title" => {
            titles_agree(value, fact)
                || fact
                    .rfind(" by ")
                    .is_some_and(|at| titles_agree(value, fact[..at].trim_end_matches(',')))
        }
        "authors" => same_person(value, fact),
        "language" => {
            let fact = fact.trim_end_matches(" (guess)");
            value.eq_ignore_ascii_case(fact)
        }
        _ => value == fact,
    }
}

fn plain(text: &str) -> String {
    text.trim_end_matches(" (guess)")
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
