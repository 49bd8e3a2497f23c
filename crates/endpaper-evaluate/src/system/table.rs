//! The cuts of another tool, from its table.

use std::collections::HashMap;
use std::path::Path;

use super::cuts::{CutTableError, System, SystemCuts, SystemError};
use endpaper_detect::Cuts;
use endpaper_detect::pipeline::{CorpusReport, LabelMatcher};
use endpaper_text::cells::from_cell;
use endpaper_text::files::read_input;
use endpaper_text::wording::thousands;

/// The cuts of another tool from its table: columns `book`, `preamble_end` and `epilogue_start`, as `detect --format tsv`
/// prints them.
///
/// # Errors
///
/// A file that cannot be read or is no such table.
pub fn read_cut_table(file: &Path, report: &CorpusReport) -> Result<System, SystemError> {
    let text = read_input(file).map_err(|source| SystemError::Unread {
        file: file.to_owned(),
        source,
    })?;
    let (cuts, strange) = parse_cut_table(&text, report).map_err(|source| SystemError::Table {
        file: file.to_owned(),
        source,
    })?;
    let note = (strange > 0).then(|| {
        let lines = if strange == 1 { "line" } else { "lines" };
        format!(
            "{} {lines} of its table name no book of the corpus",
            thousands(strange)
        )
    });
    let stem = file.file_stem().unwrap_or(file.as_os_str());
    Ok(System {
        name: stem.to_string_lossy().into_owned(),
        note,
        cuts,
    })
}

/// The cuts of a table by the index of their book in the report, and the number of lines that name no book of it.
fn parse_cut_table(text: &str, report: &CorpusReport) -> Result<(SystemCuts, u64), CutTableError> {
    let lines = text.lines().zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.trim().is_empty());
    let (header, _) = lines.next().ok_or(CutTableError::Empty)?;
    let columns = CutColumns::of(header)?;
    let named = LabelMatcher::new(&report.books);
    let (mut cuts, mut strange) = (HashMap::new(), 0);
    for (line, at) in lines {
        let row = columns.row(line, at)?;
        let Some(book) = named.find(&row.book) else {
            strange += 1;
            continue;
        };
        let lines = report.books[book].summary.lines;
        let found = Cuts {
            preamble_end: row.start.min(lines),
            epilogue_start: Some(row.end).filter(|&line| line <= lines),
        };
        cuts.insert(book, (found, row.doubt.unwrap_or(0.0)));
    }
    Ok((cuts, strange))
}

/// The indices of the columns that are read.
struct CutColumns {
    book: usize,
    start: usize,
    end: usize,
    doubt: Option<usize>,
}

/// The cells of a line that are read.
struct CutRow {
    book: String,
    start: u32,
    end: u32,
    doubt: Option<f32>,
}

impl CutColumns {
    /// The indices of the columns that a header names.
    fn of(header: &str) -> Result<CutColumns, CutTableError> {
        let header = header.trim_start_matches('\u{feff}');
        let find = |name: &str| header.split('\t').position(|column| column == name);
        let column = |name| find(name).ok_or(CutTableError::NoColumn(name));
        Ok(CutColumns {
            book: column("book")?,
            start: column("preamble_end")?,
            end: column("epilogue_start")?,
            doubt: find("doubt"),
        })
    }

    /// Reads a line of the table.
    fn row(&self, text: &str, line: u32) -> Result<CutRow, CutTableError> {
        let cells: Vec<&str> = text.split('\t').collect();
        let cell = |column: usize| {
            let columns = cells.len();
            cells
                .get(column)
                .copied()
                .ok_or(CutTableError::Short { line, columns })
        };
        let number = |column: usize| {
            let cell = cell(column)?;
            cell.parse().map_err(|source| CutTableError::NoNumber {
                line,
                cell: cell.to_owned(),
                source,
            })
        };
        let (start, end) = (number(self.start)?, number(self.end)?);
        // A book may be called `-`; elsewhere that is an empty cell.
        let book = match cell(self.book)? {
            "-" => "-".to_owned(),
            id => from_cell(id),
        };
        let doubt = self
            .doubt
            .and_then(|column| cells.get(column)?.parse().ok());
        Ok(CutRow {
            book,
            start,
            end,
            doubt,
        })
    }
}
