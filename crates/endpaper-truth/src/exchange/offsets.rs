//! Byte offsets of the body, for tools that do not count lines.

use serde_yaml::{Mapping, Value};

use crate::Record;
use crate::body::body_bytes;
use endpaper_text::corpus::BookText;

/// The key they are under in YAML and JSON.
const KEY: &str = "offsets";
const START: &str = "body_start";
const END: &str = "body_end";

/// Adds the offsets of the body to a record that is about to be exported: half open, in bytes of the (inflated) source.
/// A record without current cuts gets none.
pub fn add_offsets(record: &mut Record, text: &BookText) {
    if !record.verdict.has_cuts() {
        return;
    }
    if let Some(bytes) = body_bytes(text, record.cuts) {
        let mut offsets = Mapping::new();
        offsets.insert(START.into(), (bytes.start as u64).into());
        offsets.insert(END.into(), (bytes.end as u64).into());
        record
            .unknown
            .insert(KEY.to_owned(), Value::Mapping(offsets));
    }
}

/// Takes offsets away again: they follow from the cuts, and would be wrong as soon as these change.
pub(super) fn without_offsets(mut record: Record) -> Record {
    let is_ours = |value: &Value| {
        value.as_mapping().is_some_and(|offsets| {
            offsets.len() == 2 && offsets.contains_key(START) && offsets.contains_key(END)
        })
    };
    if record.unknown.get(KEY).is_some_and(is_ours) {
        record.unknown.remove(KEY);
    }
    record
}
