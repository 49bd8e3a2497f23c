//! Cross-fitting: every labelled book is evaluated with weights fitted to neither it nor another book of its work.
//!
//! Books are assigned to folds by their work. The books of a fold are evaluated with weights fitted to the other folds;
//! a temperature for these weights is found within the other folds in the same way, so that no label of the fold
//! affects it. A second round adds unlabelled books on which the weights of the first one are confident, again without
//! those whose work is in the fold.

use anyhow::{Result, ensure};
use rayon::prelude::*;

use super::calibrate::temperature;
use super::choice_set::probabilities;
use super::example::{ENDS, fit_positions};
use super::{Example, FactScope, Penalty, Profile};
use crate::End;

/// Options of [`cross_fit`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossFitPlan {
    /// Number of folds, at least 2.
    pub folds: u64,
    /// Number of folds within the other folds, for their temperature; below 2, it is 1.
    pub inner: u64,
    /// How strongly weights are regularised towards 0.
    pub penalty: Penalty,
    /// The facts that are used.
    pub scope: FactScope,
    /// Unlabelled books are added if the probability of both cuts is greater than this; `None` to add none.
    pub min_probability: Option<f32>,
}

impl Default for CrossFitPlan {
    fn default() -> CrossFitPlan {
        CrossFitPlan {
            folds: 5,
            inner: 3,
            penalty: Penalty::default(),
            scope: FactScope::default(),
            min_probability: Some(0.8),
        }
    }
}

/// A book with its work.
pub struct GroupedExample {
    /// The book.
    pub example: Example,
    /// Whether the example has a label.
    pub labelled: bool,
    /// Its work, from [`group_by_work`](super::group_by_work).
    pub work: u64,
}

impl GroupedExample {
    /// The fold of the book's work, 0 to `folds - 1`.
    fn fold(&self, folds: u64) -> u64 {
        self.work % folds
    }

    /// The inner fold, from other digits of the same number.
    fn inner(&self, plan: &CrossFitPlan) -> u64 {
        self.work / plan.folds % plan.inner
    }
}

/// The result of [`cross_fit`].
#[derive(Clone, Debug)]
pub struct CrossFitResult {
    /// Weights fitted to all labels, with the temperature that maximises the likelihood of the labels out of fold.
    pub weights: Profile,
    /// The weights of each fold that has labels, fitted to the other folds.
    pub fold_weights: Vec<Profile>,
    /// For each book with a label: the index of the weights that were fitted to no book of its work.
    pub fold_of: Vec<Option<usize>>,
    /// Mean log likelihood, at each end, of the labels within their end regions, by the weights and the temperature of
    /// their folds.
    pub likelihood: [f64; 2],
    /// Number of these labels at each end.
    pub within: [usize; 2],
    /// Number of unlabelled books that the final weights were fitted to as well.
    pub added: usize,
}

/// Fits weights and evaluates every labelled book out of fold.
///
/// # Errors
///
/// The plan has fewer than 2 folds, or all labels are in one fold: no others are left to fit weights to.
pub fn cross_fit(examples: &[GroupedExample], plan: &CrossFitPlan) -> Result<CrossFitResult> {
    ensure!(plan.folds >= 2, "weights are tried in at least 2 folds");
    let mut fold_of = vec![None; examples.len()];
    let mut fold_weights = Vec::new();
    let mut scored = EndScores::default();
    let mut likelihood = [0.0; 2];
    for fold in 0..plan.folds {
        let outside = |book: &&GroupedExample| book.fold(plan.folds) != fold;
        let mut tried = Vec::new();
        for (book, of) in examples.iter().zip(&mut fold_of) {
            if book.labelled && book.fold(plan.folds) == fold {
                *of = Some(fold_weights.len());
                tried.push(book);
            }
        }
        if tried.is_empty() {
            continue;
        }
        let others: Vec<&GroupedExample> = examples.iter().filter(outside).collect();
        ensure!(
            others.iter().any(|book| book.labelled),
            "all labelled books fall into one fold; label books of other works"
        );
        let weights = fit_calibrated(&others, plan)?;
        for end in ENDS {
            let position_scores = scores(&tried, end, &weights);
            let temperature = weights.temperatures()[end as usize];
            likelihood[end as usize] += log_likelihood(&position_scores, temperature);
            scored.ends[end as usize].extend(position_scores);
        }
        fold_weights.push(weights);
    }
    let within = scored.ends.each_ref().map(Vec::len);
    let (mut weights, added) = fit_both_rounds(&examples.iter().collect::<Vec<_>>(), plan)?;
    weights.temperature = scored.temperature();
    Ok(CrossFitResult {
        weights,
        fold_weights,
        fold_of,
        likelihood: [0, 1].map(|end| likelihood[end] / within[end].max(1) as f64),
        within,
        added,
    })
}

