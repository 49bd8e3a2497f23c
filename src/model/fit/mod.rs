//! `endpaper model fit`: fits weights of the posterior detector to labelled books.

mod labels;
mod table;

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use labels::BodyLabels;

use super::counted::ReadArgs;
use crate::counting::CopiesArgs;
use crate::detect::{TSV_HEADER, names};
use crate::detector::model_choice;
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::output::{note, warn};
use endpaper_command::overwrite::{ForceArgs, refuse_book};
use endpaper_command::values::{share, whole};
use endpaper_detect::pipeline::{self, CorpusReport, FittedProfile, ModelChoice};
use endpaper_detect::posterior::{CrossFitPlan, Penalty, Profile};
use endpaper_detect::{Method, ProfileAssignment};
use endpaper_text::atomic::Existing;
use endpaper_text::cells::escaped;
use endpaper_text::wording::{plural, thousands};

pub(super) const EXAMPLES: &str = "\
Examples:
  endpaper model fit ~/gutenberg --truth endpaper-truth --out my-weights.tsv
  endpaper model fit ~/gutenberg --labels labels.tsv --out-of-fold judged.tsv
  endpaper model fit ~/latin --truth endpaper-truth --out latin.profile   # then: detect --profile latin.profile
  endpaper model fit mails/ --out mail-weights.tsv

Labels are the confirmed and corrected records of kind book in a truth folder, or a table with the columns book,
body_first and body_last (and kind: others than book are left out). A book is found by its id, or by the last part of it.
Without labels, books of which Algorithm 1 is confident (doubt below 0.2) serve as labels, and the figures only say how
well its cuts are reproduced.

Books are assigned to folds by their work (title and author) and evaluated with weights fitted to the other folds. Figures
and --out-of-fold come from this evaluation; --out gets weights fitted to all labels. The same labels and books give the
same weights on any number of threads.

In a collection that no profile knows, labels teach the generic profile, exactly as `detect --truth` and `review` learn;
with --folds, --penalty or --unlabelled, weights are fitted from nothing, as for Project Gutenberg.

Exit status: 0 fine, 1 some books could not be read or some labels were left out (each was named), 2 wrong use or nothing
done.";

/// Arguments of `endpaper model fit`.
#[derive(Debug, clap::Args)]
pub struct FitArgs {
    /// The truth folder with the labels
    #[arg(long, value_name = "DIR", conflicts_with = "labels")]
    truth: Option<PathBuf>,

    /// Labels in a table (TSV, or CSV by its name) instead of a truth folder
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// Line frequencies to use: auto, built-in, corpus, a model file, or a sum such as corpus+built-in. auto counts the corpus, or
    /// uses the built-in model if the corpus is too small
    #[arg(long, value_name = "MODEL", default_value = "auto", value_parser = model_choice)]
    model: ModelChoice,

    /// Number of folds of the cross-validation [default: 5]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(2..=100))]
    folds: Option<u64>,

    /// Factor on the regularisation of weights towards 0: above 1 for few or noisy labels [default: 1]
    #[arg(long, value_name = "X", value_parser = factor)]
    penalty: Option<f64>,

    /// Also fit to unlabelled books whose cuts are more probable than this under weights fitted to the labels (1: none)
    /// [default: 0.8]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    unlabelled: Option<f64>,

    /// The profile file to write
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the out-of-fold cuts of every labelled book, like detect --format tsv
    #[arg(long, value_name = "FILE")]
    out_of_fold: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    copies: CopiesArgs,

    #[command(flatten)]
    read: ReadArgs,
}

impl FitArgs {
    /// How the fit is cross-validated.
    fn plan(&self) -> CrossFitPlan {
        let usual = CrossFitPlan::default();
        let sure = self.unlabelled.map(|share| share as f32);
        let sure = sure.or(usual.min_probability);
        CrossFitPlan {
            folds: self.folds.unwrap_or(usual.folds),
            penalty: Penalty::default().times(self.penalty.unwrap_or(1.0)),
            min_probability: sure.filter(|sure| *sure < 1.0),
            ..usual
        }
    }

    /// The profile to begin with: the generic one for labels of a collection that no profile knows, unless an option is
    /// given that is for fitting from nothing.
    fn prior(&self, report: &CorpusReport) -> Option<&'static Profile> {
        let has_labels = self.truth.is_some() || self.labels.is_some();
        let is_fitted = self.folds.is_some() || self.penalty.is_some() || self.unlabelled.is_some();
        let is_strange = report.profiles.assignment == ProfileAssignment::AllOther;
        (has_labels && is_strange && !is_fitted).then(|| Profile::generic().as_ref())
    }
}

