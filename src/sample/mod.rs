//! `endpaper sample`: what a release can be said to be, from books drawn at random.

mod certify;
mod draw;
mod plan;

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Subcommand;

use endpaper_command::Exit;
use endpaper_evaluate::sample::{LONGEST, Plan, PlanError, Sample};
use endpaper_text::files::read_text;

/// Arguments of `endpaper sample`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say how many books must be looked at
    Plan(plan::Args),
    /// Draw books at random and write down which
    Draw(draw::Args),
    /// Say what the books of a sample show of the release
    Certify(certify::Args),
}

/// Runs `endpaper sample`.
///
/// # Errors
///
/// Wrong use, a plan that cannot be met, a sample that is none, incomplete or of another corpus.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.command {
        Command::Plan(args) => plan::run(args),
        Command::Draw(args) => draw::run(args),
        Command::Certify(args) => certify::run(args),
    }
}

/// What a sample is to show.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Plan")]
pub(super) struct PlanArgs {
    /// The share of bad books that must not pass
    #[arg(long, value_name = "SHARE", default_value = "2%", value_parser = share)]
    limit: f64,

    /// How sure one wants to be of it
    #[arg(long, value_name = "SHARE", default_value = "95%", value_parser = share)]
    confidence: f64,

    /// Bad books in the sample that are accepted
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=100))]
    accept: u64,

    /// Decide after every book (Wald's test) instead of after a fixed number
    #[arg(long, conflicts_with_all = ["limit", "confidence", "accept"])]
    sequential: bool,

    /// With --sequential: a corpus with this share of bad books is to pass
    #[arg(long, value_name = "SHARE", default_value = "1%", value_parser = share, requires = "sequential")]
    good: f64,

    /// With --sequential: a corpus with this share of bad books is not to pass
    #[arg(long, value_name = "SHARE", default_value = "3%", value_parser = share, requires = "sequential")]
    bad: f64,

    /// With --sequential: the risk of a wrong decision on either
    #[arg(long, value_name = "SHARE", default_value = "5%", value_parser = share, requires = "sequential")]
    risk: f64,
}

impl PlanArgs {
    fn plan(&self) -> Result<Plan> {
        let plan = match self.sequential {
            true => Plan::Sequential {
                good: self.good,
                bad: self.bad,
                risk: self.risk,
            },
            false => Plan::Single {
                limit: self.limit,
                confidence: self.confidence,
                accept: self.accept,
            },
        };
        ensure!(
            !self.sequential || self.good < self.bad,
            "--good must be less than --bad: between them lies what may pass or not"
        );
        ensure!(
            !self.sequential || self.risk < 0.5,
            "--risk must be less than 50%: at 50% a coin decides as well"
        );
        Ok(plan)
    }
}

/// With the option that mends it.
fn cannot_be_met(error: PlanError) -> anyhow::Error {
    match error {
        PlanError::TooFew { .. } => {
            anyhow!("{error}: choose a larger --bad, or a plan of one sample")
        }
        error => error.into(),
    }
}

/// A share as people write it: `2%` or `0.02`.
fn share(text: &str) -> Result<f64, String> {
    let (number, scale) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim(), 100.0),
        None => (text.trim(), 1.0),
    };
    let value: Option<f64> = number.parse().ok().map(|value: f64| value / scale);
    value
        .filter(|value| *value > 0.0 && *value < 1.0)
        .ok_or_else(|| {
            format!("'{text}' is no share above 0 % and below 100 %; write it as 2% or 0.02")
        })
}

/// Reads a sample file.
pub(super) fn read(file: &Path) -> Result<Sample> {
    let name = file.display();
    let text =
        read_text(file, LONGEST).with_context(|| format!("the sample '{name}' cannot be read"))?;
    Sample::parse(&text).with_context(|| format!("'{name}' cannot be used"))
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares_are_read_as_people_write_them() {
        for (text, value) in [
            ("2%", 0.02),
            ("2 %", 0.02),
            ("0.02", 0.02),
            (" 99.5% ", 0.995),
        ] {
            assert_eq!(share(text), Ok(value), "{text}");
        }
        for text in ["2", "0", "100%", "-1%", "nan", "", "%", "1e400%"] {
            let error = share(text).unwrap_err();
            assert!(error.contains("write it as 2% or 0.02"), "{error}");
        }
    }
}
