//! One end of a book with the facts of all its blocks and cut positions: all that scoring and fitting need.

use std::ops::Range;
use std::sync::Arc;

use super::end_region::EndRegion;
use super::facts::{
    BLOCK_FACTS, DenseFacts, DenseParts, FIRST_LANDMARK_FACT, FIRST_SHARE_FACT, SparseFacts,
    block_facts, landmark_facts, position_facts, share_facts,
};
use super::landmarks::{Landmarks, RowForms};
use super::profile::{FactScope, PLACES, ROLES, SINGLE, WEIGHTS, role};
use crate::End;
use crate::frequency::document_frequency::DocumentFrequencies;
use crate::row_counts::RowCounts;
use endpaper_text::scan::Scan;

/// Blocks on each side of a position whose facts count for it: those further away say little about it.
const CONTEXT_BLOCKS: usize = 8;

/// A possible position of a cut.
#[derive(Clone, Debug)]
pub(super) struct CutPosition {
    /// The first block that would be kept; the number of blocks if nothing is kept.
    inner: usize,
    /// The fraction of that block that would be cut away, 0..1.
    part: f32,
}

/// The facts of one end of a book.
#[derive(Clone, Debug)]
pub(super) struct ChoiceSet {
    /// Facts of the blocks.
    blocks: SparseFacts,
    /// From the outside inwards: the position at index `n` is after `n` rows.
    pub positions: Vec<CutPosition>,
    facts: PositionFacts,
}

/// The facts of the cut positions.
#[derive(Clone, Debug)]
enum PositionFacts {
    /// To score one book.
    Dense(DenseParts),
    /// To keep many books.
    Sparse(SparseFacts),
}

impl PositionFacts {
    /// The weighted sum of the facts of each position.
    fn weigh(&self, weights: &[f32], positions: usize) -> Vec<f32> {
        match self {
            PositionFacts::Dense(parts) => {
                let mut sums = vec![0.0; positions];
                parts.iter().for_each(|part| part.weigh(weights, &mut sums));
                sums
            }
            PositionFacts::Sparse(facts) => facts.each().map(|facts| dot(weights, facts)).collect(),
        }
    }

    /// Calls `show` with the number and the value of every fact of a position that is not zero.
    fn each_of(&self, position: usize, show: impl FnMut((u16, f32))) {
        match self {
            PositionFacts::Dense(parts) => {
                parts
                    .iter()
                    .flat_map(|part| part.of(position))
                    .for_each(show);
            }
            PositionFacts::Sparse(facts) => facts.of(position).iter().copied().for_each(show),
        }
    }

    /// These facts and more.
    fn with(&self, more: DenseFacts) -> PositionFacts {
        match self {
            PositionFacts::Dense(parts) => {
                PositionFacts::Dense(parts.iter().cloned().chain([Arc::new(more)]).collect())
            }
            PositionFacts::Sparse(facts) => {
                PositionFacts::Sparse(facts.joined(&SparseFacts::of_dense(&[more])))
            }
        }
    }
}

impl ChoiceSet {
    /// The choice set of an end region, given the facts of its blocks.
    fn new(region: &EndRegion<'_>, blocks: SparseFacts) -> ChoiceSet {
        let positions = (0..region.positions()).map(|position| {
            let inner = region.block_of.get(position).copied();
            let part = inner.map_or(0.0, |block| {
                let rows = &region.blocks[block].rows;
                (position - rows.start) as f32 / rows.len() as f32
            });
            CutPosition {
                inner: inner.unwrap_or(region.blocks.len()),
                part,
            }
        });
        ChoiceSet {
            positions: positions.collect(),
            facts: PositionFacts::Dense(vec![Arc::new(position_facts(region))]),
            blocks,
        }
    }

    /// The blocks in the single roles at a position. A block that the cut runs through is both the outer and the inner
    /// one.
    pub fn roles(&self, position: &CutPosition) -> [Option<usize>; SINGLE] {
        let inside = position.part > 0.0;
        let outer = if inside {
            Some(position.inner)
        } else {
            position.inner.checked_sub(1)
        };
        let known = |block: usize| Some(block).filter(|&block| block < self.blocks.len());
        [
            outer,
            known(position.inner),
            known(position.inner + 1),
            outer.and_then(|outer| outer.checked_sub(1)),
        ]
    }

