//! Turns probabilities into a proposal: cuts, doubt, candidates, kinds of blocks, boilerplate inside.

use std::collections::HashSet;

use super::choice_set::{ChoiceSet, regions_and_choices};
use super::cut_posterior::CutPosterior;
use super::end_region::{EndRegion, RegionBlock};
use super::explain::{explain, line};
use super::kinds::{KINDS, kinds, likeliest};
use super::landmarks::RowForms;
use super::profile::Profile;
use crate::frequency::document_frequency::DocumentFrequencies;
use crate::row_counts::RowCounts;
use crate::{
    BlockKind, Candidate, CandidateSource, Cuts, End, Evidence, Fact, InsideBlock, Policy,
};
use endpaper_text::scan::{MarkerSet, Scan};

/// Maximum number of candidates for each end: each is selected by a digit.
const MAX_CANDIDATES: usize = 9;

/// Number of blocks outside of a cut whose kinds are reported.
const EVIDENCE_BLOCKS: usize = 3;

/// Minimum probability of its kind for a block between the cuts to be proposed as boilerplate.
const MIN_INSIDE_PROBABILITY: f32 = 0.8;

/// A more probable position is proposed whatever the others would cost: with it, two thirds of the books of collections
/// that a profile has not seen are cut within ten lines, hardly a line is lost, and clean texts stay whole.
const MIN_SURE_PROBABILITY: f32 = 0.8;

/// Lines further from a cut than this cost no more: far off is far off.
const MAX_COST_LINES: usize = 30;

/// The probabilities of all candidate cuts of one book, and the cuts selected from them: those that the labelling guide
/// asks for, and those of the user's policy, which may keep kinds of blocks that the guide cuts away.
pub(crate) struct PosteriorResult<'a> {
    scan: &'a Scan,
    profile: &'a Profile,
    regions: [EndRegion<'a>; 2],
    choice_sets: [ChoiceSet; 2],
    posteriors: [CutPosterior; 2],
    /// The positions of the cuts for the labelling guide.
    guide_positions: [usize; 2],
    /// The positions of the cuts for the policy.
    policy_positions: [usize; 2],
    /// Probability that both of the guide's cuts are right.
    probability: f32,
}

