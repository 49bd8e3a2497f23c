//! The similarity of rows and blocks of two books.

use super::end_rows::RowBlock;
use endpaper_text::scan::{CueSet, LineFeatures, MarkerSet, ScanRow};

/// Minimum share of the lines of two blocks that must match.
const MATCHED: f32 = 0.55;
/// Minimum similarity of the features of blocks with other words, 0..1.
const MIN_FEATURE_SIMILARITY: f32 = 0.3;
/// Similarity of rows with the same skeleton; that of identical lines is 1.
const BY_SKELETON: f32 = 0.9;
/// Similarity of rows with the same opening.
const BY_OPENING: f32 = 0.7;

/// What two blocks match by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockMatch {
    /// Their lines.
    Lines,
    /// Their first lines and their features.
    Opening,
    /// Their features alone.
    Features,
}

/// A match of a block that a curator moved with a block of another book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BlockSimilarity {
    /// What the blocks match by.
    pub matched_by: BlockMatch,
    /// Sum over the matched lines: each adds its similarity, a line by producers twice that. Other short lines, and lines
    /// that only open in the same way, add nothing.
    pub distinctiveness: f32,
}

/// Compares two blocks; `None` if they do not match. `related` files, by one producer with one template, may match by
/// features alone.
pub(super) fn match_blocks(a: &RowBlock, b: &RowBlock, related: bool) -> Option<BlockSimilarity> {
    let opens =
        || matches!((a.first(), b.first()), (Some(a), Some(b)) if line_similarity(a, b) > 0.0);
    let similar_features = || feature_similarity(a, b) >= MIN_FEATURE_SIMILARITY;
    let matched_by = match () {
        () if matched(a, b) >= MATCHED => BlockMatch::Lines,
        () if opens() && similar_features() => BlockMatch::Opening,
        () if related && similar_features() => BlockMatch::Features,
        () => return None,
    };
    let best = |row: &ScanRow| {
        b.iter()
            .map(|other| distinctiveness_of_match(row, other))
            .fold(0.0, f32::max)
    };
    let distinctive = a.iter().map(best).sum();
    Some(BlockSimilarity {
        matched_by,
        distinctiveness: distinctive,
    })
}

/// The similarity of two lines, 0..1.
pub(super) fn line_similarity(a: &ScanRow, b: &ScanRow) -> f32 {
    // Features are computed only near the ends.
    let known = a.features != LineFeatures::default() && b.features != LineFeatures::default();
    match () {
        () if a.key == b.key => 1.0,
        () if known && a.features.skeleton == b.features.skeleton => BY_SKELETON,
        () if known && a.features.opening == b.features.opening => BY_OPENING,
        () => 0.0,
    }
}

/// Whether two rows have the same marks, apart from [`MarkerSet::TRIVIAL`].
pub(super) fn same_marks(a: &ScanRow, b: &ScanRow) -> bool {
    let said = !MarkerSet::TRIVIAL.0;
    a.marks.0 & said == b.marks.0 & said
}

/// How distinctive the match of two lines is: twice their similarity for lines by producers, 0 for a short line or one
/// that only opens in the same way.
fn distinctiveness_of_match(a: &ScanRow, b: &ScanRow) -> f32 {
    let same = line_similarity(a, b);
    let is_signed = |row: &ScanRow| {
        row.has_producer_cue() || row.marks.has_any(MarkerSet::CREDITS | MarkerSet::NOTE)
    };
    let trivial = (a.marks | b.marks).has(MarkerSet::TRIVIAL);
    match () {
        () if is_signed(a) && is_signed(b) => 2.0 * same,
        () if !trivial && same >= BY_SKELETON => same,
        () => 0.0,
    }
}

/// The share of the lines of both blocks that match in order, 0..1.
fn matched(a: &[ScanRow], b: &[ScanRow]) -> f32 {
    let mut best = vec![0.0_f32; b.len() + 1];
    for row in a {
        let mut diagonal = 0.0;
        for (at, other) in b.iter().enumerate() {
            let above = best[at + 1];
            best[at + 1] = above
                .max(best[at])
                .max(diagonal + line_similarity(row, other));
            diagonal = above;
        }
    }
    2.0 * best[b.len()] / (a.len() + b.len()) as f32
}

/// The similarity of the features of two blocks, 0..1: their number of lines, mean length of lines, and cues.
fn feature_similarity(a: &[ScanRow], b: &[ScanRow]) -> f32 {
    let width = |block: &[ScanRow]| {
        let sum: f32 = block.iter().map(|row| f32::from(row.characters)).sum();
        sum / block.len() as f32
    };
    let (x, y) = (cues_of(a), cues_of(b));
    let either = CueSet(x.0 | y.0).0.count_ones() as f32;
    let cues = ratio(x.shared(y) as f32, either);
    ratio(a.len() as f32, b.len() as f32) * ratio(width(a), width(b)) * cues
}

/// The cues of all rows of a block.
fn cues_of(block: &[ScanRow]) -> CueSet {
    let mut all = CueSet::default();
    for row in block {
        all |= row.features.cues;
    }
    all
}

/// The smaller divided by the larger; 1 if both are 0.
fn ratio(a: f32, b: f32) -> f32 {
    match a.max(b) {
        0.0 => 1.0,
        more => a.min(b) / more,
    }
}
