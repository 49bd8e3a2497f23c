//! `endpaper catalog`: prints one row for each book of a corpus, for a data card.
//!
//! The columns of `tsv` and the keys of `jsonl` are a contract with scripts: they may grow at the end, never change.

use anyhow::Result;
use serde::Serialize;

use crate::{citations, outlines};
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, exit_after_skips};
use endpaper_command::output::{OutputFormat, Printer, clipped, warn};
use endpaper_outline::{BookOutline, FilterStatus, MetadataValue, Outline};
use endpaper_text::cells::escaped;
use endpaper_text::corpus::Skipped;
use endpaper_text::wording::{plural, thousands};

const EXAMPLES: &str = "\
Examples:
  endpaper catalog ~/gutenberg
  endpaper catalog ~/gutenberg --format tsv > catalog.tsv
  endpaper catalog ~/gutenberg --format jsonl | jq -r 'select(.language != \"English\") | .book'
  endpaper catalog ~/papers --only-books --format tsv > books.tsv
  endpaper catalog citations ~/papers | head -20

Values are read from the books as by `endpaper outline`. Columns of tsv and keys of jsonl: book, number,
title, authors, editors, translators, language, released, declared_encoding, encoding, hand, publisher, place, published,
copyright, isbns, bytes, lines, contents_first, contents_last, contents_entries, contents_linked, parts, pages,
pages_estimated, book_filter, references. Several people or ISBNs in one cell of tsv are separated by '; '; a cell is
empty if the book has no such value. released is as exact as the header: 1995, 1995-04 or 1995-04-01. parts counts the
headings in the body, references the items of its lists of references.

book_filter separates books from other texts: weak is a table of contents in the first 20 pages and more than 100 pages,
strong also a valid ISBN before the table of contents, none the rest. Pages end at form feeds; without them a page has 300
words, and pages_estimated is true.

Exit status: 0 fine, 1 some books could not be read, 2 wrong use or nothing done.";

/// Arguments of `endpaper catalog`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    mode: Option<CatalogMode>,

    #[command(flatten)]
    rows: CatalogArgs,
}

/// What is printed instead of the books.
#[derive(Debug, clap::Subcommand)]
enum CatalogMode {
    /// Print what the lists of references of all books cite
    Citations(citations::Args),
}

/// Which books are printed, and how.
#[derive(Debug, clap::Args)]
pub(super) struct CatalogArgs {
    /// Leave out texts that are not books by the filter, weak or strong
    #[arg(long)]
    pub(super) only_books: bool,

    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) format: OutputFormat,

    #[command(flatten)]
    pub(super) corpus: CorpusArgs,
}

impl CatalogArgs {
    /// Calls `each` with the outline of every book that is to be printed. Returns the skipped books.
    pub(super) fn each(
        &self,
        mut each: impl FnMut(&BookOutline<'_>) -> Result<()>,
    ) -> Result<Vec<Skipped>> {
        let (mut read, mut left) = (0, 0);
        let skipped = outlines::each(&self.corpus, |outlined| {
            read += 1;
            if self.only_books && outlined.outline.filter.book == FilterStatus::None {
                return Ok(());
            }
            left += 1;
            each(outlined)
        })?;
        if left == 0 {
            warn(&format!(
                "--only-books leaves none of the {} {}: none is a book by its contents and length",
                thousands(read),
                plural(read, "text")
            ));
        }
        Ok(skipped)
    }
}

/// The first line of TSV.
const TSV_HEADER: &str = "book\tnumber\ttitle\tauthors\teditors\ttranslators\tlanguage\treleased\tdeclared_encoding\tencoding\thand\tpublisher\t\
     place\tpublished\tcopyright\tisbns\tbytes\tlines\tcontents_first\tcontents_last\tcontents_entries\tcontents_linked\tparts\t\
     pages\tpages_estimated\tbook_filter\treferences";

/// A row of the catalog. Fields of nested structs are flattened into it, in this order.
#[derive(Serialize)]
struct CatalogRow<'a> {
    book: &'a str,
    #[serde(flatten)]
    about: About<'a>,
    #[serde(flatten)]
    imprint: CatalogImprint<'a>,
    bytes: u64,
    lines: u32,
    #[serde(flatten)]
    contents: Contents,
    parts: usize,
    pages: u32,
    pages_estimated: bool,
    book_filter: FilterStatus,
    references: usize,
}

/// Facts about the text from the header.
#[derive(Serialize)]
struct About<'a> {
    number: Option<u32>,
    title: Option<&'a str>,
    authors: Vec<&'a str>,
    editors: Vec<&'a str>,
    translators: Vec<&'a str>,
    language: Option<&'a str>,
    released: Option<String>,
    declared_encoding: Option<&'a str>,
    encoding: String,
    hand: Option<&'a str>,
}

/// The imprint of the printed book.
#[derive(Serialize)]
struct CatalogImprint<'a> {
    publisher: Option<&'a str>,
    place: Option<&'a str>,
    published: Option<u32>,
    copyright: Option<&'a str>,
    isbns: Vec<&'a str>,
}

/// Tables of contents: the line of the first, and the entries of all.
#[derive(Serialize)]
struct Contents {
    contents_first: Option<u32>,
    contents_last: Option<u32>,
    contents_entries: u32,
    contents_linked: u32,
}

/// Runs `endpaper catalog`.
///
/// # Errors
///
/// Wrong use, no books, or a reader that stopped reading.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.mode {
        Some(CatalogMode::Citations(args)) => citations::run(args),
        None => print_books(&args.rows),
    }
}

