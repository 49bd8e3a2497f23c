//! The cuts of another tool, from its table.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::{Contender, Found};
use endpaper_detect::Cuts;
use endpaper_detect::pipeline::{Named, Survey};
use endpaper_text::cells::uncell;
use endpaper_text::files::read_input;
use endpaper_text::words::thousands;

/// The cuts of another tool from its table: columns `book`, `preamble_end` and `epilogue_start`, as `detect --format tsv`
/// prints them.
pub(crate) fn other_tool(file: &Path, survey: &Survey) -> Result<Contender> {
    let name = file.display();
    let text = read_input(file).with_context(|| format!("'{name}' cannot be read"))?;
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
    let header = header.trim_start_matches('\u{feff}');
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
        // A book may be called `-`; elsewhere that is an empty cell.
        let id = match cell(book)? {
            "-" => "-".to_owned(),
            id => uncell(id),
        };
        match named.find(&id) {
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
