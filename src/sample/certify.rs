//! `endpaper sample certify`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::read;
use crate::Exit;
use crate::common::{CorpusArgs, ForceArgs};
use crate::detector::DetectorArgs;
use crate::output::{Printer, complain, complain_of_skipped};
use crate::truth::Folder;
use endpaper_detect::pipeline::Survey;
use endpaper_detect::{Method, Parameters};
use endpaper_evaluate::sample::{Certificate, Looks, Places, Plan, Sample};
use endpaper_evaluate::{Verdict, at_least};
use endpaper_text::atomic;
use endpaper_text::words::plural;
use endpaper_truth::check::Shelf;

const EXAMPLES: &str = "\
Examples:
  endpaper sample certify ~/gutenberg --sample sample.yaml --truth labels
  endpaper sample certify ~/gutenberg --sample sample.yaml --out certificate.yaml --markdown CERTIFICATE.md

Only reviews that came up in this sample count ('endpaper review --sample'); books looked at in the order of a queue never
do. Judged is what would have been released without them: what a curator decided before, or else what is detected now. A
book is wrong if it loses or leaks more lines than were tolerated when the sample was drawn. Of planted books ('sample draw
--planted') and blind second looks ('endpaper review --blind --decided') the share that differs is taken to be missed in the
books found good, and bounds that allow for it stand beside. Weights that were fitted to what was seen in the sample are
refused.

Exit status: 0 accepted, 1 rejected, 2 wrong use, or a sample that is incomplete or of another corpus.";

/// Weights that know so many books of a sample as a random one has with a smaller probability were fitted to it.
const CHANCE: f64 = 0.001;

/// Arguments of `endpaper sample certify`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,

    /// The sample
    #[arg(long, value_name = "FILE")]
    sample: PathBuf,

    #[command(flatten)]
    folder: Folder,

    /// Write the certificate as YAML too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the certificate as Markdown too
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    detector: DetectorArgs,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    for path in [&args.out, &args.markdown].into_iter().flatten() {
        args.force.check(path)?;
    }
    let sample = read(&args.sample)?;
    let store = args.folder.open()?;
    let listing = args.corpus.list(Some(store.folder().to_owned()))?;
    let mut options = args.corpus.options()?;
    args.detector.apply(&mut options)?;
    let survey = args.corpus.survey(&listing, &options)?;
    complain_of_skipped(&survey.skipped);
    if !args.corpus.quiet {
        survey.notes.iter().for_each(|note| complain(note));
    }
    Places::find(&sample, &listing, &survey)?;
    unfitted(&sample, &survey, &options.parameters)?;
    let shelf = Shelf::new(&listing, options.max_size);
    let found = Looks::read(&sample, &store, &shelf, &survey)?;
    let bad = found.bad(sample.tolerated);
    let outcome = sample.plan.outcome(sample.population, &bad);
    complete(&sample, &found, outcome.verdict)?;
    let certificate = Certificate {
        sample: &sample,
        found: &found,
        outcome,
        model: survey.model_digest.clone(),
        detector: args.detector.detector.name().to_owned(),
        weights: (options.parameters.method == Method::Posterior)
            .then(|| options.parameters.weights().digest()),
        policy: options.parameters.policy.name.clone(),
    };
    write(args.out.as_deref(), args.force, &certificate.yaml())?;
    write(
        args.markdown.as_deref(),
        args.force,
        &certificate.markdown(),
    )?;
    let mut out = Printer::stdout();
    for line in certificate.markdown().lines() {
        out.line(line)?;
    }
    out.finish()?;
    Ok(match outcome.verdict {
        Verdict::Accepted => Exit::Fine,
        Verdict::Rejected | Verdict::GoOn => Exit::Partly,
    })
}

/// Refuses weights that know more books of the sample than a random sample would have of those they were fitted to: they
/// were fitted to what was seen in it, and do better on it than on the rest.
fn unfitted(sample: &Sample, survey: &Survey, parameters: &Parameters) -> Result<()> {
    if parameters.method != Method::Posterior {
        return Ok(());
    }
    let knows = |crc: u64| parameters.weights().know(crc);
    let books = survey.books.iter();
    let all = books.filter(|book| knows(book.summary.crc)).count() as u64;
    let drawn = sample.books.iter();
    let crcs = drawn.filter_map(|book| u64::from_str_radix(&book.crc, 16).ok());
    let known = crcs.filter(|&crc| knows(crc)).count() as u64;
    let of = sample.books.len() as u64;
    // Works may stand for several files; the files are the larger number, which makes the test no stricter.
    let chance = at_least(known, survey.books.len() as u64, all, of);
    ensure!(
        chance >= CHANCE,
        "the weights were fitted to {known} of the {of} books of the sample, and to {all} of all {}: a sample cannot vouch for weights that learnt from it; use the weights of before, or draw anew",
        survey.books.len(),
    );
    Ok(())
}

/// Refuses a sample of which books are not looked at, unless its sequential plan has decided.
fn complete(sample: &Sample, found: &Looks, verdict: Verdict) -> Result<()> {
    let missing = sample.books.iter().zip(&found.looks);
    let missing = missing.chain(sample.planted.iter().zip(&found.planted));
    let missing: Vec<&str> = missing
        .filter(|(_, look)| look.is_none())
        .map(|(book, _)| book.id.as_str())
        .collect();
    let decided = matches!(sample.plan, Plan::Sequential { .. }) && verdict != Verdict::GoOn;
    if decided {
        return Ok(());
    }
    let Some(next) = missing.first() else {
        ensure!(
            verdict != Verdict::GoOn,
            "all {} books of the sample are looked at and the plan has not decided: draw a larger sample with the same seed and --force, or a plan of one sample",
            sample.books.len()
        );
        return Ok(());
    };
    const NAMED: usize = 5;
    let other = match found.other.len() {
        0 => String::new(),
        count => {
            let named: Vec<&str> = found.other.iter().take(NAMED).map(String::as_str).collect();
            let more = match count.saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            format!(
                "; {count} of them were reviewed otherwise, which never counts for a sample: {}{more}",
                named.join(", ")
            )
        }
    };
    bail!(
        "{} of {} {} of the sample {} not looked at yet, the next is '{next}'{other}: go on with `endpaper review --sample`",
        missing.len(),
        sample.books.len() + sample.planted.len(),
        plural(sample.books.len() + sample.planted.len(), "book"),
        if missing.len() == 1 { "is" } else { "are" },
    )
}

fn write(file: Option<&Path>, force: ForceArgs, text: &str) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    atomic::put(file, force.existing(), text.as_bytes())
        .with_context(|| format!("the certificate '{}' cannot be written", file.display()))
}
