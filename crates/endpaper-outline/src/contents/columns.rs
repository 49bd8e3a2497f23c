//! Tables of contents in two columns: `3 Setup   2     7.2 Masts   12` is one row of text, but holds two entries.

use std::borrow::Cow;
use std::ops::Range;

use super::page_number::without_page;
use crate::row::OutlineRow;
use crate::rows::{BodyRows, trimmed};

/// Fewest rows with an entry in both columns.
const MIN_PAIRS: usize = 2;
/// Most rows from one such row to the next.
const MAX_ROWS_BETWEEN: usize = 12;

/// A column of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// The rows of a book, of which one column may be read.
pub(super) struct ColumnRows<'r, 'b> {
    rows: &'r BodyRows<'b>,
    /// The first position of the right column, in characters, and the column that is read.
    column: Option<(usize, Side)>,
}

impl<'r, 'b> ColumnRows<'r, 'b> {
    /// Whole rows.
    pub fn new(rows: &'r BodyRows<'b>) -> ColumnRows<'r, 'b> {
        ColumnRows { rows, column: None }
    }

    /// The rows of the book.
    pub fn whole(&self) -> &'r BodyRows<'b> {
        self.rows
    }

    /// Turns to the left column if the entries in `page` are in two columns; returns whether they are.
    pub fn split(&mut self, page: Range<usize>) -> bool {
        self.column = find_right_column(self.rows, page).map(|right| (right, Side::Left));
        self.column.is_some()
    }

    /// Turns to the right column.
    pub fn turn_right(&mut self) {
        if let Some((_, side)) = &mut self.column {
            *side = Side::Right;
        }
    }

    /// Turns to whole rows.
    pub fn join(&mut self) {
        self.column = None;
    }

    /// The trimmed text of a row in the column; empty if the column has none.
    pub fn words(&self, at: usize) -> Cow<'b, str> {
        let line = self.rows.words(at);
        let Some((right, side)) = self.column else {
            return line;
        };
        let indent = usize::from(self.rows.all()[at].indent);
        let cut = cut(&line, right.saturating_sub(indent));
        let range = match (side, cut) {
            (Side::Left, cut) => 0..cut.unwrap_or(line.len()),
            (Side::Right, Some(cut)) => cut..line.len(),
            (Side::Right, None) => line.len()..line.len(),
        };
        trimmed(match line {
            Cow::Borrowed(line) => Cow::Borrowed(&line[range]),
            Cow::Owned(line) => Cow::Owned(line[range].to_owned()),
        })
    }

    /// A row, measured in the column.
    pub fn row(&self, at: usize) -> OutlineRow {
        let row = self.rows.all()[at];
        let Some((right, side)) = self.column else {
            return row;
        };
        let words = self.words(at);
        let size = u8::try_from(words.len()).unwrap_or(u8::MAX);
        if size == row.size {
            return row;
        }
        let indent = match side {
            Side::Left => row.indent,
            Side::Right => {
                let line = self.rows.words(at);
                let before = line[..line.len() - words.len()].chars().count();
                let column = usize::from(row.indent) + before;
                u8::try_from(column.saturating_sub(right)).unwrap_or(u8::MAX)
            }
        };
        OutlineRow {
            indent,
            size,
            may_open_heading: !words.starts_with(char::is_lowercase),
            ..row
        }
    }
}

/// The byte at which the right column begins, `right` characters behind the start of the line; `None` if the line runs across both
/// columns, or ends before the right one.
fn cut(line: &str, right: usize) -> Option<usize> {
    let Some(last) = right.checked_sub(1) else {
        return Some(0);
    };
    let (at, space) = line.char_indices().nth(last)?;
    space.is_whitespace().then_some(at + space.len_utf8())
}

/// The position of the right column on a page, from the rows that have an entry with a page number in both.
fn find_right_column(rows: &BodyRows<'_>, page: Range<usize>) -> Option<usize> {
    let (mut last, mut pairs, mut right) = (page.start, 0, usize::MAX);
    for at in page {
        if at - last > MAX_ROWS_BETWEEN {
            break;
        }
        let row = rows.all()[at];
        if row.is_long() {
            continue;
        }
        if let Some(start) = second_entry(&rows.words(at)) {
            (last, pairs) = (at, pairs + 1);
            right = right.min(usize::from(row.indent) + start);
        }
    }
    (pairs >= MIN_PAIRS).then_some(right)
}

/// The position in characters of a second entry in a line: a title with a page number, behind a page number and a wide gap.
fn second_entry(line: &str) -> Option<usize> {
    let (second, has_page) = without_page(line);
    if !has_page {
        return None;
    }
    let gaps = second.match_indices("  ").take(16);
    let digit = |at: usize| line[..at].ends_with(|c: char| c.is_ascii_digit());
    let opens = |rest: &str| {
        let rest = rest.trim_start();
        rest.starts_with(|c: char| c.is_ascii_digit() || c.is_uppercase())
            && rest.contains(char::is_alphabetic)
    };
    let (gap, _) = gaps
        .into_iter()
        .find(|&(at, _)| digit(at) && opens(&second[at..]) && without_page(&line[..at]).1)?;
    let start = line.len() - line[gap..].trim_start().len();
    Some(line[..start].chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_entry_follows_a_page_number_and_a_wide_gap() {
        let table = [
            ("3 Setup            2      7.2 Masts . . . 12", Some(26)),
            ("1.1 Über . . . . . 1  8 Sails            9", Some(22)),
            ("3 Setup            2      7.2 Masts", None),
            ("3    Setup with 2  masts   9", None),
            ("7.2    Masts    12", None),
            ("", None),
        ];
        for (line, expected) in table {
            assert_eq!(second_entry(line), expected, "{line}");
        }
    }

    #[test]
    fn a_line_across_both_columns_is_not_cut() {
        assert_eq!(cut("Boats and masts", 6), Some(6));
        assert_eq!(cut("Boats and masts", 7), None);
        assert_eq!(cut("Übel sails", 5), Some(6));
        assert_eq!(cut("Boats", 9), None);
        assert_eq!(cut("Boats", 0), Some(0));
    }
}
