//! Fits the weights: which cut position of its end has the label?
//!
//! A conditional logit over the positions of each end, with a quadratic penalty on the distance of every weight from
//! its prior mean, 0 or the weight of an earlier fit, in units of its fact's standard deviation. The likelihood is
//! concave, so there is one best set of weights whatever the start; L-BFGS finds it.

use std::sync::{Mutex, PoisonError};

use anyhow::{Result, ensure};
use argmin::core::{CostFunction, Gradient};
use rayon::prelude::*;

use super::choice_set::{ChoiceSet, probabilities};
use super::profile::{FactScope, PLACES, WEIGHTS, role};
use crate::minimise::minimise;

/// A choice set with the position of its label.
pub(super) struct LabelledChoice<'a> {
    pub choice_set: &'a ChoiceSet,
    /// The position of the label.
    pub target: usize,
}

/// Fits the weights of one end. `start` only affects the running time; the penalty is on the distance from `prior_mean`
/// (`None`: 0), so that few choices change little of it.
///
/// # Errors
///
/// There is no choice, or the search fails (which would be a bug).
pub(super) fn fit(
    choices: &[LabelledChoice<'_>],
    penalty: &Penalty,
    scope: FactScope,
    start: Option<&[f32]>,
    prior_mean: Option<&[f32]>,
) -> Result<Vec<f32>> {
    ensure!(
        !choices.is_empty(),
        "there is no labelled book to fit weights to"
    );
    let problem = FitObjective::new(choices, penalty, scope, prior_mean);
    let best = minimise(&problem, problem.parameters(start), 1e-3)?;
    Ok(problem.weights(&best))
}

/// How strongly each kind of weight is regularised, for a fact in units of its standard deviation: the greater, the
/// more labels a weight needs. The defaults maximise the likelihood of held-out labels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// Facts of the blocks cut away and kept near a cut position.
    pub windows: f64,
    /// Facts of single blocks beside a position.
    pub singles: f64,
    /// Facts of the position itself.
    pub places: f64,
}

impl Default for Penalty {
    fn default() -> Penalty {
        Penalty {
            windows: 10.0,
            singles: 10.0,
            places: 3.0,
        }
    }
}

impl Penalty {
    /// These penalties, multiplied by `factor`.
    pub fn times(self, factor: f64) -> Penalty {
        Penalty {
            windows: self.windows * factor,
            singles: self.singles * factor,
            places: self.places * factor,
        }
    }

    /// The strength of the penalty on a weight, which depends on the kind of its fact.
    fn of(&self, weight: usize) -> f64 {
        match weight {
            _ if weight < role(2) => self.windows,
            _ if weight < PLACES => self.singles,
            _ => self.places,
        }
    }
}

/// The last parameters of the search, with their cost and gradient.
type SearchPoint = (Vec<f64>, f64, Vec<f64>);

/// The function that the search minimises: the negative log likelihood of the labels plus the penalty.
pub(super) struct FitObjective<'a> {
    choices: &'a [LabelledChoice<'a>],
    /// Standard deviation of each fact over all positions.
    standard_deviations: Vec<f64>,
    penalties: Vec<f64>,
    /// Whether each weight may leave its prior.
    uses: Vec<bool>,
    /// The parameters without penalty.
    prior_mean: Vec<f64>,
    /// Cached, since the search asks for cost and gradient separately.
    last: Mutex<Option<SearchPoint>>,
}

