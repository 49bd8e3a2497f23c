//! Arguments of `endpaper review`.

use crate::adjudicate::AdjudicateArgs;
use crate::detector::DetectorArgs;
use endpaper_command::common::CorpusArgs;
use endpaper_review::QueueOrder;
use endpaper_review::view::ColourDepth;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  endpaper review --demo                    # about twenty real books to try it on
  endpaper review ~/gutenberg               # the most doubtful books first
  endpaper review books.zip --truth labels --order template
  endpaper review book.txt --theme light
  endpaper review ~/gutenberg --blind --re-review --order random   # a second look
  endpaper review ~/gutenberg --sample sample.yaml   # for `endpaper sample certify`
  endpaper review ~/gutenberg --adjudicate anna --adjudicate ben --truth both   # where two differ

In the screen: Enter keeps the cuts and goes on, 1-9 put a cut elsewhere, ? shows all keys, q quits.

Exit status: 0 fine, 1 some books could not be read or saved, 2 wrong use or nothing done.";

/// Arguments of `endpaper review`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Review the books that ship inside the program
    #[arg(long, conflicts_with_all = ["corpus", "files_from"])]
    pub(super) demo: bool,

    /// The truth folder [default: the setting, else endpaper-truth]
    #[arg(long, value_name = "DIR")]
    pub(super) truth: Option<PathBuf>,

    /// Write nothing
    #[arg(long)]
    pub(super) read_only: bool,

    /// Order of the queue: doubt, template, producer, name or random
    #[arg(long, value_name = "ORDER")]
    pub(super) order: Option<QueueOrder>,

    /// Theme; `endpaper themes` shows them
    #[arg(long, value_name = "NAME")]
    pub(super) theme: Option<String>,

    /// Colours of the terminal: true, 256, 16 or mono [default: as the terminal reports]
    #[arg(long, value_name = "DEPTH")]
    pub(super) colour_depth: Option<ColourDepth>,

    /// Show no proposed cuts until both are placed; recorded in the reviews
    #[arg(long)]
    pub(super) blind: bool,

    /// With --blind: review decided books a second time, without changing their current decision
    #[arg(long, requires = "blind", conflicts_with = "adjudicate")]
    pub(super) re_review: bool,

    /// The sample, written by `endpaper sample draw`: review only its books, in the order drawn, blind and without learning
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["re_review", "adjudicate", "order", "demo"])]
    pub(super) sample: Option<PathBuf>,

    /// Draw with ASCII characters only
    #[arg(long)]
    pub(super) ascii: bool,

    /// Do not use the mouse
    #[arg(long)]
    pub(super) no_mouse: bool,

    /// Your name in the reviews [default: the setting, else your user name]
    #[arg(long, value_name = "NAME")]
    pub(super) curator: Option<String>,

    /// Add a line to this file for each decision when it is saved or undone: time, curator, book, verdict, cuts, seconds, record
    #[arg(long, value_name = "FILE", conflicts_with = "read_only")]
    pub(super) log: Option<PathBuf>,

    #[command(flatten)]
    pub(super) adjudicate: AdjudicateArgs,

    #[command(flatten)]
    pub(super) corpus: CorpusArgs,

    #[command(flatten)]
    pub(super) detector: DetectorArgs,
}
