//! How long it takes until a run of equal outcomes is complete (Kaser & Lemire, section 3.2: Proposition 1 and Figure 3).

use super::Random;

/// Expected tosses until `run` heads in a row are seen, where a head has this probability: the sum of `1 / p^i` for `i`
/// from 1 to `run` (Kaser & Lemire, Proposition 1). Infinite where there are no heads.
///
/// ```
/// use endpaper::evaluate::figures::expected_run;
/// assert_eq!(expected_run(0.5, 3), 14.0);
/// assert_eq!(expected_run(0.25, 10), 1_398_100.0);
/// ```
pub fn expected_run(heads: f64, run: u32) -> f64 {
    (1..=run)
        .map(|length| heads.recip().powf(f64::from(length)))
        .sum()
}

/// Expected lines of the book that are taken for preamble, where each is falsely frequent with this probability and
/// `gap` infrequent lines end the preamble (Kaser & Lemire, Figure 3).
pub fn expected_swallowed(false_positives: f64, gap: u32) -> f64 {
    expected_run(1.0 - false_positives, gap) - f64::from(gap)
}

/// The mean of repeated trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

impl Mean {
    fn of(trials: u32, mut trial: impl FnMut() -> f64) -> Mean {
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..trials {
            let value = trial();
            sum += value;
            squares += value * value;
        }
        let trials = f64::from(trials.max(1));
        let mean = sum / trials;
        let variance = (squares / trials - mean * mean).max(0.0);
        Mean {
            mean,
            error: (variance / trials).sqrt(),
        }
    }
}

/// Tosses until `run` heads in a row are seen, tried out. Heads must not be so rare that it never ends.
pub fn simulated_run(heads: f64, run: u32, trials: u32, random: &mut Random) -> Mean {
    Mean::of(trials, || tosses(random, heads, run) as f64)
}

/// What [`expected_swallowed`] expects, tried out: lines are marked one by one until `gap` of them are infrequent in a row,
/// and the preamble ends before these.
pub fn simulated_swallowed(
    false_positives: f64,
    gap: u32,
    trials: u32,
    random: &mut Random,
) -> Mean {
    Mean::of(trials, || {
        let lines = tosses(random, 1.0 - false_positives, gap);
        (lines - u64::from(gap)) as f64
    })
}

fn tosses(random: &mut Random, heads: f64, run: u32) -> u64 {
    let (mut tosses, mut streak) = (0, 0);
    while streak < run {
        tosses += 1;
        streak = if random.chance(heads) { streak + 1 } else { 0 };
    }
    tosses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_3_and_proposition_1_have_the_values_of_their_formulas() {
        let figure_3 = [
            (0.05, 3.40),
            (0.10, 8.68),
            (0.15, 17.20),
            (0.20, 31.57),
            (0.25, 57.03),
            (0.30, 104.67),
            (0.40, 400.95),
            (0.50, 2036.0),
        ];
        for (p, lines) in figure_3 {
            let found = expected_swallowed(p, 10);
            assert!((found - lines).abs() < 0.005, "{p}: {found}");
        }
        assert_eq!(expected_run(0.25, 10), 1_398_100.0);
        assert_eq!(expected_run(0.0, 2), f64::INFINITY);
    }

    #[test]
    fn what_is_tried_out_is_what_is_expected() {
        let mut random = Random::new(1);
        for (heads, run) in [(0.5, 1), (0.5, 5), (0.25, 4), (0.9, 10)] {
            let (found, expected) = (
                simulated_run(heads, run, 20_000, &mut random),
                expected_run(heads, run),
            );
            assert!(
                (found.mean - expected).abs() < 4.0 * found.error,
                "{heads} {run}: {found:?}, expected {expected}"
            );
            assert!(found.error < expected / 50.0, "{found:?}");
        }
        for p in [0.05, 0.2, 0.4] {
            let (found, expected) = (
                simulated_swallowed(p, 10, 20_000, &mut random),
                expected_swallowed(p, 10),
            );
            assert!(
                (found.mean - expected).abs() < 4.0 * found.error,
                "{p}: {found:?}, expected {expected}"
            );
        }
        // Certain heads take no more tosses than the run is long.
        assert_eq!(simulated_run(1.0, 7, 3, &mut random).mean, 7.0);
    }
}
