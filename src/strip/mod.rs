//! `endpaper strip`: writes bodies byte for byte, and checks them.

mod analysis;
mod args;
mod check;

use analysis::analyse;
pub(crate) use analysis::exclude_output;
pub use args::Args;

use anyhow::{Result, ensure};

use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::hints;
use endpaper_command::output::{Printer, note, warn};
use endpaper_command::user::UserFolders;
use endpaper_detect::pipeline::{BookReport, CorpusReport, RunContext};
use endpaper_text::corpus::{Book, Skipped};
use endpaper_text::wording::thousands;
use endpaper_truth::strip::{
    DetectedBody, Manifest, OmitReason, OutForm, PreparedBody, StripFailure, StripOptions,
    StrippedBook, Stripper, strip_books,
};
use endpaper_truth::{SourceFacts, Store, StoredRecord};
use std::sync::atomic::AtomicBool;

/// Runs `endpaper strip`.
///
/// # Errors
///
/// Wrong use, no readable book, a truth folder that cannot be read, a manifest that cannot be read or written.
pub fn run(args: &Args) -> Result<Exit> {
    if args.check {
        return check::run(args);
    }
    ensure!(
        (0.0..=1.0).contains(&args.max_doubt),
        "--max-doubt is between 0 and 1, not {}",
        args.max_doubt
    );
    let folder = UserFolders::read()?.truth(args.truth.as_deref(), false);
    ensure!(
        args.truth.is_none() || folder.is_dir(),
        "the truth folder '{}' does not exist",
        folder.display()
    );
    let store = Store::open(&folder)?;
    ensure!(
        args.out.is_dir() || !args.out.exists(),
        "'{}' is a file; --out must be a folder (created if missing)",
        args.out.display()
    );
    // A file in the place of the manifest is detected before hours of work, not after.
    Manifest::read(&args.out)?;
    let mut listing = args.corpus.list(Some(folder))?;
    exclude_output(&mut listing, &args.out, "--out")?;
    let report = analyse(
        args,
        &args.detector,
        Some(&store),
        &listing,
        args.corpus.options()?,
    )?;
    let outcome = write(args, &report, &store)?;
    let mut skipped = report.skipped;
    skipped.extend(outcome.unreadable);
    let exit = exit_after_skips(&skipped);
    outcome.printed?;
    outcome.printer.finish()?;
    Ok(if outcome.failures {
        Exit::Partial
    } else {
        exit
    })
}

/// The result of a run.
struct StripOutcome {
    /// Number of bodies written, of bodies that already existed, and of skipped books.
    counts: [u64; 3],
    /// Whether a body could not be written, or exists and differs.
    failures: bool,
    /// Books that disappeared since the analysis.
    unreadable: Vec<Skipped>,
    /// All bodies that now exist.
    bodies: Manifest,
    printer: Printer,
    /// Result of printing the manifest. A broken pipe does not end the run: its purpose is the bodies.
    printed: std::io::Result<()>,
}

impl StripOutcome {
    /// Prints a line; after an error nothing more.
    fn print(&mut self, line: &str) {
        if self.printed.is_ok() {
            self.printed = self.printer.line(line);
        }
    }

    /// Counts and reports what became of a book.
    fn take(&mut self, book: &Book, stripped: Result<StrippedBook, StripFailure>) {
        match stripped {
            Ok(stripped) => self.body(&stripped),
            Err(StripFailure::Unreadable(reason)) => {
                let id = book.id.clone();
                self.unreadable.push(Skipped { id, reason });
            }
            Err(failure) => self.left_out(book, &failure),
        }
    }

    /// Counts and reports a written body.
    fn body(&mut self, stripped: &StrippedBook) {
        self.counts[usize::from(!stripped.written)] += 1;
        self.print(&stripped.to_string());
        self.bodies.put(stripped);
    }

    /// Counts and reports a book that is left out.
    fn left_out(&mut self, book: &Book, failure: &StripFailure) {
        self.counts[2] += 1;
        self.failures |= !failure.is_intended();
        let hint = hints::of_left_out(failure).map_or(String::new(), |hint| format!("; {hint}"));
        warn(&format!("skipping '{}': {failure}{hint}", book.id));
    }
}

/// Writes all bodies and the manifest.
fn write(args: &Args, report: &CorpusReport, store: &Store) -> Result<StripOutcome> {
    let options = StripOptions {
        max_doubt: args.max_doubt,
        drop_inside: args.drop_inside.clone(),
        force: args.force,
        form: OutForm {
            encoding: args.to_encoding,
            newline: args.newline,
        },
        detector: args.detector.detector.name().to_owned(),
        model: report.model_digest.clone(),
    };
    let ids = report.books.iter().map(|book| &book.book.id);
    let stripper = Stripper::new(&args.out, ids, options);
    let max_size = args.corpus.options()?.max_size;
    let mut outcome = StripOutcome {
        counts: [0; 3],
        failures: false,
        unreadable: Vec::new(),
        bodies: Manifest::default(),
        printer: Printer::stdout(),
        printed: Ok(()),
    };
    outcome.print(&Manifest::header());
    let never = AtomicBool::new(false);
    let run = RunContext::new(args.corpus.threads, &|_| {}, &never)?;
    // Otherwise the first threads to need it would each read all records.
    run.pool.install(|| store.build_index());
    let prepare = |index: usize| prepare(&stripper, store, &report.books[index], max_size);
    strip_books(
        &run,
        &args.out,
        report.books.len(),
        prepare,
        |index, stripped| {
            outcome.take(&report.books[index].book, stripped);
        },
    )?;
    if !outcome.bodies.is_empty() {
        // Read again: another run may have added to it.
        let mut manifest = Manifest::read(&args.out)?;
        manifest.extend(std::mem::take(&mut outcome.bodies));
        manifest.write(&args.out)?;
    }
    if !args.corpus.quiet {
        let [written, standing, left_out] = outcome.counts.map(thousands);
        note(&format!(
            "{written} bodies written, {standing} were there already, {left_out} books skipped"
        ));
    }
    Ok(outcome)
}

/// Prepares the body of a book by its record, by a record of the same text under another id, or by its detection.
fn prepare(
    stripper: &Stripper,
    store: &Store,
    book: &BookReport,
    max_size: u64,
) -> Result<PreparedBody, StripFailure> {
    let id = &book.book.id;
    let text = book.book.text(max_size).map_err(StripFailure::Unreadable)?;
    let source = SourceFacts::of(&text);
    let found = match store.load(id.as_str()) {
        // The same text under another id.
        Ok((StoredRecord::Nothing, _)) => match store.find_by_sha256(&source.sha256) {
            Some((_, record)) => StoredRecord::Record(Box::new(record)),
            None => StoredRecord::Nothing,
        },
        Ok((found, _)) => found,
        Err(error) => return Err(OmitReason::Broken(format!("{error:#}")).into()),
    };
    let detected = DetectedBody {
        detection: &book.summary.detection,
        bytes: book.summary.bytes,
        crc: book.summary.crc,
    };
    stripper.prepare(id, &text, source, &found, detected)
}
