//! `endpaper truth export`: writes all records to one file.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use rayon::prelude::*;

use super::annotations;
use super::folder::TruthFolder;
use endpaper_command::Exit;
use endpaper_command::common::CorpusArgs;
use endpaper_command::output::{Printer, note, warn};
use endpaper_command::overwrite::{ForceArgs, is_stdout, refuse_book};
use endpaper_text::corpus::{BookText, IdFilter, Listing};
use endpaper_text::wording::{plural, thousands};
use endpaper_truth::check::{BookFinder, ListedBooks, check_against_text};
use endpaper_truth::exchange::{
    ExchangeFormat, ExportTable, add_offsets, card, write_jsonl, write_stream,
};
use endpaper_truth::{Record, Store};

const EXAMPLES: &str = "\
Examples:
  endpaper truth export --truth labels > labels.yaml
  endpaper truth export ~/gutenberg --truth labels --out labels.tsv
  endpaper truth export ~/gutenberg --truth labels --format jsonl --offsets | jq .offsets
  endpaper truth export --truth labels --out labels.jsonl --card CARD.md
  endpaper truth export ~/gutenberg --truth labels --format label-studio --out tasks.json

Formats:
  yaml    a stream of YAML documents, each as the record's own file; nothing is lost
  jsonl   one JSON object a line; nothing is lost
  tsv     labels: book, sha256, first and last line of the body, alternatives, hard, reasons, note, kind; no drafts
  csv     the same and more for spreadsheets: cuts, byte offsets, file facts, the last review
  prodigy, label-studio, doccano      one file for the annotation tool, with the texts
  brat, inception, tei                a folder, with files for each book

Tables have lines of the body, so they need the corpus; unknown keys with text values get columns of their own. First and
last byte (half open, in the inflated file) enclose the body without the blank lines around it.

Annotation tools get the text of each book and the spans preamble, body, epilogue and inside, in Unicode code points (in UTF-16
units in the XMI of inception, as UIMA counts). Line ends become LF, and control characters spaces or U+FFFD. The whole record
travels in metadata of the tool, so that nothing is lost as long as the tool keeps these. brat marks the first and last line of
a span.

Exit status: 0 fine, 1 some records were left out (each is named), 2 wrong use.";

/// Arguments of `endpaper truth export`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    folder: TruthFolder,

    /// Output format: yaml, jsonl, tsv, csv, prodigy, label-studio, doccano, brat, inception or tei [default: the extension of
    /// --out, else yaml]
    #[arg(short, long, value_name = "FORMAT")]
    format: Option<ExchangeFormat>,

    /// The file to write, or the folder for brat, inception and tei [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Also write a data card in Markdown
    #[arg(long, value_name = "FILE")]
    card: Option<PathBuf>,

    /// Add byte offsets of the body to yaml and jsonl, under the key 'offsets' (csv always has them)
    #[arg(long)]
    offsets: bool,

    /// Protect cells of csv and tsv that a spreadsheet would run as a formula (beginning with =, +, -, @, tab or carriage
    /// return) by an apostrophe, which 'truth import' removes
    #[arg(long)]
    spreadsheet_safe: bool,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    corpus: CorpusArgs,
}

/// Runs `endpaper truth export`.
///
/// # Errors
///
/// Wrong use, a missing folder, a file that cannot be written.
pub fn run(args: &Args) -> Result<Exit> {
    let format = format(args)?;
    let needs_books = args.offsets || !format.is_whole();
    ensure!(
        !args.offsets || format != ExchangeFormat::Tsv,
        "--offsets goes with yaml, jsonl and csv; the columns of tsv are fixed"
    );
    ensure!(
        !args.offsets || !format.is_annotation(),
        "--offsets goes with yaml, jsonl and csv; {format} has offsets in characters"
    );
    let names_books = args.corpus.is_named();
    ensure!(
        needs_books || !names_books || args.folder.truth.is_some(),
        "--format {format} needs no corpus without --offsets; name the truth folder with --truth"
    );
    ensure!(
        !args.spreadsheet_safe || matches!(format, ExchangeFormat::Csv | ExchangeFormat::Tsv),
        "--spreadsheet-safe goes with csv and tsv; no spreadsheet reads {format}"
    );
    let is_printed = args.out.as_deref().is_none_or(is_stdout);
    ensure!(
        !is_printed || !format.is_folder(),
        "--format {format} writes a folder; name it with --out"
    );
    ensure!(
        !is_printed || !args.card.as_deref().is_some_and(is_stdout),
        "the records and the card cannot both go to standard output; name a file with --out or --card"
    );
    let out_file = args.out.as_ref().filter(|_| !format.is_folder());
    for path in [out_file, args.card.as_ref()].into_iter().flatten() {
        args.force.check_output(path)?;
    }
    let filter = IdFilter::new(&args.corpus.include, &args.corpus.exclude)?;
    let store = args.folder.open()?;
    let (mut records, mut complete) = records(&store)?;
    let all = records.len();
    records.retain(|record| filter.accepts(&record.book));
    ensure!(
        all == 0 || !records.is_empty(),
        "none of the {} {} in '{}' is left by --include and --exclude, which match ids of books",
        thousands(all),
        plural(all, "record"),
        store.folder().display()
    );
    let listing = match format.is_annotation() || needs_books {
        true => args.corpus.list(Some(store.folder().to_owned()))?,
        false => Listing::default(),
    };
    for path in [out_file, args.card.as_ref()].into_iter().flatten() {
        refuse_book(&listing, path)?;
    }
    if let Some(path) = &args.card {
        args.force.write(path, card(&records).as_bytes())?;
    }
    if format.is_annotation() {
        let listed_books = ListedBooks::new(&listing, args.corpus.options()?.max_size);
        let text_of = |record: &Record| text_of(record, &listed_books);
        let out = args.out.as_deref();
        complete &= annotations::export(&records, format, out, args.force, &text_of)?;
        return Ok(match complete {
            true => Exit::Success,
            false => Exit::Partial,
        });
    }
    let exported = if needs_books {
        let max_size = args.corpus.options()?.max_size;
        let listed_books = ListedBooks::new(&listing, max_size);
        with_books(records, format, args.spreadsheet_safe, &listed_books)
    } else {
        without_books(&records, format)
    };
    complete &= exported.complete;
    match &args.out {
        Some(path) if !is_printed => args.force.write(path, exported.text.as_bytes())?,
        _ => print(&exported.text)?,
    }
    Ok(if complete {
        Exit::Success
    } else {
        Exit::Partial
    })
}

