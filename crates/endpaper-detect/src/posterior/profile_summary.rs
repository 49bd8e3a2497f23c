//! What a profile contains, for people who want to know it.

use super::Profile;
use super::fact_names::describe_weight;
use crate::End;

/// What a profile contains.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileSummary {
    /// Number of books whose labels it was fitted to.
    pub fitted_to: usize,
    /// Number of forms of lines, at each end, that it knows from beside decided cuts.
    pub landmarks: [usize; 2],
    /// How many lines of boilerplate that are left weigh as much as one lost line; 0 if the most probable cuts are proposed.
    pub loss_cost: f32,
    /// Names and weights, in log odds, of what makes doubt differ from the posterior probability.
    pub doubt: Vec<(&'static str, f32)>,
}

impl Profile {
    /// What the profile contains.
    pub fn summary(&self) -> ProfileSummary {
        let landmarks = self.landmarks.each_ref();
        ProfileSummary {
            fitted_to: self.fitted_to.len(),
            landmarks: landmarks.map(|end| end.forms.iter().map(|side| side.len()).sum()),
            loss_cost: self.loss_cost,
            doubt: self.calibration().lines().collect(),
        }
    }

    /// The `most` strongest weights of an end, with what they are for.
    pub fn strongest_weights(&self, end: End, most: usize) -> Vec<(String, f32)> {
        let mut weights: Vec<(usize, f32)> =
            self.weights_at(end).iter().copied().enumerate().collect();
        weights.retain(|(_, weight)| weight.abs() >= 0.0005);
        weights.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        weights.truncate(most);
        let named = weights.into_iter();
        named
            .map(|(weight, value)| (describe_weight(weight), value))
            .collect()
    }
}
