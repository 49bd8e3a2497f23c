//! The doubt of the posterior detector: a logistic regression on the probability of its cuts and on what speaks for or
//! against them.
//!
//! The posterior weighs lines; it does not know that credits follow its cut, that a near copy is cut elsewhere, or that
//! its probabilities are too sure of themselves. All of this enters one sum of log odds, whose weights are fitted to books
//! that were labelled and judged out of fold ([`crate::pipeline::fit`]), with a quadratic penalty that holds weights that
//! few books speak for near the prior: the posterior's own probability. A reason never lowers doubt, and agreement never
//! raises it.

use anyhow::Result;
use argmin::core::{CostFunction, Gradient};
use serde::{Deserialize, Serialize};

use super::Reason;
use super::minimise::minimise;

/// Something that speaks for or against the cuts of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DoubtInput {
    /// A reason for doubt.
    Reason(Reason),
    /// The alternation detector cuts near by.
    AlternationAgrees,
    /// A near copy is cut at the same words.
    CopiesAgree,
}

/// Names of the inputs that are not reasons, in a weights file.
const AGREEMENTS: [&str; 2] = ["alternation-agrees", "copies-agree"];

/// Number of weights: intercept, slope, and one for each input.
const WEIGHTS: usize = AGREES + AGREEMENTS.len();

const INTERCEPT: usize = 0;
const SLOPE: usize = 1;
/// Index of the weight of the first reason.
const REASONS: usize = 2;
/// Index of the weight of the first agreement.
const AGREES: usize = REASONS + Reason::ALL.len();

/// Log odds beyond these are cut off: no book is that certain.
const MAX_LOG_ODDS: f32 = 9.0;

/// Strength of the penalty on the distance from their priors of intercept, slope, and the weights of second opinions.
const OPINION_PENALTY: f64 = 0.5;

/// The same for the detector's own reasons: the posterior has weighed most of what they say. Both are those with which, out
/// of fold, 299 labelled books are likeliest.
const REASON_PENALTY: f64 = 16.0;

impl DoubtInput {
    /// The position of this input among all inputs of the regression.
    fn index(self) -> usize {
        match self {
            DoubtInput::Reason(reason) => REASONS + reason as usize,
            DoubtInput::AlternationAgrees => AGREES,
            DoubtInput::CopiesAgree => AGREES + 1,
        }
    }
}

/// The names of the weights in a weights file, by index.
fn names() -> impl Iterator<Item = &'static str> {
    let reasons = Reason::ALL.iter().map(|reason| reason.name());
    let own = ["intercept", "slope"].into_iter();
    own.chain(reasons).chain(AGREEMENTS)
}

/// Weights of the doubt, in log odds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Calibration {
    weights: Vec<f32>,
}

/// A judged book: what its doubt is made from, and whether its cuts are wrong.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JudgedBook {
    /// The probability, by the posterior alone, that a cut is wrong.
    pub posterior_doubt: f32,
    /// What speaks for or against its cuts.
    pub inputs: Vec<DoubtInput>,
    /// Whether a cut is wrong.
    pub is_wrong: bool,
}

impl Default for Calibration {
    /// The posterior's own probability, whatever else is known.
    fn default() -> Calibration {
        let mut weights = vec![0.0; WEIGHTS];
        weights[SLOPE] = 1.0;
        Calibration { weights }
    }
}

impl Calibration {
    /// The probability that at least one cut is wrong.
    pub fn doubt(&self, posterior_doubt: f32, inputs: impl IntoIterator<Item = DoubtInput>) -> f32 {
        let sum: f32 = inputs.into_iter().map(|input| self.weight(input)).sum();
        let own = self.weights[SLOPE] * log_odds(posterior_doubt);
        probability(self.weights[INTERCEPT] + own + sum)
    }

    /// What an input adds to the log odds of a wrong cut.
    pub fn weight(&self, input: DoubtInput) -> f32 {
        self.weights[input.index()]
    }

    /// The weight with this name, as in [`Calibration::lines`]; `None` if there is none.
    pub fn weight_mut(&mut self, name: &str) -> Option<&mut f32> {
        let index = names().position(|known| known == name)?;
        self.weights.get_mut(index)
    }

    /// Names and values of the weights that differ from the prior.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, f32)> {
        let prior = Calibration::default().weights;
        let all = names().zip(&self.weights).zip(prior);
        all.filter(|((_, weight), prior)| (**weight - prior).abs() >= 0.0005)
            .map(|((name, weight), _)| (name, *weight))
    }

    /// The weights as numbers, for a digest.
    pub fn values(&self) -> &[f32] {
        &self.weights
    }

    /// Fits the weights to judged books.
    ///
    /// # Errors
    ///
    /// The search fails, which would be a bug.
    pub fn fit(books: &[&JudgedBook]) -> Result<Calibration> {
        let prior = Calibration::default();
        if books.is_empty() {
            return Ok(prior);
        }
        let prior: Vec<f64> = prior.weights.iter().map(|&weight| weight.into()).collect();
        let rows = books.iter().map(|book| (row(book), book.is_wrong));
        let mut problem = CalibrationObjective {
            rows: rows.collect(),
            prior: &prior,
        };
        // Inputs whose weight would have the wrong sign are left out, until there are none.
        loop {
            let best = minimise(&problem, prior.clone(), 1e-9)?;
            let is_wrong = |&(at, _): &(usize, f64)| at > SLOPE && best[at] * sign(at) < 0.0;
            if !problem.rows.iter().flat_map(|(row, _)| row).any(&is_wrong) {
                return Ok(Calibration {
                    weights: best.iter().map(|&weight| weight as f32).collect(),
                });
            }
            for (row, _) in &mut problem.rows {
                row.retain(|factor| !is_wrong(factor));
            }
        }
    }
}