/// Parses a factor.
fn factor(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1e-6..=1e6).contains(number));
    number.ok_or_else(|| format!("'{text}' is not a number from 0.000001 to 1000000"))
}

/// Runs `model fit`.
pub(super) fn run(args: &FitArgs) -> Result<Exit> {
    ensure!(
        args.out.is_none() || args.out != args.out_of_fold,
        "--out and --out-of-fold name one file; name two"
    );
    for path in [&args.out, &args.out_of_fold].into_iter().flatten() {
        args.force.check(path)?;
    }
    let corpus = &args.read.corpus;
    let listing = corpus.list(args.truth.clone())?;
    for path in [&args.out, &args.out_of_fold].into_iter().flatten() {
        refuse_book(&listing, path)?;
    }
    let mut options = args.read.options()?;
    options.model = args.model.clone();
    options.counting.one_copy = args.copies.one_copy;
    options.keep_scans = true;
    // So that the collection is known, and counted as `detect` counts it.
    options.parameters.method = Method::Posterior;
    options.document_frequencies = true;
    let report = corpus.analyse(&listing, &options)?;
    let pool = corpus.pool()?;
    let fit_options = pipeline::AnalysisOptions {
        opinions: true,
        ..options.clone()
    };
    let (labels, fitted) = pool.install(|| -> Result<_> {
        let labels = labels(args, &report, &options)?;
        if !corpus.quiet {
            let (number, model) = (labels.labels.len() as u64, &report.model_used);
            note(&format!(
                "{} labelled books, with {model}",
                thousands(number)
            ));
            report.notes.iter().for_each(|note| warn(note));
        }
        let fitted = match args.prior(&report) {
            Some(prior) => pipeline::fit_from(&report, &labels.labels, prior, &fit_options)?,
            None => pipeline::fit(&report, &labels.labels, &args.plan(), &fit_options)?,
        };
        Ok((labels, fitted))
    })?;
    if let Some(path) = &args.out {
        args.force.write(path, fitted.weights.to_tsv().as_bytes())?;
    }
    if let Some(path) = &args.out_of_fold {
        write_judged(path, args.force.existing(), &report, &fitted)?;
    }
    let exit = exit_after_skips(&report.skipped);
    table::print(&fitted)?;
    Ok(match labels.some_left_out {
        true => Exit::Partial,
        false => exit,
    })
}

/// The labels that are fitted to.
fn labels(
    args: &FitArgs,
    report: &CorpusReport,
    options: &pipeline::AnalysisOptions,
) -> Result<BodyLabels> {
    match (&args.truth, &args.labels) {
        (Some(folder), _) => labels::of_folder(folder, report, options.max_size),
        (None, Some(file)) => labels::of_table(file, report, options.max_size),
        (None, None) => {
            warn(
                "no labels: weights are fitted to the cuts of the books that Algorithm 1 is confident of, and figures say how well these are found again, not how right they are",
            );
            let labels = pipeline::confident(report, &options.parameters)?;
            let books = report.books.len();
            ensure!(
                !labels.is_empty(),
                "Algorithm 1 is confident of none of the {} {}: decide some of them in `endpaper review` and name their truth folder with --truth, or name a table of labels with --labels",
                thousands(books as u64),
                plural(books, "book")
            );
            Ok(BodyLabels {
                labels,
                some_left_out: false,
            })
        }
    }
}

/// Writes the cuts of each book by weights that were not fitted to it.
fn write_judged(
    path: &Path,
    existing: Existing,
    report: &CorpusReport,
    fitted: &FittedProfile,
) -> Result<()> {
    endpaper_text::atomic::write(path, existing, |out| {
        writeln!(out, "{TSV_HEADER}")?;
        for scored in &fitted.cross_fitted {
            let book = &report.books[scored.book];
            let lines = book.summary.lines;
            let none = lines.saturating_add(1);
            writeln!(
                out,
                "{}\t{lines}\t{}\t{}\t{:.3}\tposterior\t{}",
                escaped(book.book.id.as_str()),
                scored.cuts.preamble_end,
                scored.cuts.epilogue_start.unwrap_or(none),
                scored.doubt,
                names(&scored.reasons, ","),
            )?;
        }
        Ok(())
    })
}
