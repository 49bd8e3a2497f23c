//! Frequencies of the rows of a Scan, each looked up once per end that it may belong to.

use super::End;
use crate::frequency::Frequencies;
use endpaper_text::scan::{Scan, ScanRow};

/// Frequencies of the rows of one book, in heads and in tails.
pub(super) struct RowCounts {
    /// Frequencies in heads, from the first row inwards.
    start: Vec<u64>,
    /// Frequencies in tails, from the last row inwards.
    end: Vec<u64>,
}

impl RowCounts {
    /// Looks up the rows of a Scan.
    pub fn of(scan: &Scan, frequencies: &Frequencies) -> RowCounts {
        let (head, tail) = rows_of_ends(scan);
        let key = |row: &ScanRow| row.key;
        RowCounts {
            start: frequencies.head().frequencies(head.iter().map(key)),
            end: frequencies.tail().frequencies(tail.iter().rev().map(key)),
        }
    }

    /// Like [`RowCounts::of`], with any function for the frequency of a key at an end.
    #[cfg(test)]
    pub fn new(scan: &Scan, frequency: impl Fn(endpaper_text::line::Key, End) -> u64) -> RowCounts {
        let (head, tail) = rows_of_ends(scan);
        let start = head.iter().map(|row| frequency(row.key, End::Start));
        let end = tail.iter().rev();
        RowCounts {
            start: start.collect(),
            end: end.map(|row| frequency(row.key, End::End)).collect(),
        }
    }

    /// Frequencies of the rows at one end, from the outside inwards.
    pub fn inwards(&self, end: End) -> &[u64] {
        match end {
            End::Start => &self.start,
            End::End => &self.end,
        }
    }
}

/// The rows that may belong to each end: all of them to both in a short book, whose windows overlap.
fn rows_of_ends(scan: &Scan) -> (&[ScanRow], &[ScanRow]) {
    match scan.is_whole() {
        true => (&scan.rows, &scan.rows),
        false => scan.rows.split_at(scan.head as usize),
    }
}
