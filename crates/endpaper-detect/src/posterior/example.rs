//! A book that weights are fitted to or evaluated on: facts only, without its scan.

use anyhow::Result;

use super::choice_set::{ChoiceSet, regions_and_choices};
use super::end_region::{EndRegion, RegionBlock};
use super::explain::line;
use super::fit::{self, LabelledChoice, Penalty};
use super::kinds::{KindLearner, self_described_kind};
use super::landmarks::{Landmarks, RowForms};
use super::posterior_result::best_pair;
use super::profile::FactScope;
use super::{CutPosterior, Profile};
use crate::frequency::Frequencies;
use crate::row_counts::RowCounts;
use crate::{BlockKind, Cuts, End};
use endpaper_text::scan::Scan;

pub(super) const ENDS: [End; 2] = [End::Start, End::End];

/// A book that weights can be fitted to or evaluated on.
pub struct Example {
    choice_sets: [ChoiceSet; 2],
    /// Line of the cut at each position of each end.
    lines: [Vec<u32>; 2],
    /// Number of lines of the book.
    length: u32,
    /// Positions of the cuts of the label; `None` without a label or if the cut is beyond the end region.
    pub(super) label_positions: [Option<usize>; 2],
    /// The forms of the rows of each end, for landmarks.
    row_forms: [RowForms; 2],
    /// Indices of the blocks of known kind, with their kind, for each end.
    labelled_blocks: [Vec<(usize, BlockKind)>; 2],
}

impl Example {
    /// A labelled book: lines before `first` are preamble, lines after `last` epilogue.
    pub fn new(
        scan: &Scan,
        frequencies: &Frequencies,
        scope: FactScope,
        first: u32,
        last: u32,
    ) -> Example {
        let counts = RowCounts::of(scan, frequencies);
        let document_frequencies = frequencies.document_frequencies();
        let (regions, choice_sets) =
            regions_and_choices(scan, &counts, document_frequencies, scope);
        let positions = [
            position_of(&regions[0], |line| line < first),
            position_of(&regions[1], |line| line > last),
        ];
        Example {
            labelled_blocks: [0, 1].map(|end| label_kinds(&regions[end], positions[end])),
            label_positions: positions,
            ..Example::of(scan, &regions, choice_sets)
        }
    }

    /// A book without a label.
    pub fn unlabelled(scan: &Scan, frequencies: &Frequencies, scope: FactScope) -> Example {
        let counts = RowCounts::of(scan, frequencies);
        let document_frequencies = frequencies.document_frequencies();
        let (regions, choice_sets) =
            regions_and_choices(scan, &counts, document_frequencies, scope);
        Example::of(scan, &regions, choice_sets)
    }

    /// An example of a scanned book, without labels.
    fn of(scan: &Scan, regions: &[EndRegion<'_>; 2], choice_sets: [ChoiceSet; 2]) -> Example {
        let lines = |region: &EndRegion<'_>| {
            let positions = 0..region.positions();
            positions
                .map(|position| line(scan, region, position))
                .collect()
        };
        Example {
            row_forms: regions.each_ref().map(RowForms::of),
            choice_sets: choice_sets.map(ChoiceSet::compacted),
            lines: regions.each_ref().map(lines),
            length: scan.lines,
            label_positions: [None; 2],
            labelled_blocks: [Vec::new(), Vec::new()],
        }
    }

    /// The most likely cuts by these weights, with their probability.
    pub fn best(&self, weights: &Profile) -> (Cuts, f32) {
        let ([start, end], share) = self.best_positions(weights);
        let cuts = Cuts {
            preamble_end: self.lines[0][start],
            epilogue_start: Some(self.lines[1][end]).filter(|&line| line <= self.length),
        };
        (cuts, share)
    }

    /// The positions of [`Example::best`].
    pub(super) fn best_positions(&self, weights: &Profile) -> ([usize; 2], f32) {
        let posteriors = ENDS.map(|end| CutPosterior::new(self.choice_set(end), end, weights));
        best_pair(|end, position| self.lines[end][position], &posteriors)
    }

    /// Log odds of the positions of one end, before the temperature is applied.
    pub(super) fn scores(&self, end: End, weights: &Profile) -> Vec<f32> {
        self.choice_set(end).scores(weights.weights_at(end))
    }

    /// The cut positions of one end with their facts.
    pub(super) fn choice_set(&self, end: End) -> &ChoiceSet {
        &self.choice_sets[end as usize]
    }

    /// The line of the cut at a position of an end (0 or 1).
    pub(super) fn line(&self, end: usize, position: usize) -> u32 {
        self.lines[end][position]
    }

    /// Shows a learner the blocks of known kind.
    pub(super) fn learn_kinds(&self, end: End, learner: &mut KindLearner) {
        for &(block, kind) in &self.labelled_blocks[end as usize] {
            learner.add(self.choice_set(end).block(block), kind);
        }
    }

    /// The forms of the rows of an end.
    pub(super) fn row_forms(&self, end: End) -> &RowForms {
        &self.row_forms[end as usize]
    }

    /// The landmarks that this book alone has at an end.
    pub(super) fn own_landmarks(&self, end: End) -> Landmarks {
        let position = self.label_positions[end as usize];
        Landmarks::of(std::iter::once((self.row_forms(end), position)))
    }
}

/// The position after the rows that are cut away; `None` if these are the whole region, since the cut is then beyond
/// it.
fn position_of(region: &EndRegion<'_>, cut: impl Fn(u32) -> bool) -> Option<usize> {
    let position = region.rows.iter().take_while(|row| cut(row.line)).count();
    (position < region.rows.len() || region.rows.is_empty()).then_some(position)
}

/// The known kinds of blocks: inwards of the cut they are the book, outwards what they describe themselves as.
fn label_kinds(region: &EndRegion<'_>, position: Option<usize>) -> Vec<(usize, BlockKind)> {
    let Some(position) = position else {
        return Vec::new();
    };
    let kind = |(at, block): (usize, &RegionBlock)| {
        if block.rows.start >= position {
            Some((at, BlockKind::Book))
        } else if block.rows.end <= position {
            Some((at, self_described_kind(block)?))
        } else {
            None
        }
    };
    region.blocks.iter().enumerate().filter_map(kind).collect()
}

/// Fits weights to labelled books.
///
/// # Errors
///
/// At one of the ends, no label is within its region.
pub fn fit(examples: &[&Example], penalty: &Penalty) -> Result<Profile> {
    let all: Vec<_> = examples
        .iter()
        .map(|&one| (one, one.label_positions))
        .collect();
    fit_positions(&all, penalty, FactScope::default(), None)
}

/// Fits weights to these positions of books, with other weights as the start. Kinds are learned from the labels.
pub(super) fn fit_positions(
    examples: &[(&Example, [Option<usize>; 2])],
    penalty: &Penalty,
    scope: FactScope,
    start: Option<&Profile>,
) -> Result<Profile> {
    let mut weights = Profile::empty(scope);
    let mut learner = KindLearner::new();
    for end in ENDS {
        let labelled = examples.iter().filter_map(|(example, positions)| {
            Some(LabelledChoice {
                choice_set: example.choice_set(end),
                target: positions[end as usize]?,
            })
        });
        let labelled: Vec<LabelledChoice<'_>> = labelled.collect();
        weights.ends[end as usize] = fit::fit(
            &labelled,
            penalty,
            scope,
            start.map(|start| start.weights_at(end)),
            None,
        )?;
        for (example, _) in examples {
            example.learn_kinds(end, &mut learner);
        }
    }
    weights.kinds = learner.finish();
    Ok(weights)
}
