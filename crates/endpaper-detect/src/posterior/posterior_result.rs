//! From probabilities to a proposal: cuts, doubt, candidates, kinds of blocks, boilerplate inside.

use std::collections::HashSet;

use super::choice_set::{ChoiceSet, regions_and_choices};
use super::cut_posterior::CutPosterior;
use super::end_region::{EndRegion, RegionBlock};
use super::explain::{explain, line};
use super::kinds::{KINDS, kinds, likeliest};
use super::weights::Weights;
use crate::frequency::document_frequency::DocumentFrequencies;
use crate::row_counts::RowCounts;
use crate::{
    BlockKind, Candidate, CandidateSource, Cuts, End, Evidence, Fact, InsideBlock, Policy,
};
use endpaper_text::scan::{MarkerSet, Scan};

/// Most candidates per end: each has a digit key.
const MAX_CANDIDATES: usize = 9;

/// Blocks beside a cut whose kinds are reported.
const EVIDENCE_BLOCKS: usize = 3;

/// A block between the cuts must be of such a kind with this probability to be proposed as boilerplate inside.
const MIN_INSIDE_PROBABILITY: f32 = 0.8;

/// A cut in a file of a strange kind must be this likely, or nothing is cut away there.
const MIN_FOREIGN_PROBABILITY: f32 = 0.9;

/// How far probabilities are trusted for files of a strange kind: the weights were fitted to others.
const FOREIGN_FACTOR: f32 = 0.5;

/// What the posterior says of one book.
pub(crate) struct PosteriorResult<'a> {
    scan: &'a Scan,
    weights: &'a Weights,
    regions: [EndRegion<'a>; 2],
    choice_sets: [ChoiceSet; 2],
    posteriors: [CutPosterior; 2],
    /// The places of the cuts of the guide.
    guide_positions: [usize; 2],
    /// The places of the cuts of the policy.
    policy_positions: [usize; 2],
    /// Probability that both cuts of the guide are right.
    probability: f32,
    /// No line near either end names the library whose files the weights were fitted to.
    pub is_foreign: bool,
}

