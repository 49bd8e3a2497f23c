//! `endpaper sample`: random samples, and what they prove about a release.

mod certify;
mod draw;
mod plan;
mod plan_args;

pub(crate) use plan_args::read;

use anyhow::Result;
use clap::Subcommand;

use endpaper_command::Exit;

/// Arguments of `endpaper sample`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: SampleCommand,
}

#[derive(Debug, Subcommand)]
enum SampleCommand {
    /// Print how many books must be reviewed
    Plan(plan::Args),
    /// Draw a random sample of books
    Draw(draw::Args),
    /// Certify a release by the reviewed books of a sample
    Certify(certify::Args),
}

/// Runs `endpaper sample`.
///
/// # Errors
///
/// Wrong use, a plan that cannot be met, or a sample that is invalid, incomplete or of another corpus.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.command {
        SampleCommand::Plan(args) => plan::run(args),
        SampleCommand::Draw(args) => draw::run(args),
        SampleCommand::Certify(args) => certify::run(args),
    }
}

#[cfg(test)]
mod tests {
    use super::plan_args::share;

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
