//! Arguments of `endpaper alternation`.

use super::cuts::CutArgs;
use anyhow::Result;
use clap::{ArgGroup, ValueEnum};
use endpaper_command::common::CorpusArgs;
use endpaper_detect::alternation::MAX_NGRAM;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  endpaper alternation ~/site
  endpaper alternation ~/site --extract articles
  endpaper alternation ~/site --format tsv | awk -F'\\t' '$2 == \"useful\"'
  endpaper alternation ~/gutenberg --include '*-8.txt' --format jsonl
  endpaper alternation ~/site --delimiters site.tsv
  endpaper alternation ~/site --delimiters site.tsv --at 24,10
  endpaper alternation ~/gutenberg --cuts > cuts.tsv

The documents should share much text and have some of their own: pages of one site, files of one publisher. An n-gram
(n characters, white space folded) is useless if it is among the a percent most frequent ones, and so is all text it
covers. From (2, 1), n or a grows by 1 as long as useless and useful text alternate less often (Eliminating Useless Parts
in Semi-structured Documents Using Alternation Counts). The method knows nothing of lines, languages or markup.

.html and .htm files are taken from folders and archives as .txt files are. No model is used and nothing is kept in the
cache. Memory: about 9 bytes for each byte of text, 16 at most, and 8 for each run of several white spaces.

The table shows the steps of the search with the alternations there and at the two next cut points, then how much of each
document is useful. Columns of tsv: book, part (useful or useless), first and end: bytes first..end of the file
(inflated), from 0, end not included. The parts of a document make up the whole of it. The first line of
jsonl has the keys n, a, alternations, end (minimum, everything, longest, nothing-repeats), documents and path, every other
one book, bytes, useful and useless (pairs of first and end).

--extract writes the useful text of each document as UTF-8, with a line end between two parts. A file that differs from an
existing one replaces it only with --force.

--cuts treats the documents as books, with boilerplate at their ends. The n-grams are learned from the first and last
24 KiB of 100 books drawn by their ids (with fewer than 200 books the built-in ones are used), on a path from (8, 1), since
books have little in common. Each cut is where the useless text outside it most outweighs the useful text, ten to one. The
doubt is always 1, since the method has no measure of its certainty.

--delimiters measures how correct the result is (section 4.1). FILE is a tab-separated table in UTF-8 with the columns site,
pages, left and right in any order; lines that begin with # are comments. pages is a glob on ids; left and right are the
source text before and after the useful text: letters from each left to the next right are useful, all others are not. A
site may have several rows; a page belongs to the site of the first row that matches it, and all matching rows of that
site apply. Two dashes say that such pages have no useful text; \\t, \\n, \\\\ and \\- are escapes, and white space is folded
as in documents. For each site and in total, pages, letters, correct letters, accuracy (share of letters that agree),
recall (found share of correct letters) and precision (correct share of found letters) are printed; tsv and jsonl also have
useful (found) and both. Pages without a row and delimiters that are never found are named.

Exit status: 0 fine, 1 some documents could not be read or written, or delimiters do not fit the pages, 2 wrong use or nothing
done.";

/// Arguments of `endpaper alternation`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("written").args(["extract", "keep"]).multiple(true)))]
pub struct Args {
    #[command(flatten)]
    pub(super) corpus: CorpusArgs,

    /// Write the useful text of each document into this folder
    #[arg(long, value_name = "DIR")]
    pub(super) extract: Option<PathBuf>,

    /// Overwrite existing files
    #[arg(long, requires = "written")]
    pub(super) force: bool,

    /// Print how far the result agrees with known delimiters of the text, by site, read from this table
    #[arg(long, value_name = "FILE")]
    pub(super) delimiters: Option<PathBuf>,

    /// Use this cut point, such as 24,10, instead of searching for the best one
    #[arg(long, value_name = "N,A", value_parser = cut_point)]
    pub(super) at: Option<(u32, u8)>,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: AlternationFormat,

    #[command(flatten)]
    pub(super) cuts: CutArgs,
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

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum AlternationFormat {
    /// A table for reading
    #[default]
    Table,
    /// Tab-separated values: a header line, then one line per part of each document
    Tsv,
    /// One JSON object for the search, then one per document
    Jsonl,
}