impl<'a> PosteriorResult<'a> {
    /// Scores the cut positions of both ends and selects the cuts for the guide and for `policy`.
    pub fn new(
        scan: &'a Scan,
        counts: &RowCounts,
        spreads: &DocumentFrequencies,
        profile: &'a Profile,
        policy: &Policy,
    ) -> PosteriorResult<'a> {
        let (regions, mut choice_sets) = regions_and_choices(scan, counts, spreads, profile.scope);
        for (end, choice_set) in choice_sets.iter_mut().enumerate() {
            let landmarks = &profile.landmarks[end];
            if !landmarks.is_empty() {
                *choice_set =
                    choice_set.with_landmarks(&RowForms::of(&regions[end]), landmarks, None);
            }
        }
        let posteriors =
            [0, 1].map(|end| CutPosterior::new(&choice_sets[end], regions[end].end, profile));
        let line_of = |end: usize, position: usize| line(scan, &regions[end], position);
        let (guide, sure) = decide(line_of, &posteriors, profile.loss_cost);
        let mut outcome = PosteriorResult {
            scan,
            profile,
            regions,
            choice_sets,
            posteriors,
            guide_positions: guide,
            policy_positions: guide,
            probability: sure,
        };
        outcome.policy_positions = [0, 1].map(|end| outcome.policy_position(policy, end));
        outcome
    }

    /// The cuts for the policy.
    pub fn cuts(&self) -> Cuts {
        let [start, end] =
            [0, 1].map(|end| line(self.scan, &self.regions[end], self.policy_positions[end]));
        Cuts {
            preamble_end: start,
            epilogue_start: Some(end).filter(|&end| end <= self.scan.lines),
        }
    }

    /// The probability that at least one of the guide's cuts is wrong.
    pub fn doubt(&self) -> f32 {
        (1.0 - self.probability).clamp(0.0, 1.0)
    }

    /// The probability of the guide's cut at an end.
    pub fn cut_probability(&self, end: End) -> f32 {
        let end = end as usize;
        self.posteriors[end].probabilities[self.guide_positions[end]]
    }

    /// Candidates for one end: the proposal, then the others by probability. They always include cutting nothing away
    /// and the line `also`, the cut of Algorithm 1.
    pub fn candidates(&self, end: End, also: Option<u32>) -> Vec<Candidate> {
        let at = end as usize;
        let (region, shares) = (&self.regions[at], &self.posteriors[at].probabilities);
        let mut positions: Vec<usize> = (0..shares.len()).collect();
        let gap = also.and_then(|gap| {
            let lines = |&position: &usize| line(self.scan, region, position) == gap;
            positions.iter().copied().find(lines)
        });
        // One more than is kept: the proposal may be among them.
        let order = |a: &usize, b: &usize| shares[*b].total_cmp(&shares[*a]).then(a.cmp(b));
        if positions.len() > MAX_CANDIDATES {
            positions.select_nth_unstable_by(MAX_CANDIDATES, order);
            positions.truncate(MAX_CANDIDATES);
        }
        positions.sort_unstable_by(order);
        let mut kept = vec![self.policy_positions[at]];
        let rest = positions
            .into_iter()
            .filter(|&position| position != self.policy_positions[at]);
        kept.extend(rest.take(MAX_CANDIDATES - 1));
        for needed in [Some(0), gap].into_iter().flatten() {
            if !kept.contains(&needed) {
                // The last positions give way to those that are always offered.
                let last = kept
                    .iter()
                    .rposition(|&position| position != 0 && Some(position) != gap);
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
            .map(|position| Candidate {
                end,
                line: line(self.scan, region, position),
                score: shares[position],
                source: self.source(at, position, Some(position) == gap),
            })
            .collect();
        all[1..].sort_by(|a, b| b.score.total_cmp(&a.score));
        all
    }

    /// What a candidate is derived from. `gap`: Algorithm 1 cuts there.
    fn source(&self, end: usize, position: usize, gap: bool) -> CandidateSource {
        let region = &self.regions[end];
        let Some(row) = position.checked_sub(1) else {
            return if self.policy_positions[end] == 0 {
                CandidateSource::Detector
            } else {
                CandidateSource::Nothing
            };
        };
        let block = &region.blocks[region.block_of[row]];
        if position == self.policy_positions[end] {
            CandidateSource::Detector
        } else if region.is_end_marker(region.rows[row]) {
            CandidateSource::Marker
        } else if gap {
            CandidateSource::Gap
        } else if block.has_producer_cue || block.reads_as_addition() {
            CandidateSource::Credits
        } else {
            CandidateSource::Block
        }
    }

    /// The probability of each kind for a block: boilerplate has the probability that the block is cut away, shared out
    /// by the facts.
    fn kinds(&self, end: usize, block: &RegionBlock, cut_away: &[f32]) -> [f32; KINDS] {
        let rows = &cut_away[block.rows.clone()];
        let outside = rows.iter().sum::<f32>() / rows.len().max(1) as f32;
        let mut shares = kinds(
            &self.profile.kinds,
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

    /// The most likely kind of a block, and its probability.
    fn kind(&self, end: usize, block: &RegionBlock, cut_away: &[f32]) -> (BlockKind, f32) {
        likeliest(&self.kinds(end, block, cut_away))
    }

    /// The position of the cut for the policy, which leaves to the book the blocks beside the body of the kinds that
    /// the policy keeps, and the separators between them.
    fn policy_position(&self, policy: &Policy, end: usize) -> usize {
        let (region, guide) = (&self.regions[end], self.guide_positions[end]);
        if policy.keep.is_empty() || guide == 0 {
            return guide;
        }
        let cut_away = self.posteriors[end].cut_away_probabilities();
        let mut position = guide;
        for block in region.blocks[..=region.block_of[guide - 1]].iter().rev() {
            let (kind, _) = self.kind(end, block, &cut_away);
            if policy.keeps(kind) {
                position = block.rows.start;
            } else if kind != BlockKind::Separator {
                break;
            }
        }
        position
    }

    /// The kinds of the blocks beside each cut, and the facts with the greatest effect.
    pub fn evidence(&self) -> Vec<Evidence> {
        let mut all = Vec::with_capacity(16);
        for end in 0..2 {
            let (region, position) = (&self.regions[end], self.guide_positions[end]);
            let cut_away = self.posteriors[end].cut_away_probabilities();
            let outer = position
                .checked_sub(1)
                .map_or(0, |row| region.block_of[row] + 1);
            let near = outer.saturating_sub(EVIDENCE_BLOCKS)..(outer + 1).min(region.blocks.len());
            for block in &region.blocks[near] {
                let (kind, share) = self.kind(end, block, &cut_away);
                all.push(Evidence {
                    end: region.end,
                    lines: region.lines(&block.rows),
                    fact: Fact::Kind(kind, share),
                    weight: None,
                });
            }
            let weights = self.profile.weights_at(region.end);
            all.extend(explain(
                self.scan,
                region,
                &self.choice_sets[end],
                weights,
                &self.posteriors[end],
                position,
            ));
        }
        all
    }

    /// Blocks between the cuts that identify themselves as boilerplate. No reviewer has confirmed them, so a block that
    /// could have been printed in the source edition is left out.
    pub fn find_inside_blocks(&self) -> Vec<InsideBlock> {
        let cuts = self.cuts();
        let mut all: Vec<InsideBlock> = Vec::new();
        let mut known = HashSet::new();
        for (end, region) in self.regions.iter().enumerate() {
            for (at, block) in region.blocks.iter().enumerate() {
                let (first, last) = region.lines(&block.rows);
                let between = cuts.enclose(first) && cuts.enclose(last);
                let says = block.marks.has_any(
                    MarkerSet::CREDITS
                        | MarkerSet::NOTE
                        | MarkerSet::GUTENBERG
                        | MarkerSet::START
                        | MarkerSet::END,
                );
                let modern = || {
                    region.rows[block.rows.clone()]
                        .iter()
                        .any(|row| row.mentions_etext())
                };
                if !between || !says || !modern() {
                    continue;
                }
                let (kind, share) =
                    likeliest(&kinds(&self.profile.kinds, self.choice_sets[end].block(at)));
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

/// The positions of the cuts, and the probability that both are right: the most likely ones, or, if losing text has a
/// cost and they are doubtful, those at which the least is expected to be lost or left.
pub(super) fn decide(
    line: impl Fn(usize, usize) -> u32,
    posteriors: &[CutPosterior; 2],
    loss_cost: f32,
) -> ([usize; 2], f32) {
    if loss_cost > 0.0 {
        let [start, end] = posteriors
            .each_ref()
            .map(|posterior| cheapest(posterior, loss_cost));
        if line(0, start) < line(1, end) {
            let [starts, ends] = posteriors
                .each_ref()
                .map(|posterior| &posterior.probabilities);
            return ([start, end], starts[start] * ends[end]);
        }
    }
    best_pair(line, posteriors)
}

/// A position that is sure enough ([`MIN_SURE_PROBABILITY`]), or else that with the least expected cost: a line of boilerplate that is left costs 1, a line that is lost `loss_cost`.
fn cheapest(posterior: &CutPosterior, loss_cost: f32) -> usize {
    let probabilities = &posterior.probabilities;
    let best = posterior.most_likely();
    if probabilities
        .get(best)
        .is_some_and(|share| *share > MIN_SURE_PROBABILITY)
    {
        return best;
    }
    let cost = |position: usize| -> f32 {
        let each = probabilities.iter().enumerate().map(|(truth, share)| {
            let lines = position.abs_diff(truth).min(MAX_COST_LINES) as f32;
            let cost = if position > truth { loss_cost } else { 1.0 };
            share * lines * cost
        });
        each.sum()
    };
    let costs: Vec<f32> = (0..probabilities.len()).map(cost).collect();
    let least = (0..costs.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b]));
    least.unwrap_or(0)
}

/// The most likely positions with the start before the end, and the probability that both are right. `line` returns the
/// line of the cut at an end (0 or 1) and a position.
pub(super) fn best_pair(
    line: impl Fn(usize, usize) -> u32,
    posteriors: &[CutPosterior; 2],
) -> ([usize; 2], f32) {
    let [start, end] = posteriors;
    let (s, e) = (start.most_likely(), end.most_likely());
    if line(0, s) < line(1, e) {
        return ([s, e], start.probabilities[s] * end.probabilities[e]);
    }
    // For each start, the best end after it: ends are ordered from the last line on.
    let mut best = ([0, 0], 0.0);
    let mut leader = 0;
    let mut leaders = Vec::with_capacity(end.probabilities.len());
    for position in 0..end.probabilities.len() {
        if end.probabilities[position] > end.probabilities[leader] {
            leader = position;
        }
        leaders.push(leader);
    }
    let mut behind = end.probabilities.len();
    for (s, share) in start.probabilities.iter().enumerate() {
        // The lines of starts increase: fewer and fewer ends are after them, and each end is given up once.
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
