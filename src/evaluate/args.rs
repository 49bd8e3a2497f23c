//! Arguments of `endpaper evaluate`.

use crate::detector::DetectorArgs;
use crate::truth::TruthFolder;
use clap::ValueEnum;
use endpaper_command::common::{CorpusArgs, ForceArgs};
use endpaper_detect::frequency::Structure;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  endpaper evaluate ~/gutenberg --truth labels
  endpaper evaluate ~/gutenberg --truth labels --compare --format markdown >> RELEASE.md
  endpaper evaluate ~/gutenberg --truth labels --against other-tool.tsv --format jsonl
  endpaper evaluate ~/gutenberg --truth labels --compare --html page.html && xdg-open page.html

Records with cuts whose book is there and unchanged are compared with what is detected now; all others are counted and left
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
    pub(super) corpus: CorpusArgs,

    #[command(flatten)]
    pub(super) folder: TruthFolder,

    /// Judge the other detectors too: the posterior, Algorithm 1 with markers, and without them
    #[arg(long)]
    pub(super) compare: bool,

    /// Judge Algorithm 1 with counts of this structure too (may be given several times)
    #[arg(long, value_name = "NAME[:OPTION=VALUE,...]")]
    pub(super) with_structure: Vec<Structure>,

    /// Judge the cuts of another tool too: a table as `detect --format tsv` prints it, of which the columns book,
    /// preamble_end and epilogue_start are read (may be given several times)
    #[arg(long, value_name = "FILE")]
    pub(super) against: Vec<PathBuf>,

    /// How figures are printed
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: EvaluateFormat,

    /// Write a page too: curves, heat map, and every wrong book with the lines around its cuts. It is one file that needs
    /// no other, no script and no network
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,

    #[command(flatten)]
    pub(super) force: ForceArgs,

    #[command(flatten)]
    pub(super) detector: DetectorArgs,
}

/// How figures are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum EvaluateFormat {
    /// For reading
    #[default]
    Table,
    /// Tables for a document
    Markdown,
    /// One JSON object for each book and detector, and one with the figures of each detector
    Jsonl,
}
