//! `endpaper catalog --citations`: prints what the books of a corpus cite most.
//!
//! The columns of `tsv` and the keys of `jsonl` are a contract with scripts: they may grow at the end, never change.

use anyhow::Result;
use clap::ValueEnum;

use endpaper_command::output::{OutputFormat, Printer, clipped};
use endpaper_outline::{Citations, CitedItem};
use endpaper_text::cells::escaped;

/// Whether cited works or cited venues are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CitationSubject {
    /// Works, by their titles
    Works,
    /// Journals, series and proceedings
    Venues,
}

/// The first line of TSV.
const TSV_HEADER: &str = "cited_by\tcitations\tname\tauthor\tyear\tspellings";

/// Prints the citations, those in most books first.
pub(super) fn print(
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
