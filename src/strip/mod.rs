//! `endpaper strip`: bodies out, byte for byte, and a look over them.

mod check;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::ValueEnum;

use crate::detector::DetectorArgs;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, SCAN_MEMORY, conclude};
use endpaper_command::hints;
use endpaper_command::output::{Printer, complain};
use endpaper_command::user::User;
use endpaper_detect::pipeline::{self, Survey, Surveyed};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::{Book, Listing, Skipped, Text};
use endpaper_text::words::thousands;
use endpaper_truth::strip::{
    Detected, Dropped, Failure, Manifest, Omitted, Options, OutEncoding, OutForm, OutNewline,
    Stripped, Stripper,
};
use endpaper_truth::{Found, Store};

const EXAMPLES: &str = "\
Examples:
  endpaper strip ~/gutenberg --out bodies
  endpaper strip ~/gutenberg --truth labels --out bodies --max-doubt 0.2
  endpaper strip ~/gutenberg --out bodies --encoding utf-8 --newline lf
  endpaper strip ~/gutenberg --truth labels --out bodies --drop-inside licence,credits
  endpaper strip --check --out bodies
  endpaper strip --check --out bodies --include 40815.txt --suppress 'a history of printing'

A decided record wins over detection. Undecidable files, files that are no book, books that changed since they were
decided and books over --max-doubt are left out and named. Without --encoding and --newline the source's own bytes go
out. A body that stands there already is left as it is; one that differs is written over only with --force.

The manifest goes to standard output and, together with what earlier runs wrote, to endpaper-manifest.tsv in the folder:
book, file, first, last, bytes, by (truth or detector), doubt, verdict, policy, sha256 of the body, sha256, bytes, lines,
encoding and newline of the source, encoding and newline asked for, lines dropped inside, detector, model.

--check looks for boilerplate that was left near the ends of bodies, for empty, tiny and oddly sized bodies, and for
files that are not as the manifest says. It uses the built-in model; --model names the one the uncut books made. It
writes nothing but what --suppress asks for: accepted findings, with the
reason, in endpaper-accepted.tsv (columns file, rule, text, why; * stands for every file or text; # begins a comment).

Exit status: 0 fine, 1 some books could not be read or written, or --check found something, 2 wrong use or nothing done.";

/// Arguments of `endpaper strip`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,

    #[command(flatten)]
    detector: DetectorArgs,

    /// The folder the bodies go to, or, with --check, are in
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The truth folder (default: the setting, else endpaper-truth, if there is one)
    #[arg(long, value_name = "DIR")]
    truth: Option<PathBuf>,

    /// Leave out books whose detected cuts are more doubtful than this (0 to 1)
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    max_doubt: f32,

    /// Leave out boilerplate between the cuts of these kinds, where the record marks it or, without a decided record, the
    /// detector is sure of it: licence, metadata, marker, credits, note, typed-title, separator, list, or all (comma
    /// separated)
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    drop_inside: Vec<Dropped>,

    /// Encoding of the bodies: keep, or utf-8 (without a byte order mark)
    #[arg(long, value_name = "NAME", default_value_t)]
    encoding: OutEncoding,

    /// Line ends of the bodies: keep, lf or crlf
    #[arg(long, value_name = "NAME", default_value_t)]
    newline: OutNewline,

    /// Write over existing files
    #[arg(long)]
    force: bool,

    /// Write no bodies, but look over those in --out
    #[arg(long, conflicts_with_all = ["truth", "max_doubt", "drop_inside", "encoding", "newline", "force"])]
    check: bool,

    /// Record all that --check finds as accepted, for this reason
    #[arg(long, value_name = "WHY", requires = "check")]
    suppress: Option<String>,

    /// The file of accepted findings (default: endpaper-accepted.tsv in --out)
    #[arg(long, value_name = "FILE", requires = "check")]
    suppressions: Option<PathBuf>,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t, requires = "check")]
    format: Format,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// file:line: rule: message
    #[default]
    Text,
    /// One JSON object for each finding
    Jsonl,
}

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
    let folder = User::read()?.truth(args.truth.as_deref(), false);
    ensure!(
        args.truth.is_none() || folder.is_dir(),
        "the truth folder '{}' does not exist",
        folder.display()
    );
    let store = Store::open(&folder)?;
    ensure!(
        args.out.is_dir() || !args.out.exists(),
        "'{}' is a file; --out names a folder, which is made if there is none",
        args.out.display()
    );
    // A file in its place is found out before hours of work, not after them.
    Manifest::read(&args.out)?;
    let mut listing = args.corpus.list(Some(folder))?;
    leave_out_of(&mut listing, &args.out, "--out")?;
    let survey = survey(args, &args.detector, &listing, args.corpus.options()?)?;
    let outcome = write(args, &survey, &store)?;
    let mut skipped = survey.skipped;
    skipped.extend(outcome.unreadable);
    let exit = conclude(&skipped);
    outcome.printed?;
    outcome.printer.finish()?;
    Ok(if outcome.failures { Exit::Partly } else { exit })
}

