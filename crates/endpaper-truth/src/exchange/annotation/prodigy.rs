//! Prodigy: a JSON object a line, as `spans.manual` and `db-out` have it. Keys that Prodigy does not know stay as they are.

use serde::{Deserialize, Serialize};

use super::labels::{signing_review, span_of};
use super::{AnnotatedItem, ExportedBook, LabelOpinion, LabelledSpan};
use crate::{Record, Verdict};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProdigyTask {
    text: String,
    #[serde(default)]
    spans: Option<Vec<ProdigySpan>>,
    #[serde(default)]
    meta: Option<ProdigyMeta>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    _annotator_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    _timestamp: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    endpaper: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ProdigySpan {
    start: usize,
    end: usize,
    label: String,
}

/// What Prodigy shows in the corner of a card.
#[derive(Debug, Serialize, Deserialize)]
struct ProdigyMeta {
    #[serde(default)]
    book: Option<String>,
    #[serde(default)]
    sha256: Option<String>,
}

/// The line of a book.
pub(super) fn write(book: &ExportedBook<'_>) -> String {
    let record = book.record;
    let signed = signing_review(record);
    let time = |at: &str| Some(at.parse::<jiff::Timestamp>().ok()?.as_second() as f64);
    let spans = book.spans.iter().map(|span| ProdigySpan {
        start: span.start,
        end: span.end,
        label: span.part.to_string(),
    });
    let answer = match record.verdict {
        Verdict::Open => None,
        Verdict::Confirmed | Verdict::Corrected => Some("accept"),
        Verdict::NotABook => Some("reject"),
        Verdict::Undecidable => Some("ignore"),
    };
    let task = ProdigyTask {
        text: book.text.as_str().to_owned(),
        spans: Some(spans.collect()),
        meta: Some(ProdigyMeta {
            book: Some(record.book.clone()),
            sha256: Some(record.source.sha256.clone()),
        }),
        answer: answer.map(str::to_owned),
        _annotator_id: signed.map(|review| review.by.clone()),
        _timestamp: signed.and_then(|review| time(&review.at)),
        endpaper: Some(book.json.clone()),
    };
    super::labels::json_text(&task)
}

/// The item of a line.
pub(super) fn read(task: ProdigyTask) -> Result<AnnotatedItem, String> {
    let spans = task.spans.unwrap_or_default().into_iter();
    let spans = spans.map(|span| span_of(&span.label, span.start, span.end));
    let spans: Vec<LabelledSpan> = spans.collect::<Result<_, _>>()?;
    let (no_answer, verdict) = match task.answer.as_deref() {
        None | Some("accept") => (None, None),
        Some("reject") => (Some("was rejected".to_owned()), Some(Verdict::NotABook)),
        Some("ignore") => (Some("was ignored".to_owned()), Some(Verdict::Undecidable)),
        Some(other) => (Some(format!("has the unknown answer '{other}'")), None),
    };
    let accepts_nothing = task.answer.as_deref() == Some("accept") && spans.is_empty();
    // A time in seconds since 1970; what no calendar has is no time.
    let at = task._timestamp.filter(|seconds| seconds.is_finite());
    let at = at.and_then(|seconds| jiff::Timestamp::from_second(seconds as i64).ok());
    let (book, sha256) = task
        .meta
        .map_or((None, None), |meta| (meta.book, meta.sha256));
    let mut item = AnnotatedItem {
        book,
        sha256,
        text: Some(task.text),
        opinions: vec![LabelOpinion {
            by: task._annotator_id,
            at: at.map(crate::timestamp),
            no_answer,
            verdict,
            spans,
            ..LabelOpinion::default()
        }],
        ..AnnotatedItem::default()
    };
    item.carry(task.endpaper.as_deref())?;
    // Not so with drafts: `prodigy db-in` accepts every task that has no answer.
    let decided = |record: &Record| record.verdict.is_decided() && !record.verdict.has_cuts();
    if accepts_nothing && item.record.as_ref().is_some_and(decided) {
        item.opinions[0].no_answer = Some("was accepted without labels".to_owned());
    }
    Ok(item)
}
