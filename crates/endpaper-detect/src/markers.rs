//! The rules of Kaser & Lemire, section 3.4: marker lines near the beginning and the end of a file.
//!
//! Whether a line is a marker is derived from its `MarkStyle`, set while scanning. Here is decided which of them count: "near
//! the beginning" and "near the end" are the head and the tail window. In a short file the windows overlap, so an end
//! marker before the first start marker says nothing about the epilogue, and a start marker after the first end marker
//! (the licence often is at the end) nothing about the preamble.

use super::End;
use super::view::{ClassifiedRows, RowClass};
use endpaper_text::scan::MarkerSet;

const STARTS: MarkerSet = MarkerSet(MarkerSet::START.0 | MarkerSet::SMALL_PRINT_END.0);
const ENDS: MarkerSet = MarkerSet(MarkerSet::END.0 | MarkerSet::ETEXT.0);

/// Rows of a book that carry a marker, by index, in line order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Markers {
    /// `*** START OF ...` and `*END*THE SMALL PRINT!` in the head window: the preamble goes at least to the last one.
    pub starts: Vec<usize>,
    /// `End of Project Gutenberg ...` and `ETEXT ...` in the tail window.
    pub ends: Vec<usize>,
}

impl Markers {
    /// Finds the markers that count.
    pub fn find(view: &ClassifiedRows) -> Markers {
        let marked = |marks: MarkerSet| move |row: &usize| view.marks(*row).has_any(marks);
        let mut starts: Vec<_> = view.head().filter(marked(STARTS)).collect();
        let mut ends: Vec<_> = view.tail().filter(marked(ENDS)).collect();
        if let Some(&first) = starts.first() {
            ends.retain(|&row| row > first);
        }
        if let Some(&first) = ends.first() {
            starts.retain(|&row| row < first);
        }
        Markers { starts, ends }
    }

    /// The end marker at which the epilogue begins at the latest: the first one that no text follows.
    ///
    /// Some files continue after an end marker with a preface, a second work, and then have another. There the safe answer
    /// is the later marker: what is left in the body can be cut away afterwards, what is cut away is lost.
    pub fn epilogue(&self, view: &ClassifiedRows) -> Option<usize> {
        let (&last, others) = self.ends.split_last()?;
        let first = others.iter().find(|&&row| !text_follows(view, row));
        Some(first.copied().unwrap_or(last))
    }
}

/// Whether the marker is followed by as many lines as end a preamble, none of them frequent or naming Gutenberg.
fn text_follows(view: &ClassifiedRows, marker: usize) -> bool {
    let strange = |&row: &usize| {
        view.kind(row, End::End) != RowClass::Frequent
            && !view.marks(row).has_any(ENDS | MarkerSet::GUTENBERG)
    };
    let gap = view.parameters.gap as usize;
    (marker + 1..view.tail().end)
        .take_while(strange)
        .filter(|&row| view.kind(row, End::End) == RowClass::Infrequent)
        .take(gap)
        .count()
        == gap
}
