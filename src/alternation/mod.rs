//! `endpaper alternation`: finds what documents have in common, without relying on lines.
//!
//! The columns of `tsv` and the keys of `jsonl` are a contract with scripts: they may grow at the end, never change.

mod agreement;
mod args;
mod cuts;
mod delimiters;
mod extract;
mod print;
mod score;

pub use args::Args;
use args::{AlternationMode, SearchArgs};

use anyhow::{Result, ensure};

use extract::extract;
use print::{jsonl, table, tsv};

use crate::strip::exclude_output;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, exit_after_skips, list_books};
use endpaper_command::output::{OutputFormat, note, warn};
use endpaper_command::overwrite::check_folder;
use endpaper_command::progress::ProgressBar;
use endpaper_detect::alternation::{FoldedDocuments, MAX_NGRAM, Optimum, StopReason};
use endpaper_detect::pipeline::{AnalysisProgress, AnalysisStep};
use endpaper_text::corpus::{self, Book, Listing, ListingRequest, Skipped};
use endpaper_text::wording::{plural, thousands};

/// If less than this share of the bytes is useful, a message says so.
const FEW_USEFUL: f64 = 0.01;

/// Runs `endpaper alternation`.
///
/// # Errors
///
/// Wrong use, fewer than two different documents, too much text, or a reader that stopped reading.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.mode {
        Some(AlternationMode::Cuts(args)) => cuts::run(args),
        Some(AlternationMode::Score(args)) => score::run(args),
        None => search(args),
    }
}

/// Searches the documents, writes their useful text if a folder is named, and prints the result.
fn search(args: &Args) -> Result<Exit> {
    let search = &args.search;
    if let Some(folder) = &args.out {
        check_folder(folder)?;
    }
    let mut listing = list_documents(&search.corpus)?;
    if let Some(folder) = &args.out {
        exclude_output(&mut listing, folder, "--out")?;
    }
    search.in_pool(|| {
        let DocumentSearch {
            books,
            documents,
            mut skipped,
        } = DocumentSearch::read(search, listing)?;
        let found = search.find(&documents);
        // Files are written first, so that a broken pipe does not prevent it.
        let written = match &args.out {
            Some(folder) => {
                let extracted = extract(args, folder, &books, &documents, &found)?;
                skipped.extend(extracted.skipped);
                extracted.failures == 0
            }
            None => true,
        };
        let printed = match search.format {
            OutputFormat::Table => table(search, &books, &documents, &found),
            OutputFormat::Tsv => tsv(&books, &found),
            OutputFormat::Jsonl => jsonl(search, &books, &documents, &found),
        };
        let exit = exit_after_skips(&skipped);
        printed?;
        Ok(if written { exit } else { Exit::Partial })
    })
}

/// Lists documents: HTML files too.
fn list_documents(corpus: &CorpusArgs) -> Result<Listing> {
    list_books(&ListingRequest {
        html: true,
        ..corpus.request(None)
    })
}

impl SearchArgs {
    /// Runs `work` on as many threads as asked for.
    fn in_pool<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        self.corpus.pool()?.install(work)
    }

    /// Finds the best cut point, or takes the given one, and reports it on stderr.
    fn find<'a>(&self, documents: &'a FoldedDocuments) -> Optimum<'a> {
        let bar = ProgressBar::new(self.corpus.quiet);
        let ties = self.ties.into();
        let mut found = match self.at {
            Some((n, a)) => Optimum::at(documents, n, a, ties),
            None => Optimum::find(documents, ties, |step| {
                bar.show_step(&format!("n {}, a {}", step.n, step.a))
            }),
        };
        if self.sites {
            bar.show_step("sites");
            found = found.with_sites();
        }
        drop(bar);
        if !self.corpus.quiet {
            report_search(documents, &found);
            if self.sites {
                report_sites(&found);
            }
            report_useful(useful_share(documents, &found));
        }
        found
    }
}

/// The documents that could be read, sorted by id.
struct DocumentSearch {
    books: Vec<Book>,
    documents: FoldedDocuments,
    skipped: Vec<Skipped>,
}

impl DocumentSearch {
    /// Reads the listed documents.
    ///
    /// # Errors
    ///
    /// Fewer than two different ones could be read; the others are named.
    fn read(args: &SearchArgs, listing: Listing) -> Result<DocumentSearch> {
        let bar = ProgressBar::new(args.corpus.quiet);
        let mut read = DocumentSearch {
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
            match reader.read(&book, args.corpus.max_size.0) {
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
        drop(bar);
        if let Err(error) = enough(&read.documents) {
            exit_after_skips(&read.skipped);
            return Err(error);
        }
        Ok(read)
    }
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
fn report_search(documents: &FoldedDocuments, found: &Optimum<'_>) {
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
}

/// Reports on stderr which sites have a cut point of their own.
fn report_sites(found: &Optimum<'_>) {
    if found.sites().is_empty() {
        note("no site has a cut point of its own with fewer alternations: that of all is used");
    }
    for (number, site) in (1..).zip(found.sites()) {
        let best = site.best;
        note(&format!(
            "site {number} of {} {}: optimum at n = {}, a = {} with {} alternations",
            thousands(site.documents.len() as u64),
            plural(site.documents.len(), "document"),
            best.n,
            best.a,
            thousands(best.alternations),
        ));
    }
}

/// Reports on stderr the useful share of all bytes.
fn report_useful(useful: f64) {
    note(&format!("{:.1} % of all bytes are useful", useful * 100.0));
    if useful < FEW_USEFUL {
        warn(
            "that is next to nothing: the documents hardly differ, or there are enough that common words weigh as much as a \
             template; give fewer of them, or only such as have one template",
        );
    }
}
