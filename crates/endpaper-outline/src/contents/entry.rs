//! The parts of a book, and the tables of contents that list them.

use crate::HeadingKind;
use serde::Serialize;
use std::fmt;

/// A part of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutlineEntry {
    /// Nesting level, from 1.
    pub level: u8,
    /// Its kind.
    pub kind: HeadingKind,
    /// Its number, if it has one.
    pub number: Option<u32>,
    /// Title without kind and number, decoded but not sanitised; empty without one.
    pub title: String,
    /// Its line in a table of contents.
    pub listed: Option<u32>,
    /// The line of its heading in the body.
    pub line: Option<u32>,
}

/// The position of a table of contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ContentsList {
    /// Line of its heading, or of its first entry without a heading.
    pub first: u32,
    /// Last line of its last entry.
    pub last: u32,
    /// Number of entries.
    pub entries: u32,
    /// Number of entries whose heading was found in the body.
    pub linked: u32,
}

impl fmt::Display for OutlineEntry {
    /// Writes it as text: `Chapter 4. The Voyage`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = match (self.kind, self.number) {
            (HeadingKind::Numbered, Some(number)) => number.to_string(),
            (kind, number) if kind.is_counted() => {
                let name = kind.name();
                let capital = name.get(..1).unwrap_or_default().to_uppercase();
                let rest = name.get(1..).unwrap_or_default();
                let number = number.map_or("the last".to_owned(), |number| number.to_string());
                format!("{capital}{rest} {number}")
            }
            _ => return f.write_str(&self.title),
        };
        if self.title.is_empty() {
            f.write_str(&number)
        } else {
            write!(f, "{number}. {}", self.title)
        }
    }
}