impl<'a> PosteriorResult<'a> {
    pub fn new(
        scan: &'a Scan,
        counts: &RowCounts,
        spreads: &DocumentFrequencies,
        weights: &'a Weights,
        policy: &Policy,
    ) -> PosteriorResult<'a> {
        let (strips, cases) = regions_and_choices(scan, counts, spreads);
        let likely = [0, 1].map(|end| CutPosterior::new(&cases[end], strips[end].end, weights));
        let (mut guide, mut sure) =
            best_pair(|end, place| line(scan, &strips[end], place), &likely);
        let strange = !names_library(scan);
        if strange {
            // Losing text is worse than leaving boilerplate, above all where the weights know little.
            for end in 0..2 {
                if likely[end].probabilities[guide[end]] < MIN_FOREIGN_PROBABILITY {
                    guide[end] = 0;
                }
            }
            sure = guide
                .iter()
                .zip(&likely)
                .map(|(&place, likely)| likely.probabilities[place])
                .product::<f32>()
                * FOREIGN_FACTOR;
        }
        let mut outcome = PosteriorResult {
            scan,
            weights,
            regions: strips,
            choice_sets: cases,
            posteriors: likely,
            guide_positions: guide,
            policy_positions: guide,
            probability: sure,
            is_foreign: strange,
        };
        outcome.policy_positions = [0, 1].map(|end| outcome.policy_position(policy, end));
        outcome
    }

    /// The cuts of the policy.
    pub fn cuts(&self) -> Cuts {
        let [start, end] =
            [0, 1].map(|end| line(self.scan, &self.regions[end], self.policy_positions[end]));
        Cuts {
            preamble_end: start,
            epilogue_start: Some(end).filter(|&end| end <= self.scan.lines),
        }
    }

    /// The probability that at least one cut of the guide is wrong.
    pub fn doubt(&self) -> f32 {
        (1.0 - self.probability).clamp(0.0, 1.0)
    }

    /// The probability of the chosen cut of an end.
    pub fn cut_probability(&self, end: End) -> f32 {
        let end = end as usize;
        self.posteriors[end].probabilities[self.guide_positions[end]]
    }

    /// Ranked places of one end: the proposal, then the likeliest, always with nothing and `also` (rows cut away by
    /// Algorithm 1) among them.
    pub fn candidates(&self, end: End, also: Option<u32>) -> Vec<Candidate> {
        let at = end as usize;
        let (strip, shares) = (&self.regions[at], &self.posteriors[at].probabilities);
        let mut places: Vec<usize> = (0..shares.len()).collect();
        let gap = also.and_then(|gap| {
            let lines = |&place: &usize| line(self.scan, strip, place) == gap;
            places.iter().copied().find(lines)
        });
        // One more than are kept: the chosen place may be among them.
        let order = |a: &usize, b: &usize| shares[*b].total_cmp(&shares[*a]).then(a.cmp(b));
        if places.len() > MAX_CANDIDATES {
            places.select_nth_unstable_by(MAX_CANDIDATES, order);
            places.truncate(MAX_CANDIDATES);
        }
        places.sort_unstable_by(order);
        let mut kept = vec![self.policy_positions[at]];
        let rest = places
            .into_iter()
            .filter(|&place| place != self.policy_positions[at]);
        kept.extend(rest.take(MAX_CANDIDATES - 1));
        for needed in [Some(0), gap].into_iter().flatten() {
            if !kept.contains(&needed) {
                // The last places make room for those that are always offered.
                let last = kept
                    .iter()
                    .rposition(|&place| place != 0 && Some(place) != gap);
                if kept.len() == MAX_CANDIDATES
                    && let Some(last) = last
                {
                    kept.remove(last);
                }
                kept.push(needed);
            }
        }
        let mut all: Vec<Candidate> = kept
            .into_iter()
            .map(|place| Candidate {
                end,
                line: line(self.scan, strip, place),
                score: shares[place],
                source: self.source(at, place, Some(place) == gap),
            })
            .collect();
        all[1..].sort_by(|a, b| b.score.total_cmp(&a.score));
        all
    }

    fn source(&self, end: usize, place: usize, gap: bool) -> CandidateSource {
        let strip = &self.regions[end];
        let Some(row) = place.checked_sub(1) else {
            return if self.policy_positions[end] == 0 {
                CandidateSource::Detector
            } else {
                CandidateSource::Nothing
            };
        };
        let block = &strip.blocks[strip.block_of[row]];
        if place == self.policy_positions[end] {
            CandidateSource::Detector
        } else if strip.is_end_marker(strip.rows[row]) {
            CandidateSource::Marker
        } else if gap {
            CandidateSource::Gap
        } else if block.has_producer_cue || block.reads_as_addition() {
            CandidateSource::Credits
        } else {
            CandidateSource::Block
        }
    }

    /// Probability of each kind for a block: boilerplate as likely as it is cut away, and then by what it looks like.
    fn kinds(&self, end: usize, block: &RegionBlock, cut_away: &[f32]) -> [f32; KINDS] {
        let rows = &cut_away[block.rows.clone()];
        let outside = rows.iter().sum::<f32>() / rows.len().max(1) as f32;
        let mut shares = kinds(
            &self.weights.kinds,
            self.choice_sets[end].block(self.regions[end].block_of[block.rows.start]),
        );
        let book = BlockKind::Book as usize;
        let boilerplate = (1.0 - shares[book]).max(f32::MIN_POSITIVE);
        for (kind, share) in shares.iter_mut().enumerate() {
            *share = if kind == book {
                1.0 - outside
            } else {
                outside * *share / boilerplate
            };
        }
        shares
    }

    /// The likeliest kind of a block, and how likely it is.
    fn kind(&self, end: usize, block: &RegionBlock, cut_away: &[f32]) -> (BlockKind, f32) {
        likeliest(&self.kinds(end, block, cut_away))
    }

    /// The place of a cut that leaves to the book what the policy keeps: blocks of its kinds beside the body, with the
    /// rules between them.
    fn policy_position(&self, policy: &Policy, end: usize) -> usize {
        let (strip, guide) = (&self.regions[end], self.guide_positions[end]);
        if policy.keep.is_empty() || guide == 0 {
            return guide;
        }
        let cut_away = self.posteriors[end].cut_away_probabilities();
        let mut place = guide;
        for block in strip.blocks[..=strip.block_of[guide - 1]].iter().rev() {
            let (kind, _) = self.kind(end, block, &cut_away);
            if policy.keeps(kind) {
                place = block.rows.start;
            } else if kind != BlockKind::Separator {
                break;
            }
        }
        place
    }

    /// The kinds of the blocks beside each cut, and what weighed most for it.
    pub fn evidence(&self) -> Vec<Evidence> {
        let mut all = Vec::with_capacity(16);
        for end in 0..2 {
            let (strip, place) = (&self.regions[end], self.guide_positions[end]);
            let cut_away = self.posteriors[end].cut_away_probabilities();
            let outer = place
                .checked_sub(1)
                .map_or(0, |row| strip.block_of[row] + 1);
            let near = outer.saturating_sub(EVIDENCE_BLOCKS)..(outer + 1).min(strip.blocks.len());
            for block in &strip.blocks[near] {
                let (kind, share) = self.kind(end, block, &cut_away);
                all.push(Evidence {
                    end: strip.end,
                    lines: strip.lines(&block.rows),
                    fact: Fact::Kind(kind, share),
                    weight: None,
                });
            }
            let weights = self.weights.of(strip.end);
            all.extend(explain(
                self.scan,
                strip,
                &self.choice_sets[end],
                weights,
                &self.posteriors[end],
                place,
            ));
        }
        all
    }

    /// Blocks between the cuts whose own words show that they are boilerplate. They were not reviewed, so a block that could
    /// have been printed in the source edition is not among them.
    pub fn find_inside_blocks(&self) -> Vec<InsideBlock> {
        let cuts = self.cuts();
        let mut all: Vec<InsideBlock> = Vec::new();
        let mut known = HashSet::new();
        for (end, strip) in self.regions.iter().enumerate() {
            for (at, block) in strip.blocks.iter().enumerate() {
                let (first, last) = strip.lines(&block.rows);
                let between = cuts.enclose(first) && cuts.enclose(last);
                let says = block.marks.has_any(
                    MarkerSet::CREDITS
                        | MarkerSet::NOTE
                        | MarkerSet::GUTENBERG
                        | MarkerSet::START
                        | MarkerSet::END,
                );
                let modern = || {
                    strip.rows[block.rows.clone()]
                        .iter()
                        .any(|row| row.mentions_etext())
                };
                if !between || !says || !modern() {
                    continue;
                }
                let (kind, share) =
                    likeliest(&kinds(&self.weights.kinds, self.choice_sets[end].block(at)));
                if kind != BlockKind::Book && share >= MIN_INSIDE_PROBABILITY && known.insert(first)
                {
                    all.push(InsideBlock { first, last, kind });
                }
            }
        }
        all.sort_by_key(|block| block.first);
        all
    }
}