fn survey(
    args: &Args,
    detector: &DetectorArgs,
    listing: &Listing,
    mut options: pipeline::Options,
) -> Result<Survey> {
    options.scan_memory = SCAN_MEMORY;
    detector.apply(&mut options)?;
    args.corpus.survey(listing, &options)
}

/// What earlier runs wrote are no books, where they stand below the corpus: `endpaper strip --out bodies` in the folder of
/// the books may be run twice.
pub(super) fn leave_out_of(listing: &mut Listing, out: &Path, option: &str) -> Result<()> {
    let Ok(out) = fs::canonicalize(out) else {
        return Ok(());
    };
    let is_body = |book: &Book| {
        let path = book.place.path().map(fs::canonicalize);
        path.is_some_and(|path| path.is_ok_and(|path| path.starts_with(&out)))
    };
    listing.books.retain(|book| !is_body(book));
    ensure!(
        !listing.books.is_empty(),
        "all books stand in '{}'; {option} names a folder of its own, so that no book is written over",
        out.display()
    );
    Ok(())
}

/// What a run brought.
struct Outcome {
    /// Bodies that were written, that stood there already, and books that were left out.
    counts: [u64; 3],
    /// Something could not be written, or stands there and differs.
    failures: bool,
    /// Books that went away since they were surveyed.
    unreadable: Vec<Skipped>,
    /// All bodies that stand there now.
    bodies: Manifest,
    printer: Printer,
    /// Whether the manifest could be printed. That nobody reads it is no reason to stop: bodies are what the run is for.
    printed: std::io::Result<()>,
}

impl Outcome {
    fn print(&mut self, line: &str) {
        if self.printed.is_ok() {
            self.printed = self.printer.line(line);
        }
    }

    fn body(&mut self, stripped: &Stripped) {
        self.counts[usize::from(!stripped.written)] += 1;
        self.print(&stripped.to_string());
        self.bodies.put(stripped);
    }

    fn left_out(&mut self, book: &Book, failure: &Failure) {
        self.counts[2] += 1;
        self.failures |= !failure.is_intended();
        let hint = hints::of_left_out(failure).map_or(String::new(), |hint| format!("; {hint}"));
        complain(&format!("left out '{}': {failure}{hint}", book.id));
    }
}

/// Writes all bodies and the manifest.
fn write(args: &Args, survey: &Survey, store: &Store) -> Result<Outcome> {
    let options = Options {
        max_doubt: args.max_doubt,
        drop_inside: args.drop_inside.clone(),
        force: args.force,
        form: OutForm {
            encoding: args.encoding,
            newline: args.newline,
        },
        detector: args.detector.detector.name().to_owned(),
        model: survey.model_digest.clone(),
    };
    let ids = survey.books.iter().map(|book| &book.book.id);
    let stripper = Stripper::new(&args.out, ids, options);
    let max_size = args.corpus.options()?.max_size;
    let mut outcome = Outcome {
        counts: [0; 3],
        failures: false,
        unreadable: Vec::new(),
        bodies: Manifest::default(),
        printer: Printer::stdout(),
        printed: Ok(()),
    };
    outcome.print(&Manifest::header());
    for book in &survey.books {
        let text = match book.book.text(max_size) {
            Ok(text) => text,
            Err(reason) => {
                let id = book.book.id.clone();
                outcome.unreadable.push(Skipped { id, reason });
                continue;
            }
        };
        match strip(&stripper, store, book, &text) {
            Ok(stripped) => outcome.body(&stripped),
            Err(failure) => outcome.left_out(&book.book, &failure),
        }
    }
    if !outcome.bodies.is_empty() {
        // Read anew: another run may have added to it meanwhile.
        let mut manifest = Manifest::read(&args.out)?;
        manifest.extend(std::mem::take(&mut outcome.bodies));
        manifest.write(&args.out)?;
    }
    if !args.corpus.quiet {
        let [written, standing, left_out] = outcome.counts.map(thousands);
        complain(&format!(
            "{written} bodies written, {standing} stood there already, {left_out} books left out"
        ));
    }
    Ok(outcome)
}

/// Strips one book by its record, or by that of the same text at another place, or else by its detection.
fn strip(
    stripper: &Stripper,
    store: &Store,
    book: &Surveyed,
    text: &Text,
) -> Result<Stripped, Failure> {
    let id = &book.book.id;
    let found = match store.load(id.as_str()) {
        Ok((found, _)) => found,
        Err(error) => return Err(Omitted::Broken(format!("{error:#}")).into()),
    };
    let found = match found {
        // The same text, decided at another place.
        Found::Nothing => match store.find_by_sha256(&sha256(text.bytes())) {
            Some((_, record)) => Found::Record(Box::new(record)),
            None => Found::Nothing,
        },
        found => found,
    };
    let detected = Detected {
        detection: &book.summary.detection,
        bytes: book.summary.bytes,
        crc: book.summary.crc,
    };
    stripper.strip(id, text, &found, detected)
}
