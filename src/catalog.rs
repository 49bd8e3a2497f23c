//! `endpaper catalog`: prints one row for each book of a corpus, for a data card.
//!
//! The columns of `tsv` and the keys of `jsonl` are a contract with scripts: they may grow at the end, never change.

use anyhow::Result;
use serde::Serialize;

use crate::citations::{self, CitationSubject};
use crate::outlines::each;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, exit_after_skips};
use endpaper_command::output::{OutputFormat, Printer, clipped};
use endpaper_outline::{BookOutline, Citations, FilterStatus, MetadataValue, Outline};
use endpaper_text::cells::escaped;

const EXAMPLES: &str = "\
Examples:
  endpaper catalog ~/gutenberg
  endpaper catalog ~/gutenberg --format tsv > catalog.tsv
  endpaper catalog ~/gutenberg --format jsonl | jq -r 'select(.language != \"English\") | .book'
  endpaper catalog ~/papers --only-books --format tsv > books.tsv
  endpaper catalog ~/papers --citations works | head -20

Values are read from the books as by `endpaper outline`. Columns of tsv and keys of jsonl: book, number,
title, authors, editors, translators, language, released, declared_encoding, encoding, hand, publisher, place, published,
copyright, isbns, bytes, lines, contents_first, contents_last, contents_entries, contents_linked, parts, pages,
pages_estimated, book_filter, references. Several people or ISBNs in one cell of tsv are separated by '; '; a cell is
empty if the book has no such value. released is as exact as the header: 1995, 1995-04 or 1995-04-01. parts counts the
headings in the body, references the items of its lists of references.

book_filter separates books from other texts: weak is a table of contents in the first 20 pages and more than 100 pages,
strong also a valid ISBN before the table of contents, none the rest. Pages end at form feeds; without them a page has 300
words, and pages_estimated is true.

--citations counts what the lists of references of all books cite: cited_by is the number of books, citations the number of
references. Titles that differ only in case, accents and punctuation are one work, as are titles that differ in less than
5 % of their letters if authors and venues agree. Columns of tsv and keys of jsonl: cited_by, citations,
name, author, year, spellings.

Exit status: 0 fine, 1 some books could not be read, 2 wrong use or nothing done.";

/// Arguments of `endpaper catalog`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,

    /// Print only documents that are books by the filter, strong or weak
    #[arg(long)]
    only_books: bool,

    /// Print what the books cite instead of the books
    #[arg(long, value_enum, value_name = "WHAT")]
    citations: Option<CitationSubject>,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
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
    let mut printer = Printer::stdout();
    let mut first = true;
    let mut citations = Citations::default();
    let skipped = each(&args.corpus, |outlined| {
        if args.only_books && outlined.outline.filter.book == FilterStatus::None {
            return Ok(());
        }
        if args.citations.is_some() {
            citations.add(&outlined.outline.bibliographies);
            return Ok(());
        }
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
    if let Some(what) = args.citations {
        citations::print(&mut printer, &citations, what, args.format)?;
    }
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
            title: text(about.title.as_ref()),
            authors: texts(&about.authors),
            editors: texts(&about.editors),
            translators: texts(&about.translators),
            language: text(about.language.as_ref()),
            released: about.released.as_ref().map(|date| date.value.to_string()),
            declared_encoding: text(about.encoding.as_ref()),
            encoding: outlined.encoding.to_string(),
            hand: text(about.producer.as_ref()),
        }
    }
}

impl<'a> CatalogImprint<'a> {
    /// What is known of the printed edition.
    fn of(outline: &'a Outline) -> CatalogImprint<'a> {
        let about = &outline.metadata;
        CatalogImprint {
            publisher: text(about.publisher.as_ref()),
            place: text(about.place.as_ref()),
            published: about.published.as_ref().map(|year| year.value),
            copyright: text(about.copyright.as_ref()),
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

/// The value without its sources.
fn text(value: Option<&MetadataValue<String>>) -> Option<&str> {
    value.map(|value| value.value.as_str())
}

/// The values without their sources.
fn texts(values: &[MetadataValue<String>]) -> Vec<&str> {
    values.iter().map(|value| value.value.as_str()).collect()
}
