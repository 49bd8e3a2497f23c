//! Speed of indexing and searching books, next to Tables 6 and 7 of Wu et al., *Searching Online Book Documents and Analyzing Book Citations*.
//!
//! ```text
//! cargo run --release -p lab --example search -- CORPUS [QUERY]...
//! ```
//!
//! Indexing is timed twice: from documents in memory (the index alone) and from files (reading, scanning, outline and index). Speed per core is
//! megabytes of text per second of processor time, which other programs on the machine do not affect; where the system does not report processor
//! time, per second and thread. Query times are medians: finding, ranking and locating ten hits. With queries, the ten best hits of each are
//! printed too, for evaluation.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use endpaper_detect::pipeline::{AnalysisOptions, analyse};
use endpaper_outline::outline;
use endpaper_search::{
    IndexDocument, IndexUpdater, Query, QueryOptions, SearchIndex, make_document, update_index,
};
use endpaper_text::corpus::{ListingRequest, list};
use endpaper_text::scan::scan;
use endpaper_text::wording::thousands;

/// Queries that fit the books: subjects of some books and, as in the paper, pairs of general words.
const QUERIES: &[&str] = &[
    "whale",
    "vampire",
    "pirate",
    "Napoleon",
    "submarine",
    "Buddha",
    "steam engine",
    "polar expedition",
    "natural selection",
    "family tree",
];

/// The paper's queries, with precision at 10, results and seconds.
const PAPER: &[(&str, &str, &str, &str)] = &[
    ("ruby", "100%", "34", "0.005"),
    ("python", "100%", "110", "0.003"),
    ("java", "90%", "1,467", "0.004"),
    ("matlab", "100%", "447", "0.009"),
    ("SQL", "100%", "414", "0.004"),
    ("database", "100%", "3,139", "0.004"),
    ("machine learning", "100%", "6,497", "0.006"),
    ("decision tree", "50%", "5,376", "0.011"),
    ("topic model", "20%", "18,347", "0.001"),
    ("latent dirichlet allocation", "100%", "2,095", "0.014"),
];

/// Repetitions of a query.
const TIMES: usize = 301;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let corpus = PathBuf::from(
        arguments
            .next()
            .context("write: search CORPUS [QUERY]...")?,
    );
    let asked: Vec<String> = arguments.collect();
    let listing = list(&ListingRequest {
        roots: vec![corpus],
        ..ListingRequest::default()
    })?;
    let never = AtomicBool::new(false);
    let options = AnalysisOptions::default();
    let surveyed = BenchClock::start();
    let report = analyse(&listing, &options, &|_| {}, &never)?;
    println!("survey: {}", surveyed.stop());

    let mut documents: Vec<IndexDocument> = Vec::new();
    let (mut bytes, mut with_contents, mut with_references) = (0u64, 0, 0);
    for book in &report.books {
        let text = book.book.text(options.max_size)?;
        let scanned = scan(text.bytes(), endpaper_text::scan::WindowOptions::default());
        let found = outline(&text, &scanned);
        bytes += text.bytes().len() as u64;
        with_contents += usize::from(!found.lists.is_empty());
        with_references += usize::from(!found.bibliographies.is_empty());
        let id = book.book.id.as_str();
        documents.push(make_document(id, text, &found, book.summary.detection.cuts));
    }
    let folder = tempfile::tempdir()?;
    let index = SearchIndex::create(&folder.path().join("prepared"))?;
    let clock = BenchClock::start();
    let writer = index.writer(0)?;
    for document in documents {
        writer.put(document)?;
    }
    writer.finish()?;
    println!("indexing what is prepared: {}", clock.stop().of(bytes));

    let index = SearchIndex::create(&folder.path().join("whole"))?;
    let feeding = IndexUpdater {
        threads: 0,
        max_size: options.max_size,
        truth: None,
    };
    let clock = BenchClock::start();
    update_index(&index, &report.books, feeding, &|_| {}, &never)?;
    println!("reading, outline and indexing: {}", clock.stop().of(bytes));

    print_sizes(&index, bytes, with_references, with_contents);
    print_times(&index)?;
    for query in &asked {
        for any in [false, true] {
            judged(&index, query, any)?;
        }
    }
    Ok(())
}

