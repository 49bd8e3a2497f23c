//! Looks: what the posterior detector wants to know of the rows near the ends of a book.

use super::cues::{CueBuffers, CueSet, LexicalCue};
use super::{LineFeatures, MarkerSet, ScanRow};
use crate::line::{FormHasher, Normaliser};

/// Finds out what lines look like, one after another, without allocating for a line.
#[derive(Debug, Default)]
pub(super) struct FeatureExtractor {
    normaliser: Normaliser,
    forms: FormHasher,
    buffers: CueBuffers,
}

impl FeatureExtractor {
    /// The looks of a line with its white space.
    pub fn features_of(&mut self, raw: &[u8]) -> LineFeatures {
        let normalised = self.normaliser.line(raw);
        let (skeleton, opening) = self.forms.half_keys(normalised.text);
        LineFeatures {
            cues: CueSet::of(&normalised, &mut self.buffers),
            skeleton,
            opening,
            indent: indent(raw),
        }
    }
}

/// White space before the text of a line, in columns.
fn indent(raw: &[u8]) -> u8 {
    let space = raw.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    let columns: usize = space.map(|&byte| if byte == b'\t' { 8 } else { 1 }).sum();
    u8::try_from(columns).unwrap_or(u8::MAX)
}

/// Rows of prose that are looked at inwards of the last row with a strong sign of producers. Rows of other shapes
/// count half: lists of corrections are long, and rows of lists, tables and headings say little each.
pub const MAX_PROSE_ROWS: usize = 60;

/// Cues that are rare in books.
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
    /// Whether the line has a strong cue of a producer.
    pub fn has_producer_cue(&self) -> bool {
        let strong = const { CueSet::all_of(PRODUCER_CUES) };
        self.marks.has_any(MarkerSet::GUTENBERG | MarkerSet::ETEXT)
            || self.features.cues.shared(strong) > 0
    }

    /// How far it leads away from what producers wrote, in half rows of prose; `None` if it is theirs.
    pub fn distance_from_producer(&self) -> Option<usize> {
        let prose = self.characters > PROSE && self.features.indent == 0;
        (!self.has_producer_cue()).then_some(if prose { 2 } else { 1 })
    }
}

/// Longer lines that are not indented are prose, in characters.
const PROSE: u16 = 50;

/// How many rows of an end, from the outside inwards, are near it: up to [`MAX_PROSE_ROWS`] rows of prose behind the last strong
/// one. `look` tells the [`ScanRow::distance_from_producer`] of each of them in turn.
pub fn count_rows_near_end(rows: usize, mut look: impl FnMut(usize) -> Option<usize>) -> usize {
    let (mut left, mut at) = (2 * MAX_PROSE_ROWS, 0);
    while at < rows && left > 0 {
        left = look(at).map_or(2 * MAX_PROSE_ROWS, |far| left.saturating_sub(far));
        at += 1;
    }
    at
}
