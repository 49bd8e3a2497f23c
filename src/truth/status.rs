//! `endpaper truth status`: counts the decided books.

use anyhow::Result;

use super::folder::TruthFolder;
use endpaper_command::Exit;
use endpaper_command::output::Printer;

const EXAMPLES: &str = "\
Examples:
  endpaper truth status
  endpaper truth status --truth labels

Exit status: 0 fine, 1 some records do not parse (each is named with line and column), 2 wrong use.";

/// Arguments of `endpaper truth status`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    folder: TruthFolder,
}

/// Runs `endpaper truth status`.
///
/// # Errors
///
/// A missing or unreadable folder.
pub fn run(args: &Args) -> Result<Exit> {
    let report = args.folder.open()?.status()?;
    let mut printer = Printer::stdout();
    for line in report.to_string().lines() {
        printer.line(line)?;
    }
    printer.finish()?;
    Ok(if report.broken.is_empty() {
        Exit::Success
    } else {
        Exit::Partial
    })
}
