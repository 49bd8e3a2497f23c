//! `endpaper strip`: writes bodies byte for byte, and checks them.

mod analysis;
mod args;
mod check;
mod manifest_printer;
mod shards;

use analysis::analyse;
pub(crate) use analysis::exclude_output;
pub use args::Args;
use args::StripMode;
use manifest_printer::ManifestPrinter;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail, ensure};

use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::hints;
use endpaper_command::output::{note, warn};
use endpaper_command::overwrite::{check_folder, is_stdout};
use endpaper_command::user::UserFolders;
use endpaper_detect::pipeline::{BookReport, CorpusReport, RunContext};
use endpaper_text::atomic::write_error_prefix;
use endpaper_text::corpus::{Book, BookId, Skipped};
use endpaper_text::files::refuse_irregular;
use endpaper_text::wording::{counted, thousands};
use endpaper_truth::strip::{
    DetectedBody, MANIFEST, Manifest, ManifestSpace, OutForm, PreparedBody, StripFailure,
    StripOptions, StrippedBook, Stripper, body_bytes, stored, strip_books,
};
use endpaper_truth::{SourceFacts, Store};

/// Runs `endpaper strip`.
///
/// # Errors
///
/// Wrong use, no readable book, a truth folder that cannot be read, a manifest that cannot be read or written.
pub fn run(args: &Args) -> Result<Exit> {
    match (&args.mode, &args.out) {
        (Some(StripMode::Check(args)), _) => check::run(args),
        (None, Some(out)) if is_stdout(out) => to_stdout(args),
        (None, Some(out)) => match shards::asked(args, out)? {
            Some(names) => shards::to_shards(args, names),
            None => to_folder(args, out),
        },
        (None, None) => bail!("--out names the folder to write bodies to"),
    }
}

/// Opens the truth folder, which must exist if it was named.
fn open_store(args: &Args) -> Result<Store> {
    let folder = UserFolders::read()?.truth(args.truth.as_deref(), false);
    ensure!(
        args.truth.is_none() || folder.is_dir(),
        "the truth folder '{}' does not exist",
        folder.display()
    );
    Store::open(&folder)
}

/// Writes the bodies below a folder.
fn to_folder(args: &Args, out: &Path) -> Result<Exit> {
    let store = open_store(args)?;
    check_folder(out)?;
    // What hinders the manifest is found before hours of work, not after.
    let manifest = out.join(MANIFEST);
    refuse_irregular(&manifest).with_context(|| write_error_prefix(&manifest))?;
    Manifest::read(out)?;
    let mut listing = args.corpus.list(Some(store.folder().to_owned()))?;
    exclude_output(&mut listing, out, "--out")?;
    let report = analyse(
        &args.corpus,
        &args.detector,
        Some(&store),
        &listing,
        args.corpus.options()?,
    )?;
    let outcome = write(args, out, &report, &store)?;
    let bodies = outcome.bodies();
    let mut skipped = report.skipped;
    skipped.extend(outcome.unreadable);
    let exit = exit_after_skips(&skipped);
    outcome.printer.finish()?;
    Ok(match bodies {
        0 => Exit::Failed,
        _ if outcome.failures => Exit::Partial,
        _ => exit,
    })
}

/// Prints the body of one book, byte for byte.
fn to_stdout(args: &Args) -> Result<Exit> {
    let store = open_store(args)?;
    let listing = args.corpus.list(Some(store.folder().to_owned()))?;
    ensure!(
        listing.books.len() <= 1,
        "{} books are too many for standard output; name one, or a folder with --out",
        thousands(listing.books.len() as u64)
    );
    let report = analyse(
        &args.corpus,
        &args.detector,
        Some(&store),
        &listing,
        args.corpus.options()?,
    )?;
    let exit = exit_after_skips(&report.skipped);
    let Some(book) = report.books.first() else {
        return Ok(Exit::Failed);
    };
    let text = match book.book.text(args.corpus.max_size.0) {
        Ok(text) => text,
        Err(reason) => {
            let id = book.book.id.clone();
            exit_after_skips(&[Skipped { id, reason }]);
            return Ok(Exit::Failed);
        }
    };
    let source = SourceFacts::of(&text);
    let found = stored(&store, &book.book.id, &source)?;
    let detected = DetectedBody::of_report(book);
    let options = strip_options(args, &report);
    match body_bytes(&text, &source, &found, detected, &options) {
        Ok(bytes) => {
            let mut out = std::io::stdout().lock();
            out.write_all(&bytes)?;
            out.flush()?;
            Ok(exit)
        }
        Err(omitted) => {
            warn(&format!("skipping '{}': {omitted}", book.book.id));
            Ok(Exit::Failed)
        }
    }
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
    listed: Manifest,
    printer: ManifestPrinter,
}

