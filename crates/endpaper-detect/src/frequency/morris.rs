//! Counting to billions in eight bits (Morris 1978, "Counting large numbers of events in small registers").
//!
//! A counter stores a *level*. Level `c` represents `value(c)` occurrences, and an occurrence raises a counter from
//! level `c` to the next with probability `1 / step(c)`, where `step(c) = value(c + 1) - value(c)` (before rounding).
//! Up to level 16 the step is 1, so that counts as small as the paper's K are exact; from there it grows by 8.5 % per
//! level, and level 255 represents 3.4 thousand million.
//!
//! - *Estimate.* Its expectation is the true count, as each occurrence adds `step(c)` with probability `1 / step(c)`.
//! - *Error.* With base a = 1.085, a count of 16 + x is estimated with variance (a - 1) x (x - 1) / 2, so the relative
//!   standard error tends to 21 % ([Flajolet 1985](https://doi.org/10.1007/BF01934993)).
//! - *Bound.* A count exceeds [`at_most`] of its level with a probability of at most one in a thousand million, for
//!   each line separately. The true count is below the number of occurrences that raise a counter above its level, a
//!   sum of geometric waiting times whose tail is limited by Chernoff's bound.
//! - *Merging* ([`merged`]) gives the same distribution as counting everything with one counter, so the two statements
//!   above hold for merged counters too (Nelson & Yu 2022, "Optimal bounds for approximate counting").

use std::sync::LazyLock;

/// Up to this level, a level is a count.
const EXACT: u8 = 16;
/// Factor from each step to the next above [`EXACT`].
const BASE: f64 = 1.085;
/// Probability with which [`at_most`] may be wrong.
const FAILURE: f64 = 1e-9;

/// The 256 levels of a counter: how many occurrences each represents, and how many lead to the next.
struct MorrisLevels {
    /// Expected number of occurrences between a level and the next.
    steps: [f64; 256],
    values: [u64; 256],
}

static LEVELS: LazyLock<MorrisLevels> = LazyLock::new(|| {
    let mut levels = MorrisLevels {
        steps: [1.0; 256],
        values: [0; 256],
    };
    let mut value = 0.0f64;
    for level in 0..256 {
        levels.values[level] = value.round() as u64;
        // Multiplied step by step instead of raised to a power, which gives the same number on every machine.
        if level > EXACT.into() {
            levels.steps[level] = levels.steps[level - 1] * BASE;
        }
        value += levels.steps[level];
    }
    levels
});

/// For every level, the largest count that it may represent.
static BOUNDS: LazyLock<[u64; 256]> = LazyLock::new(|| {
    let mut bounds = [u64::MAX; 256];
    for (level, bound) in bounds.iter_mut().enumerate().take(255) {
        *bound = chernoff(&LEVELS.steps[..=level]);
    }
    bounds
});

/// A number that the sum of geometric waiting times with these means exceeds with a probability of at most [`FAILURE`]:
/// for every s that the moments allow, P(T > u) <= E(exp(s T)) / exp(s (u + 1)).
fn chernoff(steps: &[f64]) -> u64 {
    let certain = steps.iter().filter(|&&step| step <= 1.0).count() as f64;
    let waits: Vec<f64> = steps
        .iter()
        .filter(|&&step| step > 1.0)
        .map(|step| 1.0 / step)
        .collect();
    let Some(slowest) = waits.last() else {
        // The next level takes exactly `certain` occurrences, so at most one fewer was counted.
        return certain as u64 - 1;
    };
    let limit = -(-slowest).ln_1p();
    let bound = |part: u32| {
        let s = limit * f64::from(part) / 32.0;
        let moment = |&p: &f64| s + p.ln() - (1.0 - (1.0 - p) * s.exp()).ln();
        let moments: f64 = waits.iter().map(moment).sum();
        (moments - FAILURE.ln()) / s
    };
    let least = (1..32).map(bound).fold(f64::INFINITY, f64::min);
    (certain + least).ceil() as u64
}

/// The count that a level represents.
pub(super) fn value(level: u8) -> u64 {
    LEVELS.values[usize::from(level)]
}

/// The largest count that a level represents, except with the probability that the module documentation states. The
/// highest level has no bound.
pub(super) fn at_most(level: u8) -> u64 {
    BOUNDS[usize::from(level)]
}

/// The highest level that represents fewer than `count` occurrences.
pub(super) fn level_below(count: u64) -> u8 {
    let levels = LEVELS.values.partition_point(|&value| value < count);
    levels.saturating_sub(1) as u8
}

/// The level after one more occurrence.
pub(super) fn counted(level: u8, random: u64) -> u8 {
    let step = LEVELS.steps[usize::from(level)];
    level.saturating_add(u8::from(happens(1.0 / step, random)))
}

