//! Cuts to be held against others: those of a survey, of Algorithm 1 over another structure, of another tool.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::common::CorpusArgs;
use crate::corpus::Listing;
use crate::detect::{Cuts, Method};
use crate::frequency::Structure;
use crate::pipeline::{Named, Options, Survey};
use crate::truth::exchange::uncell;
use crate::words::thousands;

/// Cuts and doubt by the book's place in the survey. A book that is not there is not judged.
pub(super) type Found = HashMap<usize, (Cuts, f32)>;

/// Whose cuts they are, and the cuts.
pub(super) struct Contender {
    /// Whose they are.
    pub name: String,
    /// What there is to know of them.
    pub note: Option<String>,
    /// The cuts.
    pub cuts: Found,
}

/// What a survey proposed for these of its books.
pub(super) fn of_survey(survey: &Survey, books: impl Iterator<Item = usize>) -> Found {
    let found = |at: usize| {
        let found = &survey.books[at].summary.detection;
        (at, (found.cuts, found.doubt))
    };
    books.map(found).collect()
}

/// Algorithm 1 over counts of another structure, with its own threshold unless one is given.
pub(super) fn with_structure(
    corpus: &CorpusArgs,
    listing: &Listing,
    options: &Options,
    structure: Structure,
    threshold: Option<u64>,
) -> Result<Contender> {
    let mut options = options.clone();
    options.counting.structure = structure;
    options.parameters.method = Method::Gap;
    options.parameters.threshold = threshold.unwrap_or(structure.default_threshold());
    options.spreads = false;
    options.keep_scans = false;
    let survey = corpus.survey(listing, &options)?;
    Ok(Contender {
        name: format!("gap, {structure}"),
        note: None,
        cuts: of_survey(&survey, 0..survey.books.len()),
    })
}

/// The cuts of another tool from its table: columns `book`, `preamble_end` and `epilogue_start`, as `detect --format tsv`
/// prints them.
pub(super) fn other_tool(file: &Path, survey: &Survey) -> Result<Contender> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("'{name}' cannot be read"))?;
    let read = || cuts_of(&text, survey);
    let (cuts, strange) = read().with_context(|| format!("'{name}' is no table of cuts"))?;
    let note = (strange > 0).then(|| {
        let lines = if strange == 1 { "line" } else { "lines" };
        format!(
            "{} {lines} of its table name no book of the corpus",
            thousands(strange)
        )
    });
    let stem = file.file_stem().unwrap_or(file.as_os_str());
    Ok(Contender {
        name: stem.to_string_lossy().into_owned(),
        note,
        cuts,
    })
}

/// Cuts by the book's place, and how many lines name no book.
fn cuts_of(text: &str, survey: &Survey) -> Result<(Found, u64)> {
    let mut lines = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    let Some((header, _)) = lines.next() else {
        bail!(
            "it is empty; its first line names the columns book, preamble_end and epilogue_start"
        );
    };
    let columns: Vec<&str> = header.split('\t').collect();
    let column = |name: &str| {
        let found = columns.iter().position(|column| *column == name);
        found.with_context(|| {
            format!("line 1 names no column '{name}' (columns are separated by tabs)")
        })
    };
    let (book, start, end) = (
        column("book")?,
        column("preamble_end")?,
        column("epilogue_start")?,
    );
    let doubt = columns.iter().position(|column| *column == "doubt");
    let named = Named::new(&survey.books);
    let (mut cuts, mut strange) = (HashMap::new(), 0);
    for (line, at) in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |column: usize| {
            let cell = cells.get(column).copied();
            cell.with_context(|| format!("line {at} has only {} columns", cells.len()))
        };
        let number = |column: usize| -> Result<u32> {
            let cell = cell(column)?;
            let number = cell.parse();
            number.with_context(|| format!("line {at}: '{cell}' is no number of a line"))
        };
        let found = Cuts {
            preamble_end: number(start)?,
            epilogue_start: Some(number(end)?),
        };
        let doubt = doubt.and_then(|column| cells.get(column)?.parse().ok());
        match named.find(&uncell(cell(book)?)) {
            Some(at) => {
                let lines = survey.books[at].summary.lines;
                let epilogue_start = found.epilogue_start.filter(|&line| line <= lines);
                let found = Cuts {
                    preamble_end: found.preamble_end.min(lines),
                    epilogue_start,
                };
                cuts.insert(at, (found, doubt.unwrap_or(0.0)));
            }
            None => strange += 1,
        }
    }
    Ok((cuts, strange))
}
