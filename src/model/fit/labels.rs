//! Labels for fitting, from a truth folder or a table, matched to the books of an analysis.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use rayon::prelude::*;

use endpaper_command::output::warn;
use endpaper_detect::pipeline::{BodyLabel, CorpusReport, LabelMatcher};
use endpaper_text::checksum::sha256;
use endpaper_text::files::read_input;
use endpaper_truth::exchange::{ExchangeFormat, read_table};
use endpaper_truth::{Record, RecordKind, Store};

/// A labelled body, not matched to a book yet.
struct UnmatchedLabel {
    book: String,
    first: u32,
    /// `None`: the last line of the book.
    last: Option<u32>,
    /// SHA-256 of the labelled text, if known.
    sha256: Option<String>,
}

/// The labels of analysed books, and whether any were skipped; each of those was named.
pub(super) struct BodyLabels {
    pub labels: Vec<BodyLabel>,
    pub some_left_out: bool,
}

/// Reads labels from the confirmed and corrected records of a truth folder.
pub(super) fn of_folder(folder: &Path, report: &CorpusReport, max_size: u64) -> Result<BodyLabels> {
    ensure!(
        folder.is_dir(),
        "'{}' is not a truth folder; give one with --truth",
        folder.display()
    );
    let mut wanted = Vec::new();
    let mut broken = false;
    for (file, record) in Store::open(folder)?.valid_records()? {
        match record {
            Ok(record) => wanted.extend(of_record(record)),
            Err(mistake) => {
                broken = true;
                let file = folder.join(file);
                warn(&format!("'{}': {mistake}; skipping it", file.display()));
            }
        }
    }
    matched(wanted, report, max_size, broken)
}

/// The label of a record; `None` if it has no body.
fn of_record(record: Record) -> Option<UnmatchedLabel> {
    let is_body = record.kind == RecordKind::Book && record.verdict.has_cuts();
    is_body.then(|| UnmatchedLabel {
        first: record.cuts.preamble_end.saturating_add(1),
        last: record
            .cuts
            .epilogue_start
            .map(|line| line.saturating_sub(1)),
        sha256: Some(record.source.sha256),
        book: record.book,
    })
}

/// Reads labels from a table with the columns `book`, `body_first` and `body_last`.
pub(super) fn of_table(file: &Path, report: &CorpusReport, max_size: u64) -> Result<BodyLabels> {
    let name = file.display();
    let text = read_input(file).with_context(|| format!("'{name}' cannot be read"))?;
    let format = match ExchangeFormat::of(file) {
        Some(ExchangeFormat::Csv) => ExchangeFormat::Csv,
        _ => ExchangeFormat::Tsv,
    };
    let rows =
        read_table(&text, format).with_context(|| format!("'{name}' is not a table of labels"))?;
    let mut wanted = Vec::new();
    let mut broken = false;
    for row in rows {
        let label = match row {
            Ok(row) => row
                .body()
                .map_err(|message| (row.line, message))
                .map(|body| {
                    body.map(|(first, last)| UnmatchedLabel {
                        book: row.book().to_owned(),
                        first,
                        last: Some(last),
                        sha256: row.sha256().map(str::to_owned),
                    })
                }),
            Err(error) => Err((error.line, error.message)),
        };
        match label {
            Ok(label) => wanted.extend(label),
            Err((line, message)) => {
                broken = true;
                warn(&format!("{name}:{line}: {message}; skipping it"));
            }
        }
    }
    matched(wanted, report, max_size, broken)
}

/// Finds the books of the labels and checks that their texts are those labelled.
fn matched(
    wanted: Vec<UnmatchedLabel>,
    report: &CorpusReport,
    max_size: u64,
    broken: bool,
) -> Result<BodyLabels> {
    let named = LabelMatcher::new(&report.books);
    let found: Vec<Result<BodyLabel, String>> = wanted
        .par_iter()
        .map(|label| {
            let book = named.find(&label.book).ok_or("is not in the corpus")?;
            of_book(label, book, report, max_size)
        })
        .collect();
    let (mut labels, mut seen, mut left_out) = (Vec::new(), HashSet::new(), 0);
    for (wanted, found) in wanted.iter().zip(found) {
        let found = found.and_then(|label| match seen.insert(label.book) {
            true => Ok(label),
            false => Err("is labelled twice; the first label is used".to_owned()),
        });
        match found {
            Ok(label) => labels.push(label),
            Err(message) => {
                left_out += 1;
                warn(&format!(
                    "skipping the label of '{}': it {message}",
                    wanted.book
                ));
            }
        }
    }
    if left_out > 0 {
        warn(&format!("{left_out} of {} labels skipped", wanted.len()));
    }
    ensure!(
        !labels.is_empty(),
        "no labelled book is in the corpus; name the folder the labelled books are in"
    );
    Ok(BodyLabels {
        labels,
        some_left_out: broken || left_out > 0,
    })
}

/// The label for the book `at` of the analysis, if its text is the labelled one.
fn of_book(
    label: &UnmatchedLabel,
    at: usize,
    report: &CorpusReport,
    max_size: u64,
) -> Result<BodyLabel, String> {
    let book = &report.books[at];
    let lines = book.summary.lines;
    let last = label.last.unwrap_or(lines);
    if label.first == 0 || label.first > last || last > lines {
        return Err(format!(
            "says lines {} to {last} of a book of {lines} lines",
            label.first
        ));
    }
    if let Some(expected) = &label.sha256 {
        let bytes = book
            .book
            .read(max_size)
            .map_err(|reason| reason.to_string())?;
        if !sha256(&bytes).eq_ignore_ascii_case(expected) {
            return Err("is about another text; label it again".to_owned());
        }
    }
    Ok(BodyLabel {
        book: at,
        first: label.first,
        last,
    })
}
