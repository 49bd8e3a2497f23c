//! Block kinds: the probabilities of the kinds of each block near the ends.
//!
//! Labels give where a book begins and ends, not what the blocks outside are. Some blocks identify themselves: a
//! marker, a line of credits, a field of metadata, a separator. From these *seeds* in the labelled books, a naive Bayes
//! classifier learns which cues, marks and shapes go with which kind, and classifies the other blocks.

use std::array;

use super::end_region::RegionBlock;
use super::facts::BLOCK_FACTS;
use crate::BlockKind;
use endpaper_text::scan::{LexicalCue, MarkerSet};

pub(super) const KINDS: usize = BlockKind::ALL.len();

/// For every kind, the log odds of the kind itself, then those of every fact.
pub(super) type KindWeights = [Vec<f32>; KINDS];

/// Zero weights: all kinds are equally likely.
pub(super) fn uniform_weights() -> KindWeights {
    array::from_fn(|_| vec![0.0; 1 + BLOCK_FACTS])
}

/// The kind of a block outside the body, if the block identifies itself.
pub(super) fn self_described_kind(block: &RegionBlock) -> Option<BlockKind> {
    let marks = |marks| block.marks.has_any(marks);
    let cues = |cues: &[LexicalCue]| cues.iter().any(|&sign| block.cues.has(sign));
    let kind = if block.separator {
        BlockKind::Separator
    } else if marks(MarkerSet::START | MarkerSet::SMALL_PRINT_END | MarkerSet::END) {
        BlockKind::Marker
    } else if marks(MarkerSet::ETEXT) || cues(&[LexicalCue::Bookmarks]) {
        BlockKind::List
    } else if cues(&[LexicalCue::Meta, LexicalCue::Release]) {
        BlockKind::Metadata
    } else if marks(MarkerSet::NOTE) || cues(&[LexicalCue::ProducersNote]) {
        BlockKind::Note
    } else if marks(MarkerSet::CREDITS) || cues(&[LexicalCue::Team]) {
        BlockKind::Credits
    } else if cues(&[LexicalCue::Licence, LexicalCue::Copyright]) {
        BlockKind::Licence
    } else if cues(&[LexicalCue::Title, LexicalCue::Author]) && block.rows.len() <= 3 {
        BlockKind::TypedTitle
    } else {
        return None;
    };
    Some(kind)
}

/// The naive Bayes classifier while it learns: for each kind, the weight of blocks seen and of each fact that held in
/// them.
pub(super) struct KindLearner {
    blocks: [f32; KINDS],
    facts: [Vec<f32>; KINDS],
}

/// Added to every count, so that an unseen fact does not make a kind impossible.
const SMOOTHING: f32 = 1.0;

/// Scales log odds, because the facts of one block are not independent.
const SCALE: f32 = 0.5;

impl KindLearner {
    /// A learner that has seen nothing.
    pub fn new() -> KindLearner {
        KindLearner {
            blocks: [0.0; KINDS],
            facts: array::from_fn(|_| vec![0.0; BLOCK_FACTS]),
        }
    }

    /// Adds a block of a known kind. Facts greater than 1 count as 1.
    pub fn add(&mut self, facts: &[(u16, f32)], kind: BlockKind) {
        let kind = kind as usize;
        self.blocks[kind] += 1.0;
        for &(fact, value) in facts {
            self.facts[kind][usize::from(fact)] += value.min(1.0);
        }
    }

    /// Log odds of each fact relative to its share in all kinds.
    pub fn finish(self) -> KindWeights {
        let all: f32 = self.blocks.iter().sum::<f32>() + SMOOTHING;
        let share = |held: f32, of: f32| (held + SMOOTHING * 0.5) / (of + SMOOTHING);
        let anywhere: Vec<f32> = (0..BLOCK_FACTS)
            .map(|fact| share(self.facts.iter().map(|facts| facts[fact]).sum(), all))
            .collect();
        array::from_fn(|kind| {
            let mut weights = vec![SCALE * share(self.blocks[kind], all).ln()];
            let facts = self.facts[kind].iter().zip(&anywhere);
            weights.extend(
                facts.map(|(&held, anywhere)| {
                    SCALE * (share(held, self.blocks[kind]) / anywhere).ln()
                }),
            );
            weights
        })
    }
}

/// The most likely kind and its probability.
pub(super) fn likeliest(shares: &[f32; KINDS]) -> (BlockKind, f32) {
    let best = (0..KINDS)
        .max_by(|&a, &b| shares[a].total_cmp(&shares[b]))
        .unwrap_or(0);
    (BlockKind::ALL[best], shares[best])
}

/// The probability of each kind for a block, from its facts alone.
pub(super) fn kinds(weights: &KindWeights, facts: &[(u16, f32)]) -> [f32; KINDS] {
    let score = |weights: &Vec<f32>| {
        let facts = facts.iter();
        weights[0]
            + facts
                .map(|&(fact, value)| weights[1 + usize::from(fact)] * value.min(1.0))
                .sum::<f32>()
    };
    let scores: [f32; KINDS] = array::from_fn(|kind| score(&weights[kind]));
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let shares = scores.map(|score| (score - most).exp());
    let sum: f32 = shares.iter().sum();
    shares.map(|share| share / sum)
}
