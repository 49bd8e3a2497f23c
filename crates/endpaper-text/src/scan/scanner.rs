//! Scanning books.
//!
//! The lines of the windows are read; the text between them is only searched for line ends and for `Gutenberg`.

use std::ops::Range;

use super::ends::{BookBytes, walk_windows};
use super::line_features::{FeatureExtractor, RowsNearEnd};
use super::line_terminator::LineTerminator;
use super::lines::WindowLines;
use super::memo::LineMemo;
use super::mentions::mentions;
use super::window::{LineWalker, Window, WindowLine, WindowOptions, lines_from_head};
use super::{LineFeatures, MarkerSet, Scan, ScanRow, header, template, titles};
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
    rows: LineMemo<Option<KnownRow>>,
}

/// A remembered row, without its number.
#[derive(Clone, Copy, Debug)]
struct KnownRow {
    row: ScanRow,
    /// Whether its features were extracted.
    has_features: bool,
}

impl Scanner {
    /// Scans one book.
    pub fn scan(&mut self, bytes: &[u8], options: WindowOptions) -> Scan {
        let Scanner {
            normaliser,
            extractor,
            rows,
        } = self;
        let mut compute = |raw: &[u8], has_features| {
            let normalised = normaliser.line(raw);
            let mut row = row_without_features(&normalised)?;
            if has_features {
                row.features = extractor.features_of(&normalised, raw);
            }
            Some(KnownRow { row, has_features })
        };
        scan_windows(bytes, options, |line, wants| {
            let known = rows.find(line).unwrap_or_else(|new| {
                // A line that many books share is near the end of some of them.
                let features = wants.features || options.line_features && new.is_repeated;
                let found = compute(line, features);
                if new.is_repeated {
                    rows.remember(new, line, found);
                }
                found
            });
            let KnownRow {
                mut row,
                has_features,
            } = known?;
            match (wants.features, has_features) {
                (true, false) => row = compute(line, true)?.row,
                (false, true) => row.features = LineFeatures::default(),
                _ => {}
            }
            Some(row)
        })
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
            ..
        } = self;
        scan_windows(bytes, options, |line, wants| {
            let normalised = normaliser.line(line);
            let mut row = row_without_features(&normalised)?;
            if wants.features {
                row.features = extractor.features_of(&normalised, line);
            }
            if let Some(window) = wants.counted_in
                && !normalised.trivial
            {
                each(window, row.key, normalised.text);
            }
            Some(row)
        })
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
        let normaliser = &mut self.normaliser;
        walk_windows(bytes, options, |found| {
            let normalised = normaliser.line(found.bytes);
            let key = (!normalised.trivial).then(|| normalised.key());
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

/// What is asked about a line.
#[derive(Clone, Copy)]
struct Wanted {
    /// The window that it counts in; the extra lines above the tail window do not count.
    counted_in: Option<Window>,
    /// Whether its features are needed: it is near an end of the book.
    features: bool,
}

/// Scans one book. `read` makes the row of a line, without its number; `None` for a blank line.
fn scan_windows(
    bytes: &[u8],
    options: WindowOptions,
    mut read: impl FnMut(&[u8], Wanted) -> Option<ScanRow>,
) -> Scan {
    let TextFormat { encoding, lines } = TextFormat::of(bytes, options.encoding);
    let splitter = LineTerminator::of(bytes, encoding);
    let shifted = &ShiftedLines::of(bytes, encoding);
    let walker = LineWalker {
        encoding,
        terminator: splitter,
        shifted,
    };
    let mut kept = LocatedRows::default();
    let mut near = [RowsNearEnd::default(); 2];
    let mut add = |kept: &mut LocatedRows, found: &WindowLine<'_>, counts: bool| {
        let near = &mut near[usize::from(found.window == Window::Tail)];
        let features = options.line_features && near.goes_on();
        let counted_in = counts.then_some(found.window);
        let row = read(
            found.bytes,
            Wanted {
                counted_in,
                features,
            },
        );
        if features && let Some(row) = &row {
            near.add(row.distance_from_producer());
        }
        kept.push_line(found, row)
    };
    let top = walker.head(bytes, options.head, |found| add(&mut kept, &found, true));
    let head = kept.rows.len();
    let bottom = walker.tail(bytes, top.offset, options.tail, |found| {
        add(&mut kept, &found, true)
    });
    let counted = kept.rows.len();
    let more = if options.line_features {
        extra_tail_lines(&kept.rows[head..], options.tail)
    } else {
        0
    };
    let beyond = walker.tail(&bytes[..bottom.offset], top.offset, more, |mut found| {
        found.number += bottom.lines;
        add(&mut kept, &found, false)
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
        if shared > 0 || head == rows.len() {
            let mut features = |row: &ScanRow| {
                let wants = Wanted {
                    counted_in: None,
                    features: true,
                };
                let row = read(&text.normaliser_input(row.line), wants);
                row.map_or_else(LineFeatures::default, |row| row.features)
            };
            extend_through(rows.iter_mut().skip(head), &mut near[0], &mut features);
            extend_through(rows[..head].iter_mut().rev(), &mut near[1], &mut features);
        }
        titles::add_title_cues(&text, &header, &mut rows[..near[0].rows.min(head)]);
    }
    // The spare capacity would be most of the memory of a small book.
    rows.shrink_to_fit();
    Scan {
        lines,
        bytes: bytes.len() as u64,
        crc: crc64(bytes),
        encoding,
        head: head as u32,
        tail: (head + beyond_rows - shared) as u32,
        mentions: mentions(between, encoding, splitter, top.lines),
        header,
        template: template::of(&text, &rows[..head]),
        rows,
    }
}

/// Adds the rows from the other window to those near an end, with their features.
fn extend_through<'r>(
    rows: impl Iterator<Item = &'r mut ScanRow>,
    near: &mut RowsNearEnd,
    features: &mut impl FnMut(&ScanRow) -> LineFeatures,
) {
    for row in rows {
        if !near.goes_on() {
            return;
        }
        row.features = features(row);
        near.add(row.distance_from_producer());
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
        let line = found.number;
        let row = ScanRow { line, ..row };
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
