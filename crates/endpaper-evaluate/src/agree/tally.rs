//! Counting up how far cuts are apart.

use crate::ruler::{BodyRuler, CutOffsets};
use crate::{BoundaryEdits, Proportion};

/// Distances that are asked for, in lines: 0 is exact.
pub const LIMITS: [u64; 4] = [0, 1, 5, 10];

/// Default for the largest distance, in lines, at which two cuts are near misses in the boundary similarity.
pub const NEAR: u64 = 10;

/// How well one end, or both together, agree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EndTally {
    /// Books whose cuts are at most so far apart, for each of [`LIMITS`].
    pub within: [Proportion; LIMITS.len()],
    similarity: f64,
}

impl EndTally {
    /// Adds one end of a book whose cuts are `distance` lines apart.
    fn add(&mut self, distance: u64, edits: BoundaryEdits) {
        for (within, limit) in self.within.iter_mut().zip(LIMITS) {
            within.add(distance <= limit);
        }
        // Where neither has a cut they agree, as in segeval.
        self.similarity += edits.similarity().unwrap_or(1.0);
    }

    /// Books with cuts exactly alike.
    pub fn exact(&self) -> Proportion {
        self.within[0]
    }

    /// The mean boundary similarity of the books; `None` without books.
    pub fn boundary_similarity(&self) -> Option<f64> {
        let books = self.exact().total;
        (books > 0).then(|| self.similarity / books as f64)
    }
}

/// How well both ends agree, over some books.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AgreementTally {
    /// Where the preamble ends.
    pub start: EndTally,
    /// Where the epilogue starts.
    pub end: EndTally,
    /// Both: a book is as far apart as its worse end.
    pub both: EndTally,
}

impl AgreementTally {
    /// Takes a book in; gives how far its starts and its ends are apart.
    pub(super) fn add(
        &mut self,
        ruler: &BodyRuler,
        a: CutOffsets,
        b: CutOffsets,
        near: u64,
    ) -> (u64, u64) {
        let starts = edits(start_of(a), start_of(b), near);
        let ends = edits(end_of(a, ruler), end_of(b, ruler), near);
        let (start, end) = (a.start.abs_diff(b.start), a.end.abs_diff(b.end));
        self.start.add(start, starts);
        self.end.add(end, ends);
        // A cut of one end is never a near miss of one of the other.
        let mut both = starts;
        both.add(ends);
        self.both.add(start.max(end), both);
        (start, end)
    }

    /// Number of books.
    pub fn books(&self) -> u64 {
        self.both.exact().total
    }
}

/// The boundary edits between two cuts, where up to `near` lines are a near miss.
fn edits(a: Option<u64>, b: Option<u64>, near: u64) -> BoundaryEdits {
    BoundaryEdits::between(a.as_slice(), b.as_slice(), near.saturating_add(1))
}

/// No preamble has no boundary.
fn start_of(places: CutOffsets) -> Option<u64> {
    (places.start > 0).then_some(places.start)
}

/// No epilogue has no boundary.
fn end_of(places: CutOffsets, ruler: &BodyRuler) -> Option<u64> {
    (places.end < ruler.lines()).then_some(places.end)
}
