//! `endpaper catalog citations --links`: prints which books of a corpus cite which.

use anyhow::Result;
use serde::Serialize;

use crate::catalog::CatalogArgs;
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::output::{OutputFormat, Printer, note};
use endpaper_outline::{CitationLink, CitationLinks};
use endpaper_text::cells::escaped;
use endpaper_text::wording::counted;

/// The first line of TSV.
const TSV_HEADER: &str = "book\tline\tnumber\tcited\tauthor\ttitle\tyear";

/// A reference of one book to another.
#[derive(Serialize)]
struct LinkRow<'a> {
    book: &'a str,
    line: u32,
    number: u32,
    cited: &'a str,
    author: Option<&'a str>,
    title: &'a str,
    year: Option<u32>,
}

/// Reads all books and prints the links between them, in the order of the citing books.
pub(super) fn run(args: &CatalogArgs) -> Result<Exit> {
    let (mut ids, mut links) = (Vec::new(), CitationLinks::default());
    let skipped = args.each(|outlined| {
        ids.push(outlined.book.id.clone());
        let outline = &outlined.outline;
        links.add(&outline.metadata, &outline.bibliographies);
        Ok(())
    })?;
    let mut printer = Printer::stdout();
    match args.format {
        OutputFormat::Table => printer.line(&format!("{:>8}  {:<30}  cites", "line", "book"))?,
        OutputFormat::Tsv => printer.line(TSV_HEADER)?,
        OutputFormat::Jsonl => {}
    }
    let links = links.links();
    if links.is_empty() && !args.corpus.quiet {
        note(&format!(
            "none of {} cites another",
            counted(ids.len() as u64, "book", "books")
        ));
    }
    for link in links {
        let row = LinkRow::of(&link, |book: usize| ids[book].as_str());
        printer.line(&match args.format {
            OutputFormat::Table => format!("{:>8}  {:<30}  {}", row.line, row.book, row.cited),
            OutputFormat::Tsv => row.tsv(),
            OutputFormat::Jsonl => serde_json::to_string(&row)?,
        })?;
    }
    let printed = printer.finish();
    let exit = exit_after_skips(&skipped);
    printed?;
    Ok(exit)
}

impl<'a> LinkRow<'a> {
    fn of(link: &CitationLink<'a>, id: impl Fn(usize) -> &'a str) -> LinkRow<'a> {
        let reference = link.reference;
        LinkRow {
            book: id(reference.book),
            line: reference.line,
            number: reference.number,
            cited: id(link.cited),
            author: reference.author.as_deref(),
            title: &reference.title,
            year: reference.year,
        }
    }

    /// The columns of TSV.
    fn tsv(&self) -> String {
        [
            escaped(self.book).into_owned(),
            self.line.to_string(),
            self.number.to_string(),
            escaped(self.cited).into_owned(),
            escaped(self.author.unwrap_or_default()).into_owned(),
            escaped(self.title).into_owned(),
            self.year.map_or(String::new(), |year| year.to_string()),
        ]
        .join("\t")
    }
}
