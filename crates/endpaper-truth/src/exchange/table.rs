//! Tables: which columns there are, what is in them, and reading their lines.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_yaml::Value;

use endpaper_text::cells::{from_cell, to_cell};

use super::cells::{guard_formula, join, unguard_formula, unquoted};
use super::{ExchangeFormat, csv};
use crate::body::{body_bytes, body_lines};
use crate::yaml::ParseError;
use crate::{Record, RecordKind, Verdict};
use endpaper_detect::End;
use endpaper_text::corpus::BookText;

/// Columns of labels.
const TSV: &[&str] = &[
    "book",
    "sha256",
    "body_first",
    "body_last",
    "alt_first",
    "alt_last",
    "hard",
    "reasons",
    "note",
    "kind",
];

/// Columns of the wide table.
const CSV: &[&str] = &[
    "book",
    "sha256",
    "bytes",
    "lines",
    "encoding",
    "newline",
    "kind",
    "verdict",
    "preamble_end",
    "epilogue_start",
    "body_first",
    "body_last",
    "body_start",
    "body_end",
    "alt_first",
    "alt_last",
    "inside",
    "hard",
    "reasons",
    "note",
    "policy",
    "reviews",
    "by",
    "at",
];

/// Keys of a record that are not columns: a column of this name would stand in the file twice.
const RESERVED: &[&str] = &[
    "schema",
    "source",
    "cuts",
    "alternatives",
    "context",
    "offsets",
];

/// The word of tables for a file that is not a book.
const INDEX: &str = "index";

/// A table to be written.
#[derive(Clone, Debug)]
pub struct ExportTable {
    format: ExchangeFormat,
    /// Unknown keys of records that hold texts.
    more: BTreeSet<String>,
    /// Whether no cell may be a formula.
    spreadsheet_safe: bool,
}

impl ExportTable {
    /// A table for these records: unknown keys that hold texts get columns after the known ones.
    pub fn of<'a>(
        format: ExchangeFormat,
        records: impl IntoIterator<Item = &'a Record>,
    ) -> ExportTable {
        let is_text = |(_, value): &(&String, &Value)| value.is_string();
        let unknown = records.into_iter().flat_map(|record| &record.unknown);
        let unknown = unknown.filter(is_text).map(|(key, _)| key.clone());
        let free =
            |key: &String| !key.is_empty() && !is_known(key) && from_cell(&to_cell(key)) == *key;
        ExportTable {
            format,
            more: unknown.filter(free).collect(),
            spreadsheet_safe: false,
        }
    }

    /// The same in which no spreadsheet finds a formula: texts that begin with `=`, `+`, `-`, `@`, a tab or a carriage
    /// return get an apostrophe before them, which [`read_table`] takes away.
    pub fn spreadsheet_safe(self, safe: bool) -> ExportTable {
        ExportTable {
            spreadsheet_safe: safe,
            ..self
        }
    }

    /// The columns of the format.
    fn known(&self) -> &'static [&'static str] {
        match self.format {
            ExchangeFormat::Tsv => TSV,
            _ => CSV,
        }
    }

    /// The line with the names of the columns.
    pub fn header(&self) -> String {
        let more = self.more.iter().map(String::as_str);
        self.line(self.known().iter().copied().chain(more))
    }

    /// Whether a record can stand in this table: labels know no drafts and nothing undecidable.
    pub fn holds(&self, record: &Record) -> bool {
        self.format != ExchangeFormat::Tsv
            || record.verdict.has_cuts()
            || record.verdict == Verdict::NotABook
    }

    /// The line of a record whose text is this.
    pub fn row(&self, record: &Record, text: &BookText) -> String {
        let cells = cells_of(record, text);
        let known = self.known().iter().map(|column| {
            let cell = match (*column, self.format) {
                // Labels have one word for the kind; that a verdict says the same is the wide table's.
                ("kind", ExchangeFormat::Tsv) if record.kind == RecordKind::NotABook => Some(INDEX),
                _ => cells.get(column).map(String::as_str),
            };
            cell.unwrap_or_default().to_owned()
        });
        let more = self.more.iter().map(|key| {
            let value = record.unknown.get(key).and_then(Value::as_str);
            value.unwrap_or_default().to_owned()
        });
        let cells: Vec<String> = known.chain(more).collect();
        self.line(cells.iter().map(String::as_str))
    }

    /// The cells as a line, quoted or escaped as the format demands.
    fn line<'a>(&self, cells: impl Iterator<Item = &'a str>) -> String {
        let cells: Vec<Cow<'_, str>> = cells
            .map(|cell| guard_formula(cell, self.spreadsheet_safe))
            .collect();
        let cells = cells.iter().map(|cell| &**cell);
        match self.format {
            ExchangeFormat::Tsv => cells.map(to_cell).collect::<Vec<_>>().join("\t"),
            _ => csv::write(cells),
        }
    }
}

