//! Temperature scaling: weights are overconfident about books that they were not fitted to.

/// The highest temperature.
const MAX_TEMPERATURE: f64 = 20.0;

/// The temperature, from 1 to [`MAX_TEMPERATURE`], that maximises the likelihood of labels: log odds divided by it give
/// calibrated probabilities. Each example has the log odds of all cut positions, by weights that were not fitted to it,
/// and the position of its label. 1 without examples.
///
/// Below 1, scores would be more confident than their weights are, which few labels cannot justify.
pub(super) fn temperature(examples: &[(Vec<f32>, usize)]) -> f32 {
    // The log likelihood is concave in the inverse temperature, so its slope changes sign once.
    let (mut low, mut high) = (1.0 / MAX_TEMPERATURE, 1.0);
    if examples.is_empty() || slope(examples, high) >= 0.0 {
        return 1.0;
    }
    for _ in 0..30 {
        let middle = (low + high) / 2.0;
        if slope(examples, middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (2.0 / (low + high)) as f32
}

/// Slope of the log likelihood at an inverse temperature: the scores of the labels minus the expected scores.
fn slope(examples: &[(Vec<f32>, usize)], inverse: f64) -> f64 {
    let one = |(scores, position): &(Vec<f32>, usize)| {
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let (mut sum, mut scored) = (0.0, 0.0);
        for score in scores {
            let below = f64::from(score - most);
            let share = (below * inverse).exp();
            sum += share;
            scored += share * below;
        }
        f64::from(scores[*position] - most) - scored / sum
    };
    examples.iter().map(one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases of two positions: `right` of ten labels are at the one that leads by `lead`.
    fn examples(lead: f32, right: usize) -> Vec<(Vec<f32>, usize)> {
        (0..10)
            .map(|case| (vec![lead, 0.0], usize::from(case >= right)))
            .collect()
    }

    #[test]
    fn the_temperature_makes_shares_true() {
        for (lead, right) in [(6.0, 9), (6.0, 8), (3.0, 7), (10.0, 7)] {
            let found = temperature(&examples(lead, right));
            let share = 1.0 / (1.0 + (-lead / found).exp());
            assert!(
                (share - right as f32 / 10.0).abs() < 1e-3,
                "{lead} {right} {share}"
            );
        }
    }

    #[test]
    fn nothing_is_made_surer_and_nothing_is_made_a_guess() {
        assert_eq!(temperature(&examples(1.0, 10)), 1.0);
        assert_eq!(temperature(&[]), 1.0);
        let wrong = temperature(&examples(5.0, 0));
        assert!((wrong - MAX_TEMPERATURE as f32).abs() < 0.01, "{wrong}");
    }
}
