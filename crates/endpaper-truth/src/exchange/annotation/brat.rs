//! brat: the text of a book in one file, standoff annotations in another.
//!
//! No line end may be within an annotation, so one of several lines is discontinuous: its first and its last line. The record
//! is a note on the first annotation. A record without cuts has its verdict as the label of the first line.

use super::labels::span_of;
use super::{AnnotatedItem, ExportedBook, LabelOpinion, LabelledSpan, ToolText};
use crate::Verdict;

/// The labels, as brat wants them in every folder.
pub(super) const CONFIGURATION: &str = "\
[entities]
preamble
body
epilogue
inside
open
undecidable
not-a-book

[relations]

[events]

[attributes]
";

/// The type of notes that brat itself writes.
const NOTE: &str = "AnnotatorNotes";

/// The two files of a book.
pub(super) fn write(book: &ExportedBook<'_>) -> Result<Vec<(&'static str, String)>, String> {
    let text = &book.text;
    let mut lines = String::new();
    for (number, span) in book.spans.iter().enumerate() {
        lines.push_str(&annotation(number + 1, span.part.name(), *span, text)?);
    }
    if book.spans.is_empty() {
        let first = text
            .trimmed(1, text.lines())
            .map(|(start, _)| text.line_at(start));
        let first = first.and_then(|line| text.trimmed(line, line));
        let Some((start, end)) = first else {
            return Err(format!(
                "'{}': brat can mark nothing in a text without characters; jsonl and yaml hold it",
                book.record.book
            ));
        };
        let line = LabelledSpan {
            part: super::PartLabel::Body,
            start,
            end,
        };
        lines.push_str(&annotation(1, book.record.verdict.name(), line, text)?);
    }
    lines.push_str(&format!("#1\t{NOTE} T1\t{}\n", book.json));
    Ok(vec![(".txt", text.as_str().to_owned()), (".ann", lines)])
}

/// The line of an annotation.
fn annotation(
    number: usize,
    label: &str,
    span: LabelledSpan,
    text: &ToolText,
) -> Result<String, String> {
    let (lines, _) = span.lines(text)?;
    let edge = |line: u32| text.trimmed(line, line).unwrap_or((span.start, span.end));
    let pieces = match lines.first == lines.last {
        true => vec![(span.start, span.end)],
        false => vec![
            (span.start, edge(lines.first).1),
            (edge(lines.last).0, span.end),
        ],
    };
    let offsets: Vec<String> = pieces
        .iter()
        .map(|(start, end)| format!("{start} {end}"))
        .collect();
    let words: Vec<&str> = pieces
        .iter()
        .map(|&(start, end)| text.slice(start, end))
        .collect();
    Ok(format!(
        "T{number}\t{label} {}\t{}\n",
        offsets.join(";"),
        words.join(" ")
    ))
}

/// The item of a file of annotations and the text beside it. Relations, events and attributes are passed over.
pub(super) fn read(annotations: &str, text: Option<String>) -> Result<AnnotatedItem, String> {
    let text = text.ok_or("has no text file of the same name beside it")?;
    let mut item = AnnotatedItem {
        text: Some(text),
        ..AnnotatedItem::default()
    };
    let mut spans = Vec::new();
    let mut told = None;
    for (number, line) in annotations.lines().enumerate() {
        let in_line = |message: String| format!("line {}: {message}", number + 1);
        match line.as_bytes().first() {
            Some(b'T') => {
                let (label, start, end) = parse(line).ok_or_else(|| {
                    in_line("is no annotation such as 'T1<tab>body 0 20<tab>text'".to_owned())
                })?;
                match label.parse::<Verdict>() {
                    Ok(verdict) if !verdict.has_cuts() => {
                        let before = *told.get_or_insert(verdict);
                        if before != verdict {
                            return Err(in_line(format!(
                                "has the verdict '{verdict}' beside '{before}'; delete one of them"
                            )));
                        }
                    }
                    _ => spans.push(span_of(label, start, end).map_err(in_line)?),
                }
            }
            Some(b'#') => {
                let mut cells = line.splitn(3, '\t');
                let kind = cells.nth(1).unwrap_or_default();
                let note = cells.next().unwrap_or_default();
                if kind.starts_with(NOTE) && note.starts_with("{\"schema\"") {
                    item.carry(Some(note)).map_err(in_line)?;
                }
            }
            _ => {}
        }
    }
    if told.is_some() && !spans.is_empty() {
        return Err("has parts of a book and a verdict without any; delete one of them".to_owned());
    }
    item.opinions.push(LabelOpinion {
        spans,
        verdict: told,
        ..LabelOpinion::default()
    });
    Ok(item)
}

/// Label, first and last offset of a text-bound annotation.
fn parse(line: &str) -> Option<(&str, usize, usize)> {
    let (label, offsets) = line.split('\t').nth(1)?.split_once(' ')?;
    let mut bounds = (usize::MAX, 0);
    for piece in offsets.split(';') {
        let (start, end) = piece.split_once(' ')?;
        bounds.0 = bounds.0.min(start.parse().ok()?);
        bounds.1 = bounds.1.max(end.parse().ok()?);
    }
    Some((label, bounds.0, bounds.1))
}
