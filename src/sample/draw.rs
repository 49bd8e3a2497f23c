//! `endpaper sample draw`.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;

use super::plan_args::{PlanArgs, cannot_be_met};
use crate::truth::TruthFolder;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, exit_after_skips};
use endpaper_command::output::{Printer, warn};
use endpaper_command::overwrite::{ForceArgs, refuse_book};
use endpaper_command::progress::ProgressBar;
use endpaper_command::values::whole;
use endpaper_detect::pipeline::{AnalysisOptions, CorpusReport};
use endpaper_evaluate::sample::{
    BookSample, DrawError, DrawOptions, SamplePlan, StratifyBy, works_of,
};
use endpaper_text::corpus::Listing;
use endpaper_text::wording::{plural, thousands};
use endpaper_truth::check::ListedBooks;

const EXAMPLES: &str = "\
Examples:
  endpaper sample draw ~/gutenberg --out sample.yaml --bad 2% --accept 1
  endpaper sample draw ~/gutenberg --out sample.yaml --by era --works --seed 7
  endpaper sample draw ~/gutenberg --out sample.yaml --tolerate-leak 2 --controls 10
  endpaper review ~/gutenberg --sample sample.yaml
  endpaper sample certify ~/gutenberg --sample sample.yaml

Books are drawn in the order of the SHA-256 of 'seed:id' (printf '7:book.txt' | sha256sum), so that the same seed draws the
same books everywhere. Draw once: a sample chosen among several is not random. --by draws from each group in
proportion to its size; bounds are those of a plain sample, which is conservative. The tolerated lines are fixed here,
before any book is reviewed. Reviews made for a sample that --force overwrites no longer count.

Exit status: 0 fine, 1 some books could not be read (they are in no sample), 2 wrong use or a plan that cannot be met.";

/// Arguments of `endpaper sample draw`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The sample file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceArgs,

    /// Seed of the random order [default: a new one]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(..))]
    seed: Option<u64>,

    /// Number of books to draw [default: as many as the plan needs]
    #[arg(long, value_name = "N", conflicts_with_all = ["accept", "sequential"])]
    #[arg(value_parser = whole::<u64>(1..))]
    size: Option<u64>,

    /// Stratify: draw from each group in proportion to its size
    #[arg(long, value_enum, value_name = "PART", conflicts_with = "sequential")]
    by: Option<StratifyArg>,

    /// Draw works instead of files: one of the editions and near copies of a work
    #[arg(long)]
    works: bool,

    /// A book is bad if it loses more lines of its body than this
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(..))]
    tolerate_loss: u64,

    /// A book is bad if more lines of boilerplate than this are left
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(..))]
    tolerate_leak: u64,

    /// Number of controls: books with known cuts, from the truth folder, hidden among the drawn ones. The errors made in
    /// them measure the reviewer and widen the bounds of the certificate
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(..))]
    controls: usize,

    #[command(flatten)]
    folder: TruthFolder,

    #[command(flatten)]
    corpus: CorpusArgs,

    #[command(flatten)]
    plan: PlanArgs,
}

/// What the parts of a corpus are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StratifyArg {
    /// By template of the boilerplate
    Template,
    /// By time of the markers
    Era,
    /// By producer
    Producer,
}

impl StratifyArg {
    /// The library's value of the argument.
    fn library(self) -> StratifyBy {
        match self {
            StratifyArg::Template => StratifyBy::Template,
            StratifyArg::Era => StratifyBy::Era,
            StratifyArg::Producer => StratifyBy::Producer,
        }
    }
}

/// Runs `sample draw`.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let plan = plan(args)?;
    args.force.check(&args.out)?;
    let truth = args.folder.path()?;
    let listing = args.corpus.list(Some(truth))?;
    refuse_book(&listing, &args.out)?;
    let mut options = args.corpus.options()?;
    options.keep_scans = args.by == Some(StratifyArg::Era);
    let report = args.corpus.analyse(&listing, &options)?;
    let sample = drawn(args, plan, &listing, &report, &options)?;
    args.force.write(&args.out, sample.to_yaml().as_bytes())?;
    if !args.corpus.quiet {
        report.notes.iter().for_each(|note| warn(note));
    }
    print(args, &sample).context("printing")?;
    Ok(exit_after_skips(&report.skipped))
}

/// The sampling plan of the arguments.
fn plan(args: &Args) -> Result<SamplePlan> {
    Ok(match (args.plan.plan()?, args.size) {
        (
            SamplePlan::Single {
                limit, confidence, ..
            },
            Some(_),
        ) => SamplePlan::Size { limit, confidence },
        (plan, _) => plan,
    })
}

/// Draws the sample.
fn drawn(
    args: &Args,
    plan: SamplePlan,
    listing: &Listing,
    report: &CorpusReport,
    options: &AnalysisOptions,
) -> Result<BookSample> {
    let works = || {
        let bar = ProgressBar::new(args.corpus.quiet);
        works_of(report, options, &|progress| bar.show_progress(progress))
    };
    let wanted = DrawOptions {
        plan,
        size: args.size,
        seed: args.seed.unwrap_or_else(new_seed),
        stratify_by: args.by.map(StratifyArg::library),
        works: args.works.then(works).transpose()?,
        tolerated: [args.tolerate_loss, args.tolerate_leak],
    };
    let mut sample = BookSample::draw(report, &wanted).map_err(named)?;
    if args.controls > 0 {
        let listed_books = ListedBooks::new(listing, options.max_size);
        let store = args.folder.open()?;
        let planted = sample.add_controls(args.controls, &store, report, &listed_books);
        planted.map_err(named)?;
    }
    Ok(sample)
}

/// Adds to an error the option that caused it.
fn named(error: DrawError) -> anyhow::Error {
    match error {
        DrawError::TooMany { .. } => anyhow!("--size {error}"),
        DrawError::TooFewControls { .. } => anyhow!("--controls {error}"),
        DrawError::Plan(error) => cannot_be_met(error),
        DrawError::Store(error) => error,
    }
}

/// Prints what was drawn.
fn print(args: &Args, sample: &BookSample) -> std::io::Result<()> {
    let mut printer = Printer::stdout();
    let size = sample.books.len() as u64;
    printer.line(&format!(
        "drew {} of {} {}s with seed {} into '{}' (sample {}, corpus {})",
        thousands(size),
        thousands(sample.population),
        sample.unit_name(),
        sample.seed,
        args.out.display(),
        sample.digest(),
        sample.corpus,
    ))?;
    printer.line(&format!("{}.", sample.plan.in_words(size)))?;
    if args.controls > 0 {
        let count = thousands(args.controls as u64);
        let books = plural(args.controls, "book");
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
    printer.finish()
}

/// A random seed, short enough to type.
fn new_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}
