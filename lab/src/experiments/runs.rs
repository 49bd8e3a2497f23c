//! Expected length of an experiment until a run of equal outcomes is complete (Kaser & Lemire, section 3.2: Proposition 1 and Figure 3).

use super::SampleRandom;

/// Returns the expected number of tosses until `run` heads in a row, for a probability `heads` of heads.
///
/// This is the sum of `1 / p^i` for `i` from 1 to `run` (Kaser & Lemire, Proposition 1); infinite if `heads` is 0.
///
/// ```
/// use lab::experiments::expected_run;
/// assert_eq!(expected_run(0.5, 3), 14.0);
/// assert_eq!(expected_run(0.25, 10), 1_398_100.0);
/// ```
pub fn expected_run(heads: f64, run: u32) -> f64 {
    (1..=run)
        .map(|length| heads.recip().powf(f64::from(length)))
        .sum()
}

/// Returns the expected number of lines of the book that are mistaken for preamble (Kaser & Lemire, Figure 3).
///
/// Each line is falsely frequent with this probability, and `gap` infrequent lines in a row end the preamble.
pub fn expected_lost_lines(false_positives: f64, gap: u32) -> f64 {
    expected_run(1.0 - false_positives, gap) - f64::from(gap)
}

/// Returns the probability of a run of `run` heads among `tosses` tosses.
///
/// Kaser & Lemire (section 3.2) bound it by the number of tosses times `p^run`, since a run begins at one of at most that many positions.
///
/// ```
/// use lab::experiments::run_among;
/// assert_eq!(run_among(0.5, 2, 3), 0.375); // of eight: HHH, HHT, THH
/// ```
pub fn run_among(heads: f64, run: u32, tosses: u32) -> f64 {
    // Indexed by the length of the current run; the last entry is for complete runs.
    let mut streaks = vec![0.0; run as usize + 1];
    streaks[0] = 1.0;
    for _ in 0..tosses {
        let ended: f64 = streaks[..run as usize].iter().sum();
        for length in (1..=run as usize).rev() {
            let complete = if length == run as usize {
                streaks[length]
            } else {
                0.0
            };
            streaks[length] = complete + heads * streaks[length - 1];
        }
        if run > 0 {
            streaks[0] = (1.0 - heads) * ended;
        }
    }
    streaks[run as usize]
}

/// The mean of repeated trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Standard error of the mean.
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

/// Simulates the number of tosses until `run` heads in a row. Does not end if heads are too rare.
pub fn simulated_run(heads: f64, run: u32, trials: u32, random: &mut SampleRandom) -> Mean {
    Mean::of(trials, || tosses(random, heads, run) as f64)
}

/// What [`expected_lost_lines`] expects, tried out: lines are marked one by one until `gap` of them are infrequent in a row,
/// and the preamble ends before these.
pub fn simulated_lost_lines(
    false_positives: f64,
    gap: u32,
    trials: u32,
    random: &mut SampleRandom,
) -> Mean {
    Mean::of(trials, || {
        let lines = tosses(random, 1.0 - false_positives, gap);
        (lines - u64::from(gap)) as f64
    })
}

fn tosses(random: &mut SampleRandom, heads: f64, run: u32) -> u64 {
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
            let found = expected_lost_lines(p, 10);
            assert!((found - lines).abs() < 0.005, "{p}: {found}");
        }
        assert_eq!(expected_run(0.25, 10), 1_398_100.0);
        assert_eq!(expected_run(0.0, 2), f64::INFINITY);
    }

    #[test]
    fn runs_among_so_many_tosses_are_as_frequent_as_expected_and_below_the_bound() {
        // Section 3.2: 300 lines, a quarter of them falsely infrequent, ten in a row.
        let (found, bound) = (run_among(0.25, 10, 300), 300.0 * 0.25f64.powi(10));
        assert!((bound - 2.861e-4).abs() < 5e-8, "{bound}");
        assert!((0.7 * bound..bound).contains(&found), "{found}");
        let mut random = SampleRandom::new(5);
        for (heads, run, limit) in [(0.5, 8, 100), (0.25, 4, 60), (0.9, 3, 2), (0.5, 1, 3)] {
            let expected = run_among(heads, run, limit);
            let tried = Mean::of(20_000, || {
                f64::from(tosses(&mut random, heads, run) <= u64::from(limit))
            });
            let error = (expected * (1.0 - expected) / 20_000.0).sqrt();
            assert!(
                (tried.mean - expected).abs() <= 4.0 * error,
                "{heads} {run} {limit}: {tried:?}, expected {expected}"
            );
            assert!(expected <= f64::from(limit) * heads.powf(f64::from(run)));
        }
        assert_eq!((run_among(0.5, 0, 0), run_among(0.5, 3, 2)), (1.0, 0.0));
    }

    #[test]
    fn what_is_tried_out_is_what_is_expected() {
        let mut random = SampleRandom::new(1);
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
                simulated_lost_lines(p, 10, 20_000, &mut random),
                expected_lost_lines(p, 10),
            );
            assert!(
                (found.mean - expected).abs() < 4.0 * found.error,
                "{p}: {found:?}, expected {expected}"
            );
        }
        // With certain heads the number of tosses is the length of the run.
        assert_eq!(simulated_run(1.0, 7, 3, &mut random).mean, 7.0);
    }
}
