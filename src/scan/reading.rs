//! Reading a book into a Scan.
//!
//! The lines of the windows are read; what lies between is searched for line ends and for one word.

use super::lines::Lines;
use super::mentions::mentions;
use super::splitter::Splitter;
use super::window::{Found, Options, Walker};
use super::{Marks, Row, Scan, Window, header, template};
use crate::checksum::crc64;
use crate::corpus::Form;
use crate::line::{Normalised, Normaliser};

/// Scans one book.
pub fn scan(bytes: &[u8], options: Options) -> Scan {
    scan_with(bytes, options, |_, _, _| {})
}

/// Scans one book and shows each row of the windows once with what its line says, in the order of [`super::count_lines`]:
/// for counting structures that want the text itself. Line numbers are not known yet for rows of the tail.
pub fn scan_with(
    bytes: &[u8],
    options: Options,
    mut each: impl FnMut(Window, &Row, &Normalised<'_>),
) -> Scan {
    let Form {
        encoding,
        newline,
        lines,
    } = Form::of(bytes);
    let splitter = Splitter::of(bytes, encoding);
    let mut normaliser = Normaliser::default();
    let mut walker = Walker {
        encoding,
        splitter,
        normaliser: &mut normaliser,
    };
    let (mut rows, mut spans) = (Vec::with_capacity(1024), Vec::with_capacity(1024));
    let mut keep = |window: Window, found: Found<'_>| {
        let row = row_of(&found);
        each(window, &row, &found.normalised);
        spans.push(found.span.start as u32..found.span.end as u32);
        rows.push(row);
        rows.len()
    };
    let mut head = 0;
    let top = walker.head(bytes, options.head, |found| {
        head = keep(Window::Head, found);
    });
    let bottom = walker.tail(bytes, top.at, options.tail, |found| {
        keep(Window::Tail, found);
    });
    let between = &bytes[top.at..bottom.at];
    // The tail was read, and numbered, from the bottom up.
    rows[head..].reverse();
    spans[head..].reverse();
    for row in &mut rows[head..] {
        row.line = lines + 1 - row.line;
    }
    let shared = shared_rows(&rows[..head], options.tail - bottom.full);
    let window_lines = rows.iter().map(|row| row.line).zip(spans).collect();
    let text = Lines::new(bytes, encoding, window_lines);
    Scan {
        lines,
        bytes: bytes.len() as u64,
        crc: crc64(bytes),
        encoding,
        newline,
        head: head as u32,
        tail: (head - shared) as u32,
        mentions: mentions(between, encoding, splitter, top.lines),
        header: header::read(&text, &rows, head),
        template: template::of(&text, &rows[..head]),
        rows,
    }
}

fn row_of(found: &Found<'_>) -> Row {
    let normalised = &found.normalised;
    Row {
        key: normalised.key(),
        line: found.number,
        marks: Marks::of(normalised),
        characters: u16::try_from(normalised.characters).unwrap_or(u16::MAX),
    }
}

/// How many rows of the head window the tail window of a short book takes in, to see `wanted` more non-trivial ones.
fn shared_rows(head: &[Row], wanted: u32) -> usize {
    let mut seen = 0;
    let rows = head.iter().rev().take_while(|row| {
        let more = seen < wanted;
        seen += u32::from(more && !row.marks.has(Marks::TRIVIAL));
        more
    });
    rows.count()
}
