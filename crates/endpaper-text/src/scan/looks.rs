//! Looks: what the posterior detector wants to know of the rows near the ends of a book.

use super::signs::{CueBuffers, CueSet, LexicalCue};
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
    pub fn of(&mut self, raw: &[u8]) -> LineFeatures {
        let normalised = self.normaliser.line(raw);
        let (skeleton, opening) = self.forms.of(normalised.text);
        LineFeatures {
            signs: CueSet::of(&normalised, &mut self.buffers),
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
pub const INWARDS: usize = 60;

/// Signs that seldom stand in a book.
const STRONG: &[LexicalCue] = &[
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
    /// Whether a strong sign of producers stands in it.
    pub fn is_strong(&self) -> bool {
        let strong = const { CueSet::all_of(STRONG) };
        self.marks.any(MarkerSet::GUTENBERG | MarkerSet::ETEXT)
            || self.looks.signs.shared(strong) > 0
    }

    /// How far it leads away from what producers wrote, in half rows of prose; `None` if it is theirs.
    pub fn distance(&self) -> Option<usize> {
        let prose = self.characters > PROSE && self.looks.indent == 0;
        (!self.is_strong()).then_some(if prose { 2 } else { 1 })
    }
}

/// Longer lines that are not indented are prose, in characters.
const PROSE: u16 = 50;

/// How many rows of an end, from the outside inwards, are near it: up to [`INWARDS`] rows of prose behind the last strong
/// one. `look` tells the [`Row::distance`] of each of them in turn.
pub fn near(rows: usize, mut look: impl FnMut(usize) -> Option<usize>) -> usize {
    let (mut left, mut at) = (2 * INWARDS, 0);
    while at < rows && left > 0 {
        left = look(at).map_or(2 * INWARDS, |far| left.saturating_sub(far));
        at += 1;
    }
    at
}
