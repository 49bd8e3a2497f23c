//! `endpaper strip`: bodies out, byte for byte.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, ensure};

use super::Exit;
use super::common::{CorpusArgs, SCAN_MEMORY, conclude};
use super::detector::DetectorArgs;
use super::output::{Printer, complain};
use super::progress::Bar;
use super::user::User;
use crate::corpus::{Skipped, Text};
use crate::pipeline::{self, Survey, Surveyed};
use crate::strip::{Failure, MANIFEST_HEADER, Options, Stripped, Stripper};
use crate::truth::{Found, Store};

const EXAMPLES: &str = "\
Examples:
  endpaper strip ~/gutenberg --out bodies
  endpaper strip ~/gutenberg --truth labels --out bodies --max-doubt 0.2 > manifest.tsv
  endpaper strip ~/gutenberg --truth labels --out bodies --drop-inside licence,credits

A decided record wins over detection. Undecidable files, files that are no book, books that changed since they were
decided and books over --max-doubt are left out and named. The manifest goes to standard output.

Exit status: 0 fine, 1 some books could not be read or written, 2 wrong use or nothing done.";

/// Arguments of `endpaper strip`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,

    #[command(flatten)]
    detector: DetectorArgs,

    /// The folder the bodies go to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The truth folder (default: the setting, else endpaper-truth, if there is one)
    #[arg(long, value_name = "DIR")]
    truth: Option<PathBuf>,

    /// Leave out books whose detected cuts are more doubtful than this (0 to 1)
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    max_doubt: f32,

    /// Leave out boilerplate between the cuts of these kinds, where a record marks it (comma separated)
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    drop_inside: Vec<String>,

    /// Write over existing files
    #[arg(long)]
    force: bool,
}

/// Runs `endpaper strip`.
///
/// # Errors
///
/// Wrong use, no readable book, a truth folder that cannot be read.
pub fn run(args: &Args) -> Result<Exit> {
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
    let listing = args.corpus.list(Some(folder))?;
    let mut options = args.corpus.options()?;
    options.scan_memory = SCAN_MEMORY;
    args.detector.apply(&mut options)?;
    let bar = Bar::new(args.corpus.quiet);
    let never = AtomicBool::new(false);
    let survey = pipeline::survey(&listing, &options, &|progress| bar.show(progress), &never)?;
    drop(bar);
    let max_size = options.max_size;
    let (failures, unreadable) = write(args, &survey, &store, max_size)?;
    let mut skipped = survey.skipped;
    skipped.extend(unreadable);
    let exit = conclude(&skipped);
    Ok(if failures { Exit::Partly } else { exit })
}

/// Writes all bodies and prints the manifest; whether a file could not be written, and books that went away.
fn write(
    args: &Args,
    survey: &Survey,
    store: &Store,
    max_size: u64,
) -> Result<(bool, Vec<Skipped>)> {
    let options = Options {
        max_doubt: args.max_doubt,
        drop_inside: args.drop_inside.clone(),
        force: args.force,
    };
    let stripper = Stripper::new(
        &args.out,
        survey.books.iter().map(|book| &book.book.id),
        options,
    );
    let mut printer = Printer::stdout();
    printer.line(MANIFEST_HEADER)?;
    let (mut failures, mut unreadable) = (false, Vec::new());
    for book in &survey.books {
        let text = match book.book.read(max_size) {
            Ok(bytes) => Text::new(bytes),
            Err(reason) => {
                unreadable.push(Skipped {
                    id: book.book.id.clone(),
                    reason,
                });
                continue;
            }
        };
        match strip(&stripper, store, book, &text)? {
            Ok(stripped) => printer.line(&stripped.to_string())?,
            Err(failure) => {
                failures |= !matches!(failure, Failure::Omitted(_));
                complain(&format!("left out '{}': {failure}", book.book.id));
            }
        }
    }
    printer.finish()?;
    Ok((failures, unreadable))
}

fn strip(
    stripper: &Stripper,
    store: &Store,
    book: &Surveyed,
    text: &Text,
) -> Result<Result<Stripped, Failure>> {
    let id = &book.book.id;
    let mut found = store.load(id.as_str())?.0;
    if matches!(found, Found::Nothing)
        && let Some((_, record)) = store.find_by_sha256(&crate::truth::sha256(text.bytes()))
    {
        // The same text, decided at another place.
        found = Found::Record(Box::new(record));
    }
    Ok(stripper.strip(id, text, &found, &book.summary.detection))
}
