//! Poppler's `pdftotext`, an external program that is used if installed.

use std::path::Path;
use std::process::Command;

use super::failure::{encrypted, not_read};
use super::format::DocumentFormat;
use super::pages;
use super::program::{self, ProgramFailure};
use crate::corpus::unreadable::Unreadable;

/// The command that prints the text of a PDF file with its layout: a row of a table of contents stays one line, and
/// indentation is kept.
pub(super) fn command(path: &Path) -> Result<Command, Unreadable> {
    // A name that begins with a dash would be an option; an absolute path never is.
    let path = std::path::absolute(path).map_err(|error| Unreadable::Io(error.to_string()))?;
    let mut command = Command::new("pdftotext");
    command.args(["-layout", "-enc", "UTF-8", "-eol", "unix"]);
    command.arg(&path).arg("-");
    Ok(command)
}

/// Replaces this process by the `pdftotext` that reads a file, so that its limits and the parent-death signal also
/// hold for it. Returns only if that fails, with the reason.
#[cfg(unix)]
pub fn become_pdftotext(path: &Path) -> Unreadable {
    use std::os::unix::process::CommandExt;
    match command(path) {
        Ok(mut command) => Unreadable::Io(command.exec().to_string()),
        Err(reason) => reason,
    }
}

/// Runs the `pdftotext` that reads a file and exits with its status. Returns only if it cannot be started, with the reason.
#[cfg(not(unix))]
pub fn become_pdftotext(path: &Path) -> Unreadable {
    let ran = command(path).map(|mut command| command.status());
    match ran {
        Ok(Ok(status)) => std::process::exit(status.code().unwrap_or(1)),
        Ok(Err(error)) => Unreadable::Io(error.to_string()),
        Err(reason) => reason,
    }
}

/// The text that a `pdftotext` command prints, with page breaks.
pub(super) fn read(command: Command, limit: u64) -> Result<Vec<u8>, Unreadable> {
    match program::read(command, limit) {
        Ok(text) => {
            let text = String::from_utf8_lossy(&text);
            // Every page ends in a form feed, including the last one.
            let text = text.strip_suffix('\u{C}').unwrap_or(&text);
            pages::join(text.split('\u{C}'))
        }
        Err(failed) if failed.hit_limit() => Err(failed.reason(DocumentFormat::Pdf)),
        Err(ProgramFailure::Ended { stderr: said, .. }) if said.contains("Incorrect password") => {
            Err(encrypted())
        }
        Err(ProgramFailure::Ended { stderr: said, .. }) => {
            Err(not_read(DocumentFormat::Pdf, first_error(&said)))
        }
        Err(other) => Err(other.reason(DocumentFormat::Pdf)),
    }
}

/// The first error in its stderr output, without the prefix for syntax errors.
fn first_error(said: &str) -> &str {
    let line = said.lines().find(|line| !line.trim().is_empty());
    line.map_or("it says no more", |line| {
        let line = line.strip_prefix("Syntax Error: ").unwrap_or(line);
        line.strip_prefix("Syntax Warning: ").unwrap_or(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_named() {
        let said =
            "\nSyntax Warning: May not be a PDF file\nSyntax Error: Couldn't read xref table\n";
        assert_eq!(first_error(said), "May not be a PDF file");
        assert_eq!(first_error(""), "it says no more");
    }
}
