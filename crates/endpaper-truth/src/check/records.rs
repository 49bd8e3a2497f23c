//! Checking every record alone and all of them together.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use rayon::prelude::*;

use super::finding::locate_findings;
use super::{BookFinder, CheckFinding, CheckRule, RuleViolation, check_against_text};
use crate::file_name::{is_record_file, record_file};
use crate::{Record, Store};
use endpaper_text::corpus::BookText;

/// The findings of a check, and the valid records.
#[derive(Debug)]
pub struct CheckReport<T> {
    /// All that is wrong, by file and line.
    pub findings: Vec<CheckFinding>,
    /// Files of records.
    pub files: Vec<PathBuf>,
    /// Sound records whose book has the text that was decided, in the order of their files, with what was asked of them.
    pub valid: Vec<ValidRecord<T>>,
}

/// A record that can be relied on.
#[derive(Debug)]
pub struct ValidRecord<T> {
    /// The file, as the user can open it.
    pub file: PathBuf,
    /// What it says.
    pub record: Record,
    /// What `examine` of [`check_records`] returned for it and its text.
    pub answer: T,
}

/// Checks every record in itself and, with `books`, against the text of its book. `examine` is called for each record that is
/// sound, while its text is in memory; without `books` it is never called.
///
/// # Errors
///
/// A truth folder that cannot be listed. A bad record is a [`CheckFinding`].
pub fn check_records<T: Send>(
    store: &Store,
    books: Option<&dyn BookFinder>,
    examine: impl Fn(&Record, &BookText) -> T + Sync,
) -> Result<CheckReport<T>> {
    let records = store.records()?;
    let files = records.iter().map(|(path, _)| store.folder().join(path));
    let files: Vec<PathBuf> = files.collect();
    let (mut findings, mut parsed) = (Vec::new(), Vec::new());
    for (path, record) in records {
        match record {
            Ok(record) => parsed.push((path, record)),
            Err(error) => findings.push(CheckFinding {
                file: store.folder().join(path),
                line: error.line,
                column: error.column,
                rule: CheckRule::Broken,
                book: String::new(),
                message: error.message,
            }),
        }
    }
    findings.extend(duplicates(store.folder(), &parsed));
    findings.extend(find_conflict_copies(store));
    let one = |(path, record): (PathBuf, Record)| {
        let file = store.folder().join(&path);
        let (findings, answer) = check_one(&path, &record, books, &examine);
        let findings = locate_findings(&file, &record.book, findings);
        let answer = answer.map(|answer| ValidRecord {
            file,
            record,
            answer,
        });
        (findings, answer)
    };
    let each: Vec<(Vec<CheckFinding>, Option<ValidRecord<T>>)> =
        parsed.into_par_iter().map(one).collect();
    let mut sound = Vec::new();
    for (more, answer) in each {
        findings.extend(more);
        sound.extend(answer);
    }
    findings.sort();
    Ok(CheckReport {
        findings,
        files,
        valid: sound,
    })
}

/// Everything about one record but its neighbours.
fn check_one<T>(
    path: &Path,
    record: &Record,
    books: Option<&dyn BookFinder>,
    examine: impl Fn(&Record, &BookText) -> T,
) -> (Vec<RuleViolation>, Option<T>) {
    let mut wrong = check_record(record);
    if !is_record_file(path, &record.book) {
        let (book, expected) = (&record.book, record_file(&record.book));
        let expected = expected.display();
        let text = format!(
            "this file is not where the record of '{book}' belongs; rename it to '{expected}'"
        );
        wrong.push((CheckRule::Misplaced, "book".to_owned(), text));
    }
    let mut answer = None;
    if let Some(books) = books {
        match books.read(&record.book) {
            None => wrong.push(unknown_book(record, books)),
            Some(Err(reason)) => {
                let text = format!("'{}' {reason}", record.book);
                wrong.push((CheckRule::UnreadableBook, "book".to_owned(), text));
            }
            Some(Ok(text)) => {
                wrong.extend(check_against_text(record, &text));
                if !wrong.iter().any(|(rule, ..)| rule.is_error()) {
                    answer = Some(examine(record, &text));
                }
            }
        }
    }
    (wrong, answer)
}

/// The violations of a record in itself, without its book.
pub fn check_record(record: &Record) -> Vec<RuleViolation> {
    let wrong = record.find_problems().into_iter().map(|text| {
        let field = |c: char| !(c.is_alphanumeric() || matches!(c, '.' | '[' | ']' | '_'));
        let field = text.split(field).next().unwrap_or_default().to_owned();
        (CheckRule::Invalid, field, text)
    });
    let mut wrong: Vec<RuleViolation> = wrong.collect();
    if record.verdict.is_decided() {
        // A second look is not an outcome.
        let in_force = |review: &&crate::Review| {
            review.verdict.is_decided() && review.drawn != crate::SECOND_LOOK
        };
        let last = record.reviews.iter().rev().find(in_force);
        let finding = match last {
            None => Some((
                "cuts",
                "is decided, but no review names a curator; decide the book again".to_owned(),
            )),
            Some(last) if last.cuts != record.cuts && record.verdict.has_cuts() => {
                let by = &last.by;
                Some((
                    "cuts",
                    format!(
                        "the current cuts are not those of the last review, by '{by}'; decide the book again"
                    ),
                ))
            }
            Some(last) if last.verdict != record.verdict => Some((
                "verdict",
                format!(
                    "'{}' is not '{}', the verdict of the last review, by '{}'; decide the book again",
                    record.verdict, last.verdict, last.by
                ),
            )),
            Some(_) => None,
        };
        wrong.extend(finding.map(|(field, text)| (CheckRule::Unsigned, field.to_owned(), text)));
    }
    wrong
}

/// The violation that the corpus lacks the book of a record.
fn unknown_book(record: &Record, books: &dyn BookFinder) -> RuleViolation {
    let book = &record.book;
    let text = match books.elsewhere(record) {
        Some(id) => format!(
            "the corpus has no book '{book}', but '{id}' has its very text; if the book was moved, write that id"
        ),
        None => format!(
            "the corpus has no book '{book}'; name the folder it is below, or remove the record if the book is gone"
        ),
    };
    (CheckRule::UnknownBook, "book".to_owned(), text)
}

/// Two files for one book: only one of them is ever found.
fn duplicates(folder: &Path, records: &[(PathBuf, Record)]) -> Vec<CheckFinding> {
    let mut first: HashMap<&str, &Path> = HashMap::new();
    let mut findings = Vec::new();
    for (path, record) in records {
        let earlier = *first.entry(&record.book).or_insert(path);
        if earlier != path {
            let (book, earlier) = (&record.book, folder.join(earlier));
            let text = format!(
                "'{book}' has another record in '{}'; bring both together and remove one",
                earlier.display()
            );
            let wrong = vec![(CheckRule::Duplicate, "book".to_owned(), text)];
            findings.extend(locate_findings(&folder.join(path), &record.book, wrong));
        }
    }
    findings
}

/// Versions that wait to be settled.
fn find_conflict_copies(store: &Store) -> impl Iterator<Item = CheckFinding> {
    let finding = |path: PathBuf| {
        CheckFinding {
        file: store.folder().join(path),
        line: 1,
        column: 1,
        rule: CheckRule::Conflict,
        book: String::new(),
        message: "is the second version of a record that two curators changed; resolve it with `endpaper truth merge`"
            .to_owned(),
    }
    };
    store.conflicts().into_iter().map(finding)
}
