//! Cross-fitting: every labelled book is judged by weights that saw neither it nor another book of its work.
//!
//! Books fall into folds by their work. The books of a fold are judged by weights fitted to the other folds; a temperature
//! for these weights is found inside the other folds in the same way, so that no label of the fold is examined for it. A
//! second round adds books without label on which the weights of the first one are sure, again without those whose work
//! is in the fold.

use anyhow::{Result, ensure};
use rayon::prelude::*;

use super::calibrate::temperature;
use super::choice_set::probabilities;
use super::example::{ENDS, fit_positions};
use super::{Example, Penalty, Weights};
use crate::{Cuts, End};

/// How weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossFitPlan {
    /// Number of folds, at least 2.
    pub folds: u64,
    /// Number of folds inside the others, for the temperature; below 2 no temperature is fitted.
    pub inner: u64,
    /// How strongly weights are drawn to 0.
    pub penalty: Penalty,
    /// Books without label are added if the probability of both cuts is greater than this; `None`: none are.
    pub min_probability: Option<f32>,
}

impl Default for CrossFitPlan {
    fn default() -> CrossFitPlan {
        CrossFitPlan {
            folds: 5,
            inner: 3,
            penalty: Penalty::default(),
            min_probability: Some(0.8),
        }
    }
}

/// A book with its work.
pub struct GroupedExample {
    /// The book.
    pub example: Example,
    /// Whether its example has a label.
    pub labelled: bool,
    /// Its work, see `works`.
    pub work: u64,
}

impl GroupedExample {
    fn fold(&self, folds: u64) -> u64 {
        self.work % folds
    }

    /// Folds inside folds: other digits of the same number.
    fn inner(&self, plan: &CrossFitPlan) -> u64 {
        self.work / plan.folds % plan.inner
    }
}

/// What came of cross-fitting.
#[derive(Clone, Debug)]
pub struct CrossFitResult {
    /// Weights fitted to all labels, with the temperature that made the judgements of the folds likeliest.
    pub weights: Weights,
    /// For each sample with a label: the cuts that weights proposed that never saw its work, and their probability.
    pub predictions: Vec<Option<(Cuts, f32)>>,
    /// Mean log likelihood of labels that lie within their strips, at each end, by the weights of their fold
    /// with its temperature.
    pub likelihood: [f64; 2],
    /// How many labels those are.
    pub within: [usize; 2],
    /// Books without label that the final weights were fitted to as well.
    pub added: usize,
}

/// Fits weights and judges every labelled sample out of fold.
///
/// # Errors
///
/// Labels of a single work or fold: nothing is left to fit weights to.
pub fn cross_fit(samples: &[GroupedExample], plan: &CrossFitPlan) -> Result<CrossFitResult> {
    ensure!(plan.folds >= 2, "weights are tried in at least 2 folds");
    let mut judged = vec![None; samples.len()];
    let mut scored = EndScores::default();
    let mut likelihood = [0.0; 2];
    for fold in 0..plan.folds {
        let outside = |sample: &&GroupedExample| sample.fold(plan.folds) != fold;
        let tried = samples.iter().zip(&mut judged);
        let mut tried: Vec<_> = tried
            .filter(|(sample, _)| sample.labelled && sample.fold(plan.folds) == fold)
            .collect();
        if tried.is_empty() {
            continue;
        }
        let others: Vec<&GroupedExample> = samples.iter().filter(outside).collect();
        ensure!(
            others.iter().any(|sample| sample.labelled),
            "all labelled books fall into one fold; label books of other works"
        );
        let weights = fit_calibrated(&others, plan)?;
        tried.par_iter_mut().for_each(|(sample, judgement)| {
            **judgement = Some(sample.example.best(&weights));
        });
        let tried: Vec<&GroupedExample> = tried.into_iter().map(|(sample, _)| sample).collect();
        for end in ENDS {
            let cases = scores(&tried, end, &weights);
            let temperature = weights.temperatures()[end as usize];
            likelihood[end as usize] += log_likelihood(&cases, temperature);
            scored.ends[end as usize].extend(cases);
        }
    }
    let within = scored.ends.each_ref().map(Vec::len);
    let (mut weights, added) = fit_both_rounds(&samples.iter().collect::<Vec<_>>(), plan)?;
    weights.temperature = scored.temperature();
    Ok(CrossFitResult {
        weights,
        predictions: judged,
        likelihood: [0, 1].map(|end| likelihood[end] / within[end].max(1) as f64),
        within,
        added,
    })
}

/// Weights with a temperature found among the same samples.
fn fit_calibrated(samples: &[&GroupedExample], plan: &CrossFitPlan) -> Result<Weights> {
    let (mut weights, _) = fit_both_rounds(samples, plan)?;
    let mut scored = EndScores::default();
    for fold in 0..plan.inner {
        let (tried, others): (Vec<&GroupedExample>, Vec<&GroupedExample>) = samples
            .iter()
            .partition(|sample| sample.inner(plan) == fold);
        // Few labels may all fall into one fold: then it says nothing.
        if others.iter().any(|sample| sample.labelled) {
            scored.add(&tried, &fit_both_rounds(&others, plan)?.0);
        }
    }
    weights.temperature = scored.temperature();
    Ok(weights)
}

/// Both rounds; how many books without label the second one added.
fn fit_both_rounds(samples: &[&GroupedExample], plan: &CrossFitPlan) -> Result<(Weights, usize)> {
    let labelled = samples.iter().filter(|sample| sample.labelled);
    let mut places: Vec<_> = labelled
        .map(|sample| (&sample.example, sample.example.label_positions))
        .collect();
    let weights = fit_positions(&places, &plan.penalty, None)?;
    let Some(sure) = plan.min_probability else {
        return Ok((weights, 0));
    };
    let others = samples.par_iter().filter(|sample| !sample.labelled);
    let others: Vec<_> = others
        .filter_map(|sample| {
            let (places, share) = sample.example.best_positions(&weights);
            (share > sure).then_some((&sample.example, places.map(Some)))
        })
        .collect();
    if others.is_empty() {
        return Ok((weights, 0));
    }
    let added = others.len();
    places.extend(others);
    Ok((
        fit_positions(&places, &plan.penalty, Some(&weights))?,
        added,
    ))
}

/// Log odds of places with the place of the label.
type PositionScores = (Vec<f32>, usize);

/// Those of each end, by weights that were not fitted to them.
#[derive(Default)]
struct EndScores {
    ends: [Vec<PositionScores>; 2],
}

impl EndScores {
    fn add(&mut self, samples: &[&GroupedExample], weights: &Weights) {
        for end in ENDS {
            self.ends[end as usize].extend(scores(samples, end, weights));
        }
    }

    fn temperature(&self) -> [f32; 2] {
        self.ends.each_ref().map(|end| temperature(end))
    }
}

/// The scores of all samples whose label lies within their strip.
fn scores(samples: &[&GroupedExample], end: End, weights: &Weights) -> Vec<PositionScores> {
    let labelled = samples.par_iter().filter_map(|sample| {
        let place = sample.example.label_positions[end as usize]?;
        Some((sample.example.scores(end, weights), place))
    });
    labelled.collect()
}

fn log_likelihood(cases: &[PositionScores], temperature: f32) -> f64 {
    let one = |(scores, place): &PositionScores| {
        let share = probabilities(scores, temperature)[*place];
        f64::from(share.max(f32::MIN_POSITIVE)).ln()
    };
    cases.iter().map(one).sum()
}
