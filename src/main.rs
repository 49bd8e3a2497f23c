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
pub mod completions;
pub mod copies;
#[cfg(feature = "search")]
mod corpus_search;
pub mod counting;
pub mod detect;
pub mod detector;
pub mod evaluate;
#[cfg(test)]
mod flag_matrix;
mod groups;
pub mod keys;
pub mod man;
pub mod model;
pub mod outline;
mod outlines;
pub mod paths;
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

use endpaper_command::colour::{self, ColourChoice};
use endpaper_command::{help, output, text};

/// The name of the program.
const NAME: &str = "endpaper";

const AFTER_HELP: &str = "\
Each command has a short help (-h), a long one (--help) with examples, and a manual page (endpaper man COMMAND).";

/// Find, review and record where a book begins and ends in e-book files.
#[derive(Debug, Parser)]
#[command(name = NAME, version, arg_required_else_help = true, after_help = AFTER_HELP)]
pub struct Cli {
    /// Colour the output: auto, always or never
    #[arg(
        long,
        alias = "colour",
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true,
        global = true,
        display_order = 998
    )]
    color: ColourChoice,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the screen: see, correct and decide the cuts of each book
    Review(Box<review::Args>),
    /// Print where the books of a corpus begin and end
    Detect(detect::Args),
    /// Write the bodies of books, byte for byte, and look over them
    Strip(Box<strip::Args>),
    /// Print the metadata, contents and parts of books, with lines
    Outline(outline::Args),
    /// Print the text of a book as endpaper reads it
    Text(text::Args),
    /// Count, check, merge, export and import ground truth
    Truth(truth::Args),
    /// Compare detected cuts with ground truth
    Evaluate(Box<evaluate::Args>),
    /// Plan, draw and certify a random sample of a corpus
    Sample(sample::Args),
    /// Build, merge and inspect models of line frequencies
    Model(model::Args),
    /// Find near copies: books with the same text
    Copies(copies::Args),
    /// Find the useless parts of documents without lines, also of HTML
    Alternation(alternation::Args),
    /// Print one row per book: title, authors, language, dates
    Catalog(catalog::Args),
    /// Search the text of books; prints books with chapter and line
    #[cfg(feature = "search")]
    Search(Box<search::Args>),
    /// Print the keys of the review screen, with your changes
    Keys(keys::Args),
    /// Show the themes, or print one
    Themes(themes::Args),
    /// Print where settings, cache, data and ground truth are
    Paths(paths::Args),
    /// Print or write the completions of a shell
    Completions(completions::Args),
    /// Print or write the manual pages
    Man(man::Args),
}

/// Reads the arguments and runs the command.
pub fn main() -> ExitCode {
    survive_full_files();
    endpaper_text::panics::report_in_one_line(output::warn);
    let choice = colour::among(std::env::args_os());
    colour::set(choice);
    let parsed = command().color(choice.into()).try_get_matches();
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

/// The command line, with all its help.
fn command() -> clap::Command {
    help::prepare(groups::grouped(Cli::command()))
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
        Command::Paths(args) => paths::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
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
