//! From the labels that a tool gave back to a record.
//!
//! Labels that say what the record beside them says are that record, whole. Others are reviews: of the annotator whom the tool
//! names, else of who imports them. Annotators who differ from each other leave a draft with the reviews of all.

use std::collections::HashMap;

use serde::Serialize;

use super::spans::{LabelledLines, cuts_of, of_record};
use super::{AnnotatedItem, LabelOpinion, LabelledSpan, PartLabel, ToolText};
use crate::check::{check_against_text, check_record};
use crate::exchange::Signature;
use crate::{
    InnerBoilerplate, Record, RecordKind, Review, SECOND_LOOK, SourceFacts, Verdict,
    context_of_record,
};
use endpaper_detect::Cuts;
use endpaper_text::corpus::BookText;

/// The kind of a block inside that only a tool has marked.
const UNKNOWN_KIND: &str = "note";

/// An item whose labels lie on the text of its book.
#[derive(Debug)]
pub struct CheckedItem {
    /// What to tell of it: labels that were moved to whole lines.
    pub notes: Vec<String>,
    record: Option<Record>,
    opinions: Vec<PlacedOpinion>,
}

/// The labels of one person, by lines.
#[derive(Clone, Debug)]
struct PlacedOpinion {
    opinion: LabelOpinion,
    /// Whether the labels are those of the record.
    is_known: bool,
    found: CutsAndBlocks,
}

impl AnnotatedItem {
    /// The id of the book.
    ///
    /// # Errors
    ///
    /// The item does not say it, or says two.
    pub fn book(&self) -> Result<&str, String> {
        match (self.book.as_deref(), &self.record) {
            (Some(book), Some(record)) if record.book != book => Err(format!(
                "is about '{book}', but carries the record of '{}'; export it again",
                record.book
            )),
            (Some(book), _) => Ok(book),
            (None, Some(record)) => Ok(&record.book),
            (None, None) => Err(
                "does not say its book; begin with a file of `endpaper truth export`, which does"
                    .to_owned(),
            ),
        }
    }
}

/// Compares an item with the text of its book, and finds the lines of its labels.
///
/// # Errors
///
/// What does not add up, in one sentence.
pub fn check_item(mut item: AnnotatedItem, text: &BookText) -> Result<CheckedItem, String> {
    let book = item.book()?.to_owned();
    let facts = SourceFacts::of(text);
    if let Some(record) = &item.record {
        let wrong = check_against_text(record, text).into_iter();
        let wrong = wrong.chain(check_record(record));
        if let Some((_, _, message)) = wrong.into_iter().find(|(rule, ..)| rule.is_error()) {
            return Err(message);
        }
    }
    if let Some(sha256) = &item.sha256
        && !sha256.eq_ignore_ascii_case(&facts.sha256)
    {
        return Err(format!(
            "the sha256 of '{book}' is {}, not {sha256}: these are labels of another text",
            facts.sha256
        ));
    }
    let tool_text = ToolText::of(text);
    if let Some(found) = item.text.take() {
        same_text(&book, &found, tool_text.as_str())?;
    }
    let expected = item.record.as_ref().map(|record| {
        let spans = of_record(record, &tool_text).into_iter();
        let mut lines: Vec<LabelledLines> = spans
            .filter_map(|span| Some(span.lines(&tool_text).ok()?.0))
            .collect();
        lines.sort_unstable();
        lines
    });
    let known = item.record.as_ref().zip(expected.as_deref());
    let mut notes = Vec::new();
    let mut opinions = Vec::new();
    for opinion in std::mem::take(&mut item.opinions) {
        let named = |message: String| format!("'{book}': {message}");
        can_be_taken(&opinion, item.record.as_ref()).map_err(named)?;
        let (is_known, found) = place(&opinion, known, text, &tool_text, |part, lines| {
            notes.push(format!(
                "'{book}': '{part}' begins or ends within a line; lines {lines} are taken whole"
            ));
        })
        .map_err(named)?;
        opinions.push(PlacedOpinion {
            opinion,
            is_known,
            found,
        });
    }
    Ok(CheckedItem {
        notes,
        record: item.record,
        opinions,
    })
}

/// Fails if an opinion is no answer, or tells a verdict without cuts that is not that of the record: most tools do not say whose
/// it would be.
fn can_be_taken(opinion: &LabelOpinion, record: Option<&Record>) -> Result<(), String> {
    let before = record.map(|record| record.verdict);
    let told = opinion.verdict.filter(|_| opinion.spans.is_empty());
    if told.is_some() && told == before {
        return Ok(());
    }
    if let Some(why) = &opinion.no_answer {
        return Err(format!(
            "{why}; label it again, decide it in `endpaper review`, or leave it out"
        ));
    }
    match (told, before) {
        (Some(told), Some(before)) => Err(format!(
            "has the verdict '{told}', but '{before}' in the record; decide it in `endpaper review`, or put it back as it was"
        )),
        _ => Ok(()),
    }
}

