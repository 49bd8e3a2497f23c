//! Label Studio: an array of tasks, each with its annotations. Offsets are code points: the editor converts those of JavaScript.
//!
//! Annotators are not written: Label Studio refuses a whole import that names an e-mail address it does not know.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::labels::{json_text, span_of};
use super::{AnnotatedItem, ExportedBook, LabelOpinion};

/// How the regions begin that endpaper wrote.
const OUR_REGION: &str = "endpaper-";

/// The names of the tags in the labelling configuration of the manual.
const LABELS_TAG: &str = "part";
const TEXT_TAG: &str = "text";

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LabelStudioTask {
    data: LabelStudioData,
    #[serde(default)]
    meta: Option<LabelStudioMeta>,
    #[serde(default)]
    annotations: Vec<LabelStudioAnnotation>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LabelStudioData {
    text: String,
    #[serde(default)]
    book: Option<String>,
    #[serde(default)]
    sha256: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LabelStudioMeta {
    #[serde(default)]
    endpaper: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LabelStudioAnnotation {
    result: Vec<LabelStudioRegion>,
    #[serde(default)]
    ground_truth: bool,
    #[serde(default, skip_serializing)]
    was_cancelled: bool,
    #[serde(default, skip_serializing)]
    completed_by: Value,
    #[serde(default, skip_serializing)]
    created_at: Option<String>,
    #[serde(default, skip_serializing)]
    updated_at: Option<String>,
    #[serde(default, skip_serializing)]
    lead_time: Option<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LabelStudioRegion {
    #[serde(default)]
    id: String,
    #[serde(default)]
    from_name: String,
    #[serde(default)]
    to_name: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    value: Value,
}

#[derive(Debug, Serialize, Deserialize)]
struct LabelStudioSpan {
    start: usize,
    end: usize,
    labels: Vec<String>,
}

/// The task of a book.
pub(super) fn write(book: &ExportedBook<'_>) -> String {
    let record = book.record;
    let region = |(number, span): (usize, &super::LabelledSpan)| LabelStudioRegion {
        id: format!("{OUR_REGION}{number}"),
        from_name: LABELS_TAG.to_owned(),
        to_name: TEXT_TAG.to_owned(),
        kind: "labels".to_owned(),
        value: json_value(&LabelStudioSpan {
            start: span.start,
            end: span.end,
            labels: vec![span.part.to_string()],
        }),
    };
    let annotation = LabelStudioAnnotation {
        result: book.spans.iter().enumerate().map(region).collect(),
        ground_truth: true,
        was_cancelled: false,
        completed_by: Value::Null,
        created_at: None,
        updated_at: None,
        lead_time: None,
    };
    json_text(&LabelStudioTask {
        data: LabelStudioData {
            text: book.text.as_str().to_owned(),
            book: Some(record.book.clone()),
            sha256: Some(record.source.sha256.clone()),
        },
        meta: Some(LabelStudioMeta {
            endpaper: Some(book.json.clone()),
        }),
        annotations: match record.verdict.has_cuts() {
            true => vec![annotation],
            false => Vec::new(),
        },
    })
}

/// A part of a task as JSON.
fn json_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// The item of a task.
pub(super) fn read(task: LabelStudioTask) -> Result<AnnotatedItem, String> {
    let opinions = task.annotations.into_iter().map(opinion);
    let mut item = AnnotatedItem {
        book: task.data.book,
        sha256: task.data.sha256,
        text: Some(task.data.text),
        opinions: opinions.collect::<Result<_, _>>()?,
        ..AnnotatedItem::default()
    };
    item.carry(task.meta.and_then(|meta| meta.endpaper).as_deref())?;
    Ok(item)
}

/// The labels of one annotator. Of regions of other kinds, such as choices, nothing is known.
fn opinion(annotation: LabelStudioAnnotation) -> Result<LabelOpinion, String> {
    let regions = annotation.result.iter();
    // Label Studio names the user who imports a task as its annotator.
    let untouched = annotation.lead_time.is_none_or(|seconds| seconds == 0.0)
        && regions
            .clone()
            .all(|region| region.id.starts_with(OUR_REGION));
    let spans = regions.filter(|region| region.kind == "labels");
    let spans = spans.map(|region| {
        let span = LabelStudioSpan::deserialize(&region.value)
            .map_err(|error| format!("a region has no offsets in the text: {error}"))?;
        match span.labels.as_slice() {
            [label] => span_of(label, span.start, span.end),
            labels => Err(format!("a region has {} labels; give it one", labels.len())),
        }
    });
    let by = match &annotation.completed_by {
        Value::Object(user) => user.get("email").or_else(|| user.get("id")),
        Value::Null => None,
        other => Some(other),
    };
    let by = by.map(|by| by.as_str().map_or_else(|| by.to_string(), str::to_owned));
    let at = annotation.updated_at.or(annotation.created_at);
    let at = at.and_then(|at| at.parse::<jiff::Timestamp>().ok());
    Ok(LabelOpinion {
        by: by.filter(|_| !untouched),
        at: at.map(crate::timestamp),
        seconds: annotation.lead_time.unwrap_or(0.0).max(0.0) as u64,
        is_outcome: annotation.ground_truth,
        no_answer: annotation.was_cancelled.then(|| "was skipped".to_owned()),
        verdict: None,
        spans: spans.collect::<Result<_, _>>()?,
    })
}
