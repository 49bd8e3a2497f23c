//! `endpaper evaluate`: how far detected cuts are from ground truth.

mod jsonl;
mod judges;
mod page;
mod table;

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;

use judges::judges;

use crate::detector::DetectorArgs;
use crate::truth::Folder;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, ForceArgs, SCAN_MEMORY, labelled};
use endpaper_command::output::{Printer, complain, complain_of_skipped};
use endpaper_detect::frequency::Structure;
use endpaper_evaluate::report::Report;

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
