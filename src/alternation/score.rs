//! `endpaper alternation score`: measures how far the result agrees with known delimiters of the text.

use std::path::PathBuf;

use anyhow::Result;

use super::agreement::measure;
use super::args::SearchArgs;
use super::delimiters::DelimiterTable;
use super::{DocumentSearch, list_documents, print};
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;

const EXAMPLES: &str = "\
Examples:
  endpaper alternation score ~/site --delimiters site.tsv
  endpaper alternation score ~/site --delimiters site.tsv --at 24,10
  endpaper alternation score ~/crawl --delimiters sites.tsv --sites

Measures how correct the result is (section 4.1). The table of --delimiters is tab-separated, and in UTF-8 with the columns site,
pages, left and right in any order; lines that begin with # are comments. pages is a glob on ids; left and right are the
source text before and after the useful text: letters from each left to the next right are useful, all others are not. A
site may have several rows; a page belongs to the site of the first row that matches it, and all matching rows of that
site apply. Two dashes say that such pages have no useful text; \\t, \\n, \\\\ and \\- are escapes, and white space is folded
as in documents. For each site and in total, pages, letters, correct letters, accuracy (share of letters that agree),
recall (found share of correct letters) and precision (correct share of found letters) are printed; tsv and jsonl also have
useful (found) and both. Pages without a row and delimiters that are never found are named.

Exit status: 0 fine, 1 some documents could not be read, or delimiters do not fit the pages, 2 wrong use or nothing done.";

/// Arguments of `endpaper alternation score`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The table of sites, pages and the delimiters around their text
    #[arg(long, value_name = "FILE")]
    delimiters: PathBuf,

    #[command(flatten)]
    search: SearchArgs,
}

/// Runs `endpaper alternation score`.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let file = &args.delimiters;
    let sites = DelimiterTable::read(file)?;
    let listing = list_documents(&args.search.corpus)?;
    args.search.in_pool(|| {
        let DocumentSearch {
            books,
            documents,
            skipped,
        } = DocumentSearch::read(&args.search, listing)?;
        let found = args.search.find(&documents);
        let (scored, fits) = measure(file, &sites, &books, &documents, &found)?;
        let printed = print::print_accuracy(&args.search, &scored, &documents, &found);
        let exit = exit_after_skips(&skipped);
        printed?;
        Ok(if fits { exit } else { Exit::Partial })
    })
}
