//! Many records in one YAML file: a stream of documents.

use super::ReadRecord;
use super::offsets::without_offsets;
use crate::{Record, yaml};

/// Writes records one after the other, each as in its own file, divided by `---`.
pub fn write_stream<'a>(records: impl IntoIterator<Item = &'a Record>) -> String {
    let mut out = String::new();
    for record in records {
        out.push_str("---\n");
        out.push_str(&yaml::write(record));
    }
    out
}

/// Reads every document of a stream; the places of errors are those in the whole text. A document that says nothing is
/// passed over.
pub fn read_stream(text: &str) -> Vec<ReadRecord> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut read = Vec::new();
    for (line, document) in documents(text) {
        if !says_something(&document) {
            continue;
        }
        let record = yaml::read(&document).map_err(|mut error| {
            error.line += line - 1;
            error
        });
        read.push((line, record.map(without_offsets)));
    }
    read
}

/// The documents with the lines they begin in. Nothing but a mark begins a line with three dashes or dots: YAML forbids
/// it even within quotes.
fn documents(text: &str) -> Vec<(usize, String)> {
    let mut documents = vec![(1, String::new())];
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let mark = |mark: &str| {
            let rest = line.strip_prefix(mark)?;
            (rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n'])).then_some(rest)
        };
        if let Some(rest) = mark("---") {
            // What follows on the line keeps its column.
            documents.push((at + 1, format!("   {rest}")));
        } else if mark("...").is_some() {
            documents.push((at + 2, String::new()));
        } else if let Some((_, document)) = documents.last_mut() {
            document.push_str(line);
        }
    }
    documents
}

/// Whether a document holds more than comments.
fn says_something(document: &str) -> bool {
    let mut lines = document.lines().map(str::trim);
    lines.any(|line| !line.is_empty() && !line.starts_with('#'))
}
