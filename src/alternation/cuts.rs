//! `endpaper alternation --cuts`: treats the documents as books and prints two cuts of each.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, ensure};

use crate::detect::TSV_HEADER;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, ForceArgs, exit_after_skips};
use endpaper_command::output::{Printer, note};
use endpaper_command::progress::ProgressBar;
use endpaper_detect::alternation::{FrequentGrams, built_in};
use endpaper_detect::pipeline::{self, AnalysisOptions, LEARN_FROM, MODEL_BOOKS};
use endpaper_text::cells::escaped;
use endpaper_text::corpus::Book;
use endpaper_text::wording::thousands;

/// What is wanted of books.
#[derive(Debug, clap::Args)]
pub(super) struct CutArgs {
    /// Treat the documents as books and print the two cuts of each, in the columns of `endpaper detect --format tsv`
    #[arg(long, conflicts_with_all = ["extract", "format", "delimiters", "at"])]
    pub cuts: bool,

    /// Number of books from which frequent n-grams are learned (their first and last 24 KiB)
    #[arg(long, value_name = "BOOKS", requires = "cuts", default_value_t = LEARN_FROM as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..))]
    learn_from: u32,

    /// Read the frequent n-grams from a file written by --keep, or use the `built-in` ones
    #[arg(
        long,
        value_name = "FILE",
        requires = "cuts",
        conflicts_with = "learn_from"
    )]
    grams: Option<PathBuf>,

    /// Write the frequent n-grams into FILE
    #[arg(long, value_name = "FILE", requires = "cuts")]
    keep: Option<PathBuf>,
}

/// Runs `alternation --cuts`.
pub(super) fn print_cuts(args: &CutArgs, corpus: &CorpusArgs, force: ForceArgs) -> Result<Exit> {
    if let Some(path) = &args.keep {
        force.check(path)?;
    }
    let listing = corpus.list(None)?;
    let options = AnalysisOptions {
        cache: None,
        ..corpus.options()?
    };
    let books: Vec<&Book> = listing.books.iter().collect();
    ensure!(!books.is_empty(), "there is no book to cut");
    let bar = ProgressBar::new(corpus.quiet);
    let show = |progress| bar.show_progress(progress);
    let cancel = AtomicBool::new(false);
    let frequent = match &args.grams {
        Some(name) if name.as_os_str() == "built-in" => built_in(),
        Some(path) => pipeline::read_grams(path)?,
        None => pipeline::learn_grams(&books, args.learn_from as usize, &options, &show, &cancel)?,
    };
    if let Some(path) = &args.keep {
        endpaper_text::atomic::write(path, force.existing(), |out| {
            out.write_all(frequent.to_text().as_bytes())
        })
        .with_context(|| format!("'{}' cannot be written", path.display()))?;
    }
    let found = pipeline::cut_with(frequent.clone(), &books, &options, &show, &cancel)?;
    drop(bar);
    if !corpus.quiet {
        report_grams(&frequent, books.len());
    }
    let mut printer = Printer::stdout();
    printer.line(TSV_HEADER)?;
    for (book, cuts) in books.iter().zip(&found.cuts) {
        let Some((lines, cuts)) = cuts else { continue };
        // This detector has no estimate of its doubt.
        printer.line(&format!(
            "{}\t{lines}\t{}\t{}\t1.000\talternation\t",
            escaped(book.id.as_str()),
            cuts.preamble_end,
            cuts.epilogue_start.unwrap_or(lines + 1),
        ))?;
    }
    printer.finish()?;
    let mut skipped = listing.skipped;
    skipped.extend(found.skipped);
    Ok(exit_after_skips(&skipped))
}

/// Reports which frequent n-grams were used.
fn report_grams(frequent: &Arc<FrequentGrams>, books: usize) {
    let whose = match **frequent == *built_in() {
        true if books < MODEL_BOOKS => {
            format!(
                "built in, because {books} books are fewer than the {MODEL_BOOKS} to learn from"
            )
        }
        true => "built in".to_owned(),
        false => "of these books".to_owned(),
    };
    note(&format!(
        "{} books, with {} frequent n-grams of {} characters, {whose}",
        thousands(books as u64),
        thousands(frequent.len() as u64),
        frequent.n(),
    ));
}