/// Whether a line of the windows names the library.
fn names_library(scan: &Scan) -> bool {
    let named = |marks: MarkerSet| marks.has(MarkerSet::GUTENBERG);
    scan.rows.iter().any(|row| named(row.marks))
}

/// The likeliest places that leave the start before the end, and the probability that both are right. `line` tells the
/// line of a cut at a place of an end.
pub(super) fn best_pair(
    line: impl Fn(usize, usize) -> u32,
    likely: &[CutPosterior; 2],
) -> ([usize; 2], f32) {
    let [start, end] = likely;
    let (s, e) = (start.most_likely(), end.most_likely());
    if line(0, s) < line(1, e) {
        return ([s, e], start.probabilities[s] * end.probabilities[e]);
    }
    // For each start the best end after it: ends come from the last line on.
    let mut best = ([0, 0], 0.0);
    let mut leader = 0;
    let mut leaders = Vec::with_capacity(end.probabilities.len());
    for place in 0..end.probabilities.len() {
        if end.probabilities[place] > end.probabilities[leader] {
            leader = place;
        }
        leaders.push(leader);
    }
    let mut behind = end.probabilities.len();
    for (s, share) in start.probabilities.iter().enumerate() {
        // Starts go down the book: fewer and fewer ends lie after them, and each is given up once.
        while behind > 0 && line(1, behind - 1) <= line(0, s) {
            behind -= 1;
        }
        if let Some(&e) = behind.checked_sub(1).and_then(|last| leaders.get(last))
            && share * end.probabilities[e] > best.1
        {
            best = ([s, e], share * end.probabilities[e]);
        }
    }
    best
}