    /// The same with the facts of landmarks; see [`landmark_facts`].
    pub fn with_landmarks(
        &self,
        rows: &RowForms,
        landmarks: &Landmarks,
        own: Option<&Landmarks>,
    ) -> ChoiceSet {
        let facts = landmark_facts(rows, landmarks, own, FIRST_LANDMARK_FACT);
        ChoiceSet {
            blocks: self.blocks.clone(),
            positions: self.positions.clone(),
            facts: self.facts.with(facts),
        }
    }

    /// The same with facts that take little memory, to be kept.
    pub fn compacted(mut self) -> ChoiceSet {
        if let PositionFacts::Dense(parts) = &self.facts {
            self.facts = PositionFacts::Sparse(SparseFacts::of_dense(parts));
        }
        self
    }

    /// The facts of a block that hold: pairs of index and value.
    pub fn block(&self, block: usize) -> &[(u16, f32)] {
        self.blocks.of(block)
    }

    /// The differences between the facts of a position and those of its rival, by the index of their weight; zeros are
    /// left out.
    pub fn differences(&self, position: usize, rival: usize) -> Vec<(usize, f32)> {
        let mut times = vec![0.0; self.positions.len()];
        times[position] += 1.0;
        times[rival] -= 1.0;
        let mut sums = vec![0.0; WEIGHTS];
        self.add_facts(&times, &mut sums);
        let each = sums.into_iter().map(|sum| sum as f32).enumerate();
        each.filter(|(_, difference)| *difference != 0.0).collect()
    }

    /// Log odds of every position, up to a constant.
    pub fn scores(&self, weights: &[f32]) -> Vec<f32> {
        let mut by_role: [Vec<f32>; ROLES.len()] =
            std::array::from_fn(|_| Vec::with_capacity(self.blocks.len()));
        for block in self.blocks.each() {
            for (at, worth) in by_role.iter_mut().enumerate() {
                worth.push(dot(&weights[role(at)..role(at + 1)], block));
            }
        }
        let sums = [0, 1].map(|at| {
            prefix_sums(
                by_role[at]
                    .iter()
                    .map(|worth| weights[0] * (1 - at) as f32 + worth),
            )
        });
        let score = |(position, facts): (&CutPosition, f32)| {
            let (cut, kept) = self.windows(position);
            let mut score =
                sums[0][cut.end] - sums[0][cut.start] + sums[1][kept.end] - sums[1][kept.start];
            if position.part > 0.0 {
                score += position.part
                    * (weights[0] + by_role[0][position.inner] - by_role[1][position.inner]);
            }
            for (block, worth) in self.roles(position).into_iter().zip(&by_role[2..]) {
                score += block.map_or(0.0, |block| worth[block]);
            }
            score + facts
        };
        let facts = self.facts.weigh(&weights[PLACES..], self.positions.len());
        self.positions.iter().zip(facts).map(score).collect()
    }

    /// The blocks near a position that are cut away, and those that are kept.
    fn windows(&self, position: &CutPosition) -> (Range<usize>, Range<usize>) {
        let (inner, last) = (position.inner, self.blocks.len());
        (
            inner.saturating_sub(CONTEXT_BLOCKS)..inner,
            inner..(inner + CONTEXT_BLOCKS).min(last),
        )
    }

