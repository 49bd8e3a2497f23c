//! One row of text.

use std::borrow::Cow;

use endpaper_text::cells::{escaped, unescaped};
use std::io::{self, Write};

use crate::frequency::CountedEnds;

/// The kind of a row; see the table in [`super`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountRowKind {
    /// The totals of a shard.
    Shard,
    /// A counted book.
    Book,
    /// A book that could not be read.
    Unreadable,
    /// A line.
    Exact,
    /// The lines that were left out after summing.
    Pruned,
}

const KINDS: [(CountRowKind, &str); 5] = [
    (CountRowKind::Shard, "shard"),
    (CountRowKind::Book, "book"),
    (CountRowKind::Unreadable, "unreadable"),
    (CountRowKind::Exact, "exact"),
    (CountRowKind::Pruned, "pruned"),
];

const ENDS: [(Option<CountedEnds>, &str); 4] = [
    (None, "-"),
    (Some(CountedEnds::Both), "both"),
    (Some(CountedEnds::Head), "head"),
    (Some(CountedEnds::Tail), "tail"),
];

/// A row. The meaning of its columns depends on its kind; see the table in [`super`].
///
/// ```
/// use endpaper_detect::frequency::rows::{CountRow, CountRowKind};
/// let row = CountRow::parse("exact\tboth\t-42\t5\t3\tA line with a \\t in it")?;
/// assert_eq!((row.key as u64, row.count, row.books), (u64::MAX - 41, 5, 3));
/// assert_eq!(row.text, "A line with a \t in it");
/// # Ok::<(), endpaper_detect::frequency::rows::RowError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountRow<'a> {
    /// The kind of row, which gives the other columns their meaning.
    pub kind: CountRowKind,
    /// The end of each book (head, tail or both) that was counted; `None` for rows that are not lines.
    pub end: Option<CountedEnds>,
    /// The hash of the line, stored as a signed number because engines such as Spark have no unsigned ones.
    pub key: i64,
    /// Number of occurrences of the line.
    pub count: i64,
    /// Number of books with the line.
    pub books: i64,
    /// The text of the line, unescaped.
    pub text: Cow<'a, str>,
}

/// Why a text is not a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// Wrong number of columns.
    #[error("it has not the six columns kind, end, key, count, books and text")]
    Columns,
    /// Unknown kind, perhaps of a newer program.
    #[error("its kind is unknown here")]
    Kind,
    /// Not an end, or an end that does not fit the kind.
    #[error("its end is not one that its kind has")]
    End,
    /// Not a signed 64-bit number, or negative where that is meaningless.
    #[error("its key, count or books is not a number in range")]
    Number,
}

impl CountRow<'_> {
    /// Parses a row without its line end.
    ///
    /// # Errors
    ///
    /// The first error in the row.
    pub fn parse(line: &str) -> Result<CountRow<'_>, RowError> {
        let mut columns = line.split('\t');
        let mut column = || columns.next().ok_or(RowError::Columns);
        let (kind, end) = (column()?, column()?);
        let mut number = || column()?.parse::<i64>().map_err(|_| RowError::Number);
        let (key, count, books) = (number()?, number()?, number()?);
        let text = unescaped(column()?);
        if columns.next().is_some() {
            return Err(RowError::Columns);
        }
        let kind = value_of(&KINDS, kind).ok_or(RowError::Kind)?;
        let end = value_of(&ENDS, end).ok_or(RowError::End)?;
        let row = CountRow {
            kind,
            end,
            key,
            count,
            books,
            text,
        };
        let of_lines = matches!(kind, CountRowKind::Exact | CountRowKind::Pruned);
        if row.end.is_some() != of_lines {
            return Err(RowError::End);
        }
        // Keys may be any number, and so may the digest of a book.
        let least = match kind {
            CountRowKind::Exact => count.min(books) - 1,
            CountRowKind::Book => count,
            _ => count.min(books).min(key),
        };
        if least < 0 {
            return Err(RowError::Number);
        }
        Ok(row)
    }

    /// Writes the row with a line end.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let kind = name_of(&KINDS, &self.kind);
        let end = name_of(&ENDS, &self.end);
        let (key, count, books) = (self.key, self.count, self.books);
        let text = escaped(&self.text);
        writeln!(out, "{kind}\t{end}\t{key}\t{count}\t{books}\t{text}")
    }
}

/// The value of a name of a table.
fn value_of<T: Copy>(table: &[(T, &str)], name: &str) -> Option<T> {
    let found = table.iter().find(|entry| entry.1 == name);
    found.map(|entry| entry.0)
}

/// The name of a value of a table.
fn name_of<'a, T: PartialEq>(table: &[(T, &'a str)], value: &T) -> &'a str {
    let found = table.iter().find(|entry| entry.0 == *value);
    found.map_or("", |entry| entry.1)
}
