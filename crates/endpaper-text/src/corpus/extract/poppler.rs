//! `pdftotext` of poppler: a program of its own, used where it is installed.

use std::path::Path;
use std::process::Command;

use super::failure::{encrypted, not_read};
use super::format::DocumentFormat;
use super::pages;
use super::program::{self, ProgramFailure};
use crate::corpus::unreadable::Unreadable;

/// The call that prints the text of a PDF file, lines as they are printed: a row of a table of contents stays one line, and
/// what is indented stays so.
pub(super) fn command(path: &Path) -> Result<Command, Unreadable> {
    // A name that begins with a dash is an option unless it is a path.
    let path = std::path::absolute(path).map_err(|error| Unreadable::Io(error.to_string()))?;
    let mut command = Command::new("pdftotext");
    command.args(["-layout", "-enc", "UTF-8", "-eol", "unix"]);
    command.arg(&path).arg("-");
    Ok(command)
}

/// Makes this process the `pdftotext` that reads a file, so that its bounds and the signal at its parent's death hold for
/// it. Comes back only if that fails, with the reason.
#[cfg(unix)]
pub fn become_pdftotext(path: &Path) -> Unreadable {
    use std::os::unix::process::CommandExt;
    match command(path) {
        Ok(mut command) => Unreadable::Io(command.exec().to_string()),
        Err(reason) => reason,
    }
}

/// Runs the `pdftotext` that reads a file and prints what it prints.
#[cfg(not(unix))]
pub fn become_pdftotext(path: &Path) -> Unreadable {
    let ran = command(path).map(|mut command| command.status());
    match ran {
        Ok(Ok(status)) => std::process::exit(status.code().unwrap_or(1)),
        Ok(Err(error)) => Unreadable::Io(error.to_string()),
        Err(reason) => reason,
    }
}

/// What a call of `pdftotext` gives.
pub(super) fn read(command: Command, limit: u64) -> Result<Vec<u8>, Unreadable> {
    match program::read(command, limit) {
        Ok(text) => {
            let text = String::from_utf8_lossy(&text);
            // Every page ends in a form feed, the last one too.
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

/// The first error it names, without its words about the syntax of places further on.
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
