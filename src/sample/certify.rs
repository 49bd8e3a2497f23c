//! `endpaper sample certify`.

use std::path::PathBuf;

use anyhow::{Result, anyhow};

use super::plan_args::read;
use crate::detector::DetectorArgs;
use crate::truth::TruthFolder;
use endpaper_command::Exit;
use endpaper_command::common::CorpusArgs;
use endpaper_command::output::{Printer, warn, warn_of_skipped};
use endpaper_command::overwrite::{ForceArgs, refuse_book};
use endpaper_evaluate::SequentialVerdict;
use endpaper_evaluate::sample::{CertifyError, Inspections, SamplePositions};
use endpaper_truth::check::ListedBooks;

const EXAMPLES: &str = "\
Examples:
  endpaper sample certify ~/gutenberg --sample sample.yaml --truth labels
  endpaper sample certify ~/gutenberg --sample sample.yaml --out certificate.yaml > CERTIFICATE.md

Only reviews made for this sample count ('endpaper review --sample'), not those made in the order of a queue. They are
compared with what would be released without them: the cuts that a curator decided before, or else those detected now. A
book is bad if it loses or leaks more lines than were tolerated when the sample was drawn. The share of errors in controls
('sample draw --controls') and blind second looks ('endpaper review --blind --re-review') is assumed for the books found
good, and a second bound allows for it. Weights fitted to reviews of the sample are refused.

Exit status: 0 accepted, 1 rejected, 2 wrong use, or a sample that is incomplete or of another corpus.";

/// Arguments of `endpaper sample certify`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The sample, written by `endpaper sample draw`
    #[arg(long, value_name = "FILE")]
    sample: PathBuf,

    #[command(flatten)]
    folder: TruthFolder,

    /// The file to write the certificate to as YAML; it is printed as Markdown
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    corpus: CorpusArgs,

    #[command(flatten)]
    detector: DetectorArgs,
}

/// Runs `sample certify`.
pub(super) fn run(args: &Args) -> Result<Exit> {
    if let Some(path) = &args.out {
        args.force.check(path)?;
    }
    let sample = read(&args.sample)?;
    let store = args.folder.open()?;
    let listing = args.corpus.list(Some(store.folder().to_owned()))?;
    if let Some(out) = &args.out {
        refuse_book(&listing, out)?;
    }
    let mut options = args.corpus.options()?;
    args.detector.apply(&mut options)?;
    args.detector.learn_from(&store, &mut options)?;
    // Cuts are judged, which second opinions do not change.
    let report = (args.corpus).analyse(&listing, &options.without_opinions())?;
    warn_of_skipped(&report.skipped);
    if !args.corpus.quiet {
        report.notes.iter().for_each(|note| warn(note));
    }
    SamplePositions::find(&sample, &listing, &report)?;
    sample.check_weights(&report, &options.parameters)?;
    let listed_books = ListedBooks::new(&listing, options.max_size);
    let found = Inspections::read(&sample, &store, &listed_books, &report)?;
    let certificate = sample
        .certify(&found, &report, &options.parameters)
        .map_err(named)?;
    if let Some(path) = &args.out {
        args.force.write(path, certificate.yaml().as_bytes())?;
    }
    let mut out = Printer::stdout();
    for line in certificate.markdown().lines() {
        out.line(line)?;
    }
    out.finish()?;
    Ok(match certificate.outcome.verdict {
        SequentialVerdict::Accepted => Exit::Success,
        SequentialVerdict::Rejected | SequentialVerdict::Continue => Exit::Partial,
    })
}

/// Adds to an error what to do next.
fn named(error: CertifyError) -> anyhow::Error {
    match error {
        CertifyError::Undecided(_) => anyhow!(
            "{error}: draw a larger sample with the same seed and --force, or a plan of one sample"
        ),
        CertifyError::Incomplete { .. } => {
            anyhow!("{error}: continue with `endpaper review --sample`")
        }
        CertifyError::WeightsFittedToSample { .. } => error.into(),
    }
}
