//! Accuracy of the outline, in a table like Table 5 of Wu et al., *Searching Online Book Documents and Analyzing Book Citations*, and its speed.
//!
//! ```text
//! cargo run --release -p lab --example outline -- CORPUS MANIFEST [FIELD]
//! ```
//!
//! MANIFEST is a tab-separated file whose first line names its columns: `book` (the id) and any of `title`, `authors` (separated by `;`),
//! `pg_number`, `language`, `released`, `published`, `isbn`. An empty cell means unknown, `-` that the book has no value. Precision is the
//! fraction of right values among all found, recall among all existing ones. With FIELD (a column) each wrong or missing value is printed.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use endpaper_outline::outline;
use endpaper_text::corpus::{BookText, ListingRequest, list};
use endpaper_text::scan::{WindowOptions, scan};
use lab::experiments::outlines::{FIELDS, OutlineTally, judge, parse_true_values, values};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "write: outline CORPUS MANIFEST [FIELD]";
    let corpus = PathBuf::from(arguments.next().context(usage)?);
    let manifest = arguments.next().context(usage)?;
    let facts = std::fs::read_to_string(&manifest);
    let manifest =
        parse_true_values(&facts.with_context(|| format!("'{manifest}' cannot be read"))?);
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
        for (field, fact) in judge(facts, &found, &mut tallies) {
            if shown.as_deref() == Some(field) {
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
