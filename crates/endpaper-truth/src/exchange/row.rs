//! From a line of a table to a record.

use super::cells::split;
use super::data_frames::{parse_whole, restore_time};
use super::table::{TableLine, kind_of};
use crate::body::{cuts_around, end_cut, start_cut};
use crate::{
    Alternative, InnerBoilerplate, Record, RecordKind, Review, SourceFacts, Verdict,
    context_of_record,
};
use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::BookText;

/// Who brings labels in, and when: tables need not say.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The curator's name.
    pub by: String,
    /// When, as in reviews.
    pub at: String,
}

impl TableLine {
    /// The book of the line.
    pub fn book(&self) -> &str {
        self.cell("book").unwrap_or_default()
    }

    /// The SHA-256 of the text that was labelled, if the line says it.
    pub fn sha256(&self) -> Option<&str> {
        self.cell("sha256")
    }

    /// The first and last line of the body, as far as the line alone can tell; `None` if the file is not a single book or
    /// no one decided on it.
    ///
    /// # Errors
    ///
    /// What the line says wrong, in one sentence.
    pub fn body(&self) -> Result<Option<(u32, u32)>, String> {
        let kind = self.cell("kind").map_or(Ok(RecordKind::Book), kind_of)?;
        let verdict = verdict(self, kind)?;
        if kind != RecordKind::Book || !verdict.has_cuts() {
            return Ok(None);
        }
        match (self.number("body_first")?, self.number("body_last")?) {
            (Some(first), Some(last)) => Ok(Some((first, last))),
            _ => Err("lacks body_first or body_last; name both".to_owned()),
        }
    }

    /// The cell of a column, if the line has it.
    fn cell(&self, column: &str) -> Option<&str> {
        self.cells.get(column).map(String::as_str)
    }

    /// The number in a column; `None` if the cell is missing or empty.
    fn number(&self, column: &str) -> Result<Option<u32>, String> {
        let parse = |cell: &str| {
            let error = || format!("{column} is '{cell}'; write a line number");
            parse_whole(cell).ok_or_else(error)
        };
        self.cell(column).map(parse).transpose()
    }
}

/// The record of a line, given the text of its book. Its review says who, when, and that it was imported.
///
/// # Errors
///
/// What the line says wrong, in one sentence.
pub fn record_from_line(
    line: &TableLine,
    text: &BookText,
    signature: &Signature,
) -> Result<Record, String> {
    let source = SourceFacts::of(text);
    let mut record = Record::new(line.book(), source);
    if let Some(sha256) = line.cell("sha256")
        && !record.is_decided_on(sha256)
    {
        return Err(format!(
            "the book's sha256 is {}, not {sha256}: it is another text; label it again",
            record.source.sha256
        ));
    }
    record.kind = line.cell("kind").map_or(Ok(RecordKind::Book), kind_of)?;
    let verdict = verdict(line, record.kind)?;
    let cuts = cuts(line, text)?;
    let cuts = match cuts {
        Some(cuts) => cuts,
        None if verdict.has_cuts() => {
            return Err(
                "has neither body_first and body_last nor preamble_end; name the cuts".to_owned(),
            );
        }
        None => Cuts::default(),
    };
    record.alternatives = alternatives(line, text)?;
    record.inside = inside(line)?;
    record.hard = hard(line)?;
    let flags = line.cell("reasons").or_else(|| line.cell("flags"));
    record.flags = flags.map(split).unwrap_or_default();
    record.note = line.cell("note").unwrap_or_default().to_owned();
    if let Some(policy) = line.cell("policy") {
        record.policy = policy.to_owned();
    }
    let unknown = line.more.iter();
    let unknown = unknown.map(|(column, cell)| (column.to_string(), cell.as_str().into()));
    record.unknown = unknown.collect();
    record.verdict = verdict;
    record.cuts = cuts;
    record.context = context_of_record(text, &record);
    if verdict.is_decided() {
        let or = |cell: Option<&str>, other: &str| cell.unwrap_or(other).to_owned();
        let kind = record.kind;
        record.add_review(Review {
            by: or(line.cell("by"), &signature.by),
            at: line
                .cell("at")
                .map_or_else(|| signature.at.clone(), restore_time),
            drawn: "import".to_owned(),
            verdict,
            cuts,
            ..Review::default()
        });
        record.kind = kind;
    }
    let wrong = record.find_problems();
    if wrong.is_empty() {
        Ok(record)
    } else {
        Err(wrong.join("; "))
    }
}

