//! Speed and precision of searching books, next to Tables 6 and 7 of Wu et al., *Searching Online Book Documents and Analyzing Book Citations*.
//!
//! ```text
//! cargo run --release -p lab --example search -- CORPUS [--unjudged]
//! ```
//!
//! Indexing is timed twice: from documents in memory (the index alone) and from files (reading, scanning, outline and index). Speed per core is
//! megabytes of text per second of processor time, which other programs on the machine do not affect; where the system does not report processor
//! time, per second and thread. Query times are medians: finding, ranking and locating ten hits.
//!
//! Precision is that of the ten best hits, by the judgements in `lab/judgements/search.tsv`, for both rankings. Hits without a judgement
//! count as irrelevant and are counted; `--unjudged` prints only them, as lines to be judged.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use endpaper_detect::pipeline::{AnalysisOptions, analyse};
use endpaper_outline::outline;
use endpaper_search::{
    IndexDocument, IndexUpdater, Query, QueryOptions, Ranking, SearchHit, SearchIndex,
    make_document, update_index,
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
    let usage = "write: search CORPUS [--unjudged]";
    let corpus = PathBuf::from(arguments.next().context(usage)?);
    let unjudged = match arguments.next().as_deref() {
        None => false,
        Some("--unjudged") => true,
        Some(_) => bail!(usage),
    };
    let listing = list(&ListingRequest {
        roots: vec![corpus],
        ..ListingRequest::default()
    })?;
    let never = AtomicBool::new(false);
    let options = AnalysisOptions::default();
    let surveyed = BenchClock::start();
    let report = analyse(&listing, &options, &|_| {}, &never)?;
    let surveyed = surveyed.stop();

    let mut documents: Vec<IndexDocument> = Vec::new();
    let mut numbers = BookNumbers::new();
    let (mut bytes, mut with_contents, mut with_references) = (0u64, 0, 0);
    for book in &report.books {
        let text = book.book.text(options.max_size)?;
        let scanned = scan(text.bytes(), endpaper_text::scan::WindowOptions::default());
        let found = outline(&text, &scanned);
        bytes += text.bytes().len() as u64;
        with_contents += usize::from(!found.lists.is_empty());
        with_references += usize::from(!found.bibliographies.is_empty());
        let id = book.book.id.as_str();
        let document = make_document(id, text, &found, book.summary.detection.cuts);
        if let Some(number) = document.number {
            numbers.insert(id.to_owned(), number.to_string());
        }
        documents.push(document);
    }
    let folder = tempfile::tempdir()?;
    let index = SearchIndex::create(&folder.path().join("prepared"))?;
    let clock = BenchClock::start();
    let writer = index.writer(0)?;
    for document in documents {
        writer.put(document)?;
    }
    writer.finish()?;
    let prepared = clock.stop();
    index.reload()?;
    let judged = judged_queries(JUDGEMENTS)?;
    if unjudged {
        return print_unjudged(&index, &judged, &numbers);
    }
    println!("survey: {surveyed}");
    println!("indexing what is prepared: {}", prepared.of(bytes));

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
    print_precision(&index, &judged, &numbers)
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
    let options = QueryOptions {
        any,
        ..QueryOptions::default()
    };
    let query = Query::read(query, &options)?;
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

/// Queries with judgements: kind, query, book (its number in Project Gutenberg, else its id), and whether the book is relevant.
const JUDGEMENTS: &str = include_str!("../judgements/search.tsv");

/// The numbers of books by their ids.
type BookNumbers = HashMap<String, String>;

/// A query with its judgements.
struct JudgedQuery<'a> {
    kind: &'a str,
    query: &'a str,
    relevant: HashMap<&'a str, bool>,
}

/// The queries of a table of judgements, in its order. Lines that begin with `#` are comments.
fn judged_queries(table: &str) -> Result<Vec<JudgedQuery<'_>>> {
    let mut queries: Vec<JudgedQuery<'_>> = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [kind, query, book, relevant] = cells[..] else {
            bail!("the judgement '{line}' does not have four columns");
        };
        let relevant = match relevant {
            "yes" => true,
            "no" => false,
            other => bail!("the judgement '{line}' has '{other}'; write yes or no"),
        };
        if queries.last().is_none_or(|last| last.query != query) {
            let relevant = HashMap::new();
            queries.push(JudgedQuery {
                kind,
                query,
                relevant,
            });
        }
        if let Some(last) = queries.last_mut() {
            last.relevant.insert(book, relevant);
        }
    }
    Ok(queries)
}

/// The ten best hits of a query, and the number of all.
fn best(index: &SearchIndex, query: &str, ranking: Ranking) -> Result<(Vec<SearchHit>, usize)> {
    let options = QueryOptions {
        ranking,
        ..QueryOptions::default()
    };
    let hits = index.find(&Query::read(query, &options)?, 10)?;
    Ok((hits.hits, hits.total))
}