/// Profile with a temperature found among the same examples.
fn fit_calibrated(examples: &[&GroupedExample], plan: &CrossFitPlan) -> Result<Profile> {
    let (mut weights, _) = fit_both_rounds(examples, plan)?;
    let mut scored = EndScores::default();
    for fold in 0..plan.inner {
        let (tried, others): (Vec<&GroupedExample>, Vec<&GroupedExample>) =
            examples.iter().partition(|book| book.inner(plan) == fold);
        // With few labels, all may be in one fold, which is then skipped.
        if others.iter().any(|book| book.labelled) {
            scored.add(&tried, &fit_both_rounds(&others, plan)?.0);
        }
    }
    weights.temperature = scored.temperature();
    Ok(weights)
}

/// Fits weights in both rounds; also returns the number of unlabelled books that the second one added.
fn fit_both_rounds(examples: &[&GroupedExample], plan: &CrossFitPlan) -> Result<(Profile, usize)> {
    let labelled = examples.iter().filter(|book| book.labelled);
    let mut positions: Vec<_> = labelled
        .map(|book| (&book.example, book.example.label_positions))
        .collect();
    let weights = fit_positions(&positions, &plan.penalty, plan.scope, None)?;
    let Some(sure) = plan.min_probability else {
        return Ok((weights, 0));
    };
    let others = examples.par_iter().filter(|book| !book.labelled);
    let others: Vec<_> = others
        .filter_map(|book| {
            let (positions, share) = book.example.best_positions(&weights);
            (share > sure).then_some((&book.example, positions.map(Some)))
        })
        .collect();
    if others.is_empty() {
        return Ok((weights, 0));
    }
    let added = others.len();
    positions.extend(others);
    Ok((
        fit_positions(&positions, &plan.penalty, plan.scope, Some(&weights))?,
        added,
    ))
}

/// Log odds of the cut positions, with the position of the label.
type PositionScores = (Vec<f32>, usize);

/// Scores of the cut positions at each end of the examples, by profiles that were not fitted to them.
#[derive(Default)]
struct EndScores {
    ends: [Vec<PositionScores>; 2],
}

impl EndScores {
    /// Adds the scores that `profile` gives to the cut positions of examples that it was not fitted to.
    fn add(&mut self, examples: &[&GroupedExample], profile: &Profile) {
        for end in ENDS {
            self.ends[end as usize].extend(scores(examples, end, profile));
        }
    }

    /// The temperature of each end that makes the scores most probable.
    fn temperature(&self) -> [f32; 2] {
        self.ends.each_ref().map(|end| temperature(end))
    }
}

/// The scores of all examples whose label is within its end region.
fn scores(examples: &[&GroupedExample], end: End, profile: &Profile) -> Vec<PositionScores> {
    let labelled = examples.par_iter().filter_map(|grouped| {
        let position = grouped.example.label_positions[end as usize]?;
        Some((grouped.example.scores(end, profile), position))
    });
    labelled.collect()
}

/// The log likelihood of the labels.
fn log_likelihood(position_scores: &[PositionScores], temperature: f32) -> f64 {
    let one = |(scores, position): &PositionScores| {
        let share = probabilities(scores, temperature)[*position];
        f64::from(share.max(f32::MIN_POSITIVE)).ln()
    };
    position_scores.iter().map(one).sum()
}