impl StripOutcome {
    /// Number of bodies that are in the folder now.
    fn bodies(&self) -> u64 {
        self.counts[0] + self.counts[1]
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
        self.printer.print(stripped);
        self.listed.put(stripped);
    }

    /// Counts and reports a book that is left out.
    fn left_out(&mut self, book: &Book, failure: &StripFailure) {
        self.counts[2] += 1;
        self.failures |= !failure.is_intended();
        warn_of_left_out(&book.id, failure);
    }
}

/// Says that a book is left out.
fn warn_of_left_out(book: &BookId, failure: &StripFailure) {
    let hint = hints::of_left_out(failure).map_or(String::new(), |hint| format!("; {hint}"));
    warn(&format!("skipping '{book}': {failure}{hint}"));
}

/// Writes all bodies and the manifest.
fn write(args: &Args, out: &Path, report: &CorpusReport, store: &Store) -> Result<StripOutcome> {
    let ids = || report.books.iter().map(|book| &book.book.id);
    let stripper = Stripper::new(out, ids(), strip_options(args, report));
    let max_size = args.corpus.options()?.max_size;
    let mut outcome = StripOutcome {
        counts: [0; 3],
        failures: false,
        unreadable: Vec::new(),
        listed: Manifest::default(),
        printer: ManifestPrinter::new(),
    };
    let is_new = !out.exists();
    let space = ManifestSpace::reserve(out, ids())?;
    let never = AtomicBool::new(false);
    let run = RunContext::new(args.corpus.threads, &|_| {}, &never)?;
    // Otherwise the first threads to need it would each read all records.
    run.pool.install(|| store.build_index());
    let prepare = |index: usize| prepare(&stripper, store, &report.books[index], max_size);
    let stripped = strip_books(&run, out, report.books.len(), prepare, |index, stripped| {
        outcome.take(&report.books[index].book, stripped);
    });
    if outcome.listed.is_empty() {
        drop(space);
        if is_new {
            // Another run may use it by now.
            let _ = fs::remove_dir(out);
        }
    } else {
        // Read again: another run may have added to it.
        let mut manifest = Manifest::read(out)?;
        manifest.extend(std::mem::take(&mut outcome.listed));
        space.write(&manifest).with_context(|| {
            let (count, name) = (thousands(outcome.bodies()), out.display());
            format!("the manifest lacks some of {count} bodies in '{name}'; run again to list them")
        })?;
    }
    // What was written is in the manifest all the same.
    stripped?;
    if !args.corpus.quiet {
        let [written, standing, left_out] = outcome.counts;
        note(&format!(
            "{} written, {} there already, {} skipped",
            counted(written, "body", "bodies"),
            counted(standing, "was", "were"),
            counted(left_out, "book", "books"),
        ));
    }
    Ok(outcome)
}

/// How books are stripped.
fn strip_options(args: &Args, report: &CorpusReport) -> StripOptions {
    StripOptions {
        max_doubt: args.max_doubt as f32,
        drop_inside: args.drop_inside.clone(),
        force: args.force.force,
        form: OutForm {
            encoding: args.to_encoding,
            newline: args.newline.unwrap_or_default(),
        },
        detector: args.detector.detector.name().to_owned(),
        model: report.model_digest.clone(),
    }
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
    let found = stored(store, id, &source)?;
    stripper.prepare(id, &text, source, &found, DetectedBody::of_report(book))
}
