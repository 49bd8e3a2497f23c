//! The command line: one file for each subcommand, and shared modules.
//!
//! Arguments are parsed into checked values here and nowhere deeper. Results go to stdout, everything else to stderr. The exit
//! status is an `Exit`; a broken pipe (`| head`) is not an error.
//!
//! Adding a command takes one file and one line each in [`Command`] and [`run`].

mod adjudicate;
pub mod alternation;
pub mod catalog;
mod citations;
pub mod copies;
#[cfg(feature = "search")]
mod corpus_search;
pub mod counting;
pub mod detect;
pub mod detector;
pub mod evaluate;
pub mod keys;
pub mod model;
pub mod outline;
mod outlines;
mod queue_entries;
mod resume;
pub mod review;
pub mod sample;
#[cfg(feature = "search")]
pub mod search;
pub mod strip;
mod theme_set;
pub mod themes;
pub mod truth;

use std::process::ExitCode;
#[cfg(unix)]
use std::sync::Arc;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use endpaper_command::{output, text};

/// Find, review and record where a book begins and ends in e-book files.
#[derive(Debug, Parser)]
#[command(name = "endpaper", version, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the review screen: see, correct and decide the cuts of each book
    Review(review::Args),
    /// Print where the books of a corpus begin and end
    Detect(detect::Args),
    /// Write the bodies of books, byte for byte
    Strip(strip::Args),
    /// Compare detected cuts with ground truth
    Evaluate(Box<evaluate::Args>),
    /// Find near copies: books with the same text
    Copies(copies::Args),
    /// Find useless parts of documents by alternation counts; needs no lines, works for HTML
    Alternation(alternation::Args),
    /// Print the metadata, tables of contents and parts of books, with line numbers
    Outline(outline::Args),
    /// Print one row per book: title, authors, language, dates, contents
    Catalog(catalog::Args),
    /// Search the text of books; prints books with chapter and line
    #[cfg(feature = "search")]
    Search(Box<search::Args>),
    /// Print the text of a book as endpaper reads it
    Text(text::Args),
    /// Plan, draw and certify a random sample of a corpus
    Sample(sample::Args),
    /// Build, merge and inspect models of line frequencies
    Model(model::Args),
    /// Count, check, merge, export and import ground truth
    Truth(truth::Args),
    /// Print the keys of the review screen, with your changes
    Keys(keys::Args),
    /// Show the themes
    Themes(themes::Args),
}

/// Reads the arguments and runs the command.
pub fn main() -> ExitCode {
    survive_full_files();
    endpaper_text::panics::report_in_one_line(output::warn);
    let parsed = command().try_get_matches();
    match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => run(cli),
        Err(error) => ExitCode::from(endpaper_command::report_usage_error(&error)),
    }
}

/// Handles SIGXFSZ, so that a file at its size limit (`ulimit -f`) is a write error, as a full disk is, and does not kill the process.
fn survive_full_files() {
    #[cfg(unix)]
    // If the handler cannot be installed, the default action stays.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// The command line, in which negative numbers can be values.
fn command() -> clap::Command {
    endpaper_command::with_negative_numbers(Cli::command())
}

/// Runs a command and writes to stderr why it failed.
pub fn run(cli: Cli) -> ExitCode {
    let result = match &cli.command {
        Command::Review(args) => review::run(args),
        Command::Detect(args) => detect::run(args),
        Command::Strip(args) => strip::run(args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Copies(args) => copies::run(args),
        Command::Alternation(args) => alternation::run(args),
        Command::Outline(args) => outline::run(args),
        Command::Catalog(args) => catalog::run(args),
        #[cfg(feature = "search")]
        Command::Search(args) => search::run(args),
        Command::Text(args) => text::run(args),
        Command::Sample(args) => sample::run(args),
        Command::Model(args) => model::run(args),
        Command::Truth(args) => truth::run(args),
        Command::Keys(args) => keys::run(args),
        Command::Themes(args) => themes::run(args),
    };
    endpaper_command::report_failure(result).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }
}
