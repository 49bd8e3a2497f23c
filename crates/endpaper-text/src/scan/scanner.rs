//! Scanning books.
//!
//! The lines of the windows are read; the text between them is only searched for line ends and for `Gutenberg`.

use std::ops::Range;

use super::ends::{BookBytes, walk_windows};
use super::line_features::FeatureExtractor;
use super::line_terminator::LineTerminator;
use super::lines::WindowLines;
use super::memo::LineMemo;
use super::mentions::mentions;
use super::window::{LineWalker, Window, WindowLine, WindowOptions, lines_from_head};
use super::{
    LineFeatures, MarkerSet, Scan, ScanRow, count_rows_near_end, header, template, titles,
};
use crate::checksum::crc64;
use crate::corpus::{ShiftedLines, TextFormat};
use crate::line::{Key, Normalised, Normaliser};

/// Scans one book.
///
/// ```
/// use endpaper_text::scan::{WindowOptions, scan};
/// let scan = scan(b"A line.\n\nAnother line.\n", WindowOptions::default());
/// assert_eq!((scan.lines, scan.rows.len()), (3, 2));
/// ```
pub fn scan(bytes: &[u8], options: WindowOptions) -> Scan {
    Scanner::default().scan(bytes, options)
}

/// Scans books one after another, and remembers the lines that many of them share.
#[derive(Debug, Default)]
pub struct Scanner {
    normaliser: Normaliser,
    extractor: FeatureExtractor,
    rows: LineMemo<Option<ScanRow>>,
    features: LineMemo<LineFeatures>,
    keys: LineMemo<Option<Key>>,
}

impl Scanner {
    /// Scans one book.
    pub fn scan(&mut self, bytes: &[u8], options: WindowOptions) -> Scan {
        let Scanner {
            normaliser,
            extractor,
            rows,
            features,
            ..
        } = self;
        scan_windows(
            bytes,
            options,
            |found, _| {
                let row = rows.get_or_compute(found.bytes, |line| {
                    row_without_features(&normaliser.line(line))
                })?;
                let line = found.number;
                Some(ScanRow { line, ..row })
            },
            |raw| features.get_or_compute(raw, |line| extractor.features_of(line)),
        )
    }

    /// Scans one book and calls `each` for every non-trivial line of the windows once, in the order of
    /// [`Scanner::for_each_key`], for counting structures that need the text itself.
    pub fn scan_with(
        &mut self,
        bytes: &[u8],
        options: WindowOptions,
        mut each: impl FnMut(Window, Key, &str),
    ) -> Scan {
        let Scanner {
            normaliser,
            extractor,
            features,
            ..
        } = self;
        scan_windows(
            bytes,
            options,
            |found, counted| {
                let normalised = normaliser.line(found.bytes);
                let row = row_without_features(&normalised)?;
                if counted && !normalised.trivial {
                    each(found.window, row.key, normalised.text);
                }
                let line = found.number;
                Some(ScanRow { line, ..row })
            },
            |raw| features.get_or_compute(raw, |line| extractor.features_of(line)),
        )
    }

    /// Calls `each` with the key of every non-trivial line of the windows once: those of the head from the top down, then those
    /// of the tail from the bottom up. Returns how many of the last non-trivial lines of the head are also in the tail window.
    ///
    /// Returns `None` if the bytes do not suffice to know the result for the whole book; `each` may then have been called
    /// for some lines already.
    pub fn for_each_key(
        &mut self,
        bytes: BookBytes<'_>,
        options: WindowOptions,
        mut each: impl FnMut(Window, Key),
    ) -> Option<u32> {
        let Scanner {
            normaliser, keys, ..
        } = self;
        walk_windows(bytes, options, |found| {
            let key = keys.get_or_compute(found.bytes, |line| {
                let normalised = normaliser.line(line);
                (!normalised.trivial).then(|| normalised.key())
            });
            if let Some(key) = key {
                each(found.window, key);
            }
            key.is_some()
        })
    }