    /// Adds the facts of each position, multiplied by its entry in `times`, to `sums`.
    pub fn add_facts(&self, times: &[f32], sums: &mut [f64]) {
        let mut by_role = vec![[0.0_f32; ROLES.len()]; self.blocks.len() + 1];
        // Changes, from block to block, of the factor with which a block is cut away and kept.
        let mut changes = vec![[0.0_f32; 2]; self.blocks.len() + 1];
        let positions = self.positions.iter().zip(times).enumerate();
        for (at, (position, &times)) in positions.filter(|(_, (_, times))| **times != 0.0) {
            let (cut, kept) = self.windows(position);
            for (role, window) in [cut, kept].into_iter().enumerate() {
                changes[window.start][role] += times;
                changes[window.end][role] -= times;
            }
            if position.part > 0.0 {
                by_role[position.inner][0] += times * position.part;
                by_role[position.inner][1] -= times * position.part;
            }
            for (role, block) in (2..).zip(self.roles(position)) {
                if let Some(block) = block {
                    by_role[block][role] += times;
                }
            }
            self.facts.each_of(at, |(fact, value)| {
                sums[PLACES + usize::from(fact)] += f64::from(times * value);
            });
        }
        let mut near = [0.0; 2];
        for (block, change) in by_role.iter_mut().zip(&changes) {
            for at in 0..2 {
                near[at] += change[at];
                block[at] += near[at];
            }
        }
        for (facts, times) in self.blocks.each().zip(&by_role) {
            sums[0] += f64::from(times[0]);
            for (at, &times) in times.iter().enumerate() {
                if times != 0.0 {
                    for &(fact, value) in facts {
                        sums[role(at) + usize::from(fact)] += f64::from(times * value);
                    }
                }
            }
        }
    }

    /// Calls `show` with the index of the weight and the value of every fact of every position. (Blocks that a cut runs
    /// through count as kept.)
    pub fn each_facts(&self, mut show: impl FnMut(usize, f64)) {
        let mut near = [vec![0.0_f64; BLOCK_FACTS], vec![0.0_f64; BLOCK_FACTS]];
        for (index, position) in self.positions.iter().enumerate() {
            let (cut, kept) = self.windows(position);
            show(0, cut.len() as f64);
            for (at, (sums, window)) in near.iter_mut().zip([cut, kept]).enumerate() {
                sums.fill(0.0);
                for &(fact, value) in window.flat_map(|block| self.blocks.of(block)) {
                    sums[usize::from(fact)] += f64::from(value);
                }
                let each = sums.iter().enumerate();
                each.for_each(|(fact, &value)| show(role(at) + fact, value));
            }
            for (at, block) in (2..).zip(self.roles(position)) {
                for &(fact, value) in block.into_iter().flat_map(|block| self.blocks.of(block)) {
                    show(role(at) + usize::from(fact), f64::from(value));
                }
            }
            self.facts.each_of(index, |(fact, value)| {
                show(PLACES + usize::from(fact), f64::from(value));
            });
        }
    }
}

/// Both ends of a book, as end regions and as choice sets, with the facts that profiles of this scope use.
pub(super) fn regions_and_choices<'a>(
    scan: &'a Scan,
    counts: &RowCounts,
    document_frequencies: &DocumentFrequencies,
    scope: FactScope,
) -> ([EndRegion<'a>; 2], [ChoiceSet; 2]) {
    let mut regions = [End::Start, End::End].map(|end| EndRegion::new(scan, end));
    let choice_sets = regions.each_mut().map(|region| {
        let blocks = block_facts(region, counts.inwards(region.end), document_frequencies);
        let mut choice_set = ChoiceSet::new(region, blocks);
        if scope == FactScope::AnyLibrary {
            let shares = share_facts(region, document_frequencies, FIRST_SHARE_FACT);
            choice_set.facts = choice_set.facts.with(shares);
        }
        choice_set
    });
    (regions, choice_sets)
}

/// The sums of the first 0, 1, 2, ... values.
fn prefix_sums(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut sums = vec![0.0];
    let mut sum = 0.0;
    sums.extend(values.map(|value| {
        sum += value;
        sum
    }));
    sums
}

/// The sum of the facts' values, each multiplied by its weight.
fn dot(weights: &[f32], facts: &[(u16, f32)]) -> f32 {
    let each = facts.iter();
    each.map(|&(fact, value)| weights[usize::from(fact)] * value)
        .sum()
}

/// Probabilities that add up to 1, from log odds divided by a temperature.
pub(super) fn probabilities(scores: &[f32], temperature: f32) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut all: Vec<f32> = scores
        .iter()
        .map(|score| ((score - most) / temperature).exp())
        .collect();
    let sum: f32 = all.iter().sum();
    all.iter_mut().for_each(|share| *share /= sum);
    all
}