impl<'a> FitObjective<'a> {
    /// The objective of fitting to these choices, with the standard deviations of their facts.
    pub fn new(
        choices: &'a [LabelledChoice<'a>],
        penalty: &Penalty,
        scope: FactScope,
        prior_mean: Option<&[f32]>,
    ) -> FitObjective<'a> {
        let problem = FitObjective {
            uses: scope.uses(),
            standard_deviations: standard_deviations_of(choices),
            choices,
            penalties: (0..WEIGHTS).map(|weight| penalty.of(weight)).collect(),
            prior_mean: Vec::new(),
            last: Mutex::new(None),
        };
        FitObjective {
            prior_mean: problem.parameters(prior_mean),
            ..problem
        }
    }

    /// The weights of parameters, which are in units of the standard deviations.
    fn weights(&self, parameters: &[f64]) -> Vec<f32> {
        let each = parameters.iter().zip(&self.standard_deviations);
        each.map(|(parameter, spread)| (parameter / spread) as f32)
            .collect()
    }

    /// The parameters of weights; zeros if there are no weights yet.
    fn parameters(&self, weights: Option<&[f32]>) -> Vec<f64> {
        let Some(weights) = weights else {
            return vec![0.0; WEIGHTS];
        };
        let each = weights.iter().zip(&self.standard_deviations);
        each.map(|(weight, spread)| f64::from(*weight) * spread)
            .collect()
    }

    /// Cost and gradient; the search asks for them one after the other with the same parameters.
    pub fn cost_and_gradient(&self, parameters: &[f64]) -> (f64, Vec<f64>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, cost, gradient)) = &*last
            && at == parameters
        {
            return (*cost, gradient.clone());
        }
        let (cost, gradient) = self.compute_cost_and_gradient(parameters);
        *last = Some((parameters.to_vec(), cost, gradient.clone()));
        (cost, gradient)
    }

    /// The negative log likelihood with the penalty, and its gradient.
    fn compute_cost_and_gradient(&self, parameters: &[f64]) -> (f64, Vec<f64>) {
        let weights = self.weights(parameters);
        let part = |choices: &[LabelledChoice<'_>]| {
            let (mut cost, mut sums) = (0.0, vec![0.0; WEIGHTS]);
            for labelled in choices {
                let scores = labelled.choice_set.scores(&weights);
                let mut times = probabilities(&scores, 1.0);
                cost -= f64::from(times[labelled.target].max(f32::MIN_POSITIVE)).ln();
                times[labelled.target] -= 1.0;
                labelled.choice_set.add_facts(&times, &mut sums);
            }
            (cost, sums)
        };
        let (cost, sums) = sum_chunks(self.choices, part, |a, b| {
            a.0 += b.0;
            add(&mut a.1, &b.1);
        });
        let away = parameters.iter().zip(&self.prior_mean).map(|(p, t)| p - t);
        let away: Vec<f64> = away.collect();
        let squares: f64 = away
            .iter()
            .zip(&self.penalties)
            .map(|(away, penalty)| penalty * away * away)
            .sum();
        let each = sums
            .iter()
            .zip(&self.standard_deviations)
            .zip(away.iter().zip(&self.penalties));
        let gradient = each.map(|((sum, spread), (away, penalty))| sum / spread + penalty * away);
        let gradient = gradient.zip(&self.uses);
        let gradient = gradient.map(|(slope, &used)| if used { slope } else { 0.0 });
        (cost + squares / 2.0, gradient.collect())
    }
}

impl CostFunction for &FitObjective<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, parameters: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        Ok(self.cost_and_gradient(parameters).0)
    }
}

impl Gradient for &FitObjective<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, parameters: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        Ok(self.cost_and_gradient(parameters).1)
    }
}

/// Standard deviation of each fact over all positions of all choices, never quite 0.
fn standard_deviations_of(choices: &[LabelledChoice<'_>]) -> Vec<f64> {
    let part = |choices: &[LabelledChoice<'_>]| {
        let (mut count, mut sums, mut squares) = (0.0, vec![0.0; WEIGHTS], vec![0.0; WEIGHTS]);
        for labelled in choices {
            labelled.choice_set.each_facts(|fact, value| {
                sums[fact] += value;
                squares[fact] += value * value;
            });
            count += labelled.choice_set.positions.len() as f64;
        }
        (count, sums, squares)
    };
    let (count, sums, squares) = sum_chunks(choices, part, |a, b| {
        a.0 += b.0;
        add(&mut a.1, &b.1);
        add(&mut a.2, &b.2);
    });
    let each = sums.iter().zip(&squares);
    each.map(|(sum, square)| {
        let mean = sum / count;
        (square / count - mean * mean).max(0.0).sqrt() + 1e-3
    })
    .collect()
}

/// Number of choices that a thread processes at a time.
const PART: usize = 8;

/// Sums results over chunks of the choices, always in the same order: the same labels give the same weights, bit for bit,
/// on any number of threads.
fn sum_chunks<T: Send>(
    choices: &[LabelledChoice<'_>],
    part: impl Fn(&[LabelledChoice<'_>]) -> T + Sync,
    add: impl Fn(&mut T, T),
) -> T {
    let parts: Vec<T> = choices.par_chunks(PART).map(&part).collect();
    let mut sum = part(&[]);
    parts.into_iter().for_each(|found| add(&mut sum, found));
    sum
}

/// Adds numbers element by element.
fn add(sums: &mut [f64], others: &[f64]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum += other;
    }
}
