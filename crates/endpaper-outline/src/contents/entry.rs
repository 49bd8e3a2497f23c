//! A part of a book, and where a table of contents names it.

use crate::HeadingKind;
use serde::Serialize;
use std::fmt;

/// A part of the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutlineEntry {
    /// How deep it lies, from 1.
    pub level: u8,
    /// What it is.
    pub kind: HeadingKind,
    /// Its number, if it has one.
    pub number: Option<u32>,
    /// Its title without kind and number (decoded, not sanitised); empty if it has none.
    pub title: String,
    /// Its line in the table of contents.
    pub listed: Option<u32>,
    /// The line of its heading in the body.
    pub line: Option<u32>,
}

/// Where a table of contents is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ContentsList {
    /// Its heading, or its first entry where it has none.
    pub first: u32,
    /// The last line of its last entry.
    pub last: u32,
    /// Its entries.
    pub entries: u32,
    /// Entries whose heading was found in the body.
    pub linked: u32,
}

impl fmt::Display for OutlineEntry {
    /// As it is read: `Chapter 4. The Voyage`.
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
