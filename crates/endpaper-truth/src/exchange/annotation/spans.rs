//! Labels on a text: from a record, and from offsets back to lines.

use super::ToolText;
use crate::Record;
use crate::body::{end_cut, start_cut};
use endpaper_detect::Cuts;
use endpaper_text::corpus::BookText;
use endpaper_text::named_enum;

/// What a span is labelled as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartLabel {
    /// Before the book.
    Preamble,
    /// The book.
    Body,
    /// After the book.
    Epilogue,
    /// Boilerplate within the body.
    Inside,
}

named_enum!(PartLabel, "label", {
    Preamble => "preamble",
    Body => "body",
    Epilogue => "epilogue",
    Inside => "inside",
});

/// A label from one code point to before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelledSpan {
    /// What it is.
    pub part: PartLabel,
    /// Its first code point, from 0.
    pub start: usize,
    /// The code point after its last.
    pub end: usize,
}

/// A label on whole lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LabelledLines {
    pub part: PartLabel,
    pub first: u32,
    pub last: u32,
}

/// The labels of a record without the white space at their ends; none without cuts that are to be used. Blocks inside that are
/// not within the body, or overlap others, have none: no tool could show them.
pub(super) fn of_record(record: &Record, text: &ToolText) -> Vec<LabelledSpan> {
    if !record.verdict.has_cuts() {
        return Vec::new();
    }
    let (from, to) = (
        record.cuts.preamble_end,
        record.cuts.epilogue_start.unwrap_or(text.lines() + 1),
    );
    let parts = [
        (PartLabel::Preamble, 1, from),
        (PartLabel::Body, from + 1, to - 1),
        (PartLabel::Epilogue, to, text.lines()),
    ];
    let mut inside: Vec<(u32, u32)> = record
        .inside
        .iter()
        .map(|block| (block.first, block.last))
        .collect();
    inside.sort_unstable();
    let mut free = from + 1;
    inside.retain(|&(first, last)| {
        let fits = first >= free && last < to;
        if fits {
            free = last + 1;
        }
        fits
    });
    let inside = inside
        .into_iter()
        .map(|(first, last)| (PartLabel::Inside, first, last));
    let spans = parts.into_iter().chain(inside);
    spans
        .filter_map(|(part, first, last)| {
            let (start, end) = text.trimmed(first, last)?;
            Some(LabelledSpan { part, start, end })
        })
        .collect()
}

impl LabelledSpan {
    /// The lines that a span is on, and whether it begins or ends within one, of which the whole is then meant. White space at
    /// its ends carries no meaning.
    ///
    /// # Errors
    ///
    /// Offsets outside the text, or nothing between them.
    pub(super) fn lines(self, text: &ToolText) -> Result<(LabelledLines, bool), String> {
        let LabelledSpan { part, start, end } = self;
        let characters = text.characters();
        if start >= end || end > characters {
            return Err(format!(
                "'{part}' is from {start} to {end}, which is no part of the {characters} characters of the text"
            ));
        }
        let (first, last) = (text.line_at(start), text.line_at(end - 1));
        let (head, tail) = (text.line(first), text.line(last));
        let (before, after) = (start - text.start_of(first), end - text.start_of(last));
        let start_clean = head.chars().take(before).all(char::is_whitespace);
        let none_left = head.chars().skip(before).all(char::is_whitespace);
        let none_taken = tail.chars().take(after).all(char::is_whitespace);
        let end_clean = tail.chars().skip(after).all(char::is_whitespace);
        let first = if none_left { first + 1 } else { first };
        let last = if none_taken { last - 1 } else { last };
        let moved = !(start_clean || none_left) || !(end_clean || none_taken);
        let has_text = |line: &u32| !text.line(*line).trim().is_empty();
        let from = (first..=last).find(has_text);
        let to = (first..=last).rev().find(has_text);
        match (from, to) {
            (Some(first), Some(last)) => Ok((LabelledLines { part, first, last }, moved)),
            _ => Err(format!(
                "'{part}' from {start} to {end} has only white space"
            )),
        }
    }
}

/// What labels say of a book: the cuts and the blocks inside.
///
/// # Errors
///
/// What does not add up: a part twice, overlapping parts, lines of none, blocks outside the body.
pub(super) fn cuts_of(
    labels: &[LabelledLines],
    text: &BookText,
) -> Result<(Cuts, Vec<(u32, u32)>), String> {
    let one = |part: PartLabel| {
        let mut found = labels.iter().filter(|label| label.part == part);
        match (found.next(), found.next()) {
            (_, Some(_)) => Err(format!("'{part}' is there twice; label it once")),
            (found, None) => Ok(found.map(|label| (label.first, label.last))),
        }
    };
    let (preamble, body) = (one(PartLabel::Preamble)?, one(PartLabel::Body)?);
    let epilogue = one(PartLabel::Epilogue)?;
    let parts = [
        (PartLabel::Preamble, preamble),
        (PartLabel::Body, body),
        (PartLabel::Epilogue, epilogue),
    ];
    let parts: Vec<(PartLabel, (u32, u32))> = parts
        .into_iter()
        .filter_map(|(part, lines)| Some((part, lines?)))
        .collect();
    if parts.is_empty() {
        return Err("has none of the labels preamble, body and epilogue".to_owned());
    }
    for pair in parts.windows(2) {
        let ((one, (first, last)), (other, (next, end))) = (pair[0], pair[1]);
        if last >= next {
            return Err(format!(
                "'{one}' (lines {first} to {last}) and '{other}' (lines {next} to {end}) overlap or are in the wrong order"
            ));
        }
    }
    let start = preamble.map(|lines| lines.1);
    let start = start.unwrap_or_else(|| body.map_or(0, |lines| start_cut(text, lines.0)));
    let end = epilogue.map(|lines| lines.0);
    let end = end.or_else(|| body.and_then(|lines| end_cut(text, lines.1)));
    // Each label must reach the next, or somebody moved one of two.
    let mut bounds = vec![];
    if let Some((first, _)) = preamble {
        bounds.push((text.non_blank_from(1), first));
    }
    if let (Some(_), Some((first, _))) = (preamble, body) {
        bounds.push((text.non_blank_from(start + 1), first));
    }
    if let (Some((_, last)), Some(end)) = (body, end) {
        bounds.push((text.non_blank_from(last + 1), end));
    }
    if let Some((_, last)) = epilogue {
        bounds.push((Some(last), text.non_blank_to(text.lines()).unwrap_or(last)));
    }
    for (expected, found) in bounds {
        if expected != Some(found) {
            let expected = expected.unwrap_or(found);
            return Err(format!(
                "the lines between {expected} and {found} belong to no label, or to the wrong one; preamble, body and epilogue must meet"
            ));
        }
    }
    let mut inside: Vec<(u32, u32)> = labels
        .iter()
        .filter(|label| label.part == PartLabel::Inside)
        .map(|label| (label.first, label.last))
        .collect();
    inside.sort_unstable();
    let mut free = start + 1;
    for &(first, last) in &inside {
        if first < free || end.is_some_and(|end| last >= end) {
            return Err(format!(
                "'inside' (lines {first} to {last}) overlaps another one or is not within the body"
            ));
        }
        free = last + 1;
    }
    let cuts = Cuts {
        preamble_end: start,
        epilogue_start: end,
    };
    Ok((cuts, inside))
}
