//! `endpaper truth`: what is decided.

mod agree;

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::Exit;
use super::output::Printer;
use super::user::User;
use crate::truth::Store;

const EXAMPLES: &str = "\
Examples:
  endpaper truth status
  endpaper truth status --truth labels

Exit status: 0 fine, 1 some records do not parse (each is named with line and column), 2 wrong use.";

/// Arguments of `endpaper truth`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Print how many books are decided, by verdict, kind and flag, and which records are broken
    #[command(after_help = EXAMPLES)]
    Status {
        /// The truth folder (default: the setting, else endpaper-truth)
        #[arg(long, value_name = "DIR")]
        truth: Option<PathBuf>,
    },
    /// Print how well truth folders, curators, or a curator and the same curator's blind reviews agree
    Agree(agree::Args),
}

/// Runs `endpaper truth`.
///
/// # Errors
///
/// A folder that is not there or cannot be read.
pub fn run(args: &Args) -> Result<Exit> {
    let truth = match &args.command {
        Command::Status { truth } => truth,
        Command::Agree(args) => return agree::run(args),
    };
    let folder = User::read()?.truth(truth.as_deref(), false);
    if !folder.exists() {
        bail!(
            "'{}' does not exist; --truth names the truth folder, and `endpaper review` makes it",
            folder.display()
        );
    }
    let report = Store::open(&folder)?.status()?;
    let mut printer = Printer::stdout();
    for line in report.to_string().lines() {
        printer.line(line)?;
    }
    printer.finish()?;
    Ok(if report.broken.is_empty() {
        Exit::Fine
    } else {
        Exit::Partly
    })
}
