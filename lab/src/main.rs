//! The laboratory: figures of papers over a corpus.

mod figures;
mod generic;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use endpaper_command::{help, output, report_failure, report_usage_error, text};

/// The experiments behind endpaper.
#[derive(Debug, Parser)]
#[command(name = "lab", version, arg_required_else_help = true)]
struct LabCli {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Debug, Subcommand)]
enum LabCommand {
    /// Draw the figures of Kaser and Lemire over a corpus, beside what their paper reports
    Figures(Box<figures::Args>),
    /// Fit the profile for collections that no other profile knows
    Generic(generic::Args),
    /// Print the text of a book: documents are read by a process of their own, which is this
    #[command(hide = true)]
    Text(text::Args),
}

fn main() -> ExitCode {
    endpaper_text::panics::report_in_one_line(output::warn);
    let parsed = help::prepare(LabCli::command()).try_get_matches();
    let cli = match parsed.and_then(|matches| LabCli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(report_usage_error(&error)),
    };
    let result = match &cli.command {
        LabCommand::Figures(args) => figures::run(args),
        LabCommand::Generic(args) => generic::run(args),
        LabCommand::Text(args) => text::run(args),
    };
    report_failure(result).into()
}
