//! `endpaper truth import`: reads records from one file.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::annotations;
use super::folder::TruthFolder;
use endpaper_command::Exit;
use endpaper_command::common::CorpusArgs;
use endpaper_command::output::{Printer, warn};
use endpaper_command::user::UserFolders;
use endpaper_text::corpus::BookText;
use endpaper_text::files::{read_input, read_input_from};
use endpaper_text::wording::thousands;
use endpaper_truth::check::{BookFinder, ListedBooks, check_against_text};
use endpaper_truth::exchange::{
    ExchangeFormat, ImportOutcome, Signature, import_record, read_jsonl, read_stream, read_table,
    record_from_line,
};
use endpaper_truth::{Record, Store};

const EXAMPLES: &str = "\
Examples:
  endpaper truth import labels.tsv ~/gutenberg --truth labels --curator ms
  endpaper truth import labels.yaml --truth copy --dry-run
  endpaper truth export --truth labels | endpaper truth import - --format yaml --truth copy
  endpaper truth import annotated.jsonl ~/gutenberg --format prodigy --truth prodigy --curator ms

Formats are those of `endpaper truth export`. A table needs the corpus, and its columns may stand in any order: book, then
body_first and body_last, or preamble_end and epilogue_start; others are kept as keys of the record. Every record is
checked as by `endpaper truth check`, in yaml and jsonl against the books too if a corpus is given. As data frames write
them, 6817.0 is read as 6817, a time may be a number since 1970 (milliseconds, or the unit that puts it after 1973), and null
is a missing key.

Existing records are never overwritten: a record that differs from the one in the folder is refused and named.

Exit status: 0 fine, 1 some records were refused (each is named with its line), 2 wrong use or nothing read.";

/// Arguments of `endpaper truth import`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The file to read, or '-' for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    folder: TruthFolder,

    /// Format of the file: yaml, jsonl, tsv, csv, prodigy, label-studio, doccano, brat, inception or tei [default: its
    /// extension, of the first four]
    #[arg(short, long, value_name = "FORMAT")]
    format: Option<ExchangeFormat>,

    /// Your name in the reviews, for rows that name no curator [default: the setting, else your user name]
    #[arg(long, value_name = "NAME")]
    curator: Option<String>,

    /// Check the records without writing them
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    corpus: CorpusArgs,
}

/// Runs `endpaper truth import`.
///
/// # Errors
///
/// Wrong use, a file that cannot be read or is not a table, a corpus that cannot be listed.
pub fn run(args: &Args) -> Result<Exit> {
    let Some(format) = args.format.or_else(|| ExchangeFormat::of(&args.file)) else {
        anyhow::bail!(
            "the name '{}' does not say the format; add --format yaml, jsonl, tsv or csv, or save a spreadsheet as .csv",
            args.file.display()
        );
    };
    if format.is_annotation() {
        return run_annotations(args, format);
    }
    let name = args.file.display();
    let text = read(&args.file).with_context(|| format!("'{name}' cannot be read"))?;
    let store = Store::open(&args.folder.path()?)?;
    let named = args.corpus.is_named();
    let listing = if named || !format.is_whole() {
        Some(args.corpus.list(Some(store.folder().to_owned()))?)
    } else {
        None
    };
    let max_size = args.corpus.options()?.max_size;
    let listed_books = listing
        .as_ref()
        .map(|listing| ListedBooks::new(listing, max_size));
    let source = ImportSource {
        format,
        books: listed_books.as_ref(),
        signature: signature(args)?,
    };
    let records = source
        .records(&text)
        .with_context(|| format!("'{name}' does not hold records as {format}"))?;
    ensure!(!records.is_empty(), "'{name}' holds no record");
    if !args.dry_run {
        // Reported once, not for each record.
        store.writable().map_err(anyhow::Error::msg)?;
    }
    take_all(args, &store, format, records)
}

/// Imports what an annotation tool gave back.
fn run_annotations(args: &Args, format: ExchangeFormat) -> Result<Exit> {
    let store = Store::open(&args.folder.path()?)?;
    let listing = args.corpus.list(Some(store.folder().to_owned()))?;
    let listed_books = ListedBooks::new(&listing, args.corpus.options()?.max_size);
    let source = ImportSource {
        format,
        books: Some(&listed_books),
        signature: signature(args)?,
    };
    let text_of = |book: &str| source.text_of(book);
    let records = annotations::import(&args.file, format, &source.signature, &text_of)?;
    ensure!(
        !records.is_empty(),
        "'{}' holds no record",
        args.file.display()
    );
    if !args.dry_run {
        store.writable().map_err(anyhow::Error::msg)?;
    }
    take_all(args, &store, format, records)
}

