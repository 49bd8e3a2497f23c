//! A book as weights are fitted to it and tried on it: facts only, without its Scan.

use anyhow::Result;

use super::choice_set::{ChoiceSet, probabilities, regions_and_choices};
use super::end_region::{EndRegion, RegionBlock};
use super::explain::line;
use super::fit::{self, ChoiceTarget, LabelledChoice, Penalty, Regularisation};
use super::kinds::{KindLearner, self_described_kind};
use super::posterior_result::best_pair;
use super::{CutPosterior, Weights};
use crate::frequency::Frequencies;
use crate::row_counts::RowCounts;
use crate::{BlockKind, Cuts, End};
use endpaper_text::scan::Scan;

/// The two ends.
pub(super) const ENDS: [End; 2] = [End::Start, End::End];

/// A book as weights are fitted to it.
pub struct Example {
    choice_sets: [ChoiceSet; 2],
    /// Line of the cut at each place of each end.
    lines: [Vec<u32>; 2],
    /// Lines of the book.
    length: u32,
    /// Places of the label, where there is one and the cut lies within the strip.
    pub(super) label_positions: [Option<usize>; 2],
    /// Blocks by number for each end, with the kind that they say they are.
    labelled_blocks: [Vec<(usize, BlockKind)>; 2],
}

impl Example {
    /// A book whose first and last line are known: lines before `first` are preamble, lines after `last` epilogue.
    pub fn new(scan: &Scan, frequencies: &Frequencies, first: u32, last: u32) -> Example {
        let counts = RowCounts::of(scan, frequencies);
        let (strips, cases) =
            regions_and_choices(scan, &counts, frequencies.document_frequencies());
        let places = [
            place(&strips[0], |line| line < first),
            place(&strips[1], |line| line > last),
        ];
        Example {
            labelled_blocks: [0, 1].map(|end| label_kinds(&strips[end], places[end])),
            label_positions: places,
            ..Example::of(scan, &strips, cases)
        }
    }

    /// A book without a label.
    pub fn unlabelled(scan: &Scan, frequencies: &Frequencies) -> Example {
        let counts = RowCounts::of(scan, frequencies);
        let (strips, cases) =
            regions_and_choices(scan, &counts, frequencies.document_frequencies());
        Example::of(scan, &strips, cases)
    }

    fn of(scan: &Scan, strips: &[EndRegion<'_>; 2], cases: [ChoiceSet; 2]) -> Example {
        let lines = |strip: &EndRegion<'_>| {
            let places = 0..strip.places();
            places.map(|place| line(scan, strip, place)).collect()
        };
        Example {
            choice_sets: cases,
            lines: strips.each_ref().map(lines),
            length: scan.lines,
            label_positions: [None; 2],
            labelled_blocks: [Vec::new(), Vec::new()],
        }
    }

    /// The cuts that these weights think best, with their probability.
    pub fn best(&self, weights: &Weights) -> (Cuts, f32) {
        let ([start, end], share) = self.best_positions(weights);
        let cuts = Cuts {
            preamble_end: self.lines[0][start],
            epilogue_start: Some(self.lines[1][end]).filter(|&line| line <= self.length),
        };
        (cuts, share)
    }

    /// The same as places.
    pub(super) fn best_positions(&self, weights: &Weights) -> ([usize; 2], f32) {
        let likely = ENDS.map(|end| CutPosterior::new(self.choice_set(end), end, weights));
        best_pair(|end, place| self.lines[end][place], &likely)
    }

    /// Log odds of the places of one end before any temperature.
    pub(super) fn scores(&self, end: End, weights: &Weights) -> Vec<f32> {
        self.choice_set(end).scores(weights.of(end))
    }

    pub(super) fn choice_set(&self, end: End) -> &ChoiceSet {
        &self.choice_sets[end as usize]
    }
}

/// After the rows that are cut away; `None` if the whole strip would be, for the cut then lies beyond it.
fn place(strip: &EndRegion<'_>, cut: impl Fn(u32) -> bool) -> Option<usize> {
    let place = strip.rows.iter().take_while(|row| cut(row.line)).count();
    (place < strip.rows.len() || strip.rows.is_empty()).then_some(place)
}

/// What the blocks of a strip are, as far as they say it: inwards of the cut they are the book.
fn label_kinds(strip: &EndRegion<'_>, place: Option<usize>) -> Vec<(usize, BlockKind)> {
    let Some(place) = place else {
        return Vec::new();
    };
    let kind = |(at, block): (usize, &RegionBlock)| {
        if block.rows.start >= place {
            Some((at, BlockKind::Book))
        } else if block.rows.end <= place {
            Some((at, self_described_kind(block)?))
        } else {
            None
        }
    };
    strip.blocks.iter().enumerate().filter_map(kind).collect()
}

/// Weights fitted to books whose ends are known.
///
/// # Errors
///
/// No book whose cut lies within its strip.
pub fn fit(examples: &[&Example], penalty: &Penalty) -> Result<Weights> {
    let all: Vec<_> = examples
        .iter()
        .map(|&one| (one, one.label_positions))
        .collect();
    fit_positions(&all, penalty, None)
}

/// What other weights become by a few more books whose ends are known: the best weights for these books among those near
/// the others, the nearer the greater the caution. Of further books nothing is known but what the other weights say: the
/// new ones are to say the same of them. What all these books say nothing of stays as it was, and so do kinds and
/// temperatures, and an end of which no book has a label within its strip.
///
/// # Errors
///
/// A search that fails (which would be an error of ours).
pub fn fit_from_prior(
    labelled: &[&Example],
    others: &[&Example],
    known: &Weights,
    caution: &Regularisation,
) -> Result<Weights> {
    let mut weights = known.clone();
    for end in ENDS {
        let labels = labelled.iter().filter_map(|example| {
            Some(LabelledChoice {
                case: example.choice_set(end),
                target: ChoiceTarget::Place(example.label_positions[end as usize]?),
            })
        });
        let mut cases: Vec<LabelledChoice<'_>> = labels.collect();
        if cases.is_empty() {
            continue;
        }
        cases.extend(others.iter().map(|example| LabelledChoice {
            case: example.choice_set(end),
            target: ChoiceTarget::Shares(
                probabilities(&example.scores(end, known), 1.0),
                caution.distillation,
            ),
        }));
        let known = Some(known.of(end));
        weights.ends[end as usize] = fit::fit(&cases, &caution.penalty, known, known)?;
    }
    Ok(weights)
}

/// Weights fitted to books and these places of theirs, searched from other weights. Kinds are learned from the labels.
pub(super) fn fit_positions(
    examples: &[(&Example, [Option<usize>; 2])],
    penalty: &Penalty,
    start: Option<&Weights>,
) -> Result<Weights> {
    let mut weights = Weights::default();
    let mut learner = KindLearner::new();
    for end in ENDS {
        let labelled = examples.iter().filter_map(|(example, places)| {
            Some(LabelledChoice {
                case: example.choice_set(end),
                target: ChoiceTarget::Place(places[end as usize]?),
            })
        });
        let labelled: Vec<LabelledChoice<'_>> = labelled.collect();
        weights.ends[end as usize] =
            fit::fit(&labelled, penalty, start.map(|start| start.of(end)), None)?;
        for (example, _) in examples {
            for &(block, kind) in &example.labelled_blocks[end as usize] {
                learner.add(example.choice_set(end).block(block), kind);
            }
        }
    }
    weights.kinds = learner.finish();
    Ok(weights)
}
