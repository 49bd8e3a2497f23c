//! Ground truth in one file, for other tools and from them: `endpaper truth export` and `import`.
//!
//! YAML and JSON lines hold all of a record; a table holds what one line can. Tables speak of the body's first and last
//! line, so that writing and reading them needs the books.

pub mod annotation;
mod card;
mod cells;
mod csv;
mod data_frames;
mod import;
mod jsonl;
mod offsets;
mod row;
mod stream;
mod table;
#[cfg(test)]
mod tests;

use std::path::Path;

pub use card::card;
pub use import::{ImportOutcome, import_record};
pub use jsonl::{read_jsonl, write_jsonl};
pub use offsets::add_offsets;
pub use row::{Signature, record_from_line};
pub use stream::{read_stream, write_stream};
pub use table::{ExportTable, TableLine, read_table};

use super::Record;
use super::yaml::ParseError;
use endpaper_text::named_enum;

/// How records are in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExchangeFormat {
    /// A stream of YAML documents, each as the record's own file.
    #[default]
    Yaml,
    /// One JSON object a line.
    Jsonl,
    /// Labels: the body's first and last line, tab separated.
    Tsv,
    /// A wide table for spreadsheets and data frames, with byte offsets.
    Csv,
    /// Prodigy: a JSON object a line, with the text.
    Prodigy,
    /// Label Studio: an array of tasks, with the text.
    LabelStudio,
    /// doccano: a JSON object a line, with the text.
    Doccano,
    /// brat: a folder with a text and an annotation file a book.
    Brat,
    /// INCEpTION: a folder with a CAS a book (XMI).
    Inception,
    /// TEI P5: a folder with a file a book.
    Tei,
}

named_enum!(ExchangeFormat, "format", {
    Yaml => "yaml",
    Jsonl => "jsonl",
    Tsv => "tsv",
    Csv => "csv",
    Prodigy => "prodigy",
    LabelStudio => "label-studio",
    Doccano => "doccano",
    Brat => "brat",
    Inception => "inception",
    Tei => "tei",
});

impl ExchangeFormat {
    /// The format a file's name tells.
    pub fn of(path: &Path) -> Option<ExchangeFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "yaml" | "yml" => Some(ExchangeFormat::Yaml),
            "jsonl" | "ndjson" => Some(ExchangeFormat::Jsonl),
            "tsv" => Some(ExchangeFormat::Tsv),
            "csv" => Some(ExchangeFormat::Csv),
            _ => None,
        }
    }

    /// Whether it is one of an annotation tool, with the texts of the books.
    pub fn is_annotation(self) -> bool {
        !matches!(
            self,
            ExchangeFormat::Yaml
                | ExchangeFormat::Jsonl
                | ExchangeFormat::Tsv
                | ExchangeFormat::Csv
        )
    }

    /// Whether it is a folder, with files for each book.
    pub fn is_folder(self) -> bool {
        matches!(
            self,
            ExchangeFormat::Brat | ExchangeFormat::Inception | ExchangeFormat::Tei
        )
    }

    /// Whether it holds all that a record says, and needs no books for it.
    pub fn is_whole(self) -> bool {
        matches!(self, ExchangeFormat::Yaml | ExchangeFormat::Jsonl)
    }
}

/// A record that was read, or why not, with the line of the file it begins in.
pub type ReadRecord = (usize, Result<Record, ParseError>);
