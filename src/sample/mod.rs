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
