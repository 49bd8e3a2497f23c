//! `endpaper copies`: finds near copies in a corpus or between two, as clusters.
//!
//! The columns of `tsv` and the keys of `jsonl` are a contract with scripts: they may grow at the end, never change.

mod against;
mod clusters;
mod fingerprints;
mod print;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail, ensure};

use clusters::{ClusterLink, CopyBook, CopyCluster, make_clusters};

use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, SCAN_MEMORY, exit_after_skips};
use endpaper_command::output::{OutputFormat, note, warn};
use endpaper_command::overwrite::{ForceArgs, refuse_book};
use endpaper_command::progress::ProgressBar;
use endpaper_command::values::{share, whole};
use endpaper_detect::copies::exchange::FingerprintKind;
use endpaper_detect::copies::{FingerprintBits, FingerprintShape, NGRAM, NGRAMS, bands};
use endpaper_detect::pipeline::{
    BookReport, ComparedPart, CopyOptions, CorpusReport, OVERLAP, default_distance,
    default_unconfirmed_distance, find_copies,
};
use endpaper_text::corpus::{BookLocation, Skipped};
use endpaper_text::wording::{plural, thousands};

const EXAMPLES: &str = "\
Examples:
  endpaper copies ~/gutenberg
  endpaper copies ~/gutenberg --format tsv | awk -F'\\t' '$12 == \"-\"'   # all but the longest
  endpaper copies ~/gutenberg --book etext98/2city12.txt
  endpaper copies ~/gutenberg --book new.txt                              # a file outside the corpus
  endpaper copies ~/gutenberg --with ~/new-books
  endpaper copies ~/gutenberg --bits 256 --bands 32 --distance 24
  endpaper copies ~/gutenberg --fingerprints --out mine.tsv               # to share: no text, one line a book
  endpaper copies ~/gutenberg --against theirs.tsv                        # books that others have, without their texts

A fingerprint is a simhash over the character n-grams of the body between the detected cuts (Vladimir et al., 2015). Pairs
of books whose fingerprints differ in at most --distance bits are joined if the shorter one has at least --overlap of its
phrases (six words in a row) in common with the other; clusters are books joined directly or through others.

--fingerprints writes a table with tabs: fingerprint (hexadecimal, - for a body that is too short), book, number, isbn, lines,
bytes, body_bytes, bits, ngram, part (body or whole-file), hash, endpaper (version). --against reads such a file, and takes
bits, ngram and part from it. There are no phrases to confirm its pairs: what is within --distance counts, and what only a text
would tell is - (overlap, released, newest, title).

Columns of tsv: cluster, corpus (1, or 2 for --with and --against), book, lines, bytes, number, released, nearest (the most similar book
of the cluster), distance and overlap to it, newest (yes or -), longest (yes or -), title.

Exit status: 0 fine, 1 some books could not be read, 2 wrong use or nothing done.";

/// Arguments of `endpaper copies`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Print only copies of this book: its id in the corpus, or a file
    #[arg(long, value_name = "ID|PATH", conflicts_with = "with")]
    book: Option<String>,

    /// Compare the corpus with this other one, and not with itself (may be given several times)
    #[arg(long, value_name = "CORPUS2")]
    with: Vec<PathBuf>,

    /// Write the fingerprints of the books to --out, for --against of other libraries; no text is in them
    #[arg(long, requires = "out", conflicts_with_all = ["book", "with", "against", "distance", "overlap", "bands", "format"])]
    fingerprints: bool,

    /// Find books of the corpus among those of this file, which somebody wrote with --fingerprints
    #[arg(long, value_name = "FILE", conflicts_with_all = ["book", "with", "overlap", "bands"])]
    against: Option<PathBuf>,

    /// The file that --fingerprints writes ('-' for standard output)
    #[arg(short, long, value_name = "FILE", requires = "fingerprints")]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    /// Compare pairs of books whose fingerprints differ in at most this many bits [default: a quarter of --bits, with --against an eighth]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(..))]
    distance: Option<u32>,

    /// Join pairs if the other book has at least this share of the phrases of the shorter one
    #[arg(long, value_name = "SHARE", default_value_t = OVERLAP, value_parser = share)]
    overlap: f64,

    /// Length of a fingerprint in bits: 64 to 256 in steps of 32 [default: 128, or that of --against]
    #[arg(long, value_name = "BITS")]
    bits: Option<FingerprintBits>,

    /// Length of an n-gram in characters: 2 to 16 [default: 4, or that of --against]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(*NGRAMS.start() as u64..=*NGRAMS.end() as u64))]
    ngram: Option<usize>,

    /// Compare whole files instead of bodies
    #[arg(long)]
    whole_file: bool,

    /// Compare only pairs that are equal in a band of this many bits: for millions of books; misses some pairs
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..))]
    bands: Option<u32>,

    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    format: OutputFormat,

    #[command(flatten)]
    corpus: CorpusArgs,
}

