//! Whether near copies of one text were cut at the same words.
//!
//! Line numbers say nothing: copies break lines differently and have other headers. Where words are body in one copy and cut
//! away in the other, at least one of the two decisions is a slip.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::finding::locate_findings;
use super::{CheckFinding, CheckRule, ValidRecord};
use crate::{Record, RecordKind};
use endpaper_detect::pipeline::{
    AnalysisProgress, BookReport, CopyOptions, CorpusReport, compare_copies,
};
use endpaper_text::corpus::BookText;

/// First and last line of the body of a record that are not blank; `None` where it has no body.
pub fn body_lines(record: &Record, text: &BookText) -> Option<(u32, u32)> {
    let is_book = record.verdict.has_cuts() && record.kind == RecordKind::Book;
    crate::body_lines(text, record.cuts).filter(|_| is_book)
}

/// Compares the decisions on near copies by the words at their cuts. `body` returns the body of a record as [`body_lines`]
/// found it; `report` has the books.
///
/// # Errors
///
/// The threads cannot be started. Books that can no longer be read are left out.
pub fn check_copies<T>(
    sound: &[ValidRecord<T>],
    body: impl Fn(&T) -> Option<(u32, u32)>,
    report: &CorpusReport,
    options: &CopyOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
) -> Result<Vec<CheckFinding>> {
    let reports = report.books.iter();
    let reports: HashMap<&str, &BookReport> =
        reports.map(|book| (book.book.id.as_str(), book)).collect();
    let decided = sound.iter().filter_map(|valid| {
        let found = reports.get(valid.record.book.as_str())?;
        let body = body(&valid.answer)?;
        Some((DecidedBook { valid, body }, *found))
    });
    let (decided, books): (Vec<DecidedBook<'_, T>>, Vec<&BookReport>) = decided.unzip();
    let bodies: Vec<(u32, u32)> = decided.iter().map(|book| book.body).collect();
    let compared = compare_copies(&books, &bodies, options, progress, &AtomicBool::new(false))?;
    let mut findings = Vec::new();
    for pair in compared {
        let [ours, theirs] = pair.books.map(|book| &decided[book as usize]);
        for (at_end, differs) in [false, true].into_iter().zip(pair.differ) {
            if differs {
                findings.extend(ours.disagreement(theirs, at_end));
            }
        }
    }
    Ok(findings)
}

/// A decided book with the cuts of its record.
struct DecidedBook<'a, T> {
    valid: &'a ValidRecord<T>,
    body: (u32, u32),
}

impl<T> DecidedBook<'_, T> {
    fn disagreement(&self, other: &DecidedBook<'_, T>, at_end: bool) -> Vec<CheckFinding> {
        let (record, copy) = (&self.valid.record.book, &other.valid.record.book);
        let (field, does, ours, theirs) = match at_end {
            false => ("cuts.preamble_end", "begins", self.body.0, other.body.0),
            true => ("cuts.epilogue_start", "ends", self.body.1, other.body.1),
        };
        let text = format!(
            "the body of '{record}' {does} at line {ours}, that of its near copy '{copy}' at line {theirs}, at other words; compare both and decide one of them again"
        );
        let wrong = vec![(CheckRule::CopiesDiffer, field.to_owned(), text)];
        locate_findings(&self.valid.file, record, wrong)
    }
}
