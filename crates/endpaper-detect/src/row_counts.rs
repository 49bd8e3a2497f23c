//! How often the rows of a Scan occur in the corpus, each looked up once for each end it may belong to.

use super::End;
use crate::frequency::Frequencies;
use endpaper_text::line::Key;
use endpaper_text::scan::Scan;

/// Frequencies of the rows of one book, by those of heads and by those of tails.
pub(super) struct RowCounts {
    /// Of the rows from the first one inwards.
    start: Vec<u64>,
    /// Of the rows from the last one inwards.
    end: Vec<u64>,
}

impl RowCounts {
    /// Looks up the rows of a Scan.
    pub fn of(scan: &Scan, frequencies: &Frequencies) -> RowCounts {
        RowCounts::new(scan, |key, end| match end {
            End::Start => frequencies.head().frequency(key),
            End::End => frequencies.tail().frequency(key),
        })
    }

    /// The same with any answer to how often a key occurs at an end.
    pub fn new(scan: &Scan, frequency: impl Fn(Key, End) -> u64) -> RowCounts {
        let head = scan.head as usize;
        // The windows of a short book overlap: all its rows may belong to either end.
        let (head, tail) = match scan.is_whole() {
            true => (&scan.rows[..], &scan.rows[..]),
            false => scan.rows.split_at(head),
        };
        let start = head.iter().map(|row| frequency(row.key, End::Start));
        let end = tail.iter().rev();
        RowCounts {
            start: start.collect(),
            end: end.map(|row| frequency(row.key, End::End)).collect(),
        }
    }

    /// Of the rows of one end, from the outside inwards.
    pub fn inwards(&self, end: End) -> &[u64] {
        match end {
            End::Start => &self.start,
            End::End => &self.end,
        }
    }
}