impl Args {
    /// The options of the search, except threads and cache.
    fn copy_options(&self) -> Result<CopyOptions> {
        let kind = match &self.against {
            Some(path) => against::checked_kind(self, path)?,
            None => FingerprintKind {
                shape: FingerprintShape {
                    bits: self.bits.unwrap_or_default(),
                    ngram: self.ngram.unwrap_or(NGRAM),
                },
                whole_file: self.whole_file,
            },
        };
        let bits = kind.shape.bits.count();
        let usual = match self.against {
            Some(_) => default_unconfirmed_distance(kind.shape.bits),
            None => default_distance(kind.shape.bits),
        };
        let distance = self.distance.unwrap_or(usual);
        ensure!(
            distance < bits,
            "--distance {distance} must be less than the {bits} bits of a fingerprint; write at most {}",
            bits - 1
        );
        ensure!(
            self.overlap > 0.0,
            "--overlap 0 would join all books; write a share above 0, such as 0.5 or 50%"
        );
        if let Some(width) = self.bands {
            bands::check(kind.shape.bits, width)
                .map_err(|message| anyhow::anyhow!("--bands: {message}"))?;
        }
        Ok(CopyOptions {
            shape: kind.shape,
            part: if kind.whole_file {
                ComparedPart::Whole
            } else {
                ComparedPart::Body
            },
            distance,
            bands: self.bands,
            overlap: self.overlap,
            ..CopyOptions::default()
        })
    }
}

/// Runs `endpaper copies`.
///
/// # Errors
///
/// Wrong use, no readable book, or a reader that stopped reading.
pub fn run(args: &Args) -> Result<Exit> {
    let mut options = args.copy_options()?;
    let surveyed = args.corpus.options()?;
    (options.threads, options.cache, options.max_size) =
        (surveyed.threads, surveyed.cache, surveyed.max_size);
    if let (true, Some(out)) = (args.fingerprints, &args.out) {
        return fingerprints::write(args, &options, out);
    }
    if let Some(path) = &args.against {
        return against::run(args, &options, path);
    }
    let (ours, mut unread) = analyse(&args.corpus, None)?;
    let (wanted, second) = second(args, &ours)?;
    let theirs = second.map(|corpus| analyse(&corpus, None)).transpose()?;
    let theirs = theirs.map(|(report, skipped)| {
        unread.extend(skipped);
        report
    });
    let first: Vec<&BookReport> = ours.books.iter().collect();
    let second: Option<Vec<&BookReport>> =
        theirs.as_ref().map(|report| report.books.iter().collect());
    let bar = ProgressBar::new(args.corpus.quiet);
    let never = AtomicBool::new(false);
    let copies = find_copies(
        &first,
        second.as_deref(),
        &options,
        &|progress| bar.show_progress(progress),
        &never,
    )?;
    drop(bar);
    let split = first.len();
    let books: Vec<CopyBook<'_>> = (0..)
        .zip(first.into_iter().chain(second.unwrap_or_default()))
        .map(|(place, report)| {
            CopyBook::of_report(report, copies.release_dates.get(&place).copied())
        })
        .collect();
    let links: Vec<ClusterLink> = copies.links.iter().copied().map(Into::into).collect();
    let mut found = make_clusters(&books, split, &links);
    if let Some(wanted) = wanted {
        found.retain(|cluster| cluster.members.iter().any(|member| member.place == wanted));
    }
    if !args.corpus.quiet {
        let tiny = copies
            .fingerprints
            .iter()
            .filter(|print| print.is_none())
            .count()
            .saturating_sub(copies.skipped.len());
        report_clusters(&found, &options, books.len() as u64, tiny, copies.refused);
        copies.notes.iter().for_each(|note| warn(note));
    }
    unread.extend(copies.skipped);
    let printed = print::clusters(&found, args.format);
    let exit = exit_after_skips(&unread);
    printed?;
    Ok(exit)
}

