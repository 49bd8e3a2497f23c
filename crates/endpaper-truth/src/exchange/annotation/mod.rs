//! Records as labels of annotation tools: the text of a book with labelled spans, and the record beside them.
//!
//! A tool sees the [`ToolText`] of a book and the spans `preamble`, `body`, `epilogue` and `inside`. What these cannot say
//! travels in one text that the tool carries along unread: the record as a line of JSON. On the way back the spans say what
//! was labelled, and the record what had been known before (`labels`).

mod brat;
mod doccano;
mod inception;
mod item;
mod json;
mod label_studio;
mod labels;
mod prodigy;
mod spans;
mod tei;
#[cfg(test)]
mod tests;
mod tool_text;
mod xml;

use std::io::{self, Read};

use super::ExchangeFormat;
use super::jsonl::{read_record, write_jsonl};
use crate::Record;
use endpaper_text::corpus::BookText;

pub use item::{AnnotatedItem, LabelOpinion};
pub use labels::{BookOpinions, CheckedItem, check_item, opinions_by_book};
pub use spans::{LabelledSpan, PartLabel};
pub use tool_text::ToolText;

/// Largest item of a file in bytes: a line, an element of an array, a file of a folder. Longer ones are never in memory.
pub const LONGEST_ITEM: u64 = 128 << 20;

/// The name under which tools carry a record.
const RECORD_KEY: &str = "endpaper";

/// A book as it is written for a tool.
#[derive(Debug)]
pub struct ExportedBook<'a> {
    record: &'a Record,
    /// The record as a line of JSON. A text, because tools in JavaScript round large numbers and reorder keys.
    json: String,
    text: ToolText,
    spans: Vec<LabelledSpan>,
}

impl<'a> ExportedBook<'a> {
    /// A record and the text it is about.
    ///
    /// # Errors
    ///
    /// The record has what JSON cannot hold.
    pub fn new(record: &'a Record, text: &BookText) -> Result<ExportedBook<'a>, String> {
        let json = write_jsonl(record).map_err(|error| format!("'{}': {error}", record.book))?;
        // JSON may hold these as they are, XML may not.
        let json = json
            .replace('\u{fffe}', "\\ufffe")
            .replace('\u{ffff}', "\\uffff");
        let text = ToolText::of(text);
        let spans = spans::of_record(record, &text);
        Ok(ExportedBook {
            record,
            json,
            text,
            spans,
        })
    }

    /// Characters that were replaced because XML cannot hold them.
    pub fn replaced(&self) -> usize {
        self.text.replaced()
    }

    /// The item of a format that is one file: one line, without the newline.
    ///
    /// # Errors
    ///
    /// The format is one of folders.
    pub fn line(&self, format: ExchangeFormat) -> Result<String, String> {
        match format {
            ExchangeFormat::Prodigy => Ok(prodigy::write(self)),
            ExchangeFormat::LabelStudio => Ok(label_studio::write(self)),
            ExchangeFormat::Doccano => Ok(doccano::write(self)),
            other => Err(format!("{other} is a folder")),
        }
    }

    /// The files of a format that is a folder: what each has after the name of the book, and its text.
    ///
    /// # Errors
    ///
    /// The format cannot hold the record, or is one file.
    pub fn files(&self, format: ExchangeFormat) -> Result<Vec<(&'static str, String)>, String> {
        match format {
            ExchangeFormat::Brat => brat::write(self),
            ExchangeFormat::Inception => Ok(vec![(".xmi", inception::write(self))]),
            ExchangeFormat::Tei => Ok(vec![(".xml", tei::write(self))]),
            other => Err(format!("{other} is a file")),
        }
    }
}

/// What is around the items of a file, if anything is: a line before the first, what ends each but the last, and a line after it.
pub fn frame(format: ExchangeFormat) -> Option<(&'static str, &'static str, &'static str)> {
    (format == ExchangeFormat::LabelStudio).then_some(("[", ",", "]"))
}

/// Files that a folder has once, for all books: name and text.
pub fn common_files(format: ExchangeFormat) -> &'static [(&'static str, &'static str)] {
    match format {
        ExchangeFormat::Brat => &[("annotation.conf", brat::CONFIGURATION)],
        ExchangeFormat::Inception => &[("TypeSystem.xml", inception::TYPE_SYSTEM)],
        _ => &[],
    }
}

/// The ending of the files of a folder that hold labels.
pub fn label_file_ending(format: ExchangeFormat) -> &'static str {
    match format {
        ExchangeFormat::Brat => "ann",
        ExchangeFormat::Inception => "xmi",
        _ => "xml",
    }
}

/// An item with its line and column in the file, or why it cannot be read.
pub type ReadItem = (usize, usize, Result<AnnotatedItem, String>);

/// Reads the items of a file one after the other: no more than one is in memory.
///
/// # Errors
///
/// Those of the source.
pub fn read_items(
    source: impl Read,
    format: ExchangeFormat,
    each: impl FnMut(ReadItem),
) -> io::Result<()> {
    match format {
        ExchangeFormat::Prodigy => json::read_lines(source, prodigy::read, each),
        ExchangeFormat::Doccano => json::read_lines(source, doccano::read, each),
        _ => json::read_values(source, label_studio::read, each),
    }
}

/// Reads a file of a folder. `text`: that of the file beside it, for brat.
///
/// # Errors
///
/// What is wrong with the file, in one sentence.
pub fn read_label_file(
    format: ExchangeFormat,
    labels: &str,
    text: Option<String>,
) -> Result<AnnotatedItem, String> {
    match format {
        ExchangeFormat::Brat => brat::read(labels, text),
        ExchangeFormat::Inception => inception::read(labels),
        _ => tei::read(labels),
    }
}

/// The record that a tool carried along.
fn carried_record(json: &str) -> Result<Record, String> {
    read_record(json, 1).map_err(|error| {
        format!("the record in '{RECORD_KEY}' is damaged: {error}; export it again")
    })
}