/// Fails if the text beside the labels is not that of the book. Line ends at the end of the file do not count.
fn same_text(book: &str, found: &str, expected: &str) -> Result<(), String> {
    let (found, expected) = (found.trim_end(), expected.trim_end());
    if found == expected {
        return Ok(());
    }
    let same = found.split('\n').zip(expected.split('\n'));
    let line = same.take_while(|(one, other)| one == other).count() + 1;
    Err(format!(
        "the text beside the labels is not that of '{book}': it differs from line {line} on"
    ))
}

/// Cuts, and the first and last lines of blocks between them.
type CutsAndBlocks = (Cuts, Vec<(u32, u32)>);

/// The cuts and blocks of an opinion, and whether they are those of the record, of which there are the labels too.
fn place(
    opinion: &LabelOpinion,
    known: Option<(&Record, &[LabelledLines])>,
    text: &BookText,
    tool_text: &ToolText,
    mut moved_to: impl FnMut(PartLabel, String),
) -> Result<(bool, CutsAndBlocks), String> {
    let mut labels = Vec::new();
    for span in &opinion.spans {
        let (lines, moved) = span.lines(tool_text)?;
        if moved {
            moved_to(span.part, format!("{} to {}", lines.first, lines.last));
        }
        labels.push(lines);
    }
    labels.sort_unstable();
    if let Some((record, expected)) = known
        && expected == labels
    {
        let inside = labels
            .iter()
            .filter(|label| label.part == PartLabel::Inside);
        let inside = inside.map(|label| (label.first, label.last)).collect();
        return Ok((true, (record.cuts, inside)));
    }
    Ok((false, cuts_of(&labels, text)?))
}

/// What all items of a file say of one book.
#[derive(Debug)]
pub struct BookOpinions {
    /// The book.
    pub book: String,
    /// Where its first item is in the file.
    pub place: (usize, usize),
    record: Option<Record>,
    opinions: Vec<PlacedOpinion>,
    /// Why nothing of it is taken.
    refused: Option<String>,
}

/// Brings items of one book together, in the order of the first items. One whose record is not that of the item before stays
/// alone, and is refused: it would be lost.
pub fn opinions_by_book(
    items: impl IntoIterator<Item = ((usize, usize), String, CheckedItem)>,
) -> Vec<BookOpinions> {
    let mut books: Vec<BookOpinions> = Vec::new();
    let mut known = HashMap::new();
    for (place, book, item) in items {
        let mut new = BookOpinions {
            book,
            place,
            record: item.record,
            opinions: item.opinions,
            refused: None,
        };
        let Some(&at) = known.get(&new.book) else {
            known.insert(new.book.clone(), books.len());
            books.push(new);
            continue;
        };
        let before: &mut BookOpinions = &mut books[at];
        match (&before.record, &new.record) {
            (Some(one), Some(other)) if one != other => {
                new.refused = Some(format!(
                    "'{}' is there twice, with records that differ; the first one was taken; import the other alone into another folder, and `endpaper truth merge` both",
                    new.book
                ));
                books.push(new);
            }
            _ => {
                before.record = before.record.take().or(new.record);
                before.opinions.extend(new.opinions);
            }
        }
    }
    books
}

impl BookOpinions {
    /// The record, and what to tell of it. `read` is called if the record of before is not the answer. Opinions without a name
    /// or a time have those of `signature`.
    ///
    /// # Errors
    ///
    /// The text cannot be read, nothing is labelled, or the record would be wrong.
    pub fn record(
        self,
        signature: &Signature,
        read: impl FnOnce(&str) -> Result<BookText, String>,
    ) -> Result<(Record, Option<String>), String> {
        let BookOpinions {
            book,
            record,
            opinions,
            refused,
            ..
        } = self;
        if let Some(message) = refused {
            return Err(message);
        }
        let before = record.clone();
        let is_new = |placed: &PlacedOpinion| match (&before, &placed.opinion.by) {
            _ if !placed.is_known => true,
            (Some(before), Some(by)) => {
                before.verdict.has_cuts() && !before.reviews.iter().any(|review| review.by == *by)
            }
            _ => false,
        };
        let keeps = before
            .as_ref()
            .is_some_and(|record| record.verdict.has_cuts())
            && opinions
                .iter()
                .any(|placed| placed.opinion.is_outcome && placed.is_known);
        let mut new: Vec<PlacedOpinion> = opinions.into_iter().filter(is_new).collect();
        new.sort_by(|a, b| {
            let key =
                |placed: &PlacedOpinion| (placed.opinion.is_outcome, placed.opinion.at.clone());
            key(a).cmp(&key(b))
        });
        match (record, new.is_empty()) {
            (Some(record), true) => Ok((record, None)),
            (None, true) => Err(format!("'{book}' has no labels")),
            (record, false) => {
                let text = read(&book)?;
                let record = record.unwrap_or_else(|| Record::new(&book, SourceFacts::of(&text)));
                add_opinions(record, &new, keeps, signature, &text)
            }
        }
    }
}

