//! A correction as a change that may be right in other books: which blocks a curator moved over the cut of one end,
//! and whether the same blocks are beside the cut of another book.
//!
//! All is reported in rows of a [`Scan`], from the outside of the book inwards; the text itself is never examined. Blocks
//! are the same if their lines are, word for word, by skeleton or by how they open; a block whose text is the book's own
//! (a note, a typed title) if it opens in the same way, or looks the same in a file by the same producer. What is outside
//! of the blocks must be alike, and nothing of producers may follow where nothing followed in the book that was corrected.

mod end_rows;
mod similarity;
#[cfg(test)]
mod tests;

use self::end_rows::{EndRows, RowBlock};
use self::similarity::{BlockMatch, BlockSimilarity, match_blocks};
use super::{Cuts, End};
use endpaper_text::scan::{Scan, ScanRow};

/// More rows than these are not moved for a reason that other books share.
const MAX_MOVED_ROWS: usize = 150;
/// Number of rows inside the new cut that are searched for text of producers.
const PRODUCER_CUE_ROWS: usize = 12;
/// How telling matched lines must be in all: one line of credits by its skeleton, or two others word for word.
const MIN_DISTINCTIVENESS: f32 = 1.5;
/// The same in a file of the same producer and template.
const MIN_DISTINCTIVENESS_RELATED: f32 = 0.5;

/// What a curator changed in one book.
#[derive(Clone, Debug)]
pub struct Correction(Vec<CutChange>);

impl Correction {
    /// What was changed from the cuts that were detected to those that a curator put there. `None` if that is nothing,
    /// more than other books can share, or something between the windows of the Scan.
    pub fn between(scan: &Scan, detected: Cuts, corrected: Cuts) -> Option<Correction> {
        let at = |end| CutChange::at_end(scan, detected, corrected, end);
        let changes: Vec<CutChange> = [End::Start, End::End].into_iter().filter_map(at).collect();
        (!changes.is_empty()).then_some(Correction(changes))
    }

    /// The cuts of another book after the same change to the ones it has, at one end or at both; `None` where the same
    /// blocks are not next to its cuts, or where no body would be left.
    pub fn apply_to(&self, scan: &Scan, cuts: Cuts) -> Option<Cuts> {
        let apply = |cuts: Cuts, change: &CutChange| change.apply_to(scan, cuts).unwrap_or(cuts);
        let changed = self.0.iter().fold(cuts, apply);
        let has_body = changed
            .epilogue_start
            .is_none_or(|start| changed.preamble_end + 1 < start);
        (changed != cuts && has_body).then_some(changed)
    }
}

/// What a correction moved at one end of a book.
#[derive(Clone, Debug)]
struct CutChange {
    end: End,
    /// What was moved is outside of the cut now; else it was given back to the body.
    moved_outside: bool,
    /// The blocks that were moved, from the outside inwards.
    moved: Vec<RowBlock>,
    /// The row outside of them; `None`: the edge of the file.
    outer: Option<ScanRow>,
    /// The new cut is within a block.
    splits_block: bool,
    /// Something of producers is inwards of the new cut.
    has_producer_cue_inside: bool,
    provenance: Provenance,
}

/// Who made the file, and how.
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
    /// What a correction changed at one end.
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

    /// The cuts of another book after the same change to the ones it has; `None` where the same blocks are not
    /// beside its cut.
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

    /// The row outside of the blocks has the marks it should have.
    fn outer_row_matches(&self, outer: Option<ScanRow>) -> bool {
        match (self.outer, outer) {
            (Some(a), Some(b)) => similarity::same_marks(&a, &b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// These blocks are the ones that were moved.
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
        if all.iter().all(|block| block.kind == BlockMatch::Lines) {
            return enough;
        }
        // Blocks of other words are the same only after the same line.
        let led = match (self.outer, outer) {
            (Some(a), Some(b)) => similarity::line_similarity(&a, &b) > 0.0,
            (a, b) => a.is_none() && b.is_none(),
        };
        led && (enough || related)
    }
}
