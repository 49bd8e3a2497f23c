//! `endpaper catalog citations`: prints what the books of a corpus cite most.
//!
//! The columns of `tsv` and the keys of `jsonl` are a contract with scripts: they may grow at the end, never change.

mod links;

use anyhow::Result;

use crate::catalog::CatalogArgs;
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::output::{OutputFormat, Printer, clipped};
use endpaper_outline::{Citations, CitedItem};
use endpaper_text::cells::escaped;

const EXAMPLES: &str = "\
Examples:
  endpaper catalog citations ~/papers | head -20
  endpaper catalog citations ~/papers --venues --format tsv > venues.tsv
  endpaper catalog citations ~/papers --links --format tsv > links.tsv

cited_by is the number of books that cite a work, citations the number of
references. Titles that differ only in case, accents and punctuation are one work, as are titles that differ in less than
5 % of their letters if authors and venues agree. Columns of tsv and keys of jsonl: cited_by, citations,
name, author, year, spellings.

--links prints a row for each reference to another book of the corpus: book, line, number (of the reference), cited (the other
book), author, title, year (as the reference has them). The titles must agree, and the reference must name one of the authors;
if one side names none, a title of three words or more decides.

Exit status: 0 fine, 1 some books could not be read, 2 wrong use or nothing done.";

/// Arguments of `endpaper catalog citations`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Count journals, series and proceedings instead of works
    #[arg(long)]
    venues: bool,

    /// Print which books of the corpus cite which instead
    #[arg(long, conflicts_with = "venues")]
    links: bool,

    #[command(flatten)]
    rows: CatalogArgs,
}

/// Whether cited works or cited venues are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CitationSubject {
    Works,
    Venues,
}

/// Runs `endpaper catalog citations`.
///
/// # Errors
///
/// Wrong use, no books, or a reader that stopped reading.
pub(super) fn run(args: &Args) -> Result<Exit> {
    if args.links {
        return links::run(&args.rows);
    }
    let mut citations = Citations::default();
    let skipped = args.rows.each(|outlined| {
        citations.add(&outlined.outline.bibliographies);
        Ok(())
    })?;
    let what = match args.venues {
        true => CitationSubject::Venues,
        false => CitationSubject::Works,
    };
    let mut printer = Printer::stdout();
    print(&mut printer, &citations, what, args.rows.format)?;
    let printed = printer.finish();
    let exit = exit_after_skips(&skipped);
    printed?;
    Ok(exit)
}

/// The first line of TSV.
const TSV_HEADER: &str = "cited_by\tcitations\tname\tauthor\tyear\tspellings";

/// Prints the citations, those in most books first.
fn print(
    printer: &mut Printer,
    citations: &Citations,
    what: CitationSubject,
    format: OutputFormat,
) -> Result<()> {
    let all = match what {
        CitationSubject::Works => citations.works(),
        CitationSubject::Venues => citations.venues(),
    };
    match (format, what) {
        (OutputFormat::Table, CitationSubject::Works) => {
            printer.line(&format!(
                "{:>8} {:>9} {:>5}  {:<24}  title",
                "cited by", "citations", "year", "author"
            ))?;
        }
        (OutputFormat::Table, CitationSubject::Venues) => {
            printer.line(&format!("{:>8} {:>9}  venue", "cited by", "citations"))?
        }
        (OutputFormat::Tsv, _) => printer.line(TSV_HEADER)?,
        (OutputFormat::Jsonl, _) => {}
    }
    for one in &all {
        printer.line(&match format {
            OutputFormat::Table => table_line(one, what),
            OutputFormat::Tsv => tsv_line(one),
            OutputFormat::Jsonl => serde_json::to_string(one)?,
        })?;
    }
    Ok(())
}

/// A cited work or venue as a line of the table.
fn table_line(one: &CitedItem, what: CitationSubject) -> String {
    let (cited_by, citations) = (one.cited_by, one.citations);
    match what {
        CitationSubject::Works => {
            let year = one.year.map_or("-".to_owned(), |year| year.to_string());
            let author = clipped(one.author.as_deref().unwrap_or("-"), 24);
            format!(
                "{cited_by:>8} {citations:>9} {year:>5}  {author:<24}  {}",
                one.name
            )
        }
        CitationSubject::Venues => format!("{cited_by:>8} {citations:>9}  {}", one.name),
    }
}

/// A cited work or venue as a line of TSV.
fn tsv_line(one: &CitedItem) -> String {
    [
        one.cited_by.to_string(),
        one.citations.to_string(),
        escaped(&one.name).into_owned(),
        escaped(one.author.as_deref().unwrap_or_default()).into_owned(),
        one.year.map_or(String::new(), |year| year.to_string()),
        one.spellings.to_string(),
    ]
    .join("\t")
}
