//! Arguments of `endpaper review`.

use crate::adjudicate::AdjudicateArgs;
use crate::detector::DetectorArgs;
use endpaper_command::common::CorpusArgs;
use endpaper_command::output::warn;
use endpaper_review::QueueOrder;
use endpaper_review::view::ColourDepth;
use endpaper_text::config::RENAMED_ORDER;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  endpaper review --demo                    about twenty real books to try it on
  endpaper review ~/gutenberg               the most doubtful books first
  endpaper review books.zip --truth labels --order template
  endpaper review book.txt --theme light
  endpaper review ~/gutenberg --blind --re-review --order random   a second look, to see how far you agree with yourself
  endpaper review ~/gutenberg --sample sample.yaml   the books of a random sample, for `endpaper sample certify`
  endpaper review ~/gutenberg --adjudicate anna ben --truth both    decide where two people differ

In the screen: Enter keeps the cuts and goes on, 1-9 put a cut elsewhere, ? shows all keys, q quits.

Exit status: 0 fine, 1 some books could not be read or saved, 2 wrong use or nothing done.";

/// Arguments of `endpaper review`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub(super) corpus: CorpusArgs,

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
    #[arg(long, value_name = "ORDER", value_parser = parse_order)]
    pub(super) order: Option<QueueOrder>,

    /// Theme; `endpaper themes` shows them
    #[arg(long, value_name = "NAME")]
    pub(super) theme: Option<String>,

    /// Colours of the terminal: true, 256, 16 or mono [default: as the terminal reports]
    #[arg(long, value_name = "DEPTH")]
    pub(super) colours: Option<ColourDepth>,

    /// Show no proposed cuts until both are placed; recorded in the reviews
    #[arg(long)]
    pub(super) blind: bool,

    /// With --blind: review decided books a second time, without changing their current decision
    #[arg(
        long,
        alias = "decided",
        requires = "blind",
        conflicts_with = "adjudicate"
    )]
    pub(super) re_review: bool,

    /// Review only the books in FILE, written by `endpaper sample draw`, in the order drawn, blind and without learning
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["re_review", "adjudicate", "order", "demo"])]
    pub(super) sample: Option<PathBuf>,

    /// Draw with ASCII characters only
    #[arg(long)]
    pub(super) ascii: bool,

    /// Do not use the mouse
    #[arg(long)]
    pub(super) no_mouse: bool,

    /// Your name in the reviews
    #[arg(long, value_name = "NAME")]
    pub(super) curator: Option<String>,

    #[command(flatten)]
    pub(super) adjudicate: AdjudicateArgs,

    #[command(flatten)]
    pub(super) detector: DetectorArgs,
}

/// Parses an order of the queue, also by its former name.
fn parse_order(text: &str) -> Result<QueueOrder, String> {
    let (old, new) = RENAMED_ORDER;
    if text == old {
        warn(&format!("the order '{old}' is now called '{new}'"));
        return new.parse();
    }
    text.parse()
}
