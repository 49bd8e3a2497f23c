//! Printing the manifest of what is written.

use std::io::{self, IsTerminal, stdout};

use endpaper_command::output::Printer;
use endpaper_truth::strip::{Manifest, StrippedBook};

/// Prints the lines of a manifest for other programs. A terminal gets none: twenty wide columns help no one there.
pub(super) struct ManifestPrinter {
    /// `None` on a terminal.
    printer: Option<Printer>,
    /// The first error. A broken pipe does not end the run: its purpose is the bodies.
    printed: io::Result<()>,
}

impl ManifestPrinter {
    /// Prints the header.
    pub fn new() -> ManifestPrinter {
        let mut printer = (!stdout().is_terminal()).then(Printer::stdout);
        let printed = match &mut printer {
            Some(printer) => printer.line(&Manifest::header()),
            None => Ok(()),
        };
        ManifestPrinter { printer, printed }
    }

    /// Prints the line of a body; after an error nothing more.
    pub fn print(&mut self, body: &StrippedBook) {
        if let (Some(printer), Ok(())) = (&mut self.printer, &self.printed) {
            self.printed = printer.line(&body.to_string());
        }
    }

    /// Flushes the output.
    ///
    /// # Errors
    ///
    /// The first error of printing.
    pub fn finish(self) -> io::Result<()> {
        self.printed?;
        self.printer.map_or(Ok(()), Printer::finish)
    }
}