/// Whether a column has a meaning, so that it is not a flag.
fn is_known(column: &str) -> bool {
    column == "flags"
        || [TSV, CSV, RESERVED]
            .iter()
            .any(|known| known.contains(&column))
}

/// The cells of a record, by column.
fn cells_of(record: &Record, text: &BookText) -> BTreeMap<&'static str, String> {
    let number = |number: Option<u32>| number.map(|n| n.to_string()).unwrap_or_default();
    let cuts = record.cuts;
    let body = body_lines(text, cuts);
    let bytes = body_bytes(text, cuts);
    let offset = |offset: Option<usize>| offset.map(|n| n.to_string()).unwrap_or_default();
    let others = |end: End| {
        let lines = record.alternatives.iter().filter(|other| other.end == end);
        let lines = lines.filter_map(|other| match end {
            End::Start => text.non_blank_from(other.line.saturating_add(1)),
            End::End => text.non_blank_to(other.line.saturating_sub(1)),
        });
        join(lines.map(|line| line.to_string()))
    };
    let inside = record.inside.iter();
    let inside = inside.map(|part| format!("{}-{}:{}", part.first, part.last, part.kind));
    let last = record.reviews.last();
    let source = &record.source;
    BTreeMap::from([
        ("book", record.book.clone()),
        ("sha256", source.sha256.clone()),
        ("bytes", source.bytes.to_string()),
        ("lines", source.lines.to_string()),
        ("encoding", source.encoding.clone()),
        ("newline", source.newline.clone()),
        ("kind", record.kind.to_string()),
        ("verdict", record.verdict.to_string()),
        ("preamble_end", cuts.preamble_end.to_string()),
        ("epilogue_start", number(cuts.epilogue_start)),
        ("body_first", number(body.map(|body| body.0))),
        ("body_last", number(body.map(|body| body.1))),
        (
            "body_start",
            offset(bytes.as_ref().map(|bytes| bytes.start)),
        ),
        ("body_end", offset(bytes.as_ref().map(|bytes| bytes.end))),
        ("alt_first", others(End::Start)),
        ("alt_last", others(End::End)),
        ("inside", join(inside)),
        ("hard", u8::from(record.hard).to_string()),
        ("reasons", join(&record.flags)),
        ("note", record.note.clone()),
        ("policy", record.policy.clone()),
        ("reviews", record.reviews.len().to_string()),
        ("by", last.map(|last| last.by.clone()).unwrap_or_default()),
        ("at", last.map(|last| last.at.clone()).unwrap_or_default()),
    ])
}

/// A line of a table that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableLine {
    /// Where it begins, from 1.
    pub line: usize,
    /// What is in the known columns; empty cells are left out.
    pub(super) cells: BTreeMap<Arc<str>, String>,
    /// What is in the others.
    pub(super) more: BTreeMap<Arc<str>, String>,
}

/// Most lines of a table.
const MOST_LINES: usize = 500_000;
/// Most cells of a table.
const MOST_CELLS: usize = 16_000_000;
/// Longest name of a column, in bytes: it becomes a key of every record.
const LONGEST_NAME: usize = 256;

