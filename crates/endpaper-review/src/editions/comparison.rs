//! A comparison of two editions, and its view.

use super::align::{Alignment, align};
use crate::page::BookPage;
use endpaper_detect::{Cuts, End};
use endpaper_truth::{StoredRecord, Verdict};
use std::sync::Arc;

/// Two editions, aligned at both ends.
#[derive(Debug)]
pub struct EditionComparison {
    /// The open book.
    pub here: Arc<BookPage>,
    /// The other edition.
    pub there: Arc<BookPage>,
    /// Cuts of the other edition: those of its record if it is decided, else the proposed ones.
    pub cuts: Cuts,
    /// The verdict on the other edition, if it is decided and its text is unchanged.
    pub verdict: Option<Verdict>,
    pub(super) ends: [Alignment; 2],
}

impl EditionComparison {
    /// Aligns both ends, which takes about as long as preparing a page.
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

    /// Whether both columns fit side by side.
    pub fn fits_side_by_side(&self, end: End, width: u16, gutter: u16) -> bool {
        let [here, there] = self.at(end).longest;
        let both = here.saturating_add(there).saturating_add(2 * gutter + 1);
        width >= WIDE || both <= width
    }
}

/// The comparison that covers the page.
#[derive(Clone, Debug)]
pub struct EditionView {
    /// Indices of the other editions, the most useful first.
    pub books: Vec<usize>,
    /// Index of the shown edition in `books`.
    pub at: usize,
    /// Ticket of the last request.
    pub ticket: u64,
    /// Its answer.
    pub answer: EditionAnswer,
    /// First row shown; `None`: centred on the cut.
    pub top: Option<usize>,
    /// Shared lines are not folded.
    pub unfolded: bool,
}

impl EditionView {
    /// The edition that is shown.
    pub fn book(&self) -> Option<usize> {
        self.books.get(self.at).copied()
    }

    /// The comparison with the edition that is shown, if it is ready.
    pub fn edition(&self) -> Option<&Arc<EditionComparison>> {
        match &self.answer {
            EditionAnswer::Aligned(edition) => Some(edition),
            _ => None,
        }
    }
}

/// Minimum width for two editions side by side even if their longest lines are truncated.
pub const WIDE: u16 = 150;

/// A request to align another edition with the open book.
#[derive(Clone, Debug)]
pub struct EditionRequest {
    /// Returned in the answer.
    pub ticket: u64,
    /// Index of the other edition.
    pub book: usize,
    /// The open book.
    pub here: Arc<BookPage>,
    /// The positions to align at: the cuts at the start and at the end.
    pub positions: [u32; 2],
    /// Proposals are hidden, so the cuts of the other edition must not influence what is shown.
    pub hides_proposal: bool,
    /// It was not asked for with a key, but is evidence: it neither replaces nor delays an edition that was asked for.
    pub is_evidence: bool,
}

/// State of a request.
#[derive(Clone, Debug)]
pub enum EditionAnswer {
    /// The edition is being read.
    Reading,
    /// The edition cannot be read, with the reason.
    Failed(String),
    /// The edition is aligned.
    Aligned(Arc<EditionComparison>),
}