/// The level for the occurrences of both.
///
/// An occurrence that raised the lower counter when it was at level i had drawn a number below `1 / step(i)`; this
/// number is also below `1 / step(c)`, and so raises the higher counter from level c, with probability
/// `step(i) / step(c)`. An occurrence that did not raise the lower counter cannot raise the higher.
pub(super) fn merged(a: u8, b: u8, random: &mut CounterRandom) -> u8 {
    let (low, mut high) = (a.min(b), a.max(b));
    for level in 0..low {
        let chance = LEVELS.steps[usize::from(level)] / LEVELS.steps[usize::from(high)];
        high = high.saturating_add(u8::from(happens(chance, random.next(0))));
    }
    high
}

/// Whether an event of probability `chance` happens, given 64 random bits.
fn happens(chance: f64, random: u64) -> bool {
    chance >= 1.0 || ((random >> 11) as f64) < chance * (1u64 << 53) as f64
}

/// A reproducible source of random numbers: splitmix64 over a seed, a running number and a key.
#[derive(Clone, Debug)]
pub(super) struct CounterRandom {
    state: u64,
}

impl CounterRandom {
    /// A generator of reproducible random numbers.
    pub fn new(seed: u64) -> CounterRandom {
        CounterRandom { state: mix(seed) }
    }

    /// The next random number, for an occurrence of a key.
    pub fn next(&mut self, key: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state ^ key)
    }
}

/// The finalizer of splitmix64 (Steele, Lea & Flood 2014).
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_exact_below_sixteen_and_reach_beyond_a_thousand_million() {
        for level in 0..=EXACT {
            assert_eq!((value(level), at_most(level)), (level.into(), level.into()));
        }
        assert!(value(255) > 1_000_000_000);
        assert_eq!(at_most(255), u64::MAX);
        for level in EXACT + 1..254 {
            assert!(value(level) < value(level + 1));
            assert!(value(level) < at_most(level) && at_most(level) <= at_most(level + 1));
            // Not so wide as to be useless: at most four times the estimate, plus a few dozen.
            assert!(
                at_most(level) < 4 * value(level) + 64,
                "level {level}: {}",
                at_most(level)
            );
        }
        for count in 1..3000 {
            let level = level_below(count);
            assert!(value(level) < count && value(level + 1) >= count);
        }
    }

    /// Levels of many counters that all counted `count` occurrences, the first `split` of them in a separate counter
    /// that is then merged.
    fn levels(count: u64, split: u64, counters: u32) -> Vec<u8> {
        let mut random = CounterRandom::new(count);
        let count_up = |random: &mut CounterRandom, count| {
            (0..count).fold(0, |level, n| counted(level, random.next(n)))
        };
        let counter = |_| {
            let (a, b) = (
                count_up(&mut random, split),
                count_up(&mut random, count - split),
            );
            merged(a, b, &mut random)
        };
        (0..counters).map(counter).collect()
    }

    #[test]
    fn estimates_are_right_on_average_and_as_far_off_as_stated_merged_or_not() {
        const COUNTERS: u32 = 4000;
        for (count, split) in [
            (10, 3),
            (16, 8),
            (40, 0),
            (400, 0),
            (400, 200),
            (400, 40),
            (3000, 0),
            (3000, 1000),
        ] {
            let values: Vec<f64> = levels(count, split, COUNTERS)
                .into_iter()
                .map(|c| value(c) as f64)
                .collect();
            let mean = values.iter().sum::<f64>() / f64::from(COUNTERS);
            let variance = values
                .iter()
                .map(|value| (value - mean).powi(2))
                .sum::<f64>()
                / f64::from(COUNTERS);
            let x = count.saturating_sub(EXACT.into()) as f64;
            let stated = ((BASE - 1.0) * x * (x - 1.0) / 2.0).max(0.0);
            // Five standard errors of the mean; the numbers are the same in every run.
            let allowed = 5.0 * (stated / f64::from(COUNTERS)).sqrt();
            assert!(
                (mean - count as f64).abs() <= allowed + 0.5,
                "{count}, {split}: mean {mean}"
            );
            assert!(
                (variance - stated).abs() <= 0.15 * stated + 0.5,
                "{count}, {split}: {variance}, not {stated}"
            );
        }
    }

    #[test]
    fn no_count_is_above_its_bound() {
        for (count, split) in [(17, 0), (20, 10), (100, 0), (100, 50), (2000, 700)] {
            let lowest = levels(count, split, 4000).into_iter().min();
            assert!(
                lowest.is_some_and(|level| at_most(level) >= count),
                "{count}: {lowest:?}"
            );
        }
    }
}
