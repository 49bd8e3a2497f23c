//! Arguments of a sampling plan, and reading sample files.

use anyhow::{Context, Result, anyhow, ensure};
use endpaper_command::values::{inner_share, whole};
use endpaper_evaluate::sample::{BookSample, MAX_FILE_BYTES, SamplePlan, SamplePlanError};
use endpaper_text::files::read_text;
use std::path::Path;

/// What a sample is to show.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Plan")]
pub(super) struct PlanArgs {
    /// A corpus with this share of bad books must fail [default: 2%, with --sequential 3%]
    #[arg(long, value_name = "SHARE", value_parser = inner_share)]
    pub(super) bad: Option<f64>,

    /// The probability with which it must fail
    #[arg(long, value_name = "SHARE", default_value = "95%", value_parser = inner_share)]
    pub(super) confidence: f64,

    /// Number of bad books in the sample with which the corpus still passes
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = whole::<u64>(0..=100))]
    pub(super) accept: u64,

    /// Decide after every book (Wald's test) instead of after a fixed number
    #[arg(long, conflicts_with_all = ["confidence", "accept"])]
    pub(super) sequential: bool,

    /// With --sequential: a corpus with this share of bad books should pass
    #[arg(long, value_name = "SHARE", default_value = "1%", value_parser = inner_share, requires = "sequential")]
    pub(super) good: f64,

    /// With --sequential: the probability of either error
    #[arg(long, value_name = "SHARE", default_value = "5%", value_parser = inner_share, requires = "sequential")]
    pub(super) risk: f64,
}

impl PlanArgs {
    /// The plan of the arguments.
    pub(super) fn plan(&self) -> Result<SamplePlan> {
        let usual = if self.sequential { 0.03 } else { 0.02 };
        let bad = self.bad.unwrap_or(usual);
        let plan = match self.sequential {
            true => SamplePlan::Sequential {
                good: self.good,
                bad,
                risk: self.risk,
            },
            false => SamplePlan::Single {
                limit: bad,
                confidence: self.confidence,
                accept: self.accept,
            },
        };
        ensure!(
            !self.sequential || self.good < bad,
            "--good must be less than --bad: between them lies what may pass or not"
        );
        ensure!(
            !self.sequential || self.risk < 0.5,
            "--risk must be less than 50%: at 50% a coin decides as well"
        );
        Ok(plan)
    }
}

/// Adds to an error the option that fixes it.
pub(super) fn cannot_be_met(error: SamplePlanError) -> anyhow::Error {
    match error {
        SamplePlanError::TooFew { .. } => {
            anyhow!("{error}: choose a larger --bad, or a plan of one sample")
        }
        error => error.into(),
    }
}

/// Reads a sample file.
pub(crate) fn read(file: &Path) -> Result<BookSample> {
    let name = file.display();
    let text = read_text(file, MAX_FILE_BYTES)
        .with_context(|| format!("the sample '{name}' cannot be read"))?;
    BookSample::parse(&text).with_context(|| format!("'{name}' cannot be used"))
}
