//! The posterior probabilities of the cut positions of one end.

use super::choice_set::{ChoiceSet, probabilities};
use super::profile::Profile;
use crate::End;

/// Probabilities of the cut positions of one end, from the outside inwards: position `n` is after `n` rows.
#[derive(Clone, Debug, PartialEq)]
pub struct CutPosterior {
    /// They add up to 1.
    pub probabilities: Vec<f32>,
}

impl CutPosterior {
    /// The probabilities that a profile gives to the cut positions of one end.
    pub(super) fn new(choice_set: &ChoiceSet, end: End, profile: &Profile) -> CutPosterior {
        let scores = choice_set.scores(profile.weights_at(end));
        CutPosterior {
            probabilities: probabilities(&scores, profile.temperature[end as usize]),
        }
    }

    /// The most likely position; of equals, the outermost.
    pub fn most_likely(&self) -> usize {
        let each = self.probabilities.iter().enumerate();
        let best = each.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        best.map_or(0, |(position, _)| position)
    }

    /// The probability that each row is cut away, which is that of a cut inwards of it.
    pub fn cut_away_probabilities(&self) -> Vec<f32> {
        let mut rest = 1.0;
        let rows = self
            .probabilities
            .iter()
            .take(self.probabilities.len().saturating_sub(1));
        rows.map(|share| {
            rest -= share;
            f32::max(rest, 0.0)
        })
        .collect()
    }
}
