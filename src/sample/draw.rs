//! `endpaper sample draw`.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use super::PlanArgs;
use crate::Exit;
use crate::common::{CorpusArgs, conclude};
use crate::output::{Printer, complain};
use crate::progress::Bar;
use crate::truth::Folder;
use endpaper_detect::copies;
use endpaper_detect::pipeline::{CopyOptions, Options, Survey, Surveyed, find_clusters};
use endpaper_detect::posterior::works;
use endpaper_evaluate::Era;
use endpaper_evaluate::sample::{Candidate, Drawn, Plan, Sample, draw, is_known, plant};
use endpaper_text::atomic::{self, Existing};
use endpaper_text::corpus::Listing;
use endpaper_text::words::{plural, thousands};
use endpaper_truth::Store;
use endpaper_truth::check::Shelf;

const EXAMPLES: &str = "\
Examples:
  endpaper sample draw ~/gutenberg --out sample.yaml --limit 2% --accept 1
  endpaper sample draw ~/gutenberg --out sample.yaml --by era --works --seed 7
  endpaper sample draw ~/gutenberg --out sample.yaml --tolerate-leak 2 --planted 10
  endpaper review ~/gutenberg --sample sample.yaml
  endpaper sample certify ~/gutenberg --sample sample.yaml

Books are drawn in the order of the SHA-256 of 'seed:id' (printf '7:book.txt' | sha256sum), so that the same seed draws the
same books everywhere. Draw once: who draws until a sample pleases has no random sample. --by draws from each part in
proportion to its size; bounds are those of a plain sample, which errs on the safe side. What is tolerated is settled here,
before anybody looks.

Exit status: 0 fine, 1 some books could not be read (they are in no sample), 2 wrong use or a plan that cannot be met.";

/// Arguments of `endpaper sample draw`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,

    /// Where the sample is written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Write over an existing file: what was reviewed for the sample in it counts for nothing then
    #[arg(long)]
    force: bool,

    /// What the order is drawn with [default: a new one]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Draw so many books instead of as many as the plan needs
    #[arg(long, value_name = "N", conflicts_with_all = ["accept", "sequential"])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    size: Option<u64>,

    /// Draw from each part in proportion to its size
    #[arg(long, value_enum, value_name = "PART", conflicts_with = "sequential")]
    by: Option<By>,

    /// Draw from works and not from files: of the editions and near copies of a work, one
    #[arg(long)]
    works: bool,

    /// Lines of a book that may be lost before it is bad
    #[arg(long, value_name = "LINES", default_value_t = 0)]
    tolerate_loss: u64,

    /// Lines of boilerplate that may be left before a book is bad
    #[arg(long, value_name = "LINES", default_value_t = 0)]
    tolerate_leak: u64,

    /// Put so many books among the drawn ones whose cuts are known from the truth folder: what is missed in them tells how
    /// far whoever looks can be trusted, and widens the bounds of the certificate
    #[arg(long, value_name = "N", default_value_t = 0)]
    planted: usize,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    plan: PlanArgs,
}

/// What the parts of a corpus are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// Books made by one template
    Template,
    /// Books whose markers are of one time
    Era,
    /// Books made by one hand
    Hand,
}

impl By {
    fn name(self) -> &'static str {
        match self {
            By::Template => "template",
            By::Era => "era",
            By::Hand => "hand",
        }
    }

    fn stratum(self, book: &Surveyed) -> String {
        match self {
            By::Template => format!("{:016x}", book.summary.template.0),
            By::Era => book
                .scan
                .as_deref()
                .map_or(Era::NoMarker, Era::of)
                .to_string(),
            By::Hand => match book.summary.header.hand.as_deref() {
                None | Some("") => "unknown".to_owned(),
                Some(hand) => hand.to_owned(),
            },
        }
    }
}

/// The work of each book of a survey, by the place of one of its books: editions by what their headers say, and near
/// copies by their text.
fn works_of(survey: &Survey, options: &Options, quiet: bool) -> Result<Vec<u64>> {
    let books: Vec<&Surveyed> = survey.books.iter().collect();
    let options = CopyOptions::of(options);
    let bar = Bar::new(quiet);
    let never = AtomicBool::new(false);
    let found = find_clusters(&books, &options, &|progress| bar.show(progress), &never)?;
    drop(bar);
    let headers = books.iter();
    let named = works(headers.map(|book| (&book.summary.header, book.summary.crc)));
    Ok(joined(&named, &found.of))
}

