//! What commands share: the arguments of a corpus, settings of the user, printing, pages and plots, and how a command ends.
//!
//! The program and the laboratory use it; the crates below it have no command line.

pub mod common;
pub mod hints;
pub mod output;
pub mod page;
pub mod plot;
pub mod progress;
pub mod text;
pub mod user;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Arg;

use endpaper_text::sanitise::sanitise;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Success,
    /// Done, but some books could not be read; each was named.
    Partial,
    /// Wrong use, or nothing done.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Success => 0,
            Exit::Partial => 1,
            Exit::Failed => 2,
        })
    }
}

/// A command line in which a negative number after an option is its value, and gets an answer about the number.
pub fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let option = |argument: Arg| {
        let takes = argument.get_action().takes_values() && !argument.is_positional();
        argument.allow_negative_numbers(takes)
    };
    command
        .mut_args(option)
        .mut_subcommands(with_negative_numbers)
}

/// Says what is wrong with the arguments, which are quoted: a file name that begins with two hyphens is one of them.
pub fn report_usage_error(error: &clap::Error) -> u8 {
    let harmless = |argument: OsString| {
        let text = argument.to_string_lossy();
        matches!(sanitise(&text), Cow::Borrowed(_))
    };
    if std::env::args_os().all(harmless) {
        // In colours, on a terminal that has them. That no one may be listening is not our failure.
        let _ = error.print();
    } else {
        let text = error.render().to_string();
        let lines: Vec<Cow<'_, str>> = text.lines().map(sanitise).collect();
        let _ = writeln!(std::io::stderr(), "{}", lines.join("\n"));
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// Says on standard error why a command failed.
pub fn report_failure(result: Result<Exit>) -> Exit {
    result.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            return Exit::Success;
        }
        let hint = hints::of(&error).map_or(String::new(), |hint| format!("; {hint}"));
        output::error(&format!("{error:#}{hint}"));
        Exit::Failed
    })
}

/// Whether the reader of our output stopped reading.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain();
    causes.any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_stops_reading_is_no_error() {
        let pipe = std::io::Error::from(ErrorKind::BrokenPipe);
        let error = anyhow::Error::from(pipe).context("writing");
        assert_eq!(report_failure(Err(error)), Exit::Success);
    }
}
