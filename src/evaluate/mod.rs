//! `endpaper evaluate`: how far detected cuts are from ground truth.

mod jsonl;
mod judges;
mod page;
mod table;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::ValueEnum;

use judges::judges;

use super::Exit;
use super::common::{CorpusArgs, ForceArgs, SCAN_MEMORY};
use super::detector::DetectorArgs;
use super::output::{Printer, complain, complain_of_skipped};
use super::truth::Folder;
use endpaper_detect::frequency::Structure;
use endpaper_detect::pipeline::{Options, Survey};
use endpaper_evaluate::report::{self, Labelled, LeftOut, Report};
use endpaper_text::corpus::Listing;
use endpaper_truth::Store;
use endpaper_truth::check::{Shelf, check};

const EXAMPLES: &str = "\
Examples:
  endpaper evaluate ~/gutenberg --truth labels
  endpaper evaluate ~/gutenberg --truth labels --compare --format markdown >> RELEASE.md
  endpaper evaluate ~/gutenberg --truth labels --against other-tool.tsv --format jsonl
  endpaper evaluate ~/gutenberg --truth labels --compare --html page.html && xdg-open page.html

Records with cuts whose book is there and unchanged are held against what is detected now; all others are counted and left
out. Shares stand with their 95 % Wilson intervals. Lines are non-blank lines: below zero, text of the book is removed;
above zero, boilerplate is left. 'or defended' also counts a line that a record names as an alternative.

Weights are never judged by books they were fitted to: where the posterior knows some of the labelled books, all of them
are judged out of fold, each by weights fitted to the labelled books of other works, or, with fewer than 100 labelled
books, those that it knows are left out.

Exit status: 0 fine, 1 some records or books were left out because something is wrong with them, 2 wrong use or nothing to
evaluate.";

/// Arguments of `endpaper evaluate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,

    #[command(flatten)]
    folder: Folder,

    /// Judge the other detectors too: the posterior, Algorithm 1 with markers, and without them
    #[arg(long)]
    compare: bool,

    /// Judge Algorithm 1 with counts of this structure too (may be given several times)
    #[arg(long, value_name = "NAME[:OPTION=VALUE,...]")]
    with_structure: Vec<Structure>,

    /// Judge the cuts of another tool too: a table as `detect --format tsv` prints it, of which the columns book,
    /// preamble_end and epilogue_start are read (may be given several times)
    #[arg(long, value_name = "FILE")]
    against: Vec<PathBuf>,

    /// How figures are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Write a page too: curves, heat map, and every wrong book with the lines around its cuts. It is one file that needs
    /// no other, no script and no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    detector: DetectorArgs,
}

/// How figures are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading
    #[default]
    Table,
    /// Tables for a document
    Markdown,
    /// One JSON object for each book and detector, and one with the figures of each detector
    Jsonl,
}

/// Runs `endpaper evaluate`.
///
/// # Errors
///
/// Wrong use, no readable book, a truth folder that cannot be listed, nothing to evaluate.
pub fn run(args: &Args) -> Result<Exit> {
    let store = args.folder.open()?;
    if let Some(file) = &args.html {
        page::check(file)?;
        args.force.check(file)?;
    }
    let listing = args.corpus.list(Some(store.folder().to_owned()))?;
    let mut options = args.corpus.options()?;
    options.scan_memory = SCAN_MEMORY;
    options.keep_scans = true;
    args.detector.apply(&mut options)?;
    // The posterior that others are held against needs them whatever was asked for.
    options.spreads |= args.compare;
    let survey = args.corpus.survey(&listing, &options)?;
    if !args.corpus.quiet {
        survey.notes.iter().for_each(|note| complain(note));
    }
    complain_of_skipped(&survey.skipped);
    let (labelled, left_out, shelf) = labelled(&store, &listing, &survey, &options)?;
    let judges = judges(args, &listing, &survey, &options, &labelled)?;
    let report = Report::judge(&labelled, &judges, &shelf, left_out)?;
    if let Some(file) = &args.html {
        let material = page::Material {
            report: &report,
            labelled: &labelled,
            survey: &survey,
            shelf: &shelf,
            parameters: &options.parameters,
        };
        page::write(file, args.force.existing(), &material)?;
    }
    let mut printer = Printer::stdout();
    match args.format {
        Format::Table => table::print(&report, &mut printer)?,
        Format::Markdown => table::print_markdown(&report, &mut printer)?,
        Format::Jsonl => jsonl::print(&report, &mut printer)?,
    }
    printer.finish()?;
    Ok(
        match report.left_out.is_wrong() || !survey.skipped.is_empty() {
            true => Exit::Partly,
            false => Exit::Fine,
        },
    )
}

/// The labelled books of a survey, and the books to read them from. Says what is wrong with the records left out.
///
/// # Errors
///
/// A truth folder that cannot be listed; no record that can be evaluated.
pub(super) fn labelled<'a>(
    store: &Store,
    listing: &'a Listing,
    survey: &'a Survey,
    options: &Options,
) -> Result<(Vec<Labelled>, LeftOut, Shelf<'a>)> {
    let shelf = Shelf::new(listing, options.max_size).with_sizes(survey);
    let checked = check(store, Some(&shelf), |_, _| ())?;
    let policy = &options.parameters.policy.name;
    let (labelled, left_out) = report::labelled(checked, survey, policy);
    for line in left_out.told() {
        complain(&line);
    }
    ensure!(
        !labelled.is_empty(),
        "no record in '{}' has cuts of a book that is in the corpus and unchanged{}",
        store.folder().display(),
        left_out.in_brackets()
    );
    Ok((labelled, left_out, shelf))
}