/// Reads the file, or standard input if it is `-`.
fn read(file: &Path) -> io::Result<String> {
    match file == Path::new("-") {
        true => read_input_from(io::stdin().lock()),
        false => read_input(file),
    }
}

/// The curator who signs the imported records.
fn signature(args: &Args) -> Result<Signature> {
    let config = UserFolders::read()?.config;
    let by = args.curator.clone();
    Ok(Signature {
        by: by.unwrap_or_else(|| config.curator_name(|name| std::env::var(name).ok())),
        at: endpaper_truth::timestamp(jiff::Timestamp::now()),
    })
}

/// A record or the reason for its rejection, with line and column in the file.
pub(super) type ImportItem = (usize, usize, Result<Record, String>);

/// What imported lines are read with: their format, the books that they may name, and the curator who signs.
struct ImportSource<'a> {
    format: ExchangeFormat,
    books: Option<&'a ListedBooks<'a>>,
    signature: Signature,
}

impl ImportSource<'_> {
    /// The records of the text.
    fn records(&self, text: &str) -> Result<Vec<ImportItem>> {
        let whole = match self.format {
            ExchangeFormat::Yaml => read_stream(text),
            ExchangeFormat::Jsonl => read_jsonl(text),
            _ => return self.rows(text),
        };
        let item = |(line, read): endpaper_truth::exchange::ReadRecord| match read {
            Ok(record) => (line, 1, self.against_book(record)),
            Err(error) => (error.line, error.column, Err(error.message)),
        };
        Ok(whole.into_iter().map(item).collect())
    }

    /// The records of the lines of a table.
    fn rows(&self, text: &str) -> Result<Vec<ImportItem>> {
        use rayon::prelude::*;
        let rows = read_table(text, self.format)?;
        let item = |row: Result<endpaper_truth::exchange::TableLine, _>| match row {
            Ok(row) => {
                let record = self.text_of(row.book());
                let record = record.and_then(|text| record_from_line(&row, &text, &self.signature));
                (row.line, 1, record)
            }
            Err(error) => {
                let error: endpaper_truth::yaml::ParseError = error;
                (error.line, error.column, Err(error.message))
            }
        };
        Ok(rows.into_par_iter().map(item).collect())
    }

    /// The record, checked against its book if the books are known.
    fn against_book(&self, record: Record) -> Result<Record, String> {
        if self.books.is_some() {
            let text = self.text_of(&record.book)?;
            let wrong = check_against_text(&record, &text).into_iter();
            if let Some((_, _, message)) = wrong.into_iter().find(|(rule, ..)| rule.is_error()) {
                return Err(message);
            }
        }
        Ok(record)
    }

    /// The text of a book.
    fn text_of(&self, id: &str) -> Result<BookText, String> {
        let Some(listed_books) = self.books else {
            return Err("needs the corpus; name the folder of the books".to_owned());
        };
        match listed_books.read(id) {
            None => Err(format!(
                "the corpus has no book '{id}'; name the folder it is below"
            )),
            Some(Err(reason)) => Err(format!("'{id}' {reason}")),
            Some(Ok(text)) => Ok(text),
        }
    }
}

/// Saves the records, and reports those that are refused.
fn take_all(
    args: &Args,
    store: &Store,
    format: ExchangeFormat,
    records: Vec<ImportItem>,
) -> Result<Exit> {
    let (mut new, mut unchanged, mut refused) = (0, 0, 0);
    let mut seen = HashSet::new();
    for (line, column, record) in records {
        let taken = record.and_then(|record| {
            if !seen.insert(record.book.clone()) {
                return Err(format!(
                    "'{}' is there twice; the first one was taken",
                    record.book
                ));
            }
            // What a tool carries along is the whole record.
            let whole = format.is_whole() || format.is_annotation();
            import_record(store, &record, whole, !args.dry_run)
        });
        match taken {
            Ok(ImportOutcome::New) => new += 1,
            Ok(ImportOutcome::Unchanged) => unchanged += 1,
            Err(message) => {
                refused += 1;
                warn(&format!("{}:{line}:{column}: {message}", shown(&args.file)));
            }
        }
    }
    let mut printer = Printer::stdout();
    let what = if args.dry_run {
        "would import"
    } else {
        "imported"
    };
    printer.line(&format!(
        "{what} {} records, {} unchanged, {} refused",
        thousands(new),
        thousands(unchanged),
        thousands(refused)
    ))?;
    printer.finish()?;
    Ok(match (refused, new + unchanged) {
        (0, _) => Exit::Success,
        (_, 0) => Exit::Failed,
        _ => Exit::Partial,
    })
}

/// The path for a message.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
