//! `endpaper catalog --citations`: what the books of a corpus cite most.
//!
//! The columns of `tsv` and the keys of `jsonl` are a contract with scripts: they may grow at the end, never change.

use anyhow::Result;
use clap::ValueEnum;

use crate::catalog::clipped;
use endpaper_command::output::{Format, Printer};
use endpaper_outline::{Citations, Cited};
use endpaper_text::cells::escaped;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum What {
    /// Works, by their titles
    Works,
    /// Journals, series and proceedings
    Venues,
}

/// The first line of TSV.
const TSV_HEADER: &str = "cited_by\tcitations\tname\tauthor\tyear\tspellings";

/// Prints what is cited, most books first.
pub(super) fn print(
    printer: &mut Printer,
    citations: &Citations,
    what: What,
    format: Format,
) -> Result<()> {
    let all = match what {
        What::Works => citations.works(),
        What::Venues => citations.venues(),
    };
    match (format, what) {
        (Format::Table, What::Works) => {
            printer.line(&format!(
                "{:>8} {:>9} {:>5}  {:<24}  title",
                "cited by", "citations", "year", "author"
            ))?;
        }
        (Format::Table, What::Venues) => {
            printer.line(&format!("{:>8} {:>9}  venue", "cited by", "citations"))?
        }
        (Format::Tsv, _) => printer.line(TSV_HEADER)?,
        (Format::Jsonl, _) => {}
    }
    for one in &all {
        printer.line(&match format {
            Format::Table => table_line(one, what),
            Format::Tsv => tsv_line(one),
            Format::Jsonl => serde_json::to_string(one)?,
        })?;
    }
    Ok(())
}

fn table_line(one: &Cited, what: What) -> String {
    let (cited_by, citations) = (one.cited_by, one.citations);
    match what {
        What::Works => {
            let year = one.year.map_or("-".to_owned(), |year| year.to_string());
            let author = clipped(one.author.as_deref().unwrap_or("-"), 24);
            format!(
                "{cited_by:>8} {citations:>9} {year:>5}  {author:<24}  {}",
                one.name
            )
        }
        What::Venues => format!("{cited_by:>8} {citations:>9}  {}", one.name),
    }
}

fn tsv_line(one: &Cited) -> String {
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