/// Analyses a corpus, which the file `out` may not be of, and returns the report and the skipped books.
fn analyse(corpus: &CorpusArgs, out: Option<&Path>) -> Result<(CorpusReport, Vec<Skipped>)> {
    let listing = corpus.list(None)?;
    if let Some(out) = out {
        refuse_book(&listing, out)?;
    }
    let mut options = corpus.options()?;
    options.scan_memory = SCAN_MEMORY;
    let mut report = corpus.analyse(&listing, &options)?;
    if !corpus.quiet {
        report.notes.iter().for_each(|note| warn(note));
    }
    let skipped = std::mem::take(&mut report.skipped);
    Ok((report, skipped))
}

/// The index of the requested book if it is in the corpus, and the corpus that the first is compared with.
fn second(args: &Args, ours: &CorpusReport) -> Result<(Option<usize>, Option<CorpusArgs>)> {
    let of = |corpus: Vec<PathBuf>| CorpusArgs {
        corpus,
        files_from: None,
        include: Vec::new(),
        exclude: Vec::new(),
        ..args.corpus.clone()
    };
    let Some(book) = &args.book else {
        let second = (!args.with.is_empty()).then(|| of(args.with.clone()));
        return Ok((None, second));
    };
    if let Some(place) = ours
        .books
        .iter()
        .position(|surveyed| surveyed.book.id.as_str() == book)
    {
        return Ok((Some(place), None));
    }
    let path = PathBuf::from(book);
    if !path.is_file() {
        bail!(
            "'{book}' is neither a book of the corpus nor a file; write an id as 'endpaper detect' prints it, or a path"
        );
    }
    // The path of a book of the corpus means that book: it is not a copy of itself.
    let known = std::path::absolute(&path).context("the current folder cannot be found")?;
    let place = ours
        .books
        .iter()
        .position(|surveyed| match &surveyed.book.location {
            BookLocation::File(file) | BookLocation::Gzip(file) => {
                std::path::absolute(file).is_ok_and(|file| file == known)
            }
            _ => false,
        });
    match place {
        Some(place) => Ok((Some(place), None)),
        None => Ok((None, Some(of(vec![path])))),
    }
}

/// Reports on stderr how many clusters were found.
fn report_clusters(
    found: &[CopyCluster<'_>],
    options: &CopyOptions,
    books: u64,
    tiny: usize,
    refused: usize,
) {
    let members: usize = found.iter().map(|cluster| cluster.members.len()).sum();
    note(&format!(
        "{} {} with {} of {} {}",
        thousands(found.len() as u64),
        plural(found.len(), "cluster"),
        thousands(members as u64),
        thousands(books),
        plural(books as usize, "book"),
    ));
    if refused > 0 {
        note(&format!(
            "{} {} within {} bits had too little in common",
            thousands(refused as u64),
            plural(refused, "pair"),
            options.distance
        ));
    }
    if tiny > 0 {
        note(&format!(
            "{} {} too short to be compared",
            thousands(tiny as u64),
            if tiny == 1 { "body" } else { "bodies" }
        ));
    }
    if let Some(width) = options.bands {
        let share = bands::recall(options.shape.bits, width, options.distance);
        note(&format!(
            "with bands of {width} bits {:.0} % of the pairs at distance {} are compared, more of nearer ones",
            share * 100.0,
            options.distance
        ));
    }
}
