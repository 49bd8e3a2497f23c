//! `endpaper sample plan`.

use anyhow::{Result, ensure};

use super::plan_args::{PlanArgs, cannot_be_met};
use endpaper_command::Exit;
use endpaper_command::common::CorpusArgs;
use endpaper_command::output::Printer;
use endpaper_command::values::whole;
use endpaper_evaluate::sample::{SamplePlan, percent};
use endpaper_evaluate::{SequentialPlan, SingleSamplingPlan};
use endpaper_text::wording::thousands;

const EXAMPLES: &str = "\
Examples:
  endpaper sample plan ~/gutenberg
  endpaper sample plan --population 60000 --bad 1%
  endpaper sample plan ~/gutenberg --sequential --good 0.5% --bad 2%

Plans are exact for the number of books. The last two columns are the probabilities that a corpus with a half and a quarter
of the bad books passes: a plan that accepts a few bad books needs a larger sample, and fails fewer good corpora.

Exit status: 0 fine, 2 wrong use or a plan that cannot be met.";

/// Arguments of `endpaper sample plan`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Plan for N books instead of the corpus
    #[arg(long, value_name = "N", conflicts_with_all = ["corpus", "files_from", "include", "exclude"])]
    #[arg(value_parser = whole::<u64>(1..=1_000_000_000))]
    population: Option<u64>,

    #[command(flatten)]
    corpus: CorpusArgs,

    #[command(flatten)]
    plan: PlanArgs,
}

/// Largest number of accepted bad books in the table.
const ACCEPTED: u64 = 4;

/// Runs `sample plan`.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let population = match args.population {
        Some(population) => population,
        None => args.corpus.list(None)?.books.len() as u64,
    };
    ensure!(population > 0, "a plan for no books shows nothing");
    let plan = args.plan.plan()?;
    let size = plan.size(population).map_err(cannot_be_met)?;
    let mut out = Printer::stdout();
    out.line(&format!(
        "{} books: {}.",
        thousands(population),
        plan.in_words(size)
    ))?;
    out.line("")?;
    match plan {
        SamplePlan::Sequential { good, bad, risk } => {
            if let Some(plan) = SequentialPlan::plan(good, bad, risk) {
                sequential(plan, size, &mut out)?;
            }
        }
        SamplePlan::Single {
            limit, confidence, ..
        }
        | SamplePlan::Size { limit, confidence } => {
            single(population, limit, confidence, &mut out)?
        }
    }
    out.finish()?;
    Ok(Exit::Success)
}

/// Prints plans of one sample.
fn single(population: u64, limit: f64, confidence: f64, out: &mut Printer) -> Result<()> {
    let at = |part: f64| format!("with {} %", percent(limit * part));
    out.line(&format!(
        "  accept  look at  {:>13}  {:>13}",
        at(0.5),
        at(0.25)
    ))?;
    for accept in 0..=ACCEPTED {
        let line = match SingleSamplingPlan::plan(population, limit, confidence, accept) {
            Some(plan) => {
                let passes = |part: f64| {
                    let bad = (population as f64 * limit * part).round() as u64;
                    format!(
                        "{:.1} % pass",
                        plan.acceptance_probability(population, bad) * 100.0
                    )
                };
                format!(
                    "  {accept:>6}  {:>7}  {:>13}  {:>13}",
                    thousands(plan.sample),
                    passes(0.5),
                    passes(0.25)
                )
            }
            None => format!(
                "  {accept:>6}        -  no more than {accept} of {} books are bad at the limit",
                thousands(population)
            ),
        };
        out.line(&line)?;
    }
    Ok(())
}

/// Prints the decision lines of a sequential plan that looks at no more than `max_books` books.
fn sequential(plan: SequentialPlan, max_books: u64, out: &mut Printer) -> Result<()> {
    out.line("  bad  accepted from  rejected up to")?;
    for bad in 0..=ACCEPTED {
        // The numbers of books at which the decision lines reach `bad` bad books.
        let from = ((bad as f64 + plan.accept) / plan.slope).ceil();
        let up_to = ((bad as f64 - plan.reject) / plan.slope).floor();
        let cell = |books: f64, counts: bool| match counts {
            true => format!("{} books", thousands(books as u64)),
            false => "-".to_owned(),
        };
        out.line(&format!(
            "  {bad:>3}  {:>13}  {:>14}",
            cell(from, from <= max_books as f64),
            cell(up_to, up_to >= bad as f64)
        ))?;
    }
    Ok(())
}