    /// As [`Scanner::for_each_key`], with the text of every line.
    pub fn for_each_line(
        &mut self,
        bytes: BookBytes<'_>,
        options: WindowOptions,
        mut each: impl FnMut(Window, &Normalised<'_>),
    ) -> Option<u32> {
        walk_windows(bytes, options, |found| {
            let normalised = self.normaliser.line(found.bytes);
            if !normalised.trivial {
                each(found.window, &normalised);
            }
            !normalised.trivial
        })
    }
}

/// The row of a line, without its number and features; `None` for a blank line.
pub(super) fn row_without_features(normalised: &Normalised<'_>) -> Option<ScanRow> {
    (!normalised.is_blank()).then(|| ScanRow {
        key: normalised.key(),
        line: 0,
        marks: MarkerSet::of(normalised),
        characters: u16::try_from(normalised.characters).unwrap_or(u16::MAX),
        features: LineFeatures::default(),
    })
}

/// Extracts the features of the rows near both ends: within `rows[..first]` and `rows[last..]`. Returns how many rows are
/// near the first end.
fn extract_end_features(
    rows: &mut [ScanRow],
    text: &WindowLines<'_>,
    (first, last): (usize, usize),
    mut look: impl FnMut(&[u8]) -> LineFeatures,
) -> usize {
    let mut one = |row: &mut ScanRow| {
        row.features = look(&text.normaliser_input(row.line));
        row.distance_from_producer()
    };
    let reach = count_rows_near_end(first, |at| one(&mut rows[at]));
    let all = rows.len();
    count_rows_near_end(all - last, |at| one(&mut rows[all - 1 - at]));
    reach
}

/// Scans one book. `read` makes the rows; its second argument is false for the extra lines above the tail window, which
/// do not count.
fn scan_windows(
    bytes: &[u8],
    options: WindowOptions,
    mut read: impl FnMut(&WindowLine<'_>, bool) -> Option<ScanRow>,
    look: impl FnMut(&[u8]) -> LineFeatures,
) -> Scan {
    let TextFormat {
        encoding,
        newline,
        lines,
    } = TextFormat::of(bytes, options.encoding);
    let splitter = LineTerminator::of(bytes, encoding);
    let shifted = &ShiftedLines::of(bytes, encoding);
    let walker = LineWalker {
        encoding,
        terminator: splitter,
        shifted,
    };
    let mut kept = LocatedRows::default();
    let top = walker.head(bytes, options.head, |found| {
        kept.push_line(&found, read(&found, true))
    });
    let head = kept.rows.len();
    let bottom = walker.tail(bytes, top.offset, options.tail, |found| {
        kept.push_line(&found, read(&found, true))
    });
    let counted = kept.rows.len();
    let more = if options.line_features {
        extra_tail_lines(&kept.rows[head..], options.tail)
    } else {
        0
    };
    let beyond = walker.tail(&bytes[..bottom.offset], top.offset, more, |mut found| {
        found.number += bottom.lines;
        kept.push_line(&found, read(&found, false))
    });
    let LocatedRows {
        mut rows,
        mut spans,
    } = kept;
    let beyond_rows = rows.len() - counted;
    // The tail was read and numbered from the bottom up.
    rows[head..].reverse();
    spans[head..].reverse();
    for row in &mut rows[head..] {
        row.line = lines + 1 - row.line;
    }
    let missing = lines_from_head(top, bottom, options.tail);
    let shared = overlapping_rows(&rows[..head], missing);
    let numbers = rows.iter().map(|row| row.line);
    let text = WindowLines::new(bytes, encoding, shifted, numbers.zip(spans).collect());
    let between = &bytes[top.offset..beyond.offset];
    let header = header::read(&text, &rows, head);
    if options.line_features {
        // If the windows of a short book meet, each end extends through all rows.
        let whole = shared > 0 || head == rows.len();
        let ends = if whole { (rows.len(), 0) } else { (head, head) };
        let reach = extract_end_features(&mut rows, &text, ends, look);
        titles::add_title_cues(&text, &header, &mut rows[..reach.min(head)]);
    }
    // The spare capacity would be most of the memory of a small book.
    rows.shrink_to_fit();
    Scan {
        lines,
        bytes: bytes.len() as u64,
        crc: crc64(bytes),
        encoding,
        newline,
        head: head as u32,
        tail: (head + beyond_rows - shared) as u32,
        mentions: mentions(between, encoding, splitter, top.lines),
        header,
        template: template::of(&text, &rows[..head]),
        rows,
    }
}

/// Rows with the byte ranges of their lines.
struct LocatedRows {
    rows: Vec<ScanRow>,
    spans: Vec<Range<u32>>,
}

impl Default for LocatedRows {
    fn default() -> LocatedRows {
        LocatedRows {
            rows: Vec::with_capacity(1024),
            spans: Vec::with_capacity(1024),
        }
    }
}

impl LocatedRows {
    /// Adds the row of a line, unless it is blank, and returns whether the line is non-trivial.
    fn push_line(&mut self, found: &WindowLine<'_>, row: Option<ScanRow>) -> bool {
        let Some(row) = row else {
            return false;
        };
        self.rows.push(row);
        self.spans
            .push(found.span.start as u32..found.span.end as u32);
        !row.marks.has(MarkerSet::TRIVIAL)
    }
}

/// Non-trivial lines examined above the topmost line of the tail window that names the library: a current licence can
/// fill the window alone.
const MIN_LINES_ABOVE_LIBRARY: u32 = 120;

/// How many more non-trivial lines to examine above a tail window of `window` lines; `tail` holds its rows from the last
/// one up.
fn extra_tail_lines(tail: &[ScanRow], window: u32) -> u32 {
    let (mut full, mut last) = (0, 0);
    for row in tail {
        full += u32::from(!row.marks.has(MarkerSet::TRIVIAL));
        if row.marks.has(MarkerSet::GUTENBERG) {
            last = full;
        }
    }
    // A window that is not full ended at the head window.
    if last == 0 || full < window {
        return 0;
    }
    (last + MIN_LINES_ABOVE_LIBRARY).saturating_sub(full)
}

/// How many of the last rows of the head window also belong to the tail window, so that it gets `wanted` more non-trivial ones.
fn overlapping_rows(head: &[ScanRow], wanted: u32) -> usize {
    let mut seen = 0;
    let rows = head.iter().rev().take_while(|row| {
        let more = seen < wanted;
        seen += u32::from(more && !row.marks.has(MarkerSet::TRIVIAL));
        more
    });
    rows.count()
}
