//! How sure a share is that was counted in a sample.
//!
//! Two intervals, because they err on different sides (Brown, Cai & DasGupta 2001, *Interval Estimation for a Binomial
//! Proportion*): [`Proportion::wilson`] covers the true share about as often as it says and is the one to read;
//! [`Proportion::clopper_pearson`] covers it at least as often and is the one to promise.

use serde::Serialize;

use super::distributions::{beta_quantile, normal_quantile};

/// The confidence of every interval that is shown: 95 %.
pub const CONFIDENCE: f64 = 0.95;

/// A range of shares, 0..1 on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The smallest share that goes with what was seen.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

/// A share: `hits` of `total`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proportion {
    /// How many were counted; at most `total`.
    pub hits: u64,
    /// Among how many.
    pub total: u64,
}

impl Proportion {
    /// One more case.
    pub fn add(&mut self, hit: bool) {
        self.hits += u64::from(hit);
        self.total += 1;
    }

    /// The share, 0..1; `None` where nothing was examined.
    pub fn share(self) -> Option<f64> {
        (self.total > 0).then(|| self.hits as f64 / self.total as f64)
    }

    /// The score interval of Wilson (1927), without continuity correction. `confidence` lies between 0 and 1; `None`
    /// where nothing was examined.
    ///
    /// ```
    /// use endpaper_evaluate::Proportion;
    /// let seen = Proportion { hits: 90, total: 100 }.wilson(0.95).unwrap();
    /// assert_eq!(format!("{:.3} to {:.3}", seen.low, seen.high), "0.826 to 0.945");
    /// ```
    pub fn wilson(self, confidence: f64) -> Option<Interval> {
        let share = self.share()?;
        let of = self.total as f64;
        let z = normal_quantile(0.5 + confidence / 2.0);
        let middle = share + z * z / (2.0 * of);
        let half = z * (share * (1.0 - share) / of + z * z / (4.0 * of * of)).sqrt();
        let scale = 1.0 + z * z / of;
        Some(Interval {
            // Where nothing, or everything, was counted, the end is exact; subtracting would leave some dust.
            low: match self.hits {
                0 => 0.0,
                _ => ((middle - half) / scale).max(0.0),
            },
            high: match self.total - self.hits {
                0 => 1.0,
                _ => ((middle + half) / scale).min(1.0),
            },
        })
    }

    /// The exact interval of Clopper & Pearson (1934): quantiles of the beta distribution. `confidence` lies between 0
    /// and 1; `None` where nothing was examined.
    pub fn clopper_pearson(self, confidence: f64) -> Option<Interval> {
        if self.total == 0 {
            return None;
        }
        let tail = (1.0 - confidence) / 2.0;
        let (hits, misses) = (self.hits as f64, (self.total - self.hits) as f64);
        Some(Interval {
            low: match self.hits {
                0 => 0.0,
                _ => beta_quantile(tail, hits, misses + 1.0),
            },
            high: match self.total - self.hits {
                0 => 1.0,
                _ => beta_quantile(1.0 - tail, hits + 1.0, misses),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `proportion_confint(k, n, 1 - c, method)` of the Python package statsmodels 0.15.0: k, n, c, then `wilson` and
    /// `beta` (which is Clopper-Pearson).
    const STATSMODELS: &[(u64, u64, f64, [f64; 4])] = &[
        (0, 100, 0.95, [0.0, 0.0369934982, 0.0, 0.0362166926]),
        (0, 100, 0.90, [0.0, 0.0263427208, 0.0, 0.0295130496]),
        (
            1,
            100,
            0.95,
            [0.0017674321, 0.0544861962, 0.0002531460, 0.0544593854],
        ),
        (
            3,
            100,
            0.99,
            [0.0076121693, 0.1108752772, 0.0034070701, 0.1054812537],
        ),
        (
            2,
            300,
            0.90,
            [0.0022086078, 0.0199434261, 0.0011858141, 0.0208362305],
        ),
        (
            90,
            100,
            0.95,
            [0.8256343385, 0.9447708629, 0.8237774023, 0.9509953108],
        ),
        (
            5,
            10,
            0.95,
            [0.2365930905, 0.7634069095, 0.1870860284, 0.8129139716],
        ),
        (10, 10, 0.99, [0.6011459067, 1.0, 0.5887040187, 1.0]),
        (0, 1, 0.95, [0.0, 0.7934506856, 0.0, 0.975]),
        (
            297,
            300,
            0.95,
            [0.9710165066, 0.9965933816, 0.9710554887, 0.9979329928],
        ),
        (
            4000,
            10000,
            0.95,
            [0.3904383434, 0.4096384563, 0.3903784656, 0.4096798111],
        ),
    ];

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn both_intervals_are_those_of_statsmodels() {
        for &(hits, of, confidence, expected) in STATSMODELS {
            let seen = Proportion { hits, total: of };
            let wilson = seen.wilson(confidence).unwrap();
            let exact = seen.clopper_pearson(confidence).unwrap();
            let found = [wilson.low, wilson.high, exact.low, exact.high];
            assert!(
                found.iter().zip(expected).all(|(a, b)| near(*a, b)),
                "{hits} of {of} at {confidence}: {found:?}, not {expected:?}"
            );
        }
    }

    /// Kaser & Lemire, section 4: 90 of 100 documents within 10 %; the exact interval is 82.4 to 95.1 %.
    #[test]
    fn a_hundred_documents_say_little_about_ninety_percent() {
        let exact = Proportion {
            hits: 90,
            total: 100,
        }
        .clopper_pearson(0.95);
        let exact = exact.map(|i| format!("{:.1} to {:.1}", i.low * 100.0, i.high * 100.0));
        assert_eq!(exact.as_deref(), Some("82.4 to 95.1"));
    }

    #[test]
    fn nothing_looked_at_has_no_share() {
        let nothing = Proportion::default();
        assert_eq!((nothing.share(), nothing.wilson(0.95)), (None, None));
        assert_eq!(nothing.clopper_pearson(0.95), None);
    }

    proptest! {
        #[test]
        fn intervals_hold_the_share_and_are_mirrored(of in 1u64..3000, part in 0.0..=1.0f64) {
            let hits = (of as f64 * part) as u64;
            let (seen, mirrored) = (Proportion { hits, total: of }, Proportion { hits: of - hits, total: of });
            let share = seen.share().unwrap();
            for method in [Proportion::wilson, Proportion::clopper_pearson] {
                let (one, other) = (method(seen, 0.95).unwrap(), method(mirrored, 0.95).unwrap());
                prop_assert!(0.0 <= one.low && one.low <= share && share <= one.high && one.high <= 1.0);
                prop_assert!((one.low - (1.0 - other.high)).abs() < 1e-7);
            }
        }

        /// The definition: at the lower end, `hits` or more have a probability of half of 1 - confidence.
        #[test]
        fn the_exact_interval_is_what_its_definition_says(of in 1u64..60, part in 0.0..=1.0f64) {
            let hits = ((of as f64 * part) as u64).clamp(1, of);
            let low = Proportion { hits, total: of }.clopper_pearson(0.95).unwrap().low;
            let choose = |k: u64| (0..k).fold(1.0, |c, i| c * (of - i) as f64 / (i + 1) as f64);
            let chance = |k: u64| choose(k) * low.powi(k as i32) * (1.0 - low).powi((of - k) as i32);
            let tail: f64 = (hits..=of).map(chance).sum();
            prop_assert!((tail - 0.025).abs() < 1e-8, "{tail}");
        }
    }
}