/// Prints one row for each book.
fn print_books(args: &CatalogArgs) -> Result<Exit> {
    let mut printer = Printer::stdout();
    let mut first = true;
    let skipped = args.each(|outlined| {
        let row = CatalogRow::of(outlined);
        if std::mem::take(&mut first) {
            match args.format {
                OutputFormat::Table => printer.line(&table_line(
                    "number", "released", "language", "authors", "title", "book",
                ))?,
                OutputFormat::Tsv => printer.line(TSV_HEADER)?,
                OutputFormat::Jsonl => {}
            }
        }
        printer.line(&match args.format {
            OutputFormat::Table => row.table(),
            OutputFormat::Tsv => row.tsv(),
            OutputFormat::Jsonl => serde_json::to_string(&row)?,
        })?;
        Ok(())
    })?;
    let printed = printer.finish();
    let exit = exit_after_skips(&skipped);
    printed?;
    Ok(exit)
}

impl<'a> CatalogRow<'a> {
    /// The row of a book.
    fn of(outlined: &'a BookOutline<'_>) -> CatalogRow<'a> {
        let filter = &outlined.outline.filter;
        CatalogRow {
            book: outlined.book.id.as_str(),
            about: About::of(outlined),
            imprint: CatalogImprint::of(&outlined.outline),
            bytes: outlined.bytes,
            lines: outlined.lines,
            contents: Contents::of(&outlined.outline),
            parts: outlined.outline.headings().count(),
            pages: filter.pages,
            pages_estimated: filter.estimated,
            book_filter: filter.book,
            references: references(&outlined.outline),
        }
    }

    /// The row as a line of the table.
    fn table(&self) -> String {
        let about = &self.about;
        let number = about
            .number
            .map_or("-".to_owned(), |number| number.to_string());
        let released = about.released.as_deref().unwrap_or("-");
        let authors = about.authors.join("; ");
        table_line(
            &number,
            released,
            about.language.unwrap_or("-"),
            &authors,
            about.title.unwrap_or("-"),
            self.book,
        )
    }

    /// The row as a line of TSV.
    fn tsv(&self) -> String {
        let CatalogRow {
            about,
            imprint,
            contents,
            ..
        } = self;
        let number =
            |number: Option<u32>| number.map_or(String::new(), |number| number.to_string());
        let text = |text: Option<&str>| escaped(text.unwrap_or_default()).into_owned();
        let all = |texts: &[&str]| escaped(&texts.join("; ")).into_owned();
        [
            escaped(self.book).into_owned(),
            number(about.number),
            text(about.title),
            all(&about.authors),
            all(&about.editors),
            all(&about.translators),
            text(about.language),
            text(about.released.as_deref()),
            text(about.declared_encoding),
            about.encoding.to_owned(),
            text(about.hand),
            text(imprint.publisher),
            text(imprint.place),
            number(imprint.published),
            text(imprint.copyright),
            all(&imprint.isbns),
            self.bytes.to_string(),
            self.lines.to_string(),
            number(contents.contents_first),
            number(contents.contents_last),
            contents.contents_entries.to_string(),
            contents.contents_linked.to_string(),
            self.parts.to_string(),
            self.pages.to_string(),
            self.pages_estimated.to_string(),
            self.book_filter.to_string(),
            self.references.to_string(),
        ]
        .join("\t")
    }
}

impl<'a> About<'a> {
    /// What is known of the work.
    fn of(outlined: &'a BookOutline<'_>) -> About<'a> {
        let about = &outlined.outline.metadata;
        About {
            number: about.number.as_ref().map(|number| number.value),
            title: MetadataValue::text(about.title.as_ref()),
            authors: MetadataValue::texts(&about.authors),
            editors: MetadataValue::texts(&about.editors),
            translators: MetadataValue::texts(&about.translators),
            language: MetadataValue::text(about.language.as_ref()),
            released: about.released.as_ref().map(|date| date.value.to_string()),
            declared_encoding: MetadataValue::text(about.encoding.as_ref()),
            encoding: outlined.encoding.to_string(),
            hand: MetadataValue::text(about.producer.as_ref()),
        }
    }
}

impl<'a> CatalogImprint<'a> {
    /// What is known of the printed edition.
    fn of(outline: &'a Outline) -> CatalogImprint<'a> {
        let about = &outline.metadata;
        CatalogImprint {
            publisher: MetadataValue::text(about.publisher.as_ref()),
            place: MetadataValue::text(about.place.as_ref()),
            published: about.published.as_ref().map(|year| year.value),
            copyright: MetadataValue::text(about.copyright.as_ref()),
            isbns: about.isbns.iter().map(|isbn| isbn.value.as_str()).collect(),
        }
    }
}

impl Contents {
    /// What is known of the contents.
    fn of(outline: &Outline) -> Contents {
        let lists = &outline.lists;
        Contents {
            contents_first: lists.first().map(|list| list.first),
            contents_last: lists.first().map(|list| list.last),
            contents_entries: lists.iter().map(|list| list.entries).sum(),
            contents_linked: lists.iter().map(|list| list.linked).sum(),
        }
    }
}

/// A line of the table.
fn table_line(
    number: &str,
    released: &str,
    language: &str,
    authors: &str,
    title: &str,
    book: &str,
) -> String {
    format!(
        "{number:>7} {released:<10}  {:<10}  {:<24}  {:<44}  {book}",
        clipped(language, 10),
        clipped(authors, 24),
        clipped(title, 44)
    )
}

/// Number of references in all bibliographies of a book.
fn references(outline: &Outline) -> usize {
    let lists = outline.bibliographies.iter();
    lists.map(|list| list.items.len()).sum()
}
