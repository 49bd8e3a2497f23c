//! The rules of Kaser & Lemire, section 3.4: marker lines near the beginning and the end of a file.
//!
//! Scanning determines which lines are markers, as [`MarkerSet`]s. Here it is decided which of them apply: "near the
//! beginning" and "near the end" mean the head and the tail window. In a short file the windows overlap, so an end
//! marker before the first start marker does not belong to the epilogue, and a start marker after the first end marker
//! (the licence is often at the end) does not belong to the preamble.

use super::End;
use super::view::{ClassifiedRows, RowClass};
use endpaper_text::scan::MarkerSet;

const STARTS: MarkerSet = MarkerSet(MarkerSet::START.0 | MarkerSet::SMALL_PRINT_END.0);
const ENDS: MarkerSet = MarkerSet(MarkerSet::END.0 | MarkerSet::ETEXT.0);

/// Rows of a book with a marker, by index, in line order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Markers {
    /// `*** START OF ...` and `*END*THE SMALL PRINT!` in the head window: the preamble extends at least to the last
    /// one.
    pub starts: Vec<usize>,
    /// `End of Project Gutenberg ...` and `ETEXT ...` in the tail window: the epilogue begins at the latest at the first one
    /// without text after it ([`Markers::epilogue`]).
    pub ends: Vec<usize>,
}

impl Markers {
    /// Finds the markers that apply.
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

    /// The end marker at which the epilogue begins at the latest: the first one that is not followed by text.
    ///
    /// Some files continue after an end marker with a preface or a second work, and then have another one. There the
    /// later marker is the safe choice: what is left in the body can still be cut away, but what is cut away is lost.
    pub fn epilogue(&self, view: &ClassifiedRows) -> Option<usize> {
        let (&last, others) = self.ends.split_last()?;
        let first = others.iter().find(|&&row| !text_follows(view, row));
        Some(first.copied().unwrap_or(last))
    }
}

/// Whether the marker is followed by as many infrequent lines as end a preamble, before any line that is frequent or
/// names Gutenberg.
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
