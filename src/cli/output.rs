//! Printing: what strangers wrote is made harmless on a terminal and left as it is in a pipe.

use std::borrow::Cow;
use std::io::{BufWriter, IsTerminal, StdoutLock, Write};

use crate::corpus::Skipped;
use crate::sanitise::sanitise;

/// Standard output, line by line.
pub(super) struct Printer {
    out: BufWriter<StdoutLock<'static>>,
    terminal: bool,
}

impl Printer {
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

    /// Ends printing; what is still held back may fail.
    pub fn finish(mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// Says something on standard error, in one line, made harmless also where it goes to a file: messages are read on a
/// terminal sooner or later. That nobody may be listening is not our failure.
pub(super) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "endpaper: {}", sanitise(text));
}

/// Names every book that was left out.
pub(super) fn complain_of_skipped(skipped: &[Skipped]) {
    for book in skipped {
        complain(&format!("skipped '{}': {}", book.id, book.reason));
    }
}

fn shown(text: &str, terminal: bool) -> Cow<'_, str> {
    if terminal {
        sanitise(text)
    } else {
        Cow::Borrowed(text)
    }
}
