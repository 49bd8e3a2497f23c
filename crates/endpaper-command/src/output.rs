//! Printing: untrusted input is escaped on a terminal and unchanged in a pipe.

use super::{colour, hints};
use std::borrow::Cow;
use std::io::{BufWriter, IsTerminal, StdoutLock, Write};

use clap::ValueEnum;

use endpaper_text::corpus::Skipped;
use endpaper_text::sanitise::sanitise;
use endpaper_text::wording::without_system_noise;

/// How rows are printed, one for each book (or whatever else a command counts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// A table for reading
    #[default]
    Table,
    /// Tab-separated values: a header line, then one line per book
    Tsv,
    /// One JSON object per book
    Jsonl,
}

/// A line-wise printer.
pub struct Printer {
    out: BufWriter<StdoutLock<'static>>,
    terminal: bool,
}

impl Printer {
    /// A printer to stdout.
    pub fn stdout() -> Printer {
        let out = std::io::stdout().lock();
        let terminal = out.is_terminal();
        Printer {
            out: BufWriter::new(out),
            terminal,
        }
    }

    /// Prints one line.
    pub fn line(&mut self, text: &str) -> std::io::Result<()> {
        let text = shown(text, self.terminal);
        writeln!(self.out, "{text}")
    }

    /// Prints a line of plain and bold pieces.
    pub fn styled_line(&mut self, pieces: &[StyledText<'_>]) -> std::io::Result<()> {
        let styled = colour::is_on(self.terminal);
        for piece in pieces {
            let text = shown(piece.text, self.terminal);
            if styled && piece.bold {
                write!(self.out, "\u{1b}[1m{text}\u{1b}[0m")?;
            } else {
                write!(self.out, "{text}")?;
            }
        }
        writeln!(self.out)
    }

    /// Flushes the output, which may fail.
    pub fn finish(mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// A part of a line.
pub struct StyledText<'a> {
    text: &'a str,
    bold: bool,
}

impl<'a> StyledText<'a> {
    /// Plain text.
    pub fn plain(text: &'a str) -> StyledText<'a> {
        StyledText { text, bold: false }
    }

    /// Text that is bold on a terminal.
    pub fn bold(text: &'a str) -> StyledText<'a> {
        StyledText { text, bold: true }
    }
}

/// Writes a warning to stderr, on one line: a problem that does not end the run.
pub fn warn(text: &str) {
    line("warning: ", text);
}

/// Writes an error to stderr, on one line: the reason why a run ends.
pub fn error(text: &str) {
    line("error: ", text);
}

/// Writes a note to stderr, on one line: a summary or other news.
pub fn note(text: &str) {
    line("", text);
}

/// Escapes control characters even if stderr is a file, which may later be read on a terminal. A closed stderr is not an error.
fn line(prefix: &str, text: &str) {
    let text = without_system_noise(text);
    let _ = writeln!(std::io::stderr().lock(), "{prefix}{}", sanitise(&text));
}

/// Warns about every skipped book.
pub fn warn_of_skipped(skipped: &[Skipped]) {
    for book in skipped {
        let hint =
            hints::of_skipped(&book.reason).map_or(String::new(), |hint| format!("; {hint}"));
        warn(&format!("skipped '{}': {}{hint}", book.id, book.reason));
    }
}

/// The text as it is printed: escaped on a terminal.
fn shown(text: &str, terminal: bool) -> Cow<'_, str> {
    if terminal {
        sanitise(text)
    } else {
        Cow::Borrowed(text)
    }
}

/// Cuts a text to `width` characters, the last of them an ellipsis if it was longer.
pub fn clipped(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_owned(),
        Some(_) => text
            .chars()
            .take(width.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}
