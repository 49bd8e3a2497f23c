//! Books drawn with one character per line, for tests.
//!
//! ` ` blank, `F` frequent, `i` infrequent, `.` trivial, `-` separator, `S` START marker, `P` small print marker, `E`
//! End marker, `X` ETEXT, `C` credits, `N` note, `G` contains Gutenberg, `T` the title (the same text each time).

use super::propose::propose_with;
use super::row_counts::RowCounts;
use super::{Detection, Parameters};
use crate::frequency::document_frequency::DocumentFrequencies;
use endpaper_text::corpus::Encoding;
use endpaper_text::line::Key;
use endpaper_text::scan::{Header, MarkerSet, Scan, ScanRow, Template};

const FREQUENT: u64 = 1_000_000;

/// The Scan of a sketched book, with windows of 300 non-trivial lines.
pub(super) fn scan(sketch: &str) -> Scan {
    let rows: Vec<ScanRow> = sketch.chars().zip(1..).filter_map(row).collect();
    let counted = |row: &&ScanRow| !row.marks.has(MarkerSet::TRIVIAL);
    let head = rows.iter().filter(counted).nth(299).map(|row| row.line);
    let tail = rows
        .iter()
        .filter(counted)
        .rev()
        .nth(299)
        .map(|row| row.line);
    let head = rows.partition_point(|row| head.is_none_or(|last| row.line <= last));
    let tail = rows.partition_point(|row| tail.is_some_and(|first| row.line < first));
    let all = rows.len();
    let kept = |&(index, _): &(usize, ScanRow)| index < head || index >= tail;
    let rows: Vec<ScanRow> = rows
        .into_iter()
        .enumerate()
        .filter(kept)
        .map(|(_, row)| row)
        .collect();
    Scan {
        lines: sketch.chars().count() as u32,
        bytes: 0,
        crc: 0,
        encoding: Encoding::Ascii,
        head: head as u32,
        tail: tail.min(rows.len() - (all - tail)) as u32,
        rows,
        mentions: Vec::new(),
        header: Header::default(),
        template: Template::default(),
    }
}

/// The row of a character of the drawing on this line; `None` for a blank line.
fn row((c, line): (char, u32)) -> Option<ScanRow> {
    let marks = match c {
        ' ' => return None,
        '.' => MarkerSet::TRIVIAL,
        '-' => MarkerSet::TRIVIAL | MarkerSet::SEPARATOR,
        'S' => MarkerSet::START | MarkerSet::GUTENBERG,
        'P' => MarkerSet::SMALL_PRINT_END,
        'E' => MarkerSet::END | MarkerSet::GUTENBERG,
        'X' => MarkerSet::ETEXT,
        'C' => MarkerSet::CREDITS,
        'N' => MarkerSet::NOTE,
        'G' => MarkerSet::GUTENBERG,
        _ => MarkerSet::default(),
    };
    let key = match c {
        'F' => FREQUENT,
        'T' => 0,
        _ => u64::from(line),
    };
    Some(ScanRow {
        key: Key(key),
        line,
        marks,
        characters: if marks.has(MarkerSet::TRIVIAL) { 9 } else { 60 },
        features: Default::default(),
    })
}

/// The frequency of the lines of a sketch in an imaginary corpus.
pub(super) fn frequency(key: Key) -> u64 {
    if key.0 == FREQUENT { 500 } else { 1 }
}

/// The proposal for a sketched book.
pub(super) fn detect(sketch: &str, parameters: &Parameters) -> Detection {
    let document_frequencies = DocumentFrequencies::default();
    let scan = scan(sketch);
    let counts = RowCounts::new(&scan, |key, _| frequency(key));
    propose_with(&scan, &counts, &document_frequencies, parameters)
}

/// A body of `lines` infrequent lines.
pub(super) fn body(lines: usize) -> String {
    "i".repeat(lines)
}
