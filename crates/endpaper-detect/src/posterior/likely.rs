//! How likely the cut of one end is at each of its places.

use super::case::{ChoiceSet, probabilities};
use super::weights::Weights;
use crate::End;

/// Probabilities of the places of one end, from the outside inwards: place `n` lies behind `n` rows.
#[derive(Clone, Debug, PartialEq)]
pub struct CutPosterior {
    /// They add up to 1.
    pub shares: Vec<f32>,
}

impl CutPosterior {
    pub(super) fn new(case: &ChoiceSet, end: End, weights: &Weights) -> CutPosterior {
        let scores = case.scores(weights.of(end));
        CutPosterior {
            shares: probabilities(&scores, weights.temperature[end as usize]),
        }
    }

    /// The likeliest place.
    pub fn best(&self) -> usize {
        let each = self.shares.iter().enumerate();
        let best = each.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        best.map_or(0, |(place, _)| place)
    }

    /// How likely each row is cut away: the cut lies inwards of it.
    pub fn cut_away(&self) -> Vec<f32> {
        let mut rest = 1.0;
        let rows = self.shares.iter().take(self.shares.len().saturating_sub(1));
        rows.map(|share| {
            rest -= share;
            f32::max(rest, 0.0)
        })
        .collect()
    }
}
