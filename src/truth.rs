//! `endpaper truth`: counts, checks, compares, merges, exports and imports ground truth.

mod agree;
mod annotations;
mod check;
mod export;
mod folder;
mod import;
mod merge;
mod status;

pub(crate) use folder::{TruthFolder, to_merge};

use anyhow::Result;

use endpaper_command::Exit;

/// Arguments of `endpaper truth`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: TruthCommand,
}

#[derive(Debug, clap::Subcommand)]
enum TruthCommand {
    /// Print how many books are decided, by verdict, kind and flag, and which records are broken
    Status(status::Args),
    /// Print how well truth folders, curators, or a curator and the same curator's blind reviews agree
    Agree(agree::Args),
    /// Check every record against itself, its book and the detector
    Check(Box<check::Args>),
    /// Merge the records of several people; differences become a list of conflicts
    Merge(merge::Args),
    /// Write all records to one file, optionally with a data card
    Export(export::Args),
    /// Read records from a file
    Import(import::Args),
}

/// Runs `endpaper truth`.
///
/// # Errors
///
/// Wrong use, or a folder that is missing or cannot be read.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.command {
        TruthCommand::Status(args) => status::run(args),
        TruthCommand::Agree(args) => agree::run(args),
        TruthCommand::Check(args) => check::run(args),
        TruthCommand::Merge(args) => merge::run(args),
        TruthCommand::Export(args) => export::run(args),
        TruthCommand::Import(args) => import::run(args),
    }
}
