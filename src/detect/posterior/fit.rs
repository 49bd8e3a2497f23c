//! Fitting the weights: which place of its end is the labelled one?
//!
//! A conditional logit over the places of each end, with a quadratic penalty on every weight in units of its fact's
//! spread. The likelihood is concave, so there is one best set of weights whatever the start; L-BFGS finds it.

use std::sync::{Mutex, PoisonError};

use anyhow::{Result, anyhow, ensure};
use argmin::core::{CostFunction, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use rayon::prelude::*;

use super::case::{Case, probabilities};
use super::weights::WEIGHTS;

/// Steps of the search at most; it ends earlier where nothing is gained.
const STEPS: u64 = 200;

/// A case with the place of its label.
pub(super) struct Labelled<'a> {
    pub case: &'a Case,
    pub place: usize,
}

/// The weights of one end.
///
/// # Errors
///
/// No case at all, or a search that fails (which would be an error of ours).
pub(super) fn fit(cases: &[Labelled<'_>], penalty: f64) -> Result<Vec<f32>> {
    ensure!(
        !cases.is_empty(),
        "there is no labelled book to fit weights to"
    );
    let problem = Problem {
        spread: spread(cases),
        cases,
        penalties: penalties(penalty),
        last: Mutex::new(None),
    };
    let search = LBFGS::new(MoreThuenteLineSearch::new(), 12)
        .with_tolerance_cost(1e-3)
        .map_err(|error| anyhow!("{error}"))?;
    let result = Executor::new(&problem, search)
        .configure(|state| state.param(vec![0.0; WEIGHTS]).max_iters(STEPS))
        .run()
        .map_err(|error| anyhow!("the weights could not be fitted: {error}"))?;
    let best = result.state().get_best_param();
    let best = best.ok_or_else(|| anyhow!("the weights could not be fitted: no step was taken"))?;
    Ok(problem.weights(best))
}

fn penalties(penalty: f64) -> Vec<f64> {
    let k: Vec<f64> = std::env::var("EP_PEN")
        .unwrap_or("1,1,1".into())
        .split(',')
        .map(|x| x.parse().unwrap())
        .collect();
    (0..WEIGHTS)
        .map(|at| {
            penalty
                * if at < super::weights::role(2) {
                    k[0]
                } else if at < super::weights::PLACES {
                    k[1]
                } else {
                    k[2]
                }
        })
        .collect()
}

struct Problem<'a> {
    cases: &'a [Labelled<'a>],
    /// Standard deviation of each fact over all places.
    spread: Vec<f64>,
    penalties: Vec<f64>,
    /// Where the search looked last, and what it saw.
    last: Mutex<Option<(Vec<f64>, f64, Vec<f64>)>>,
}

impl Problem<'_> {
    /// Weights from parameters in units of the spread.
    fn weights(&self, parameters: &[f64]) -> Vec<f32> {
        let each = parameters.iter().zip(&self.spread);
        each.map(|(parameter, spread)| (parameter / spread) as f32)
            .collect()
    }
}

impl Problem<'_> {
    /// Cost and gradient, which the search asks for one after the other at the same place.
    fn look(&self, parameters: &[f64]) -> (f64, Vec<f64>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, cost, gradient)) = &*last
            && at == parameters
        {
            return (*cost, gradient.clone());
        }
        let (cost, gradient) = self.find_out(parameters);
        *last = Some((parameters.to_vec(), cost, gradient.clone()));
        (cost, gradient)
    }

    fn find_out(&self, parameters: &[f64]) -> (f64, Vec<f64>) {
        let weights = self.weights(parameters);
        let none = || (0.0, vec![0.0; WEIGHTS]);
        let (cost, sums) = self
            .cases
            .par_iter()
            .fold(none, |(mut cost, mut sums), labelled| {
                let scores = labelled.case.scores(&weights);
                let mut times = probabilities(&scores, 1.0);
                cost -= f64::from(times[labelled.place].max(f32::MIN_POSITIVE)).ln();
                times[labelled.place] -= 1.0;
                labelled.case.add_facts(&times, &mut sums);
                (cost, sums)
            })
            .reduce(none, |(a, mut sums), (b, others)| {
                sums.iter_mut().zip(others).for_each(|(a, b)| *a += b);
                (a + b, sums)
            });
        let squares: f64 = parameters
            .iter()
            .zip(&self.penalties)
            .map(|(p, q)| q * p * p)
            .sum();
        let each = sums
            .iter()
            .zip(&self.spread)
            .zip(parameters.iter().zip(&self.penalties));
        let gradient =
            each.map(|((sum, spread), (parameter, penalty))| sum / spread + penalty * parameter);
        (cost + squares / 2.0, gradient.collect())
    }
}

impl CostFunction for &Problem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, parameters: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        Ok(self.look(parameters).0)
    }
}

impl Gradient for &Problem<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, parameters: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        Ok(self.look(parameters).1)
    }
}

/// Standard deviation of each fact over all places of all cases, never quite 0.
fn spread(cases: &[Labelled<'_>]) -> Vec<f64> {
    let none = || (0.0, vec![0.0; WEIGHTS], vec![0.0; WEIGHTS]);
    let (count, sums, squares) = cases
        .par_iter()
        .fold(none, |(mut count, mut sums, mut squares), labelled| {
            labelled.case.each_facts(|fact, value| {
                sums[fact] += value;
                squares[fact] += value * value;
            });
            count += labelled.case.places.len() as f64;
            (count, sums, squares)
        })
        .reduce(none, |a, b| {
            let add = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(b).map(|(a, b)| a + b).collect();
            (a.0 + b.0, add(a.1, b.1), add(a.2, b.2))
        });
    let each = sums.iter().zip(&squares);
    each.map(|(sum, square): (&f64, &f64)| {
        let mean = sum / count;
        (square / count - mean * mean).max(0.0).sqrt() + 1e-3
    })
    .collect()
}
