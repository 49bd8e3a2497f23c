//! How like the rows and blocks of two books are.

use super::end_rows::RowBlock;
use endpaper_text::scan::{CueSet, LineFeatures, MarkerSet, ScanRow};

/// A block is the same by its lines if so much of both is matched.
const MATCHED: f32 = 0.55;
/// Blocks of other words look the same from here on, 0..1.
const MIN_FEATURE_SIMILARITY: f32 = 0.3;
/// A row by its skeleton; word for word is 1.
const BY_SKELETON: f32 = 0.9;
/// A row by how it opens.
const BY_OPENING: f32 = 0.7;

/// By what two blocks are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockMatch {
    /// Line by line.
    Lines,
    /// They open in the same way and look the same.
    Opening,
    /// They look the same.
    Features,
}

/// How two blocks are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BlockSimilarity {
    pub kind: BlockMatch,
    /// How much their matched lines say: a short line, or a book's own, says nothing.
    pub distinctiveness: f32,
}

/// Whether two blocks are the same; by their looks alone only in files of one producer and template.
pub(super) fn match_blocks(a: &RowBlock, b: &RowBlock, related: bool) -> Option<BlockSimilarity> {
    let opens =
        || matches!((a.first(), b.first()), (Some(a), Some(b)) if line_similarity(a, b) > 0.0);
    let similar_features = || feature_similarity(a, b) >= MIN_FEATURE_SIMILARITY;
    let by = match () {
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
        kind: by,
        distinctiveness: distinctive,
    })
}

/// How far two lines are the same, 0..1.
pub(super) fn line_similarity(a: &ScanRow, b: &ScanRow) -> f32 {
    // What lines look like is found out near the ends only.
    let known = a.features != LineFeatures::default() && b.features != LineFeatures::default();
    match () {
        () if a.key == b.key => 1.0,
        () if known && a.features.skeleton == b.features.skeleton => BY_SKELETON,
        () if known && a.features.opening == b.features.opening => BY_OPENING,
        () => 0.0,
    }
}

/// Whether the same is marked in two rows, but for how long they are.
pub(super) fn same_marks(a: &ScanRow, b: &ScanRow) -> bool {
    let said = !MarkerSet::TRIVIAL.0;
    a.marks.0 & said == b.marks.0 & said
}

/// How much it says that two lines are the same: twice for what producers write, nothing for a short line or one that
/// only opens in the same way.
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

/// The part of both blocks whose lines are matched in order, 0..1.
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

/// How like two blocks look, 0..1: in how many lines they have, how long these are, and what cues are in them.
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

fn cues_of(block: &[ScanRow]) -> CueSet {
    let mut all = CueSet::default();
    for row in block {
        all |= row.features.cues;
    }
    all
}

/// The smaller by the larger; nothing and nothing are the same.
fn ratio(a: f32, b: f32) -> f32 {
    match a.max(b) {
        0.0 => 1.0,
        more => a.min(b) / more,
    }
}
