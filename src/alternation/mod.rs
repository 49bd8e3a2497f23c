//! `endpaper alternation`: what documents have in common, found without lines.
//!
//! The columns of `tsv` and the keys of `jsonl` are a contract with scripts: they may grow at the end, never change.

mod cuts;
mod delimiters;
mod extract;
mod judge;
mod print;

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{ArgGroup, ValueEnum};

use cuts::{CutArgs, print_cuts};
use delimiters::Sites;
use extract::extract;
use judge::judge;
use print::{jsonl, table, tsv};

use crate::strip::leave_out_of;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, ForceArgs, conclude};
use endpaper_command::output::complain;
use endpaper_command::progress::Bar;
use endpaper_detect::alternation::{Documents, End, LONGEST, Optimum};
use endpaper_detect::pipeline::{Progress, Step};
use endpaper_text::corpus::{self, Book, Listing, Request, Skipped};
use endpaper_text::words::{plural, thousands};

const EXAMPLES: &str = "\
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

--cuts takes the documents as books, whose boilerplate stands at their ends. The n-grams are learnt from the first and last
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
    corpus: CorpusArgs,

    /// Write the useful text of each document into this folder
    #[arg(long, value_name = "DIR")]
    extract: Option<PathBuf>,

    /// Write over existing files
    #[arg(long, requires = "written")]
    force: bool,

    /// Print how far the result agrees with delimiters, by site: a table of which pages have their text between what
    #[arg(long, value_name = "FILE")]
    delimiters: Option<PathBuf>,

    /// Use this cut point and search for none, such as 24,10
    #[arg(long, value_name = "N,A", value_parser = cut_point)]
    at: Option<(u32, u8)>,

    /// How results are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    #[command(flatten)]
    cuts: CutArgs,
}

/// A cut point of the command line.
fn cut_point(text: &str) -> Result<(u32, u8), String> {
    let parts = text.split_once(',');
    let parts = parts.and_then(|(n, a)| Some((n.trim().parse().ok()?, a.trim().parse().ok()?)));
    let fits = |(n, a): &(u32, u8)| (1..=LONGEST).contains(n) && (1..=100).contains(a);
    parts.filter(fits).ok_or_else(|| {
        format!("a cut point is n from 1 to {LONGEST}, a comma, and a from 1 to 100, as in 24,10")
    })
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading
    #[default]
    Table,
    /// A header line, then one line for each part of each document, tab separated
    Tsv,
    /// One JSON object for the search, then one for each document
    Jsonl,
}

/// Of a corpus with a smaller useful share it is said that there is next to nothing.
const LITTLE: f64 = 0.01;

/// The documents that could be read, in order of their ids.
struct Read {
    books: Vec<Book>,
    documents: Documents,
    skipped: Vec<Skipped>,
}

/// Runs `endpaper alternation`.
///
/// # Errors
///
/// Wrong use, fewer than two different documents, too much text, or a reader that stopped reading.
pub fn run(args: &Args) -> Result<Exit> {
    if args.cuts.cuts {
        let force = ForceArgs { force: args.force };
        return print_cuts(&args.cuts, &args.corpus, force);
    }
    if let Some(folder) = &args.extract {
        ensure!(
            folder.is_dir() || !folder.exists(),
            "'{}' is a file; --extract names a folder, which is made if there is none",
            folder.display()
        );
    }
    let sites = args.delimiters.as_deref().map(Sites::read).transpose()?;
    let request = Request {
        html: true,
        ..args.corpus.request(None)
    };
    let mut listing = corpus::list(&request).context("the corpus cannot be listed")?;
    if let Some(folder) = &args.extract {
        leave_out_of(&mut listing, folder, "--extract")?;
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.corpus.threads)
        .build()?;
    pool.install(|| of_listing(args, listing, sites.as_ref()))
}

