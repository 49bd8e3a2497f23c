//! Arguments of `endpaper alternation`.

use super::{cuts, score};
use anyhow::Result;
use clap::ValueEnum;
use endpaper_command::common::CorpusArgs;
use endpaper_command::output::OutputFormat;
use endpaper_command::overwrite::ForceArgs;
use endpaper_detect::alternation::{MAX_NGRAM, Ties};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  endpaper alternation ~/site
  endpaper alternation ~/site --out articles
  endpaper alternation ~/crawl --sites --ties first
  endpaper alternation ~/site --format tsv | awk -F'\\t' '$2 == \"useful\"'
  endpaper alternation ~/gutenberg --include '*-8.txt' --format jsonl
  endpaper alternation cuts ~/gutenberg > cuts.tsv
  endpaper alternation score ~/site --delimiters site.tsv

The documents should share much text and have some of their own: pages of one site, files of one publisher. An n-gram
(n characters, white space folded) is useless if it is among the a percent most frequent ones, and so is all text it
covers. From (2, 1), n or a grows by 1 as long as useless and useful text alternate less often (Eliminating Useless Parts
in Semi-structured Documents Using Alternation Counts). The method knows nothing of lines, languages or markup.

.html and .htm files are taken from folders and archives as .txt files are. No model is used and nothing is kept in the
cache. Memory: about 9 bytes for each byte of text, 16 at most, and 8 for each run of several white spaces.

--sites is for pages of several sites: those that share a template are searched apart, 5 or more of them, and keep the cut
point of all if they have fewer alternations at it. It takes at most about twice the time. With --ties first, n-grams as
frequent as the last of the a percent are taken in the order of their first occurrence, and no more than make up a percent.

The table shows the steps of the search with the alternations there and at the two next cut points, then how much of each
document is useful, and with --sites the number of its site (- for the cut point of all). Columns of tsv: book, part (useful or useless), first and end: bytes first..end of the file
(inflated), from 0, end not included. The parts of a document make up the whole of it. The first line of
jsonl has the keys n, a, alternations, end (minimum, everything, longest, nothing-repeats), documents and path, every other
one book, bytes, useful and useless (pairs of first and end). With --sites, the first line has sites, a list of cut points
with documents, n, a and alternations, and every other one site, an index in it or null for the cut point of all.

--out writes the useful text of each document as UTF-8, with a line end between two parts. A file that differs from an
existing one replaces it only with --force.

Exit status: 0 fine, 1 some documents could not be read or written, 2 wrong use or nothing done.";

/// Arguments of `endpaper alternation`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    pub(super) mode: Option<AlternationMode>,

    /// The folder to write the useful text of each document to
    #[arg(short, long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,

    #[command(flatten)]
    pub(super) force: ForceArgs,

    #[command(flatten)]
    pub(super) search: SearchArgs,
}

/// What else is done by alternation counts.
#[derive(Debug, clap::Subcommand)]
pub(super) enum AlternationMode {
    /// Treat the documents as books and print the two cuts of each
    Cuts(cuts::Args),
    /// Print how far the result agrees with known delimiters of the text, by site
    Score(score::Args),
}

/// Which documents are searched, where, and how the result is printed.
#[derive(Debug, clap::Args)]
pub(super) struct SearchArgs {
    /// Use this cut point, such as 24,10, instead of searching for the best one
    #[arg(long, value_name = "N,A", value_parser = cut_point)]
    pub(super) at: Option<(u32, u8)>,

    /// N-grams as frequent as the last of the a percent: all of them, or the first to occur
    #[arg(long, value_enum, value_name = "WHICH", default_value_t)]
    pub(super) ties: TieRule,

    /// Search the pages of each site apart
    #[arg(long, conflicts_with = "at")]
    pub(super) sites: bool,

    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) format: OutputFormat,

    #[command(flatten)]
    pub(super) corpus: CorpusArgs,
}

/// Values of `--ties`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum TieRule {
    /// All n-grams that are as frequent as the last one
    #[default]
    Group,
    /// Those that occur first, no more than a percent
    First,
}

impl From<TieRule> for Ties {
    fn from(rule: TieRule) -> Ties {
        match rule {
            TieRule::Group => Ties::Group,
            TieRule::First => Ties::First,
        }
    }
}

/// Parses a cut point of the command line.
pub(super) fn cut_point(text: &str) -> Result<(u32, u8), String> {
    let parts = text.split_once(',');
    let parts = parts.and_then(|(n, a)| Some((n.trim().parse().ok()?, a.trim().parse().ok()?)));
    let fits = |(n, a): &(u32, u8)| (1..=MAX_NGRAM).contains(n) && (1..=100).contains(a);
    parts.filter(fits).ok_or_else(|| {
        format!("a cut point is n from 1 to {MAX_NGRAM}, a comma, and a from 1 to 100, as in 24,10")
    })
}
