//! Records as JSON, one a line.

use serde_yaml::Value;

use super::offsets::without_offsets;
use super::{ReadRecord, data_frames};
use crate::yaml::ParseError;
use crate::{Record, yaml};

/// A record as one line of JSON, without the newline.
///
/// # Errors
///
/// An unknown key whose value JSON has no way to write.
pub fn write_jsonl(record: &Record) -> Result<String, String> {
    let unknown = record.reviews.iter().flat_map(|review| &review.unknown);
    for (key, value) in unknown.chain(&record.unknown) {
        if !is_json(value) {
            return Err(format!(
                "its key '{key}' holds what JSON cannot write (a key that is not text, or a number that is not finite); export it as yaml"
            ));
        }
    }
    serde_json::to_string(record).map_err(|error| error.to_string())
}

/// Whether a YAML value can be written as JSON.
fn is_json(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_none_or(f64::is_finite),
        Value::Sequence(items) => items.iter().all(is_json),
        Value::Mapping(entries) => entries
            .iter()
            .all(|(key, value)| key.is_string() && is_json(value)),
        Value::Tagged(_) => false,
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

/// Reads every line that is not blank, as strictly as a record's own file but for what data frames make of numbers, times
/// and missing keys.
pub fn read_jsonl(text: &str) -> Vec<ReadRecord> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| (at + 1, read_record(line, at + 1)))
        .collect()
}

/// The message of an error without the place, which is in fields of its own.
pub(super) fn without_place(error: &serde_json::Error) -> String {
    let mut message = error.to_string();
    if let Some(at) = message.rfind(" at line ") {
        message.truncate(at);
    }
    message
}

/// Whether a value has the columns of a table, as data frames write rows that they read from one.
fn is_table_row(value: &Value) -> bool {
    let has = |key: &str| value.get(key).is_some();
    has("book") && !has("source") && !has("cuts") && (has("body_first") || has("preamble_end"))
}

/// Reads the record of a line of JSON.
pub(super) fn read_record(text: &str, line: usize) -> Result<Record, ParseError> {
    let located = |error: serde_json::Error| ParseError {
        line,
        column: error.column().max(1),
        message: without_place(&error),
    };
    // As in a file of its own: the loose reading finds keys that are there twice.
    let mut loose: Value = serde_json::from_str(text).map_err(located)?;
    if is_table_row(&loose) {
        return Err(ParseError {
            line,
            column: 1,
            message: "is a row of a table and no record; save the rows as csv".to_owned(),
        });
    }
    let restored = data_frames::restore(&mut loose);
    yaml::check_untyped(&loose).map_err(|message| ParseError {
        line,
        column: 1,
        message,
    })?;
    let record = match restored {
        false => serde_json::from_str(text).map_err(located)?,
        // Columns of what was restored are not those of the file.
        true => serde_json::to_string(&loose)
            .and_then(|text| serde_json::from_str(&text))
            .map_err(|error| ParseError {
                column: 1,
                ..located(error)
            })?,
    };
    Ok(without_offsets(record))
}
