//! `endpaper alternation cuts`: treats the documents as books and prints two cuts of each.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::detect::TSV_HEADER;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, exit_after_skips};
use endpaper_command::output::{OutputFormat, Printer, note};
use endpaper_command::overwrite::{ForceArgs, refuse_book};
use endpaper_command::progress::ProgressBar;
use endpaper_command::values::whole;
use endpaper_detect::Cuts;
use endpaper_detect::alternation::{FrequentGrams, built_in};
use endpaper_detect::pipeline::{self, AnalysisOptions, LEARN_FROM, MODEL_BOOKS};
use endpaper_text::cells::escaped;
use endpaper_text::corpus::Book;
use endpaper_text::wording::thousands;

const EXAMPLES: &str = "\
Examples:
  endpaper alternation cuts ~/gutenberg
  endpaper alternation cuts ~/gutenberg --format tsv > cuts.tsv
  endpaper alternation cuts ~/gutenberg --grams built-in

Treats the documents as books, with boilerplate at their ends. The n-grams are learned from the first and last
24 KiB of 100 books drawn by their ids (with fewer than 200 books the built-in ones are used), on a path from (8, 1), since
books have little in common. Each cut is where the useless text outside it most outweighs the useful text, ten to one. The
doubt is always 1, since the method has no measure of its certainty.

Columns of tsv are those of `endpaper detect --format tsv`; keys of jsonl: book, lines, preamble_end, epilogue_start, doubt,
detector.

Exit status: 0 fine, 1 some books could not be read, 2 wrong use or nothing done.";

/// Arguments of `endpaper alternation cuts`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Number of books from which frequent n-grams are learned (their first and last 24 KiB)
    #[arg(long, value_name = "N", default_value_t = LEARN_FROM as u32, value_parser = whole::<u32>(2..))]
    learn_from: u32,

    /// Read the frequent n-grams from a file written by --keep, or use the `built-in` ones
    #[arg(long, value_name = "FILE", conflicts_with = "learn_from")]
    grams: Option<PathBuf>,

    /// Also write the frequent n-grams to this file
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    format: OutputFormat,

    #[command(flatten)]
    corpus: CorpusArgs,
}

/// The name of this detector in results.
const DETECTOR: &str = "alternation";

/// This detector has no estimate of its doubt.
const DOUBT: f32 = 1.0;

/// Runs `endpaper alternation cuts`.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let corpus = &args.corpus;
    if let Some(path) = &args.keep {
        args.force.check(path)?;
    }
    let listing = corpus.list(None)?;
    if let Some(out) = &args.keep {
        refuse_book(&listing, out)?;
    }
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
        args.force.write(path, frequent.to_text().as_bytes())?;
    }
    let found = pipeline::cut_with(frequent.clone(), &books, &options, &show, &cancel)?;
    drop(bar);
    if !corpus.quiet {
        report_grams(&frequent, books.len());
    }
    let rows = books.iter().zip(&found.cuts);
    let rows = rows.filter_map(|(book, cuts)| {
        let (lines, cuts) = (*cuts)?;
        Some(AlternationCutRow::of(book, lines, cuts))
    });
    print(args.format, rows)?;
    let mut skipped = listing.skipped;
    skipped.extend(found.skipped);
    Ok(exit_after_skips(&skipped))
}

/// The cuts of a book; the keys of `--format jsonl`.
#[derive(Serialize)]
struct AlternationCutRow<'a> {
    book: &'a str,
    lines: u32,
    preamble_end: u32,
    epilogue_start: u32,
    doubt: f32,
    detector: &'static str,
}

impl<'a> AlternationCutRow<'a> {
    /// The row of a book.
    fn of(book: &'a Book, lines: u32, cuts: Cuts) -> AlternationCutRow<'a> {
        AlternationCutRow {
            book: book.id.as_str(),
            lines,
            preamble_end: cuts.preamble_end,
            epilogue_start: cuts.epilogue_start.unwrap_or(lines + 1),
            doubt: DOUBT,
            detector: DETECTOR,
        }
    }
}

/// Prints the cuts.
fn print<'a>(
    format: OutputFormat,
    rows: impl Iterator<Item = AlternationCutRow<'a>>,
) -> Result<()> {
    let mut printer = Printer::stdout();
    match format {
        OutputFormat::Table => printer.line("  lines preamble epilogue  book")?,
        OutputFormat::Tsv => printer.line(TSV_HEADER)?,
        OutputFormat::Jsonl => {}
    }
    for row in rows {
        let (lines, start, end) = (row.lines, row.preamble_end, row.epilogue_start);
        printer.line(&match format {
            OutputFormat::Table => {
                let cut = |line: u32, is_cut: bool| match is_cut {
                    true => line.to_string(),
                    false => "-".to_owned(),
                };
                let (start, end) = (cut(start, start > 0), cut(end, end <= lines));
                format!("{lines:>7} {start:>8} {end:>8}  {}", row.book)
            }
            OutputFormat::Tsv => format!(
                "{}\t{lines}\t{start}\t{end}\t{DOUBT:.3}\t{DETECTOR}\t",
                escaped(row.book)
            ),
            OutputFormat::Jsonl => serde_json::to_string(&row)?,
        })?;
    }
    Ok(printer.finish()?)
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