fn of_listing(args: &Args, listing: Listing, sites: Option<&Sites>) -> Result<Exit> {
    let bar = Bar::new(args.corpus.quiet);
    let Read {
        books,
        documents,
        mut skipped,
    } = read(args, listing, &bar)?;
    if let Err(error) = enough(&documents) {
        drop(bar);
        conclude(&skipped);
        return Err(error);
    }
    let found = match args.at {
        Some((n, a)) => Optimum::at(&documents, n, a),
        None => Optimum::find(&documents, |step| {
            bar.say(&format!("n {}, a {}", step.n, step.a))
        }),
    };
    drop(bar);
    if !args.corpus.quiet {
        say(&documents, &found, useful_share(&documents, &found));
    }
    // Files are written first: that nobody reads what is printed is no reason to leave them out.
    let written = match &args.extract {
        Some(folder) => {
            let extracted = extract(args, folder, &books, &documents, &found)?;
            skipped.extend(extracted.skipped);
            extracted.failures == 0
        }
        None => true,
    };
    let judged = match (&args.delimiters, sites) {
        (Some(file), Some(sites)) => Some(judge(file, sites, &books, &documents, &found)?),
        _ => None,
    };
    let fits = judged.as_ref().is_none_or(|(_, fits)| *fits);
    let printed = match args.format {
        format if let Some((judged, _)) = &judged => {
            print::judged(format, judged, &documents, &found)
        }
        Format::Table => table(&books, &documents, &found),
        Format::Tsv => tsv(&books, &found),
        Format::Jsonl => jsonl(&books, &documents, &found),
    };
    let exit = conclude(&skipped);
    printed?;
    Ok(if written && fits { exit } else { Exit::Partly })
}

fn read(args: &Args, listing: Listing, bar: &Bar) -> Result<Read> {
    let max_size = args.corpus.max_size.saturating_mul(1 << 20);
    let mut read = Read {
        books: Vec::with_capacity(listing.books.len()),
        documents: Documents::default(),
        skipped: listing.skipped,
    };
    let mut reader = corpus::Reader::default();
    let total = listing.books.len();
    for (done, book) in listing.books.into_iter().enumerate() {
        bar.show(Progress {
            step: Step::Reading,
            done,
            total,
        });
        match reader.read(&book, max_size) {
            Ok(bytes) => {
                read.documents.push(bytes)?;
                read.books.push(book);
            }
            Err(reason) => read.skipped.push(Skipped {
                id: book.id,
                reason,
            }),
        }
    }
    Ok(read)
}

fn enough(documents: &Documents) -> Result<()> {
    let different = documents.different();
    ensure!(
        different > 0,
        "no document could be read; nothing can be compared"
    );
    ensure!(
        different > 1,
        "there is one text only (in {} {}); give documents that have something in common and something of their own",
        thousands(documents.len() as u64),
        plural(documents.len(), "document")
    );
    Ok(())
}

/// The useful share of all bytes.
fn useful_share(documents: &Documents, found: &Optimum<'_>) -> f64 {
    let all: usize = (0..documents.len())
        .map(|at| documents.source_len(at))
        .sum();
    let parts = (0..documents.len()).flat_map(|at| found.parts(at));
    let useful = parts
        .filter(|part| !part.useless)
        .map(|part| part.bytes.len());
    useful.sum::<usize>() as f64 / all.max(1) as f64
}

fn say(documents: &Documents, found: &Optimum<'_>, useful: f64) {
    let best = found.best();
    let count = documents.len();
    let twins = count - documents.different();
    if twins > 0 {
        complain(&format!(
            "{} of {} documents have the same text as another: what only they have counts as common too",
            thousands(twins as u64),
            thousands(count as u64)
        ));
    }
    let why = match found.end() {
        End::Minimum => "neither next cut point has fewer".to_owned(),
        End::Everything => "a can grow no more".to_owned(),
        End::Longest => format!("no n above {LONGEST} is tried"),
        End::NothingRepeats => "nothing occurs twice".to_owned(),
        End::Given => "as was asked for".to_owned(),
    };
    complain(&format!(
        "{} {} of {} characters: {} at n = {}, a = {} with {} alternations; {why}",
        thousands(count as u64),
        plural(count, "document"),
        thousands(documents.chars() as u64),
        if found.end() == End::Given {
            "cut point"
        } else {
            "optimum"
        },
        best.n,
        best.a,
        thousands(best.alternations),
    ));
    complain(&format!("{:.1} % of all bytes are useful", useful * 100.0));
    if useful < LITTLE {
        complain(
            "that is next to nothing: the documents differ in little, or are so many that common words weigh as much as a \
             template; give fewer of them, or only such as have one template",
        );
    }
}
