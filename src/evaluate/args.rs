//! Arguments of `endpaper evaluate`.

use crate::detector::DetectorArgs;
use crate::truth::TruthFolder;
use clap::ValueEnum;
use endpaper_command::common::CorpusArgs;
use endpaper_command::overwrite::ForceArgs;
use endpaper_detect::frequency::Structure;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  endpaper evaluate ~/gutenberg --truth labels
  endpaper evaluate ~/gutenberg --truth labels --compare --format markdown >> RELEASE.md
  endpaper evaluate ~/gutenberg --truth labels --against other-tool.tsv --format jsonl
  endpaper evaluate ~/gutenberg --truth labels --compare --html page.html && xdg-open page.html

Records with cuts whose book exists and is unchanged are compared with the present detection; all others are counted and
left out. Shares have 95 % Wilson intervals. Errors are in non-blank lines: below zero, text of the book is removed; above
zero, boilerplate is left. 'or defended' also accepts a line that a record names as an alternative.

Weights are never evaluated on books they were fitted to: if the weights were fitted to some of the labelled books, all of
them are evaluated out of fold, each with weights fitted to the labelled books of other works, or, with fewer than 100
labelled books, those used for fitting are left out.

Exit status: 0 fine, 1 some records or books were left out because something is wrong with them, 2 wrong use or nothing to
evaluate.";

/// Arguments of `endpaper evaluate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub(super) folder: TruthFolder,

    /// Also evaluate the other detectors: the posterior, Algorithm 1 with markers, and Algorithm 1 without
    #[arg(long)]
    pub(super) compare: bool,

    /// Also evaluate Algorithm 1 with counts of this structure (may be given several times)
    #[arg(long, value_name = "NAME[:OPTION=VALUE,...]")]
    pub(super) with_structure: Vec<Structure>,

    /// Also evaluate the cuts of another tool: a table like that of `detect --format tsv`, of which the columns book,
    /// preamble_end and epilogue_start are read (may be given several times)
    #[arg(long, value_name = "FILE")]
    pub(super) against: Vec<PathBuf>,

    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) format: EvaluateFormat,

    /// Also write an HTML page with curves, heat map, and every wrong book with the lines around its cuts: one
    /// self-contained file without scripts
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,

    #[command(flatten)]
    pub(super) force: ForceArgs,

    #[command(flatten)]
    pub(super) corpus: CorpusArgs,

    #[command(flatten)]
    pub(super) detector: DetectorArgs,
}

/// How figures are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum EvaluateFormat {
    /// Tables for reading
    #[default]
    Table,
    /// Markdown tables
    Markdown,
    /// One JSON object per book and detector, and one with the figures of each detector
    Jsonl,
}
