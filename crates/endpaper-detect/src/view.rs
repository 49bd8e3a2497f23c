//! The input of the rules: the rows of a [`Scan`] with their classes.
//!
//! Rules identify rows by index; results contain line numbers.

use std::ops::Range;

use super::row_counts::RowCounts;
use super::{End, Parameters};
use endpaper_text::scan::{MarkerSet, Scan, ScanRow};

/// The class of a row for Algorithm 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowClass {
    /// Neither frequent nor part of a gap: the line is ignored.
    Trivial,
    /// Frequency at most K.
    Infrequent,
    /// Frequency greater than K.
    Frequent,
}

/// The rows of one book with their classes.
pub(super) struct ClassifiedRows<'a> {
    pub scan: &'a Scan,
    pub parameters: &'a Parameters,
    /// Classes of the rows of the head window, by the frequencies in heads.
    at_start: Vec<RowClass>,
    /// Classes of the rows from `above` on, by the frequencies in tails.
    at_end: Vec<RowClass>,
    /// First row of the tail window, or of the rows examined above it.
    above: usize,
    head: usize,
    tail: usize,
}

impl<'a> ClassifiedRows<'a> {
    /// Classifies the rows. In a short book the windows overlap, and rows are classified for both ends.
    pub fn new(
        scan: &'a Scan,
        parameters: &'a Parameters,
        counts: &RowCounts,
    ) -> ClassifiedRows<'a> {
        let kind = |(row, &count): (&ScanRow, &u64)| {
            if row.marks.has(MarkerSet::TRIVIAL) {
                RowClass::Trivial
            } else if count > parameters.threshold {
                RowClass::Frequent
            } else {
                RowClass::Infrequent
            }
        };
        let above = scan.tail.min(scan.head) as usize;
        let starts = scan.head_rows().iter().zip(counts.inwards(End::Start));
        let at_start: Vec<RowClass> = starts.map(kind).collect();
        let ends = scan.rows[above..].iter().rev();
        let ends = ends.zip(counts.inwards(End::End));
        let mut at_end: Vec<RowClass> = ends.map(kind).collect();
        at_end.reverse();
        ClassifiedRows {
            head: reach(at_start.iter(), parameters.head),
            tail: scan.rows.len() - reach(at_end.iter().rev(), parameters.tail),
            scan,
            parameters,
            at_start,
            at_end,
            above,
        }
    }

    /// The class of a row for the cut at one end. A row that is only in the window of the other end has its class
    /// there.
    pub fn kind(&self, row: usize, end: End) -> RowClass {
        match (self.at_start.get(row), row.checked_sub(self.above)) {
            (Some(&kind), at_end) if end == End::Start || at_end.is_none() => kind,
            (_, at_end) => self.at_end[at_end.unwrap_or(0)],
        }
    }

    /// The row with this index.
    pub fn row(&self, row: usize) -> &'a ScanRow {
        &self.scan.rows[row]
    }

    /// The line number of a row.
    pub fn line(&self, row: usize) -> u32 {
        self.scan.rows[row].line
    }

    /// The marks of a row.
    pub fn marks(&self, row: usize) -> MarkerSet {
        self.scan.rows[row].marks
    }

    /// The head window: the first rows of the file up to `parameters.head` non-trivial ones.
    pub fn head(&self) -> Range<usize> {
        0..self.head
    }

    /// The tail window: the last rows of the file up to `parameters.tail` non-trivial ones.
    pub fn tail(&self) -> Range<usize> {
        self.tail..self.scan.rows.len()
    }

    /// Number of blank lines between a row and the next. 0 for the last row; 1 for the last row before the gap between
    /// the windows of a long file, where the number is unknown.
    pub fn blank_after(&self, row: usize) -> u32 {
        match self.scan.rows.get(row + 1) {
            Some(_) if row + 1 == self.scan.head as usize && !self.scan.is_whole() => 1,
            Some(next) => next.line - self.line(row) - 1,
            None => 0,
        }
    }

    /// Number of blank lines between a row and the one before. 0 for the first row.
    pub fn blank_before(&self, row: usize) -> u32 {
        row.checked_sub(1)
            .map_or(0, |before| self.blank_after(before))
    }

    /// The last row before `end` of the block that contains `row`.
    pub fn block_end(&self, row: usize, end: usize) -> usize {
        (row..end)
            .find(|&at| at + 1 == end || self.blank_after(at) > 0)
            .unwrap_or(row)
    }
}

/// Number of rows that contain `limit` non-trivial ones; all rows if there are fewer.
fn reach<'a>(kinds: impl ExactSizeIterator<Item = &'a RowClass>, limit: u32) -> usize {
    let all = kinds.len();
    let Some(others) = (limit as usize).checked_sub(1) else {
        return 0;
    };
    kinds
        .enumerate()
        .filter(|&(_, &kind)| kind != RowClass::Trivial)
        .nth(others)
        .map_or(all, |(taken, _)| taken + 1)
}
