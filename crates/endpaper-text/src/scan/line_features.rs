//! Line features: what the posterior detector needs to know about the rows near the ends of a book.

use super::cues::{CueBuffers, CueSet, LexicalCue};
use super::{LineFeatures, MarkerSet, ScanRow};
use crate::line::{FormHasher, Normalised};

/// Extracts the features of lines, one after another, without allocating for each line.
#[derive(Debug, Default)]
pub(super) struct FeatureExtractor {
    forms: FormHasher,
    buffers: CueBuffers,
}

impl FeatureExtractor {
    /// The features of a line, given with its leading white space too.
    pub fn features_of(&mut self, normalised: &Normalised<'_>, raw: &[u8]) -> LineFeatures {
        let (skeleton, opening) = self.forms.half_keys(normalised.text);
        LineFeatures {
            cues: CueSet::of(normalised, &mut self.buffers),
            skeleton,
            opening,
            indent: indent(raw),
        }
    }
}

/// Width of the white space before the text of a line, in columns.
fn indent(raw: &[u8]) -> u8 {
    let space = raw.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    let columns: usize = space.map(|&byte| if byte == b'\t' { 8 } else { 1 }).sum();
    u8::try_from(columns).unwrap_or(u8::MAX)
}

/// Rows of prose whose features are extracted towards the body after the last row with a producer cue. Other rows count
/// half: lists of corrections are long, and rows of lists, tables and headings carry little information each.
pub const MAX_PROSE_ROWS: usize = 60;

/// Producer cues: cues that are rare in the text of a book.
const PRODUCER_CUES: &[LexicalCue] = &[
    LexicalCue::Etext,
    LexicalCue::Credit,
    LexicalCue::Team,
    LexicalCue::ProducersNote,
    LexicalCue::Contact,
    LexicalCue::Url,
    LexicalCue::Html,
    LexicalCue::Licence,
    LexicalCue::Meta,
    LexicalCue::Release,
    LexicalCue::Charset,
    LexicalCue::Error,
    LexicalCue::LateYear,
    LexicalCue::Bookmarks,
];

impl ScanRow {
    /// Whether the row has a producer cue.
    pub fn has_producer_cue(&self) -> bool {
        let strong = const { CueSet::all_of(PRODUCER_CUES) };
        self.marks.has_any(MarkerSet::GUTENBERG | MarkerSet::ETEXT)
            || self.features.cues.shared(strong) > 0
    }

    /// How much the row adds to the distance from the last row with a producer cue, in half rows of prose; `None` if it
    /// has such a cue itself.
    pub fn distance_from_producer(&self) -> Option<usize> {
        let prose = self.characters > PROSE && self.features.indent == 0;
        (!self.has_producer_cue()).then_some(if prose { 2 } else { 1 })
    }
}

/// Lines longer than this that are not indented count as prose, in characters.
const PROSE: u16 = 50;

/// How many of the `rows` of an end count as near it: those up to [`MAX_PROSE_ROWS`] rows of prose after the last row with a
/// producer cue, going towards the body. `look` returns the [`ScanRow::distance_from_producer`] of each row in turn.
pub fn count_rows_near_end(rows: usize, mut look: impl FnMut(usize) -> Option<usize>) -> usize {
    let mut near = RowsNearEnd::default();
    while near.rows < rows && near.goes_on() {
        near.add(look(near.rows));
    }
    near.rows
}

/// The rows near an end, added one by one from the outside inwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowsNearEnd {
    /// Number of rows so far.
    pub rows: usize,
    /// How far the next rows may be from the last one with a producer cue, in half rows of prose.
    left: usize,
}

impl Default for RowsNearEnd {
    fn default() -> RowsNearEnd {
        RowsNearEnd {
            rows: 0,
            left: 2 * MAX_PROSE_ROWS,
        }
    }
}

impl RowsNearEnd {
    /// Whether the next row is near the end.
    pub fn goes_on(&self) -> bool {
        self.left > 0
    }

    /// Adds the next row by its [`ScanRow::distance_from_producer`].
    pub fn add(&mut self, distance: Option<usize>) {
        self.left = distance.map_or(2 * MAX_PROSE_ROWS, |far| self.left.saturating_sub(far));
        self.rows += 1;
    }
}