/// Reads a table. A line of another number of cells is an error of its own.
///
/// # Errors
///
/// A header that names no book, a column twice, or a column that would hide a key of the record.
pub fn read_table(
    text: &str,
    format: ExchangeFormat,
) -> Result<Vec<Result<TableLine, ParseError>>, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.lines().nth(MOST_LINES).is_some() {
        return Err(ParseError {
            line: MOST_LINES + 1,
            column: 1,
            message: format!("has more than {MOST_LINES} lines; split it"),
        });
    }
    let separator = separator(text, format)?;
    if text.matches(separator).count() > MOST_CELLS {
        return Err(ParseError {
            line: 1,
            column: 1,
            message: format!("has more than {MOST_CELLS} cells; split it"),
        });
    }
    let mut rows = match format {
        ExchangeFormat::Tsv => tab_separated(text),
        _ => csv::read(text, separator)?,
    };
    if has_index(&rows) {
        for (_, cells) in &mut rows {
            cells.remove(0);
        }
    }
    let mut rows = rows.into_iter();
    let (at, header) = rows.next().unwrap_or((1, Vec::new()));
    let bare = |cell: &String| unguard_formula(cell).to_owned();
    let header: Vec<String> = header.iter().map(bare).collect();
    check_header(&header).map_err(|message| ParseError {
        line: at,
        column: 1,
        message,
    })?;
    let names: Vec<Arc<str>> = header.iter().map(|name| name.as_str().into()).collect();
    let line = |(line, cells): (usize, Vec<String>)| {
        if cells.len() != header.len() {
            let (has, wants) = (cells.len(), header.len());
            return Err(ParseError {
                line,
                column: 1,
                message: format!("has {has} cells, the header has {wants}; add or quote some"),
            });
        }
        let mut row = TableLine {
            line,
            ..TableLine::default()
        };
        let named = names.iter().cloned().zip(cells);
        for (column, cell) in named.filter(|(_, cell)| !cell.is_empty()) {
            let cells = if is_known(&column) {
                &mut row.cells
            } else {
                &mut row.more
            };
            cells.insert(column, bare(&cell));
        }
        Ok(row)
    };
    Ok(rows.map(line).collect())
}

/// The lines of a TSV text that are not blank, with number and cells.
fn tab_separated(text: &str) -> Vec<(usize, Vec<String>)> {
    let lines = text.split('\n').enumerate();
    let lines = lines.map(|(at, line)| (at + 1, line.strip_suffix('\r').unwrap_or(line)));
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            (
                at,
                line.split('\t')
                    .map(|cell| from_cell(&unquoted(cell)))
                    .collect(),
            )
        })
        .collect()
}

/// What stands between the columns. Spreadsheets of many countries write CSV with semicolons.
fn separator(text: &str, format: ExchangeFormat) -> Result<char, ParseError> {
    let header = text.lines().next().unwrap_or_default();
    let has = |separator: char| header.contains(separator);
    let wrong = |other: &str, name: &str| ParseError {
        line: 1,
        column: 1,
        message: format!("has {other} between its columns; save it with {name}"),
    };
    match format {
        ExchangeFormat::Tsv if has('\t') => Ok('\t'),
        ExchangeFormat::Tsv if has(';') => Err(wrong("semicolons", "tabs")),
        ExchangeFormat::Tsv if has(',') => Err(wrong("commas", "tabs")),
        ExchangeFormat::Tsv => Ok('\t'),
        _ if has(',') => Ok(','),
        _ if has(';') => Ok(';'),
        _ if has('\t') => Err(wrong("tabs", "commas")),
        _ => Ok(','),
    }
}

/// Whether the first column numbers the rows from 0, without a name: data frames write one.
fn has_index(rows: &[(usize, Vec<String>)]) -> bool {
    let cells = rows.iter().map(|(_, cells)| cells.first());
    let mut cells = cells.map(|cell| cell.map(String::as_str));
    cells.next() == Some(Some(""))
        && cells
            .enumerate()
            .all(|(at, cell)| cell == Some(at.to_string().as_str()))
}

/// Checks the names of the columns.
fn check_header(columns: &[String]) -> Result<(), String> {
    if !columns.iter().any(|column| column == "book") {
        return Err(
            "has no column 'book'; a table begins with a line that names its columns".to_owned(),
        );
    }
    let mut seen = BTreeSet::new();
    for column in columns {
        if !seen.insert(column) {
            return Err(format!("has the column '{column}' twice; rename one"));
        }
        if column.len() > LONGEST_NAME {
            let start: String = column.chars().take(20).collect();
            return Err(format!(
                "has a column '{start}...' whose name is longer than {LONGEST_NAME} bytes; rename it"
            ));
        }
        if column.is_empty() {
            return Err("has a column without a name; name it, or take it out".to_owned());
        }
        if RESERVED.contains(&column.as_str()) {
            return Err(format!(
                "has a column '{column}', which is a key of records and no column; rename it"
            ));
        }
    }
    Ok(())
}

/// The kind of a record in a table, where older words are read too.
pub(super) fn kind_of(word: &str) -> Result<RecordKind, String> {
    match word {
        INDEX => Ok(RecordKind::NotABook),
        word => word.parse(),
    }
}
