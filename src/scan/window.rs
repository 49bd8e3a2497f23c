//! Reading a book into a Scan.
//!
//! Only lines of the two windows are normalised; what lies between is searched for line ends and for one word. Nothing
//! is allocated per line.

use memchr::memmem;

use super::{MENTIONS, Marks, Row, Scan, header, template};
use crate::corpus::Text;
use crate::line::{Normalised, Normaliser};

/// How much of a book a Scan keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Non-trivial lines of the head window.
    pub head: u32,
    /// Non-trivial lines of the tail window.
    pub tail: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            head: 300,
            tail: 300,
        }
    }
}

/// Scans one book.
pub fn scan(text: &Text, options: Options) -> Scan {
    scan_with(text, options, |_, _| {})
}

/// Scans one book and shows each line of the windows once, in line order, with its number: for counting structures
/// that want the text itself.
pub fn scan_with(
    text: &Text,
    options: Options,
    mut each: impl FnMut(u32, &Normalised<'_>),
) -> Scan {
    let mut windows = Windows::default();
    windows.head(text, options.head, &mut each);
    let head = windows.rows.len();
    windows.tail(text, options.tail, &mut each);
    let (head_last, tail_first) = (windows.head_last, windows.tail_first);
    let rows = windows.rows;
    let header = header::read(text, &rows, head);
    let template = template::of(text, &rows[..head]);
    let mut crc = crc64fast::Digest::new();
    crc.write(text.bytes());
    Scan {
        lines: text.lines(),
        bytes: text.bytes().len() as u64,
        crc: crc.sum64(),
        encoding: text.encoding(),
        newline: text.newline(),
        head: head as u32,
        tail: rows.partition_point(|row| row.line < tail_first) as u32,
        head_bytes: text.span(1, head_last).end as u64,
        tail_offset: text.span(tail_first, tail_first).start as u64,
        mentions: mentions(text, head_last, tail_first),
        rows,
        header,
        template,
    }
}

/// Rows of both windows as they are found.
#[derive(Default)]
struct Windows {
    rows: Vec<Row>,
    normaliser: Normaliser,
    head_last: u32,
    tail_first: u32,
}

impl Windows {
    /// Lines from the top until so many non-trivial ones were seen.
    fn head(&mut self, text: &Text, wanted: u32, each: &mut impl FnMut(u32, &Normalised<'_>)) {
        let mut seen = 0;
        for line in 1..=text.lines() {
            if seen == wanted {
                break;
            }
            self.head_last = line;
            seen += u32::from(self.line(text, line, each));
        }
    }

    /// Lines from the bottom until so many non-trivial ones were seen. Those of the head window are in `rows` already
    /// and are counted as seen, not kept twice.
    fn tail(&mut self, text: &Text, wanted: u32, each: &mut impl FnMut(u32, &Normalised<'_>)) {
        let mut first = text.lines() + 1;
        let mut seen = 0;
        while first > self.head_last + 1 && seen < wanted {
            first -= 1;
            let raw = text.countable(first);
            let normal = self.normaliser.line(&raw);
            seen += u32::from(!normal.is_blank() && !normal.trivial);
        }
        self.tail_first = first;
        let shared = self.rows.iter().rev().take_while(|row| {
            let more = seen < wanted;
            seen += u32::from(more && !row.marks.has(Marks::TRIVIAL));
            more
        });
        if let Some(row) = shared.last() {
            self.tail_first = row.line;
        }
        for line in first..=text.lines() {
            self.line(text, line, each);
        }
    }

    /// Keeps one line, if it is not blank; `true` if it is not trivial.
    fn line(
        &mut self,
        text: &Text,
        line: u32,
        each: &mut impl FnMut(u32, &Normalised<'_>),
    ) -> bool {
        let raw = text.countable(line);
        let normal = self.normaliser.line(&raw);
        if normal.is_blank() {
            return false;
        }
        self.rows.push(Row {
            key: normal.key(),
            line,
            marks: Marks::of(&normal),
            characters: u16::try_from(normal.characters).unwrap_or(u16::MAX),
        });
        each(line, &normal);
        !normal.trivial
    }
}

/// Lines between the windows that hold `Gutenberg`, in any of the ways it is written.
fn mentions(text: &Text, head_last: u32, tail_first: u32) -> Vec<u32> {
    let mut lines = Vec::new();
    if head_last + 1 >= tail_first {
        return lines;
    }
    let span = text.span(head_last + 1, tail_first - 1);
    let offset = span.start;
    for word in ["utenberg", "UTENBERG"] {
        // In UTF-16 a NUL stands between the letters, whichever byte of a unit comes first.
        let between = if text.encoding().is_utf16() { "\0" } else { "" };
        let word = word.split("").filter(|c| !c.is_empty());
        let word = word.collect::<Vec<_>>().join(between);
        let found = memmem::find_iter(&text.bytes()[span.clone()], &word).take(MENTIONS);
        lines.extend(found.map(|at| text.line_at(offset + at)));
    }
    lines.sort_unstable();
    lines.dedup();
    lines.truncate(MENTIONS);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(lines: u32) -> Text {
        let line =
            |n: u32| format!("Line {n} of a book that is long enough to count\n\nshort {n}\n");
        Text::new((0..lines).map(line).collect::<String>().into_bytes())
    }

    #[test]
    fn windows_hold_so_many_non_trivial_lines_from_each_end() {
        let scan = scan(&book(100), Options { head: 3, tail: 2 });
        let lines = |rows: &[Row]| rows.iter().map(|row| row.line).collect::<Vec<_>>();
        assert_eq!(lines(scan.head_rows()), [1, 3, 4, 6, 7]);
        assert_eq!(lines(scan.tail_rows()), [295, 297, 298, 300]);
        assert_eq!(scan.lines, 300);
        assert!(scan.head_bytes < scan.tail_offset);
    }

    #[test]
    fn windows_of_a_short_book_overlap_and_hold_each_line_once() {
        for (head, tail) in [(3, 4), (5, 5), (300, 300), (4, 1), (1, 4)] {
            let scan = scan(&book(5), Options { head, tail });
            assert!(
                scan.rows.is_sorted_by(|a, b| a.line < b.line),
                "{head} {tail}"
            );
            let full = |rows: &[Row]| {
                rows.iter()
                    .filter(|row| !row.marks.has(Marks::TRIVIAL))
                    .count()
            };
            assert_eq!(full(scan.head_rows()), 5.min(head as usize));
            assert_eq!(full(scan.tail_rows()), 5.min(tail as usize));
        }
    }

    #[test]
    fn gutenberg_between_the_windows_is_found() {
        let mut text = String::from_utf8(book(50).bytes().to_vec()).expect("ASCII");
        text = text
            .replace("short 20", "a Gutenberg bible")
            .replace("short 25", "GUTENBERG");
        let scan = scan(&Text::new(text.into_bytes()), Options { head: 5, tail: 5 });
        assert_eq!(scan.mentions, [63, 78]);
    }

    #[test]
    fn an_empty_text_has_no_rows() {
        let scan = scan(&Text::new(Vec::new()), Options::default());
        assert_eq!(
            (scan.lines, scan.rows.len(), scan.head, scan.tail),
            (0, 0, 0, 0)
        );
    }

    #[test]
    fn the_word_is_found_between_the_windows_in_every_encoding() {
        let line = |n: u32| format!("line {n} of a book that was typed by somebody\n");
        let mut lines: Vec<String> = (1..=9).map(line).collect();
        lines[4] = "Project Gutenberg\n".into();
        let text = lines.concat();
        let units: Vec<u16> = text.encode_utf16().collect();
        let little = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for bytes in [text.into_bytes(), little, big] {
            let options = Options { head: 2, tail: 2 };
            assert_eq!(scan(&Text::new(bytes), options).mentions, [5]);
        }
    }
}