/// The record with the opinions, of which there is at least one.
fn add_opinions(
    mut record: Record,
    new: &[PlacedOpinion],
    keeps: bool,
    signature: &Signature,
    text: &BookText,
) -> Result<(Record, Option<String>), String> {
    let before = record.clone();
    let known = before.verdict.is_decided() || !before.reviews.is_empty();
    let marked = new.iter().any(|placed| placed.opinion.is_outcome);
    let agreed = marked || new.iter().all(|placed| placed.found == new[0].found);
    for placed in new {
        let cuts = placed.found.0;
        let mut review = review(placed, cuts, &before, signature);
        review.verdict = match known && cuts != before.cuts {
            true => Verdict::Corrected,
            false => Verdict::Confirmed,
        };
        if keeps {
            review.drawn = SECOND_LOOK.to_owned();
            record.reviews.push(review);
        } else {
            record.add_review(review);
        }
    }
    let mut note = None;
    if !keeps {
        // Blocks are from the opinion that the cuts are from: the last one if all agree.
        let taken = &new[if agreed { new.len() - 1 } else { 0 }];
        if !taken.is_known {
            record.inside = blocks(&taken.found.1, &before.inside);
        }
        if !agreed {
            record.verdict = Verdict::Open;
            record.cuts = taken.found.0;
            note = Some(format!(
                "'{}': annotators differ; it is a draft with {} reviews, to be decided in `endpaper review`",
                record.book,
                record.reviews.len()
            ));
        }
        if record.kind == RecordKind::NotABook {
            record.kind = RecordKind::Book;
        }
        record.context = context_of_record(text, &record);
    }
    let wrong = record.find_problems();
    match wrong.is_empty() {
        true => Ok((record, note)),
        false => Err(wrong.join("; ")),
    }
}

/// The review of an opinion. A time that an earlier review of the annotator has is not that of other labels.
fn review(placed: &PlacedOpinion, cuts: Cuts, before: &Record, signature: &Signature) -> Review {
    let LabelOpinion {
        by, at, seconds, ..
    } = &placed.opinion;
    let by = by.as_ref().filter(|by| !by.trim().is_empty());
    let by = by.unwrap_or(&signature.by).clone();
    let is_stale = |at: &&String| {
        let mut reviews = before.reviews.iter();
        reviews.any(|review| review.by == by && review.at == **at)
    };
    let at = at.as_ref().filter(|at| !is_stale(at));
    Review {
        at: at.unwrap_or(&signature.at).clone(),
        by,
        seconds: *seconds,
        drawn: "import".to_owned(),
        cuts,
        ..Review::default()
    }
}

/// Blocks inside with the kinds of those that were there before.
fn blocks(found: &[(u32, u32)], before: &[InnerBoilerplate]) -> Vec<InnerBoilerplate> {
    let kind = |first: u32, last: u32| {
        let mut before = before.iter();
        let same = before.find(|block| block.first <= last && first <= block.last);
        same.map_or(UNKNOWN_KIND.to_owned(), |block| block.kind.clone())
    };
    found
        .iter()
        .map(|&(first, last)| InnerBoilerplate {
            first,
            last,
            kind: kind(first, last),
        })
        .collect()
}

/// The review that the outcome of a record is from.
pub(super) fn signing_review(record: &Record) -> Option<&Review> {
    let mut reviews = record.reviews.iter().rev();
    reviews.find(|review| review.drawn != SECOND_LOOK && review.verdict == record.verdict)
}

/// The span of a label that a tool has.
pub(super) fn span_of(label: &str, start: usize, end: usize) -> Result<LabelledSpan, String> {
    let part = label.parse::<PartLabel>()?;
    Ok(LabelledSpan { part, start, end })
}

/// A value as JSON without line ends.
pub(super) fn json_text(value: &impl Serialize) -> String {
    // Texts, numbers and lists of them: nothing in these fails.
    serde_json::to_string(value).unwrap_or_default()
}
