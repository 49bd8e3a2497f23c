//! The reader: strict about types, generous about layout.

use std::path::Path;

use serde_yaml::{Mapping, Value};

use super::ParseError;
use crate::Record;
use crate::record::SCHEMA;
use endpaper_text::files::read_at_most;
use endpaper_text::yaml_limits::{self, Limits};

/// The longest file of a record, in bytes.
pub(crate) const MOST_BYTES: u64 = 4 << 20;

/// The limits of a record's file, with room for some thousand reviews.
const LIMITS: Limits = Limits {
    bytes: MOST_BYTES,
    values: 200_000,
};

/// The bytes of a record's file. Longer files than records can be are not read to their end.
pub(crate) fn file_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    read_at_most(path, LIMITS.bytes)
}

/// Reads a record from the bytes of a file, which must be UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Record, ParseError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => read(text),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
            Err(ParseError {
                line: memchr::memchr_iter(b'\n', before).count() + 1,
                column: before.len() - start + 1,
                message: "is not UTF-8; save the file as UTF-8".to_owned(),
            })
        }
    }
}

/// Reads a record. Refuses a newer schema, wrong types, duplicate keys, and what could not be written again: tags and
/// keys that are lists or maps.
pub fn read(text: &str) -> Result<Record, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read_within_limits(yaml_limits::readable_part(text, LIMITS)?)
}

/// Reads a text that was checked.
pub(super) fn read_within_limits(text: &str) -> Result<Record, ParseError> {
    // The loose reading comes first: it finds duplicate keys at every depth, and a newer schema need not have our types.
    let loose: Value = serde_yaml::from_str(text)
        .map_err(|error| with_advice(duplicate_key_error(text, error)))?;
    let Value::Mapping(entries) = &loose else {
        return Err(ParseError::whole(NO_RECORD));
    };
    check_schema(entries).map_err(|message| {
        let line = text.lines().position(|line| line.starts_with("schema"));
        ParseError {
            line: line.map_or(1, |index| index + 1),
            column: 1,
            message,
        }
    })?;
    check_keepable(&loose).map_err(ParseError::whole)?;
    serde_yaml::from_str(text).map_err(|error| with_advice(parse_error(error)))
}

const NO_RECORD: &str = "is not a record; a record begins with \"schema: 1\"";

/// Checks a record, of any notation, before its types are examined: its schema, and that all its values can be kept.
pub(crate) fn check_untyped(loose: &Value) -> Result<(), String> {
    let Value::Mapping(entries) = loose else {
        return Err(NO_RECORD.to_owned());
    };
    check_schema(entries)?;
    check_keepable(loose)
}

/// Checks that this program reads the schema of a record.
fn check_schema(entries: &Mapping) -> Result<(), String> {
    Err(match entries.get("schema") {
        None => "has no schema; write \"schema: 1\"".to_owned(),
        Some(schema) => match schema.as_u64() {
            Some(number) if number == u64::from(SCHEMA) => return Ok(()),
            Some(number) if number > u64::from(SCHEMA) => format!(
                "schema {number} was written by a newer endpaper; update (this one reads schema {SCHEMA})"
            ),
            _ => "unknown schema version; write \"schema: 1\"".to_owned(),
        },
    })
}

/// Checks that a value survives reading and writing.
fn check_keepable(value: &Value) -> Result<(), String> {
    match value {
        Value::Tagged(tagged) => Err(format!(
            "holds the tag '{}'; tags are not kept, remove it",
            tagged.tag
        )),
        Value::Sequence(items) => items.iter().try_for_each(check_keepable),
        Value::Mapping(entries) => entries.iter().try_for_each(|(key, value)| {
            if key.is_sequence() || key.is_mapping() || matches!(key, Value::Tagged(_)) {
                return Err(
                    "holds a key that is a list or a map; a key is a text or a number".to_owned(),
                );
            }
            check_keepable(value)
        }),
        _ => Ok(()),
    }
}

/// The place of an error of the loose reading, which gives a duplicate key the place of its map: the key's second line
/// is looked up.
fn duplicate_key_error(text: &str, error: serde_yaml::Error) -> ParseError {
    let mut error = parse_error(error);
    let key = error.message.split_once("duplicate entry with key \"");
    if let Some((_, key)) = key {
        let key = key.trim_end_matches('"');
        let indent = " ".repeat(error.column - 1);
        let starts = [format!("{indent}{key}:"), format!("{indent}\"{key}\":")];
        let lines = text.lines().enumerate().skip(error.line - 1);
        let mut found =
            lines.filter(|(_, line)| starts.iter().any(|start| line.starts_with(start)));
        if let Some((index, _)) = found.nth(1) {
            error.line = index + 1;
        }
    }
    error
}

/// The library says what is wrong; what to do is said here, where it is not.
fn with_advice(mut error: ParseError) -> ParseError {
    if !error.message.contains(';') {
        let advice = "; fix the file by hand, or replace it with a copy";
        error.message.push_str(advice);
    }
    error
}

/// The error with its position in fields of its own, not in the message; 1:1 if it has none.
fn parse_error(error: serde_yaml::Error) -> ParseError {
    let (line, column) = error
        .location()
        .map_or((1, 1), |place| (place.line().max(1), place.column().max(1)));
    let mut message = error.to_string();
    // The place is in its own fields.
    if let Some(at) = message.rfind(" at line ") {
        message.truncate(at);
    }
    ParseError {
        line,
        column,
        message,
    }
}