/// The sign of a weight: 1 for a reason, -1 for an agreement.
fn sign(at: usize) -> f64 {
    match at < AGREES {
        true => 1.0,
        false => -1.0,
    }
}

/// The strength of the penalty on a weight.
fn penalty(at: usize) -> f64 {
    let reason = at.checked_sub(REASONS).and_then(|at| Reason::ALL.get(at));
    match reason {
        Some(reason) if !reason.is_second_opinion() => REASON_PENALTY,
        _ => OPINION_PENALTY,
    }
}

/// The weights that a book uses, with their factors.
fn row(book: &JudgedBook) -> Vec<(usize, f64)> {
    let own = [
        (INTERCEPT, 1.0),
        (SLOPE, log_odds(book.posterior_doubt).into()),
    ];
    let inputs = book.inputs.iter().map(|input| (input.index(), 1.0));
    own.into_iter().chain(inputs).collect()
}

/// Log odds of a probability, within [`MAX_LOG_ODDS`].
pub(crate) fn log_odds(probability: f32) -> f32 {
    let odds = probability / (1.0 - probability);
    odds.ln().clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS)
}

/// The probability of these log odds.
pub(crate) fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The negative log likelihood of the judgements plus the penalty.
struct CalibrationObjective<'a> {
    rows: Vec<(Vec<(usize, f64)>, bool)>,
    prior: &'a [f64],
}

impl CostFunction for &CalibrationObjective<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, parameters: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        let of_book = |(row, is_wrong): &(Vec<(usize, f64)>, bool)| {
            let sum: f64 = row.iter().map(|&(at, by)| parameters[at] * by).sum();
            let sum = if *is_wrong { -sum } else { sum };
            // ln(1 + e^sum), also for large sums.
            sum.max(0.0) + (-sum.abs()).exp().ln_1p()
        };
        let away = parameters.iter().zip(self.prior).enumerate();
        let penalties = away.map(|(at, (weight, prior))| penalty(at) * (weight - prior).powi(2));
        Ok(self.rows.iter().map(of_book).sum::<f64>() + penalties.sum::<f64>() / 2.0)
    }
}

impl Gradient for &CalibrationObjective<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, parameters: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        let away = parameters.iter().zip(self.prior).enumerate();
        let mut gradient: Vec<f64> = away
            .map(|(at, (weight, prior))| penalty(at) * (weight - prior))
            .collect();
        for (row, is_wrong) in &self.rows {
            let sum: f64 = row.iter().map(|&(at, by)| parameters[at] * by).sum();
            let excess = 1.0 / (1.0 + (-sum).exp()) - f64::from(u8::from(*is_wrong));
            for &(at, by) in row {
                gradient[at] += excess * by;
            }
        }
        Ok(gradient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_labels_doubt_is_the_posteriors() {
        let calibration = Calibration::fit(&[]).unwrap();
        assert_eq!(calibration, Calibration::default());
        let inputs = || [DoubtInput::Reason(Reason::CreditsAfterCut)];
        for doubt in [0.01, 0.3, 0.99] {
            assert!((calibration.doubt(doubt, inputs()) - doubt).abs() < 1e-4);
        }
        for extreme in [0.0, 1.0] {
            assert!((calibration.doubt(extreme, inputs()) - extreme).abs() < 1e-3);
        }
    }

    #[test]
    fn names_are_read_as_they_are_written_and_every_index_is_one_weight() {
        let mut calibration = Calibration::default();
        for (at, weight) in calibration.weights.iter_mut().enumerate() {
            *weight = at as f32 + 7.0;
        }
        let mut read = Calibration::default();
        for (name, weight) in calibration.lines() {
            *read.weight_mut(name).unwrap() = weight;
        }
        assert_eq!(read, calibration);
        assert!(read.weight_mut("no-such").is_none());
    }

    #[test]
    fn a_reason_of_wrong_books_raises_doubt_and_agreement_lowers_it() {
        let book = |input, is_wrong| JudgedBook {
            posterior_doubt: 0.1,
            inputs: vec![input],
            is_wrong,
        };
        let bad = DoubtInput::Reason(Reason::CopiesDiffer);
        let good = DoubtInput::CopiesAgree;
        let mut books = vec![book(good, false); 40];
        books.extend(vec![book(bad, true); 20]);
        books.extend(vec![book(bad, false); 20]);
        let books: Vec<&JudgedBook> = books.iter().collect();
        let fitted = Calibration::fit(&books).unwrap();
        let (high, low) = (fitted.doubt(0.1, [bad]), fitted.doubt(0.1, [good]));
        assert!((high - 0.5).abs() < 0.1, "{high}");
        assert!(low < 0.06, "{low}");
        let mut praised = books.clone();
        praised.retain(|book| !book.is_wrong);
        let fitted_to_right = Calibration::fit(&praised).unwrap();
        assert!(fitted_to_right.weight(bad) >= 0.0, "no reason lowers doubt");
        // The slope of the cost is zero at the result.
        let prior: Vec<f64> = Calibration::default()
            .weights
            .iter()
            .map(|&w| w.into())
            .collect();
        let problem = CalibrationObjective {
            rows: books
                .iter()
                .map(|book| (row(book), book.is_wrong))
                .collect(),
            prior: &prior,
        };
        let at: Vec<f64> = fitted.weights.iter().map(|&w| w.into()).collect();
        let gradient = (&problem).gradient(&at).unwrap();
        assert!(
            gradient.iter().all(|slope| slope.abs() < 1e-2),
            "{gradient:?}"
        );
    }
}
