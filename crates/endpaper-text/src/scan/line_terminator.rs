//! Finding line ends, from either end of a book.
//!
//! A line ends at LF; CRs directly before it belong to its ending. A lone CR ends a line only in a book without LF.
//! UTF-16 is searched by code units.

use std::ops::Range;

use crate::corpus::Encoding;

/// The byte or code unit that ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineTerminator {
    /// A byte: LF, or CR.
    Byte(u8),
    /// A code unit of UTF-16, as its two bytes.
    Unit([u8; 2]),
}

impl LineTerminator {
    /// The terminator of a whole book, or of a part that holds an LF.
    pub fn of(bytes: &[u8], encoding: Encoding) -> LineTerminator {
        let unit = |unit: u16| match encoding {
            Encoding::Utf16Be => LineTerminator::Unit(unit.to_be_bytes()),
            _ => LineTerminator::Unit(unit.to_le_bytes()),
        };
        let (lf, cr) = if encoding.is_utf16() {
            (unit(b'\n'.into()), unit(b'\r'.into()))
        } else {
            (LineTerminator::Byte(b'\n'), LineTerminator::Byte(b'\r'))
        };
        if lf.find(bytes, 0).is_some() || cr.find(bytes, 0).is_none() {
            lf
        } else {
            cr
        }
    }

    /// The line that starts at `start`, with its ending. Empty at the end of the bytes.
    pub fn next_line(self, bytes: &[u8], start: usize) -> Range<usize> {
        start..self.find(bytes, start).unwrap_or(bytes.len())
    }

    /// The line that ends at `end`, with its ending. `floor` is the start of a line: nothing before it is examined.
    pub fn previous_line(self, bytes: &[u8], floor: usize, end: usize) -> Range<usize> {
        let before = match self {
            LineTerminator::Byte(byte) => {
                let inner = &bytes[floor..end.saturating_sub(1).max(floor)];
                memchr::memrchr(byte, inner).map(|at| at + 1)
            }
            LineTerminator::Unit(unit) => {
                // Code units, and thus the starts of lines, are at even offsets.
                let inner = &bytes[floor..floor.max((end - 1) & !1)];
                let found = inner.chunks_exact(2).rposition(|pair| *pair == unit);
                found.map(|at| 2 * at + 2)
            }
        };
        floor + before.unwrap_or(0)..end
    }

    /// Number of line endings.
    pub fn count_endings(self, bytes: &[u8]) -> usize {
        match self {
            LineTerminator::Byte(byte) => memchr::memchr_iter(byte, bytes).count(),
            LineTerminator::Unit(unit) => {
                let units = bytes.chunks_exact(2);
                units.filter(|pair| **pair == unit).count()
            }
        }
    }

    /// The offset just after the first ending at or after `start`, which is the start of a line.
    fn find(self, bytes: &[u8], start: usize) -> Option<usize> {
        let rest = bytes.get(start..)?;
        match self {
            LineTerminator::Byte(byte) => memchr::memchr(byte, rest).map(|at| start + at + 1),
            LineTerminator::Unit(unit) => {
                let mut units = rest.chunks_exact(2);
                units
                    .position(|pair| *pair == unit)
                    .map(|at| start + 2 * at + 2)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::BookText;

    #[test]
    fn lines_from_both_ends_are_the_lines_of_the_text() {
        let wide = |text: &str, big: bool| -> Vec<u8> {
            let bytes = |unit: u16| {
                if big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            };
            format!("\u{feff}{text}")
                .encode_utf16()
                .flat_map(bytes)
                .collect()
        };
        let texts = [
            "",
            "a",
            "a\n",
            "\n",
            "a\n\nb",
            "a\r\nb\r\n",
            "a\r\r\nb",
            "a\rb\r",
            "a\r\rb",
            "\u{a0a}\nx",
        ];
        let books = texts.iter().flat_map(|text| {
            [
                text.as_bytes().to_vec(),
                wide(text, false),
                wide(text, true),
            ]
        });
        for book in books {
            let text = BookText::new(book.clone());
            let splitter = LineTerminator::of(&book, text.encoding());
            let expected: Vec<_> = (1..=text.lines())
                .map(|line| text.span(line, line))
                .collect();
            let (mut forward, mut at) = (Vec::new(), 0);
            while at < book.len() {
                forward.push(splitter.next_line(&book, at));
                at = forward[forward.len() - 1].end;
            }
            let (mut backward, mut end) = (Vec::new(), book.len());
            while end > 0 {
                backward.push(splitter.previous_line(&book, 0, end));
                end = backward[backward.len() - 1].start;
            }
            backward.reverse();
            assert_eq!(forward, expected, "{}", book.escape_ascii());
            assert_eq!(backward, expected, "{}", book.escape_ascii());
        }
    }
}
