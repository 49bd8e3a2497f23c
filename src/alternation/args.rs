//! Arguments of `endpaper alternation`.

use super::cuts::CutArgs;
use anyhow::Result;
use clap::{ArgGroup, ValueEnum};
use endpaper_command::common::CorpusArgs;
use endpaper_detect::alternation::LONGEST;
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

The documents should have much in common and something of their own: pages of one site, files of one publisher. An n-gram
(n characters, white space folded) is useless if it is among the top a percent by frequency, and so is all text it covers.
From (2, 1) n or a grows by 1 as long as useless and useful text alternate less often (Eliminating Useless Parts in
Semi-structured Documents Using Alternation Counts). No lines, no language and no markup are known.

.html and .htm files are taken from folders and archives as .txt files are. No model is used and nothing is kept in the
cache. Memory: about 9 bytes for each byte of text, 16 at most, and 8 for each run of several white spaces.

The table shows the way to the optimum with the alternations there and at the two next cut points, then for each document
how much of it is useful. Columns of tsv: book, part (useful or useless), first and end: bytes first..end of the file
(inflated), from 0, end not included. The parts of a document, one after another, are the whole of it. The first line of
jsonl has the keys n, a, alternations, end (minimum, everything, longest, nothing-repeats), documents and path, every other
one book, bytes, useful and useless (pairs of first and end).

--extract writes the useful text of each document as UTF-8, a line end between two parts. A file that stands there already is
left as it is; one that differs is written over only with --force.

--cuts takes the documents as books, whose boilerplate stands at their ends. The n-grams are learned from the first and last
24 KiB of 100 books drawn by their ids (of all of 200 books or more; fewer use what is built in), on a path from (8, 1), since
books have little in common; the two cuts of each book are where the useless text outside outweighs the useful most, ten to one. The doubt is always 1: the detector knows nothing of how sure it is.

--delimiters tells how right the result is (section 4.1). FILE is a table in UTF-8 with tabs; its header has the columns site,
pages, left and right in any order; lines that begin with # say nothing. pages is a glob on ids, left and right are what stands
before and after the useful text in the source: from each left to the next right one all letters are right to be useful, all
others are not. A site may have several rows; a page is of the site of the first row that matches it, and goes by all rows of
that site that do. Two dashes say that such pages have nothing useful; \\t, \\n, \\\\ and \\- are written so, and white space is
folded as in documents. Printed are, for each site and in total, pages, letters, correct letters, accuracy (letters that agree
of all), recall (found of correct ones) and precision (correct of found ones); tsv and jsonl have useful (found) and both too.
Pages without a row and delimiters that are never found are named.

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

    /// Write over existing files
    #[arg(long, requires = "written")]
    pub(super) force: bool,

    /// Print how far the result agrees with delimiters, by site: a table of which pages have their text between what
    #[arg(long, value_name = "FILE")]
    pub(super) delimiters: Option<PathBuf>,

    /// Use this cut point and search for none, such as 24,10
    #[arg(long, value_name = "N,A", value_parser = cut_point)]
    pub(super) at: Option<(u32, u8)>,

    /// How results are printed
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: AlternationFormat,

    #[command(flatten)]
    pub(super) cuts: CutArgs,
}

/// Parses a cut point of the command line.
pub(super) fn cut_point(text: &str) -> Result<(u32, u8), String> {
    let parts = text.split_once(',');
    let parts = parts.and_then(|(n, a)| Some((n.trim().parse().ok()?, a.trim().parse().ok()?)));
    let fits = |(n, a): &(u32, u8)| (1..=LONGEST).contains(n) && (1..=100).contains(a);
    parts.filter(fits).ok_or_else(|| {
        format!("a cut point is n from 1 to {LONGEST}, a comma, and a from 1 to 100, as in 24,10")
    })
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum AlternationFormat {
    /// For reading
    #[default]
    Table,
    /// A header line, then one line for each part of each document, tab separated
    Tsv,
    /// One JSON object for the search, then one for each document
    Jsonl,
}
