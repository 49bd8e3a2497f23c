//! Two editions side by side, and how they are shown.

use super::align::{Alignment, align};
use crate::page::BookPage;
use endpaper_detect::{Cuts, End};
use endpaper_truth::{StoredRecord, Verdict};
use std::sync::Arc;

/// Both editions, laid side by side at both ends.
#[derive(Debug)]
pub struct EditionComparison {
    /// The open book.
    pub here: Arc<BookPage>,
    /// The other edition.
    pub there: Arc<BookPage>,
    /// Cuts of the other edition: those of its record if it is decided, else the proposed ones.
    pub cuts: Cuts,
    /// The verdict on the other edition, if it is decided and still has the text that was decided.
    pub verdict: Option<Verdict>,
    /// The alignments at the start and at the end.
    pub(super) ends: [Alignment; 2],
}

impl EditionComparison {
    /// Aligns both ends; about as long as preparing a page.
    pub fn of(
        request: &EditionRequest,
        there: Arc<BookPage>,
        found: &StoredRecord,
    ) -> EditionComparison {
        let decided = match found {
            StoredRecord::Record(record) => Some(record).filter(|record| {
                let cut = record.verdict.is_decided() && record.verdict.has_cuts();
                cut && record.is_decided_on(&there.sha256)
            }),
            _ => None,
        };
        let proposed = there.detection.cuts;
        let cuts = decided.map_or(proposed, |record| there.snap_cuts(record.cuts));
        let here = request.here.clone();
        let ends = [End::Start, End::End].map(|end| {
            let at = request.positions[end as usize];
            let guess = (!request.hides_proposal).then(|| there.cut_position(cuts, end));
            align(&here, &there, end, at, guess)
        });
        EditionComparison {
            here,
            there,
            cuts,
            verdict: decided.map(|record| record.verdict),
            ends,
        }
    }

    /// The alignment of an end.
    pub fn at(&self, end: End) -> &Alignment {
        &self.ends[end as usize]
    }

    /// Both columns fit beside each other.
    pub fn fits_side_by_side(&self, end: End, width: u16, gutter: u16) -> bool {
        let [here, there] = self.at(end).longest;
        let both = here.saturating_add(there).saturating_add(2 * gutter + 1);
        width >= WIDE || both <= width
    }
}

/// The comparison that lies over the page.
#[derive(Clone, Debug)]
pub struct EditionView {
    /// Other editions by index, the most useful first.
    pub books: Vec<usize>,
    /// Which of them is shown.
    pub at: usize,
    /// The ticket of what was asked for.
    pub ticket: u64,
    /// What came of it.
    pub answer: EditionAnswer,
    /// First row shown; `None`: the cut stands in the middle.
    pub top: Option<usize>,
    /// Lines that are alike are all shown.
    pub unfolded: bool,
}

impl EditionView {
    /// The edition shown.
    pub fn book(&self) -> Option<usize> {
        self.books.get(self.at).copied()
    }

    /// The edition shown, if it is aligned.
    pub fn edition(&self) -> Option<&Arc<EditionComparison>> {
        match &self.answer {
            EditionAnswer::Aligned(edition) => Some(edition),
            _ => None,
        }
    }
}

/// Columns from which on two editions stand side by side, even where the longest lines are cut.
pub const WIDE: u16 = 150;

/// What is needed to align another edition with the open book.
#[derive(Clone, Debug)]
pub struct EditionRequest {
    /// Comes back in the answer.
    pub ticket: u64,
    /// Index of the other edition.
    pub book: usize,
    /// The open book.
    pub here: Arc<BookPage>,
    /// Where to align it: the line before which the cut stands, at the start and at the end.
    pub positions: [u32; 2],
    /// Nothing may be learnt of where cuts are: the cuts of the other edition decide nothing of what is shown.
    pub hides_proposal: bool,
}

/// What came of a request.
#[derive(Clone, Debug)]
pub enum EditionAnswer {
    /// The edition is still read.
    Reading,
    /// It cannot be read: why.
    Failed(String),
    /// It is aligned.
    Aligned(Arc<EditionComparison>),
}
