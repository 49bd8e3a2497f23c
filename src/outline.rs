//! `endpaper outline`: prints the metadata of books and their parts.
//!
//! The keys of `yaml` and `jsonl` are a contract with scripts: they may grow at the end, never change.

mod page;

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;

use crate::outlines::each;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, exit_after_skips};
use endpaper_command::output::Printer;
use endpaper_command::overwrite::ForceArgs;
use endpaper_outline::{BookOutline, MetadataValue, Outline, OutlineEntry, ValueSource};
use endpaper_text::wording::plural;

const EXAMPLES: &str = "\
Examples:
  endpaper outline book.txt
  endpaper outline book.zip --format yaml
  endpaper outline ~/gutenberg --format jsonl | jq '.book, .metadata.title.value'
  endpaper outline ~/papers --html outlines.html && xdg-open outlines.html

Metadata: several extractors read the header, the title page and the first pages, and vote on each value, which is printed
with its sources (extractor and line). Parts: the entries of tables of contents, linked to the headings in the body, and
headings that are in no table. A part has its line in the body (or -) and in the table.

Keys of yaml and jsonl: book, lines, metadata (each with value, sources of extractor and line, instead: other values),
lists (first, last, entries, linked), entries (level, kind, number, title, listed, line), bibliographies (line, items with
number, line, text, author, title, venue, year; numbered, last: lists of references after a line with a keyword, items
without numbers are counted), filter (book: none, weak or strong; pages, estimated, contents and isbn with their pages). yaml
has one document for each book.

Exit status: 0 fine, 1 some books could not be read, 2 wrong use or nothing done.";

/// Arguments of `endpaper outline`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    format: OutlineFormat,

    /// Write an HTML page instead: contents, first words of each part, references, and links between books that cite each
    /// other, in one self-contained file without scripts ('-' for standard output)
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    html: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    corpus: CorpusArgs,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum OutlineFormat {
    /// Text for reading
    #[default]
    Table,
    /// One YAML document per book
    Yaml,
    /// One JSON object per book
    Jsonl,
}

/// A record of `yaml` and `jsonl`.
#[derive(Serialize)]
struct OutlineRecord<'a> {
    book: &'a str,
    lines: u32,
    #[serde(flatten)]
    outline: &'a Outline,
}

/// Runs `endpaper outline`.
///
/// # Errors
///
/// Wrong use, no books, a page that cannot be written, or a reader that stopped reading.
pub fn run(args: &Args) -> Result<Exit> {
    if let Some(file) = &args.html {
        return page::run(file, args.force, &args.corpus);
    }
    let mut printer = Printer::stdout();
    let mut first = true;
    let skipped = each(&args.corpus, |outlined| {
        let record = OutlineRecord {
            book: outlined.book.id.as_str(),
            lines: outlined.lines,
            outline: &outlined.outline,
        };
        match args.format {
            OutlineFormat::Table => {
                if !std::mem::take(&mut first) {
                    printer.line("")?;
                }
                for line in table(outlined) {
                    printer.line(&line)?;
                }
            }
            OutlineFormat::Yaml => {
                printer.line("---")?;
                for line in serde_yaml::to_string(&record)?.lines() {
                    printer.line(line)?;
                }
            }
            OutlineFormat::Jsonl => printer.line(&serde_json::to_string(&record)?)?,
        }
        Ok(())
    })?;
    let printed = printer.finish();
    let exit = exit_after_skips(&skipped);
    printed?;
    Ok(exit)
}

/// The outline of one book as lines of the table.
fn table(outlined: &BookOutline<'_>) -> Vec<String> {
    let about = &outlined.outline.metadata;
    let mut lines = vec![format!("{}, {} lines", outlined.book.id, outlined.lines)];
    value(&mut lines, "title", about.title.as_ref());
    values(&mut lines, "author", &about.authors);
    values(&mut lines, "editor", &about.editors);
    values(&mut lines, "translator", &about.translators);
    values(&mut lines, "illustrator", &about.illustrators);
    value(&mut lines, "language", about.language.as_ref());
    value(&mut lines, "released", about.released.as_ref());
    value(&mut lines, "number", about.number.as_ref());
    value(&mut lines, "encoding", about.encoding.as_ref());
    value(&mut lines, "hand", about.producer.as_ref());
    value(&mut lines, "publisher", about.publisher.as_ref());
    value(&mut lines, "place", about.place.as_ref());
    value(&mut lines, "published", about.published.as_ref());
    value(&mut lines, "copyright", about.copyright.as_ref());
    values(&mut lines, "isbn", &about.isbns);
    lines.push(format!("  {:<11} {}", "pages", outlined.outline.filter));
    for list in &outlined.outline.lists {
        lines.push(format!(
            "  {:<11} lines {}-{}: {} of {} entries found in the body",
            "contents", list.first, list.last, list.linked, list.entries
        ));
    }
    for list in &outlined.outline.bibliographies {
        let items = list.items.len();
        let what = plural(items, "reference");
        lines.push(format!(
            "  {:<11} line {}: {items} {what}",
            "sources", list.line
        ));
    }
    if !outlined.outline.entries.is_empty() {
        lines.push(format!("{:>8} {:>8}  part", "line", "listed"));
    }
    lines.extend(outlined.outline.entries.iter().map(part));
    lines
}

/// Appends a line with a value and its sources, if there is one.
fn value<T: std::fmt::Display>(
    lines: &mut Vec<String>,
    name: &str,
    value: Option<&MetadataValue<T>>,
) {
    if let Some(value) = value {
        let sources: Vec<String> = value.sources.iter().map(place).collect();
        lines.push(format!(
            "  {name:<11} {}  ({})",
            value.value,
            sources.join(", ")
        ));
    }
}

/// Appends a line for each value.
fn values<T: std::fmt::Display>(lines: &mut Vec<String>, name: &str, values: &[MetadataValue<T>]) {
    for one in values {
        value(lines, name, Some(one));
    }
}

/// Where a value is from: extractor and line.
fn place(source: &ValueSource) -> String {
    match source.line {
        Some(line) => format!("{} {line}", source.extractor),
        None => source.extractor.to_string(),
    }
}

/// A part of the outline as an indented line.
fn part(entry: &OutlineEntry) -> String {
    let or_dash = |line: Option<u32>| line.map_or("-".to_owned(), |line| line.to_string());
    let indent = "  ".repeat(usize::from(entry.level.saturating_sub(1)).min(12));
    format!(
        "{:>8} {:>8}  {indent}{entry}",
        or_dash(entry.line),
        or_dash(entry.listed)
    )
}