/// The requested format, or that of the file's extension. Without an extension it is the default; an unknown extension is an error.
fn format(args: &Args) -> Result<ExchangeFormat> {
    let name = args.out.as_deref();
    let guess = name.and_then(ExchangeFormat::of);
    let untold = args.format.is_none() && guess.is_none();
    if let Some(path) = name.filter(|path| untold && path.extension().is_some()) {
        bail!(
            "the name '{}' does not say the format; end it in .yaml, .jsonl, .tsv or .csv, or add --format yaml, jsonl, tsv or csv",
            path.display()
        );
    }
    Ok(args.format.or(guess).unwrap_or_default())
}

/// All records that parse, and whether these are all.
fn records(store: &Store) -> Result<(Vec<Record>, bool)> {
    let (mut records, mut complete) = (Vec::new(), true);
    for (path, record) in store.records()? {
        match record {
            Ok(record) => records.push(record),
            Err(error) => {
                complete = false;
                let path = store.folder().join(path);
                warn(&format!("skipping '{}': {error}", path.display()));
            }
        }
    }
    Ok((records, complete))
}

/// The text to write, and whether every record is in it.
struct Exported {
    text: String,
    complete: bool,
}

impl Exported {
    /// Joins lines; records that cannot be written are named.
    fn of(lines: impl IntoIterator<Item = Result<String, String>>) -> Exported {
        let mut exported = Exported {
            text: String::new(),
            complete: true,
        };
        for line in lines {
            match line {
                Ok(line) => exported.text.push_str(&line),
                Err(error) => {
                    exported.complete = false;
                    warn(&format!("skipping {error}"));
                }
            }
        }
        exported
    }
}

/// The records without anything that must be read from books.
fn without_books(records: &[Record], format: ExchangeFormat) -> Exported {
    Exported::of(records.iter().map(|record| whole(record, format)))
}

/// A record in a lossless format, with the newline.
fn whole(record: &Record, format: ExchangeFormat) -> Result<String, String> {
    match format {
        ExchangeFormat::Jsonl => write_jsonl(record)
            .map(|line| line + "\n")
            .map_err(|error| format!("'{}': {error}", record.book)),
        _ => Ok(write_stream([record])),
    }
}

/// The records with what is read from their books. `safe`: cells that a spreadsheet would take for formulas are
/// guarded.
fn with_books(
    records: Vec<Record>,
    format: ExchangeFormat,
    safe: bool,
    listed_books: &ListedBooks<'_>,
) -> Exported {
    if format.is_whole() {
        let one = |mut record: Record| {
            let text = text_of(&record, listed_books)?;
            add_offsets(&mut record, &text);
            whole(&record, format)
        };
        let lines: Vec<_> = records.into_par_iter().map(one).collect();
        return Exported::of(lines);
    }
    let table = ExportTable::of(format, &records).spreadsheet_safe(safe);
    let (held, rest): (Vec<Record>, Vec<Record>) =
        records.into_iter().partition(|record| table.holds(record));
    if !rest.is_empty() {
        note(&format!(
            "{} drafts and undecidable books are not labels and are skipped; csv, yaml and jsonl hold them",
            rest.len()
        ));
    }
    let one = |record: &Record| Ok(table.row(record, &text_of(record, listed_books)?) + "\n");
    let rows: Vec<_> = held.par_iter().map(one).collect();
    let header = std::iter::once(Ok(table.header() + "\n"));
    Exported::of(header.chain(rows))
}

/// The text that a record was made on, or why it is not available.
fn text_of(record: &Record, listed_books: &ListedBooks<'_>) -> Result<BookText, String> {
    let book = &record.book;
    match listed_books.read(book) {
        None => Err(format!(
            "'{book}': the corpus has no such book; name the folder it is below"
        )),
        Some(Err(reason)) => Err(format!("'{book}': {reason}")),
        Some(Ok(text)) => {
            let wrong = check_against_text(record, &text).into_iter();
            let wrong = wrong.chain(endpaper_truth::check::check_record(record));
            match wrong.into_iter().find(|(rule, ..)| rule.is_error()) {
                None => Ok(text),
                Some((_, _, message)) => Err(format!("'{book}': {message}")),
            }
        }
    }
}

/// Prints the text unescaped.
fn print(text: &str) -> Result<()> {
    let mut printer = Printer::stdout();
    // Only LF ends a line: a lone CR in a cell must stay.
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        if !text.is_empty() {
            printer.line(line)?;
        }
    }
    Ok(printer.finish()?)
}