/// Labels that were given without a proposal in sight cannot correct one: they confirm their own cuts.
fn verdict(line: &TableLine, kind: RecordKind) -> Result<Verdict, String> {
    match line.cell("verdict") {
        Some(word) => word.parse(),
        None if kind == RecordKind::NotABook => Ok(Verdict::NotABook),
        None => Ok(Verdict::Confirmed),
    }
}

/// The cuts of a line, given as such or as the lines of the body; `None` without either.
fn cuts(line: &TableLine, text: &BookText) -> Result<Option<Cuts>, String> {
    let (first, last) = (line.number("body_first")?, line.number("body_last")?);
    let (start, end) = (line.number("preamble_end")?, line.number("epilogue_start")?);
    let by_body = match (first, last) {
        (Some(first), Some(last)) => Some(cuts_around(text, first, last)?),
        (None, None) => None,
        _ => return Err("has one of body_first and body_last; name both".to_owned()),
    };
    if start.is_none() && end.is_some() {
        return Err(
            "has epilogue_start without preamble_end; name both (0: no preamble)".to_owned(),
        );
    }
    let by_cuts = start.map(|preamble_end| Cuts {
        preamble_end,
        epilogue_start: end,
    });
    // The wide table says both. Cuts may stand on blank lines, so their bodies are compared.
    if let (Some(body), Some(cuts)) = (by_body, by_cuts) {
        let lines = |cuts| crate::body::body_lines(text, cuts);
        if lines(body) != lines(cuts) {
            return Err(
                "body_first and body_last do not fit preamble_end and epilogue_start; leave one pair empty"
                    .to_owned(),
            );
        }
        return Ok(Some(cuts));
    }
    Ok(by_body.or(by_cuts))
}

/// The defensible alternatives to the cuts.
fn alternatives(line: &TableLine, text: &BookText) -> Result<Vec<Alternative>, String> {
    let mut found = Vec::new();
    for (column, end) in [("alt_first", End::Start), ("alt_last", End::End)] {
        for word in line.cell(column).map(split).unwrap_or_default() {
            let number = parse_whole(&word);
            let inside = number.filter(|number| (1..=text.lines()).contains(number));
            let Some(number) = inside else {
                return Err(format!("{column} is '{word}'; write a line of the file"));
            };
            let line = match end {
                End::Start => start_cut(text, number),
                End::End => end_cut(text, number).unwrap_or(text.lines() + 1),
            };
            found.push(Alternative {
                end,
                line,
                why: String::new(),
            });
        }
    }
    Ok(found)
}

/// The boilerplate inside the body.
fn inside(line: &TableLine) -> Result<Vec<InnerBoilerplate>, String> {
    let parts = line.cell("inside").map(split).unwrap_or_default();
    let part = |text: String| {
        let parsed = || {
            let (lines, kind) = text.split_once(':')?;
            let (first, last) = lines.split_once('-')?;
            Some(InnerBoilerplate {
                first: first.parse().ok()?,
                last: last.parse().ok()?,
                kind: kind.to_owned(),
            })
        };
        parsed().ok_or_else(|| format!("inside is '{text}'; write FIRST-LAST:KIND"))
    };
    parts.into_iter().map(part).collect()
}

/// Whether the book is marked as hard.
fn hard(line: &TableLine) -> Result<bool, String> {
    let word = line.cell("hard").map(str::to_ascii_lowercase);
    match word.as_deref() {
        None | Some("0" | "0.0" | "false") => Ok(false),
        Some("1" | "1.0" | "true") => Ok(true),
        Some(other) => Err(format!("hard is '{other}'; write 0 or 1")),
    }
}
