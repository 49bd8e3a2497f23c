//! The parts of a book: its table of contents, linked to the headings in the body, and headings that no list names.
//!
//! A table of contents is found by the rules of Wu et al., *Searching Online Book Documents and Analyzing Book
//! Citations*, section 3.2.2: it is near the front (or the end, as in French books), its entries are regular in numbering
//! and indentation, stand together (*contiguity*), refer to headings in their order (*ordering*), each to another one
//! (*distinctness*), and never to one another (*no self-reference*). No looks but those of plain text are used.

mod candidates;
mod chains;
mod foreign;
mod heads;
mod levels;
mod link;
mod list;
mod merge;
mod reference;

use std::fmt;

use serde::Serialize;

use super::Kind;
use super::rows::Rows;

/// A part of the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// How deep it lies, from 1.
    pub level: u8,
    /// What it is.
    pub kind: Kind,
    /// Its number, if it has one.
    pub number: Option<u32>,
    /// Its title without kind and number (decoded, not sanitised); empty if it has none.
    pub title: String,
    /// Its line in the table of contents.
    pub listed: Option<u32>,
    /// The line of its heading in the body.
    pub line: Option<u32>,
}

/// Where a table of contents stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct List {
    /// Its heading, or its first entry where it has none.
    pub first: u32,
    /// The last line of its last entry.
    pub last: u32,
    /// Its entries.
    pub entries: u32,
    /// Entries whose heading was found in the body.
    pub linked: u32,
}

/// The parts of the book and the tables of contents that name them.
pub(super) fn read(rows: &Rows<'_>, titles: &[String]) -> (Vec<Entry>, Vec<List>) {
    let candidates = candidates::find(rows);
    let lists = list::find(rows, &candidates);
    let headings = chains::accept(rows, &candidates, &lists, titles);
    let mut entries = merge::merge(rows, &candidates, &lists, &headings);
    levels::assign(&mut entries);
    let lists = lists.iter().map(|list| list.summary(rows)).collect();
    let entries = entries.into_iter().map(|part| part.entry).collect();
    (entries, lists)
}

impl fmt::Display for Entry {
    /// As it is read: `Chapter 4. The Voyage`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = match (self.kind, self.number) {
            (Kind::Numbered, Some(number)) => number.to_string(),
            (kind, number) if kind.counts() => {
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
