//! A correction as a change that may apply to other books: which blocks a curator moved across the cut of one end, and
//! whether the same blocks are beside the cut of another book.
//!
//! Only rows of a [`Scan`] are compared, from the outside of the book inwards, never the text itself. Blocks match if
//! their lines do: word for word, by skeleton or by opening. A block whose text is the book's own (a note, a typed
//! title) matches if it has similar features and opens in the same way, or is in a file by the same producer. The row
//! outside of the blocks must match, too, and no producer cue may follow the new cut unless one followed in the
//! corrected book.

mod end_rows;
mod similarity;
#[cfg(test)]
mod tests;

use self::end_rows::{EndRows, RowBlock};
use self::similarity::{BlockMatch, BlockSimilarity, match_blocks};
use super::{Cuts, End};
use endpaper_text::scan::{Scan, ScanRow};

/// Other books are not expected to share a change of more rows.
const MAX_MOVED_ROWS: usize = 150;
/// Number of rows inwards of the new cut that are searched for producer cues.
const PRODUCER_CUE_ROWS: usize = 12;
/// Minimum distinctiveness of all matched lines: that of one line of credits by its skeleton, or of two other lines.
const MIN_DISTINCTIVENESS: f32 = 1.5;
/// The same for a file by the same producer with the same template.
const MIN_DISTINCTIVENESS_RELATED: f32 = 0.5;

/// What a curator changed in one book.
#[derive(Clone, Debug)]
pub struct Correction(Vec<CutChange>);

impl Correction {
    /// The change from the detected cuts to those of a curator. `None` if nothing changed, if more changed than other
    /// books can share, or if a cut is between the windows of the scan.
    pub fn between(scan: &Scan, detected: Cuts, corrected: Cuts) -> Option<Correction> {
        let at = |end| CutChange::at_end(scan, detected, corrected, end);
        let changes: Vec<CutChange> = [End::Start, End::End].into_iter().filter_map(at).collect();
        (!changes.is_empty()).then_some(Correction(changes))
    }

    /// Applies the change to the cuts of another book, at one end or at both. `None` if the same blocks are not beside
    /// its cuts, or if no body would be left.
    pub fn apply_to(&self, scan: &Scan, cuts: Cuts) -> Option<Cuts> {
        let apply = |cuts: Cuts, change: &CutChange| change.apply_to(scan, cuts).unwrap_or(cuts);
        let changed = self.0.iter().fold(cuts, apply);
        let has_body = changed
            .epilogue_start
            .is_none_or(|start| changed.preamble_end + 1 < start);
        (changed != cuts && has_body).then_some(changed)
    }
}

/// The change at one end of a book.
#[derive(Clone, Debug)]
struct CutChange {
    end: End,
    /// Whether the blocks were moved out of the body rather than into it.
    moved_outside: bool,
    /// The blocks that were moved, from the outside inwards.
    moved: Vec<RowBlock>,
    /// The row just outside of them; `None` at the edge of the file.
    outer: Option<ScanRow>,
    /// Whether the new cut is within a block.
    splits_block: bool,
    /// Whether a producer cue is near the new cut, inwards of it.
    has_producer_cue_inside: bool,
    provenance: Provenance,
}

/// The producer and the template of a file.
#[derive(Clone, Debug)]
struct Provenance {
    template: u64,
    producer: Option<String>,
}

impl Provenance {
    fn of(scan: &Scan) -> Provenance {
        Provenance {
            template: scan.template.0,
            producer: scan.header.producer.clone(),
        }
    }

    fn matches(&self, scan: &Scan) -> bool {
        let known = self.template != 0 && self.producer.is_some();
        known && self.template == scan.template.0 && self.producer == scan.header.producer
    }
}

impl CutChange {
    /// `None` if no rows, or too many, are between the cuts, or if a cut is not among the scanned rows.
    fn at_end(scan: &Scan, detected: Cuts, corrected: Cuts, end: End) -> Option<CutChange> {
        let rows = EndRows::of(scan, end);
        let (old, new) = (rows.place(detected)?, rows.place(corrected)?);
        let (from, to) = (old.min(new), old.max(new));
        if from == to || to - from > MAX_MOVED_ROWS {
            return None;
        }
        Some(CutChange {
            end,
            moved_outside: new > old,
            moved: rows.blocks(from..to),
            outer: rows.outside_of(from),
            splits_block: rows.blank_at(new) == 0,
            has_producer_cue_inside: rows.has_producer_cue_from(new, PRODUCER_CUE_ROWS),
            provenance: Provenance::of(scan),
        })
    }

    /// Applies the change to the cuts of another book; `None` if the same blocks are not beside its cut.
    fn apply_to(&self, scan: &Scan, cuts: Cuts) -> Option<Cuts> {
        let rows = EndRows::of(scan, self.end);
        let old = rows.place(cuts)?;
        let blocks = self.moved.len();
        let (from, to, new) = match self.moved_outside {
            true => rows.inwards(old, blocks).map(|to| (old, to, to))?,
            false => rows.outwards(old, blocks).map(|from| (from, old, from))?,
        };
        let moved = rows.blocks(from..to);
        let fits = moved.len() == blocks
            && self.splits_block == (rows.blank_at(new) == 0)
            && self.outer_row_matches(rows.outside_of(from))
            && (self.has_producer_cue_inside
                || !rows.has_producer_cue_from(new, PRODUCER_CUE_ROWS))
            && self.blocks_match(&moved, rows.outside_of(from), self.provenance.matches(scan));
        fits.then(|| rows.with_cut(cuts, new))
    }

    /// Whether the row outside of the blocks has the same marks as in the corrected book.
    fn outer_row_matches(&self, outer: Option<ScanRow>) -> bool {
        match (self.outer, outer) {
            (Some(a), Some(b)) => similarity::same_marks(&a, &b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// Whether these blocks match the ones that were moved.
    fn blocks_match(&self, blocks: &[RowBlock], outer: Option<ScanRow>, related: bool) -> bool {
        let pairs = self.moved.iter().zip(blocks);
        let all: Option<Vec<BlockSimilarity>> =
            pairs.map(|(a, b)| match_blocks(a, b, related)).collect();
        let Some(all) = all else {
            return false;
        };
        let distinctive: f32 = all.iter().map(|block| block.distinctiveness).sum();
        let enough = distinctive
            >= if related {
                MIN_DISTINCTIVENESS_RELATED
            } else {
                MIN_DISTINCTIVENESS
            };
        if all
            .iter()
            .all(|block| block.matched_by == BlockMatch::Lines)
        {
            return enough;
        }
        // Blocks with other words match only next to the same line.
        let led = match (self.outer, outer) {
            (Some(a), Some(b)) => similarity::line_similarity(&a, &b) > 0.0,
            (a, b) => a.is_none() && b.is_none(),
        };
        led && (enough || related)
    }
}
