//! doccano: a JSON object a line for sequence labelling. Columns that doccano does not know become the example's metadata, and
//! come back as columns.

use serde::{Deserialize, Serialize};

use super::labels::{json_text, span_of};
use super::{AnnotatedItem, ExportedBook, LabelOpinion};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DoccanoExample {
    text: String,
    /// Start, end and label; `labels` in older exports.
    #[serde(default, alias = "labels")]
    label: Vec<(usize, usize, String)>,
    /// The same in projects with relations.
    #[serde(default, skip_serializing)]
    entities: Vec<DoccanoEntity>,
    #[serde(default)]
    book: Option<String>,
    #[serde(default)]
    sha256: Option<String>,
    #[serde(default)]
    endpaper: Option<String>,
}

#[derive(Debug, Deserialize)]
struct DoccanoEntity {
    label: String,
    start_offset: usize,
    end_offset: usize,
}

/// The line of a book.
pub(super) fn write(book: &ExportedBook<'_>) -> String {
    let label = book.spans.iter();
    json_text(&DoccanoExample {
        text: book.text.as_str().to_owned(),
        label: label
            .map(|span| (span.start, span.end, span.part.to_string()))
            .collect(),
        entities: Vec::new(),
        book: Some(book.record.book.clone()),
        sha256: Some(book.record.source.sha256.clone()),
        endpaper: Some(book.json.clone()),
    })
}

/// The item of a line.
pub(super) fn read(example: DoccanoExample) -> Result<AnnotatedItem, String> {
    let labels = example.label.into_iter();
    let entities = example.entities.into_iter();
    let spans = labels
        .chain(entities.map(|entity| (entity.start_offset, entity.end_offset, entity.label)))
        .map(|(start, end, label)| span_of(&label, start, end));
    let mut item = AnnotatedItem {
        book: example.book,
        sha256: example.sha256,
        text: Some(example.text),
        opinions: vec![LabelOpinion {
            spans: spans.collect::<Result<_, _>>()?,
            ..LabelOpinion::default()
        }],
        ..AnnotatedItem::default()
    };
    item.carry(example.endpaper.as_deref())?;
    Ok(item)
}
