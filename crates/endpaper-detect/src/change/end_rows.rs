//! The rows of one end of a book, from the outside (the edge of the file) inwards (towards the body).

use std::ops::Range;

use crate::{Cuts, End};
use endpaper_text::scan::{Scan, ScanRow};

/// A block: rows without a blank line between them, from the outside inwards.
pub(super) type RowBlock = Vec<ScanRow>;

/// The scanned rows of one end of a book and the blocks they form, read from the edge of the file towards the body.
pub(super) struct EndRows<'a> {
    scan: &'a Scan,
    end: End,
    /// The scanned rows of this end, in the order of the file.
    visible: &'a [ScanRow],
}

impl<'a> EndRows<'a> {
    /// The rows of one end of a scan.
    pub fn of(scan: &'a Scan, end: End) -> EndRows<'a> {
        let (head, tail) = (scan.head as usize, scan.tail as usize);
        let known = match end {
            End::Start => &scan.rows[..head],
            End::End => &scan.rows[head.min(tail)..],
        };
        EndRows {
            scan,
            end,
            visible: known,
        }
    }

    /// The `at`-th row from the edge of the file.
    fn row(&self, at: usize) -> Option<&'a ScanRow> {
        match self.end {
            End::Start => self.visible.get(at),
            End::End => {
                let last = self.visible.len().checked_sub(1)?;
                self.visible.get(last.checked_sub(at)?)
            }
        }
    }

    /// The number of rows outside a cut, its cut position; `None` if the cut is not among the scanned rows.
    pub fn place(&self, cuts: Cuts) -> Option<usize> {
        let before = |line: u32| self.visible.partition_point(|row| row.line < line);
        let at = match self.end {
            End::Start => before(cuts.preamble_end.saturating_add(1)),
            End::End => self.visible.len() - cuts.epilogue_start.map_or(self.visible.len(), before),
        };
        (at < self.visible.len()).then_some(at)
    }

    /// `cuts` with that of this end after `place` rows.
    pub fn with_cut(&self, cuts: Cuts, place: usize) -> Cuts {
        let last = self.outside_of(place).map(|row| row.line);
        match self.end {
            End::Start => Cuts {
                preamble_end: last.unwrap_or(0),
                ..cuts
            },
            End::End => Cuts {
                epilogue_start: last,
                ..cuts
            },
        }
    }

    /// The row just outside of a cut position; `None` at the edge of the file.
    pub fn outside_of(&self, place: usize) -> Option<ScanRow> {
        self.row(place.checked_sub(1)?).copied()
    }

    /// Number of blank lines between a row and the row, or the edge of the file, outside of it.
    pub fn blank_at(&self, at: usize) -> u32 {
        let Some(row) = self.row(at) else { return 0 };
        let edge = match self.end {
            End::Start => 0,
            End::End => self.scan.lines.saturating_add(1),
        };
        let outer = self.outside_of(at).map_or(edge, |row| row.line);
        row.line.abs_diff(outer).saturating_sub(1)
    }

    /// Whether one of the `rows` rows inwards of a cut position has a producer cue.
    pub fn has_producer_cue_from(&self, place: usize, rows: usize) -> bool {
        let mut rows = (place..place.saturating_add(rows)).map_while(|at| self.row(at));
        rows.any(ScanRow::has_producer_cue)
    }

    /// The cut position `blocks` blocks inwards.
    pub fn inwards(&self, from: usize, blocks: usize) -> Option<usize> {
        let begins = |at: &usize| self.blank_at(*at) > 0;
        let places = from + 1..self.visible.len();
        places.filter(begins).nth(blocks.checked_sub(1)?)
    }

    /// The cut position `blocks` blocks outwards.
    pub fn outwards(&self, from: usize, blocks: usize) -> Option<usize> {
        let begins = |at: &usize| *at == 0 || self.blank_at(*at) > 0;
        (0..from).rev().filter(begins).nth(blocks.checked_sub(1)?)
    }

    /// The blocks of a range of rows; the first and the last may be incomplete.
    pub fn blocks(&self, places: Range<usize>) -> Vec<RowBlock> {
        let mut blocks: Vec<RowBlock> = Vec::new();
        for at in places {
            let Some(row) = self.row(at) else { break };
            match blocks.last_mut() {
                Some(block) if self.blank_at(at) == 0 => block.push(*row),
                _ => blocks.push(vec![*row]),
            }
        }
        blocks
    }
}
