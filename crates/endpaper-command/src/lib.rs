//! What commands share: corpus arguments, the user's settings, printing, pages and plots, and exit statuses.
//!
//! The program and the laboratory use it; the crates below it have no command line.

pub mod colour;
pub mod common;
pub mod help;
pub mod hints;
pub mod output;
pub mod overwrite;
pub mod page;
pub mod plot;
pub mod progress;
pub mod text;
pub mod user;
pub mod values;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anyhow::Result;

use endpaper_text::sanitise::sanitise;
use endpaper_text::wording::without_system_noise;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Success,
    /// Done, but some books could not be read; each of them was named.
    Partial,
    /// Wrong use, or nothing was done.
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

/// Prints a usage error and returns its exit status. Arguments are escaped, since an error may quote any of them, and what only
/// developers understand is left out.
pub fn report_usage_error(error: &clap::Error) -> u8 {
    let harmless = |argument: OsString| {
        let text = argument.to_string_lossy();
        matches!(sanitise(&text), Cow::Borrowed(_))
    };
    let text = error.render().to_string();
    let text = without_system_noise(&text);
    if matches!(text, Cow::Borrowed(_)) && std::env::args_os().all(harmless) {
        // In colour where the terminal has it. A closed stderr is not an error.
        let _ = error.print();
    } else {
        let lines: Vec<Cow<'_, str>> = text.lines().map(sanitise).collect();
        let _ = writeln!(std::io::stderr(), "{}", lines.join("\n"));
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// Writes to stderr why a command failed. A broken pipe is a success.
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

/// Whether an error is a broken pipe: the reader of stdout stopped reading.
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
