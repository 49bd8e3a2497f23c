//! Reading books.
//!
//! The lines of the windows are read; what lies between is searched for line ends and for one word.

use super::ends::{Bytes, walk};
use super::lines::Lines;
use super::memo::Memo;
use super::mentions::mentions;
use super::splitter::Splitter;
use super::window::{Found, Options, Walker, Window};
use super::{Marks, Row, Scan, header, template};
use crate::checksum::crc64;
use crate::corpus::Form;
use crate::line::{Key, Normalised, Normaliser};

/// Scans one book.
///
/// ```
/// use endpaper::scan::{Options, scan};
/// let scan = scan(b"A line.\n\nAnother line.\n", Options::default());
/// assert_eq!((scan.lines, scan.rows.len()), (3, 2));
/// ```
pub fn scan(bytes: &[u8], options: Options) -> Scan {
    Scanner::default().scan(bytes, options)
}

/// Reads books one after another, and remembers the lines that many of them share.
#[derive(Debug, Default)]
pub struct Scanner {
    normaliser: Normaliser,
    rows: Memo<Option<Row>>,
    keys: Memo<Option<Key>>,
}

impl Scanner {
    /// Scans one book.
    pub fn scan(&mut self, bytes: &[u8], options: Options) -> Scan {
        let Scanner {
            normaliser, rows, ..
        } = self;
        scan_by(bytes, options, |found| {
            let row = rows.get(found.bytes, |line| row_of(&normaliser.line(line)))?;
            let line = found.number;
            Some(Row { line, ..row })
        })
    }

    /// Scans one book and shows each non-trivial line of the windows once, in the order of [`Scanner::count`]: for
    /// counting structures that want the text itself.
    pub fn scan_with(
        &mut self,
        bytes: &[u8],
        options: Options,
        mut each: impl FnMut(Window, Key, &str),
    ) -> Scan {
        scan_by(bytes, options, |found| {
            let normalised = self.normaliser.line(found.bytes);
            let row = row_of(&normalised)?;
            if !normalised.trivial {
                each(found.window, row.key, normalised.text);
            }
            let line = found.number;
            Some(Row { line, ..row })
        })
    }

    /// Shows the key of every non-trivial line of the windows once: those of the head from the top down, then those of
    /// the tail from the bottom up. Gives how many of the last lines of the head stand in the tail window too.
    ///
    /// `None` if what is at hand is too little to tell what the whole book would give; some lines may have been shown
    /// by then.
    pub fn count(
        &mut self,
        bytes: Bytes<'_>,
        options: Options,
        mut each: impl FnMut(Window, Key),
    ) -> Option<u32> {
        let Scanner {
            normaliser, keys, ..
        } = self;
        walk(bytes, options, |found| {
            let key = keys.get(found.bytes, |line| {
                let normalised = normaliser.line(line);
                (!normalised.trivial).then(|| normalised.key())
            });
            if let Some(key) = key {
                each(found.window, key);
            }
            key.is_some()
        })
    }

    /// The same with the text of every line.
    pub fn count_with(
        &mut self,
        bytes: Bytes<'_>,
        options: Options,
        mut each: impl FnMut(Window, &Normalised<'_>),
    ) -> Option<u32> {
        walk(bytes, options, |found| {
            let normalised = self.normaliser.line(found.bytes);
            if !normalised.trivial {
                each(found.window, &normalised);
            }
            !normalised.trivial
        })
    }
}

/// The row of a line, without its number; `None` for a blank line.
fn row_of(normalised: &Normalised<'_>) -> Option<Row> {
    (!normalised.is_blank()).then(|| Row {
        key: normalised.key(),
        line: 0,
        marks: Marks::of(normalised),
        characters: u16::try_from(normalised.characters).unwrap_or(u16::MAX),
    })
}

/// Scans one book; `read` makes the rows.
fn scan_by(bytes: &[u8], options: Options, mut read: impl FnMut(Found<'_>) -> Option<Row>) -> Scan {
    let Form {
        encoding,
        newline,
        lines,
    } = Form::of(bytes);
    let splitter = Splitter::of(bytes, encoding);
    let walker = Walker { encoding, splitter };
    let (mut rows, mut spans) = (Vec::with_capacity(1024), Vec::with_capacity(1024));
    let mut head = 0;
    let mut keep = |found: Found<'_>| {
        let (window, span) = (found.window, found.span.clone());
        let Some(row) = read(found) else {
            return false;
        };
        rows.push(row);
        spans.push(span.start as u32..span.end as u32);
        if window == Window::Head {
            head = rows.len();
        }
        !row.marks.has(Marks::TRIVIAL)
    };
    let top = walker.head(bytes, options.head, &mut keep);
    let bottom = walker.tail(bytes, top.at, options.tail, &mut keep);
    // The tail was read, and numbered, from the bottom up.
    rows[head..].reverse();
    spans[head..].reverse();
    for row in &mut rows[head..] {
        row.line = lines + 1 - row.line;
    }
    let shared = shared_rows(&rows[..head], options.tail - bottom.full);
    let numbers = rows.iter().map(|row| row.line);
    let text = Lines::new(bytes, encoding, numbers.zip(spans).collect());
    let between = &bytes[top.at..bottom.at];
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