/// What judgements call a book.
fn judged_name<'a>(hit: &'a SearchHit, numbers: &'a BookNumbers) -> &'a str {
    numbers.get(&hit.book).unwrap_or(&hit.book)
}

/// Prints the hits of both rankings that have no judgement, each once: the columns of the table, title and authors.
fn print_unjudged(
    index: &SearchIndex,
    queries: &[JudgedQuery<'_>],
    numbers: &BookNumbers,
) -> Result<()> {
    for judged in queries {
        let mut seen: Vec<String> = Vec::new();
        for ranking in Ranking::ALL {
            for hit in best(index, judged.query, *ranking)?.0 {
                let book = judged_name(&hit, numbers);
                if judged.relevant.contains_key(book) || seen.iter().any(|seen| seen == book) {
                    continue;
                }
                let title = hit.title.as_deref().unwrap_or("-");
                println!(
                    "{}\t{}\t{book}\t?\t{title}; {}",
                    judged.kind,
                    judged.query,
                    hit.authors.join(", ")
                );
                seen.push(book.to_owned());
            }
        }
    }
    Ok(())
}

/// Measures of the ten best hits of one or more queries.
#[derive(Clone, Copy, Default)]
struct HitMeasures {
    queries: usize,
    /// Sum of the shares of relevant hits, of ten or as many as there are.
    precision: f64,
    /// Number of queries whose first hit is relevant.
    first: f64,
    /// Sum of the reciprocal ranks of the first relevant hits; 0 for none.
    reciprocal_rank: f64,
    unjudged: usize,
}

impl HitMeasures {
    /// The measures of one query.
    fn of(hits: &[SearchHit], judged: &JudgedQuery<'_>, numbers: &BookNumbers) -> HitMeasures {
        let judgements = hits
            .iter()
            .map(|hit| judged.relevant.get(judged_name(hit, numbers)).copied());
        let judgements: Vec<Option<bool>> = judgements.collect();
        let relevant = |judgement: &&Option<bool>| **judgement == Some(true);
        let first = judgements.iter().position(|judgement| relevant(&judgement));
        HitMeasures {
            queries: 1,
            precision: judgements.iter().filter(relevant).count() as f64 / hits.len().max(1) as f64,
            first: f64::from(u8::from(first == Some(0))),
            reciprocal_rank: first.map_or(0.0, |rank| 1.0 / (rank + 1) as f64),
            unjudged: judgements
                .iter()
                .filter(|judgement| judgement.is_none())
                .count(),
        }
    }

    fn add(&mut self, other: HitMeasures) {
        self.queries += other.queries;
        self.precision += other.precision;
        self.first += other.first;
        self.reciprocal_rank += other.reciprocal_rank;
        self.unjudged += other.unjudged;
    }
}

/// Prints the precision of each query, and means by kind of query, for both rankings.
fn print_precision(
    index: &SearchIndex,
    queries: &[JudgedQuery<'_>],
    numbers: &BookNumbers,
) -> Result<()> {
    let names = Ranking::ALL.iter().map(|ranking| ranking.name());
    let names: Vec<&str> = names.collect();
    println!(
        "\nquery                     | results | P@10: {}",
        names.join("  ")
    );
    println!("--------------------------|---------|------------------");
    let mut kinds: Vec<(&str, Vec<HitMeasures>)> = Vec::new();
    for judged in queries {
        let mut row = format!("{:<25}", judged.query);
        for (column, ranking) in Ranking::ALL.iter().enumerate() {
            let (hits, total) = best(index, judged.query, *ranking)?;
            let measures = HitMeasures::of(&hits, judged, numbers);
            if column == 0 {
                row += &format!(" | {:>7} |      ", thousands(total));
            }
            row += &format!("  {:.2}", measures.precision);
            for kind in [judged.kind, "all"] {
                let at = kinds.iter().position(|(name, _)| *name == kind);
                let at = at.unwrap_or_else(|| {
                    kinds.push((kind, vec![HitMeasures::default(); Ranking::ALL.len()]));
                    kinds.len() - 1
                });
                kinds[at].1[column].add(measures);
            }
        }
        println!("{row}");
    }
    kinds.sort_by_key(|(kind, _)| *kind == "all");
    println!("\nkind    | queries | ranking | P@10  P@1   MRR   unjudged");
    println!("--------|---------|---------|--------------------------");
    for (kind, rankings) in &kinds {
        for (ranking, sums) in Ranking::ALL.iter().zip(rankings) {
            let mean = |sum: f64| sum / sums.queries as f64;
            println!(
                "{kind:<7} | {:>7} | {ranking:<7} | {:.3} {:.3} {:.3} {:>8}",
                sums.queries,
                mean(sums.precision),
                mean(sums.first),
                mean(sums.reciprocal_rank),
                sums.unjudged
            );
        }
    }
    Ok(())
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
