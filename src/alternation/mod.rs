//! `endpaper alternation`: finds what documents have in common, without relying on lines.
//!
//! The columns of `tsv` and the keys of `jsonl` are a contract with scripts: they may grow at the end, never change.

mod accuracy;
mod args;
mod cuts;
mod delimiters;
mod extract;
mod print;

use args::AlternationFormat;
pub use args::Args;

use anyhow::{Context, Result, ensure};

use accuracy::measure;
use cuts::print_cuts;
use delimiters::DelimiterTable;
use extract::extract;
use print::{jsonl, table, tsv};

use crate::strip::exclude_output;
use endpaper_command::Exit;
use endpaper_command::common::{ForceArgs, exit_after_skips};
use endpaper_command::output::{note, warn};
use endpaper_command::progress::ProgressBar;
use endpaper_detect::alternation::{FoldedDocuments, MAX_NGRAM, Optimum, StopReason};
use endpaper_detect::pipeline::{AnalysisProgress, AnalysisStep};
use endpaper_text::corpus::{self, Book, Listing, ListingRequest, Skipped};
use endpaper_text::wording::{plural, thousands};

/// If less than this share of the bytes is useful, a message says so.
const FEW_USEFUL: f64 = 0.01;

/// The documents that could be read, sorted by id.
struct ReadDocuments {
    books: Vec<Book>,
    documents: FoldedDocuments,
    skipped: Vec<Skipped>,
}

/// Runs `endpaper alternation`.
///
/// # Errors
///
/// Wrong use, fewer than two different documents, too much text, or a reader that stopped reading.
pub fn run(args: &Args) -> Result<Exit> {
    if args.cuts.cuts {
        let force = ForceArgs { force: args.force };
        return print_cuts(&args.cuts, &args.corpus, force);
    }
    if let Some(folder) = &args.extract {
        ensure!(
            folder.is_dir() || !folder.exists(),
            "'{}' is a file; --extract must be a folder (created if missing)",
            folder.display()
        );
    }
    let sites = args
        .delimiters
        .as_deref()
        .map(DelimiterTable::read)
        .transpose()?;
    let request = ListingRequest {
        html: true,
        ..args.corpus.request(None)
    };
    let mut listing = corpus::list(&request).context("the corpus cannot be listed")?;
    if let Some(folder) = &args.extract {
        exclude_output(&mut listing, folder, "--extract")?;
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.corpus.threads)
        .build()?;
    pool.install(|| of_listing(args, listing, sites.as_ref()))
}

/// Searches the listed documents and prints the result.
fn of_listing(args: &Args, listing: Listing, sites: Option<&DelimiterTable>) -> Result<Exit> {
    let bar = ProgressBar::new(args.corpus.quiet);
    let ReadDocuments {
        books,
        documents,
        mut skipped,
    } = read(args, listing, &bar)?;
    if let Err(error) = enough(&documents) {
        drop(bar);
        exit_after_skips(&skipped);
        return Err(error);
    }
    let found = match args.at {
        Some((n, a)) => Optimum::at(&documents, n, a),
        None => Optimum::find(&documents, |step| {
            bar.show_step(&format!("n {}, a {}", step.n, step.a))
        }),
    };
    drop(bar);
    if !args.corpus.quiet {
        report_search(&documents, &found, useful_share(&documents, &found));
    }
    // Files are written first, so that a broken pipe does not prevent it.
    let written = match &args.extract {
        Some(folder) => {
            let extracted = extract(args, folder, &books, &documents, &found)?;
            skipped.extend(extracted.skipped);
            extracted.failures == 0
        }
        None => true,
    };
    let scored = match (&args.delimiters, sites) {
        (Some(file), Some(sites)) => Some(measure(file, sites, &books, &documents, &found)?),
        _ => None,
    };
    let fits = scored.as_ref().is_none_or(|(_, fits)| *fits);
    let printed = match args.format {
        format if let Some((scored, _)) = &scored => {
            print::print_accuracy(format, scored, &documents, &found)
        }
        AlternationFormat::Table => table(&books, &documents, &found),
        AlternationFormat::Tsv => tsv(&books, &found),
        AlternationFormat::Jsonl => jsonl(&books, &documents, &found),
    };
    let exit = exit_after_skips(&skipped);
    printed?;
    Ok(if written && fits { exit } else { Exit::Partial })
}

/// Reads the listed documents.
fn read(args: &Args, listing: Listing, bar: &ProgressBar) -> Result<ReadDocuments> {
    let max_size = args.corpus.max_size.saturating_mul(1 << 20);
    let mut read = ReadDocuments {
        books: Vec::with_capacity(listing.books.len()),
        documents: FoldedDocuments::default(),
        skipped: listing.skipped,
    };
    let mut reader = corpus::BookReader::default();
    let total = listing.books.len();
    for (done, book) in listing.books.into_iter().enumerate() {
        bar.show_progress(AnalysisProgress {
            step: AnalysisStep::Reading,
            done,
            total,
        });
        match reader.read(&book, max_size) {
            Ok(bytes) => {
                read.documents.push_in(bytes, book.encoding.of(bytes))?;
                read.books.push(book);
            }
            Err(reason) => read.skipped.push(Skipped {
                id: book.id,
                reason,
            }),
        }
    }
    Ok(read)
}

/// Checks that there are enough different documents.
fn enough(documents: &FoldedDocuments) -> Result<()> {
    let different = documents.different();
    ensure!(
        different > 0,
        "no document could be read; nothing can be compared"
    );
    ensure!(
        different > 1,
        "there is one text only (in {} {}); give documents that have something in common and something of their own",
        thousands(documents.len() as u64),
        plural(documents.len(), "document")
    );
    Ok(())
}

/// The useful share of all bytes.
fn useful_share(documents: &FoldedDocuments, found: &Optimum<'_>) -> f64 {
    let all: usize = (0..documents.len())
        .map(|at| documents.source_len(at))
        .sum();
    let parts = (0..documents.len()).flat_map(|at| found.parts(at));
    let useful = parts
        .filter(|part| !part.useless)
        .map(|part| part.bytes.len());
    useful.sum::<usize>() as f64 / all.max(1) as f64
}

/// Reports on stderr what was searched and found.
fn report_search(documents: &FoldedDocuments, found: &Optimum<'_>, useful: f64) {
    let best = found.best();
    let count = documents.len();
    let twins = count - documents.different();
    if twins > 0 {
        warn(&format!(
            "{} of {} documents have the same text as another: what only they have counts as common too",
            thousands(twins as u64),
            thousands(count as u64)
        ));
    }
    let why = match found.end() {
        StopReason::Minimum => "neither next cut point has fewer".to_owned(),
        StopReason::Everything => "a can grow no more".to_owned(),
        StopReason::Longest => format!("no n above {MAX_NGRAM} is tried"),
        StopReason::NothingRepeats => "nothing occurs twice".to_owned(),
        StopReason::Given => "as was asked for".to_owned(),
    };
    note(&format!(
        "{} {} of {} characters: {} at n = {}, a = {} with {} alternations; {why}",
        thousands(count as u64),
        plural(count, "document"),
        thousands(documents.chars() as u64),
        if found.end() == StopReason::Given {
            "cut point"
        } else {
            "optimum"
        },
        best.n,
        best.a,
        thousands(best.alternations),
    ));
    note(&format!("{:.1} % of all bytes are useful", useful * 100.0));
    if useful < FEW_USEFUL {
        warn(
            "that is next to nothing: the documents hardly differ, or there are enough that common words weigh as much as a \
             template; give fewer of them, or only such as have one template",
        );
    }
}
