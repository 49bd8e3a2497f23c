//! The rows of one end of a book, from the outside inwards.

use std::ops::Range;

use crate::{Cuts, End};
use endpaper_text::scan::{Scan, ScanRow};

/// Rows without a blank line between them, from the outside inwards.
pub(super) type RowBlock = Vec<ScanRow>;

/// The rows of one end.
pub(super) struct EndRows<'a> {
    scan: &'a Scan,
    end: End,
    /// Rows of the Scan that are known from this end.
    visible: &'a [ScanRow],
}

impl<'a> EndRows<'a> {
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

    fn row(&self, at: usize) -> Option<&'a ScanRow> {
        match self.end {
            End::Start => self.visible.get(at),
            End::End => {
                let last = self.visible.len().checked_sub(1)?;
                self.visible.get(last.checked_sub(at)?)
            }
        }
    }

    /// How many rows a cut leaves outside; `None` if it is outside the scanned rows.
    pub fn place(&self, cuts: Cuts) -> Option<usize> {
        let before = |line: u32| self.visible.partition_point(|row| row.line < line);
        let at = match self.end {
            End::Start => before(cuts.preamble_end.saturating_add(1)),
            End::End => self.visible.len() - cuts.epilogue_start.map_or(self.visible.len(), before),
        };
        (at < self.visible.len()).then_some(at)
    }

    /// Returns `cuts` with the cut of this end after `place` rows.
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

    /// The row outside of a place; `None` at the edge of the file.
    pub fn outside_of(&self, place: usize) -> Option<ScanRow> {
        self.row(place.checked_sub(1)?).copied()
    }

    /// Blank lines between the row at a place and what is outside of it.
    pub fn blank_at(&self, at: usize) -> u32 {
        let Some(row) = self.row(at) else { return 0 };
        let edge = match self.end {
            End::Start => 0,
            End::End => self.scan.lines.saturating_add(1),
        };
        let outer = self.outside_of(at).map_or(edge, |row| row.line);
        row.line.abs_diff(outer).saturating_sub(1)
    }

    /// Whether a line typical of producers is among the `rows` rows from `place` inwards.
    pub fn has_producer_cue_from(&self, place: usize, rows: usize) -> bool {
        let mut rows = (place..place.saturating_add(rows)).map_while(|at| self.row(at));
        rows.any(ScanRow::has_producer_cue)
    }

    /// The place `blocks` blocks further inwards.
    pub fn inwards(&self, from: usize, blocks: usize) -> Option<usize> {
        let begins = |at: &usize| self.blank_at(*at) > 0;
        let places = from + 1..self.visible.len();
        places.filter(begins).nth(blocks.checked_sub(1)?)
    }

    /// The place `blocks` blocks further outwards.
    pub fn outwards(&self, from: usize, blocks: usize) -> Option<usize> {
        let begins = |at: &usize| *at == 0 || self.blank_at(*at) > 0;
        (0..from).rev().filter(begins).nth(blocks.checked_sub(1)?)
    }

    /// The blocks of some rows; the first and the last may be parts of blocks.
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