fn print_sizes(index: &SearchIndex, bytes: u64, with_references: usize, with_contents: usize) {
    let share = index.size() as f64 / bytes as f64;
    println!("\nindicator                 | here    | paper's table 6");
    println!("--------------------------|---------|----------------");
    let rows = [
        ("indexed books", thousands(index.books()), "59,207"),
        ("with references", thousands(with_references), "28,714"),
        ("with contents", thousands(with_contents), "-"),
        ("text, MB", thousands(bytes / 1_000_000), "-"),
        ("index, MB", thousands(index.size() / 1_000_000), "-"),
        ("index / text", format!("{share:.2}"), "-"),
    ];
    for (name, here, paper) in rows {
        println!("{name:<25} | {here:>7} | {paper:>7}");
    }
}

fn print_times(index: &SearchIndex) -> Result<()> {
    println!(
        "\nquery             | all: results  seconds | any: results  seconds | paper's table 7: query, precision, results, seconds"
    );
    println!(
        "------------------|-----------------------|-----------------------|------------------------------------------------"
    );
    for (query, paper) in QUERIES.iter().zip(PAPER) {
        let (all, any) = (timed(index, query, false)?, timed(index, query, true)?);
        println!(
            "{query:<17} | {:>12}  {:>7.4} | {:>12}  {:>7.4} | {:<27} {:>4} {:>6} {:>5}",
            all.0, all.1, any.0, any.1, paper.0, paper.1, paper.2, paper.3
        );
    }
    Ok(())
}

/// Returns the results of a query and its median time in seconds.
fn timed(index: &SearchIndex, query: &str, any: bool) -> Result<(String, f64)> {
    let query = read(query, any)?;
    let mut times = Vec::with_capacity(TIMES);
    let mut total = 0;
    for _ in 0..TIMES {
        let found = index.find(&query, 10)?;
        times.push(found.time);
        total = found.total;
    }
    times.sort_unstable();
    Ok((thousands(total), times[TIMES / 2].as_secs_f64()))
}

fn judged(index: &SearchIndex, query: &str, any: bool) -> Result<()> {
    let found = index.find(&read(query, any)?, 10)?;
    println!(
        "\n{query} ({}): {}",
        if any { "any" } else { "all" },
        thousands(found.total)
    );
    for hit in &found.hits {
        let line = hit.position.as_ref().map_or(0, |place| place.line);
        let title = hit.title.as_deref().unwrap_or("-");
        println!(
            "  {:6.2}  {title}; {}  [{}:{line}]",
            hit.score,
            hit.authors.join(", "),
            hit.book
        );
    }
    Ok(())
}

fn read(query: &str, any: bool) -> Result<Query> {
    let reading = QueryOptions {
        any,
        ..QueryOptions::default()
    };
    Ok(Query::read(query, &reading)?)
}

struct BenchClock {
    start: Instant,
    processor: Option<Duration>,
}

struct TimeTaken {
    wall: Duration,
    processor: Option<Duration>,
}

impl BenchClock {
    fn start() -> BenchClock {
        BenchClock {
            start: Instant::now(),
            processor: processor(),
        }
    }

    fn stop(self) -> TimeTaken {
        let now = processor();
        TimeTaken {
            wall: self.start.elapsed(),
            processor: now
                .zip(self.processor)
                .map(|(now, before)| now.saturating_sub(before)),
        }
    }
}

impl TimeTaken {
    fn of(&self, bytes: u64) -> String {
        let threads = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        let cores = self
            .processor
            .map_or(self.wall.as_secs_f64() * threads, |time| time.as_secs_f64());
        let megabytes = bytes as f64 / 1e6;
        format!(
            "{self}, {:.1} MB/s, {:.1} MB/s by core",
            megabytes / self.wall.as_secs_f64(),
            megabytes / cores
        )
    }
}

impl std::fmt::Display for TimeTaken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} s", self.wall.as_secs_f64())?;
        match self.processor {
            Some(time) => write!(f, " ({:.1} s of processors)", time.as_secs_f64()),
            None => Ok(()),
        }
    }
}

/// Processor time of this process; `None` if the system does not report it.
fn processor() -> Option<Duration> {
    /// Clock ticks per second of Linux.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let behind_name = stat.rsplit_once(") ")?.1;
    let mut numbers = behind_name
        .split(' ')
        .skip(11)
        .map(|number| number.parse::<f64>().ok());
    let (user, system) = (numbers.next()??, numbers.next()??);
    Some(Duration::from_secs_f64((user + system) / TICKS))
}