/// Joins books that have one name, and those of one cluster (0: none).
fn joined(named: &[u64], clusters: &[u32]) -> Vec<u64> {
    let (mut names, mut copies) = (HashMap::new(), HashMap::new());
    let mut pairs = Vec::new();
    for (place, (name, cluster)) in (0u32..).zip(named.iter().zip(clusters)) {
        pairs.push((*names.entry(name).or_insert(place), place));
        if *cluster > 0 {
            pairs.push((*copies.entry(cluster).or_insert(place), place));
        }
    }
    let pairs = pairs.into_iter().filter(|(a, b)| a != b);
    let mut works: Vec<u64> = (0..named.len() as u64).collect();
    for group in copies::clusters::clusters(named.len(), pairs) {
        for &place in &group {
            works[place as usize] = group[0].into();
        }
    }
    works
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let plan = args.plan.plan()?;
    let plan = match (plan, args.size) {
        (
            Plan::Single {
                limit, confidence, ..
            },
            Some(_),
        ) => Plan::Size { limit, confidence },
        (plan, _) => plan,
    };
    ensure!(
        args.force || !args.out.exists(),
        "'{}' is there already, and reviews may name its sample: choose another name, or give --force",
        args.out.display()
    );
    let truth = args.folder.path()?;
    let listing = args.corpus.list(Some(truth))?;
    let mut options = args.corpus.options()?;
    options.keep_scans = args.by == Some(By::Era);
    let survey = args.corpus.survey(&listing, &options)?;
    let works = match args.works {
        true => works_of(&survey, &options, args.corpus.quiet)?,
        false => Vec::new(),
    };
    let strata: Vec<String> = survey
        .books
        .iter()
        .map(|book| args.by.map_or_else(String::new, |by| by.stratum(book)))
        .collect();
    let candidates = (0..).zip(survey.books.iter().zip(&strata));
    let candidates: Vec<Candidate> = candidates
        .map(|(at, (book, stratum)): (usize, _)| Candidate {
            id: book.book.id.as_str(),
            stratum,
            work: works.get(at).copied(),
        })
        .collect();
    let seed = args.seed.unwrap_or_else(new_seed);
    let population = draw(&candidates, seed, 0).2;
    let size = match args.size {
        Some(size) => {
            ensure!(
                size <= population,
                "--size {size} is more than the {population} that can be drawn; draw fewer"
            );
            size
        }
        None => plan.size(population)?,
    };
    let (places, strata, population) = draw(&candidates, seed, size);
    let planted = match args.planted {
        0 => Vec::new(),
        count => {
            let store = args.folder.open()?;
            let known = known(&store, &survey, &listing, options.max_size, &places)?;
            ensure!(
                known.len() >= count,
                "--planted {count} needs as many books that are decided and not drawn, and '{}' has {}: plant fewer, or decide more first",
                store.folder().display(),
                known.len()
            );
            let ids: Vec<&str> = known
                .iter()
                .map(|&at| survey.books[at].book.id.as_str())
                .collect();
            let chosen = plant(&ids, seed, count);
            chosen.into_iter().map(|at| known[at]).collect()
        }
    };
    let drawn = |places: &[usize]| -> Vec<Drawn> {
        let books = places.iter().map(|&at| &survey.books[at]);
        let drawn = books.map(|book| Drawn {
            id: book.book.id.to_string(),
            bytes: book.summary.bytes,
            crc: format!("{:016x}", book.summary.crc),
        });
        drawn.collect()
    };
    let sample = Sample {
        schema: Sample::schema(),
        corpus: survey.corpus_digest.clone(),
        population,
        works: args.works,
        seed,
        plan,
        by: args.by.map_or_else(String::new, |by| by.name().to_owned()),
        strata,
        tolerated: [args.tolerate_loss, args.tolerate_leak],
        books: drawn(&places),
        planted: drawn(&planted),
    };
    let text = sample.to_yaml();
    let existing = Existing::unless_forced(args.force);
    let written = atomic::put(&args.out, existing, text.as_bytes());
    let out = args.out.display();
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            anyhow::anyhow!("'{out}' came to be meanwhile; choose another name")
        }
        _ => anyhow::Error::from(error).context(format!("the sample '{out}' cannot be written")),
    })?;
    if !args.corpus.quiet {
        survey.notes.iter().for_each(|note| complain(note));
    }
    let mut printer = Printer::stdout();
    printer.line(&format!(
        "drew {} of {} {}s with seed {seed} into '{out}' (sample {}, corpus {})",
        thousands(sample.books.len() as u64),
        thousands(population),
        sample.thing(),
        sample.digest(),
        sample.corpus,
    ))?;
    printer.line(&format!("{}.", plan.in_words(size)))?;
    if args.planted > 0 {
        let count = thousands(args.planted as u64);
        let books = plural(args.planted, "book");
        printer.line(&format!("{count} {books} of known cuts are among them."))?;
    }
    for stratum in &sample.strata {
        printer.line(&format!(
            "  {}: {} of {}",
            stratum.name,
            thousands(stratum.drawn),
            thousands(stratum.books)
        ))?;
    }
    printer.finish().context("printing")?;
    Ok(conclude(&survey.skipped))
}

/// Places of the books that are not drawn and whose cuts are known, of the text as it is now.
fn known(
    store: &Store,
    survey: &Survey,
    listing: &Listing,
    max_size: u64,
    drawn: &[usize],
) -> Result<Vec<usize>> {
    let shelf = Shelf::new(listing, max_size);
    let drawn: HashSet<usize> = drawn.iter().copied().collect();
    let mut known = Vec::new();
    for (_, record) in store.records()? {
        let Ok(record) = record else { continue };
        let at = survey
            .books
            .binary_search_by(|book| book.book.id.as_str().cmp(&record.book));
        let Some(at) = at.ok().filter(|at| !drawn.contains(at)) else {
            continue;
        };
        if is_known(&record) && shelf.text_of(&record).is_some() {
            known.push(at);
        }
    }
    known.sort_unstable();
    Ok(known)
}

/// A seed nobody chose, short enough to be typed.
fn new_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn books_of_one_name_and_copies_under_other_names_are_one_work() {
        let table: [(&[u64], &[u32], &[u64]); 4] = [
            (&[], &[], &[]),
            (&[7, 8, 7], &[0, 0, 0], &[0, 1, 0]),
            (&[7, 8, 9], &[2, 0, 2], &[0, 1, 0]),
            // A copy has the name of another edition.
            (&[7, 8, 9, 8, 6], &[0, 1, 1, 3, 3], &[0, 1, 1, 1, 1]),
        ];
        for (named, clusters, expected) in table {
            assert_eq!(joined(named, clusters), expected, "{named:?} {clusters:?}");
        }
    }
}
