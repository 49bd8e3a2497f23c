//! How many books must be examined before a corpus may be published, and what follows from what was seen.
//!
//! A corpus is released once: an isolated lot, judged by a *limiting quality*, the share of bad books that must not pass
//! (what ISO 2859-2 calls LQ; its tables are not used, plans are computed). Books are drawn without replacement from a
//! known number, so that the numbers of bad ones follow the hypergeometric distribution. Only books drawn at random may
//! be counted here: what was reviewed because it looked doubtful says nothing of the rest.

use serde::Serialize;

use super::distributions::{beta_quantile, hypergeometric_cdf};
use super::intervals::Proportion;

/// A plan: `sample` books are examined, and the corpus passes if at most `accept` of them are bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SingleSamplingPlan {
    /// Books to look at.
    pub sample: u64,
    /// Bad ones among them that are accepted.
    pub accept: u64,
}

impl SingleSamplingPlan {
    /// The smallest sample of `population` books with which a corpus of which the share `limit` or more is bad passes
    /// with a probability of at most 1 - `confidence`, though up to `accept` bad books are accepted. `None` if even
    /// looking at every book would not do: fewer books than that are bad at the limit.
    ///
    /// ```
    /// use endpaper_evaluate::SingleSamplingPlan;
    /// let plan = SingleSamplingPlan::plan(1000, 0.01, 0.95, 0).unwrap();
    /// assert_eq!(plan.sample, 258);
    /// ```
    pub fn plan(
        population: u64,
        limit: f64,
        confidence: f64,
        accept: u64,
    ) -> Option<SingleSamplingPlan> {
        let bad = bad_at(population, limit);
        let risk = |sample| hypergeometric_cdf(accept, population, bad, sample);
        let passes = |sample: u64| risk(sample) <= 1.0 - confidence + f64::EPSILON;
        if !passes(population) {
            return None;
        }
        // The risk falls with every book more: the first that will do is found by halving.
        let (mut too_few, mut enough) = (0, population);
        while enough - too_few > 1 {
            let middle = too_few + (enough - too_few) / 2;
            match passes(middle) {
                true => enough = middle,
                false => too_few = middle,
            }
        }
        let sample = enough;
        Some(SingleSamplingPlan { sample, accept })
    }

    /// The probability that a corpus passes of which `bad` books of `population` are bad.
    pub fn acceptance_probability(self, population: u64, bad: u64) -> f64 {
        hypergeometric_cdf(self.accept, population, bad, self.sample)
    }
}

/// The number of bad books in a population of which this share is bad, rounded up.
pub(super) fn bad_at(population: u64, share: f64) -> u64 {
    // 0.07 * 100 is a little above 7: what is whole but for rounding is whole.
    let bad = (population as f64 * share - 1e-9).ceil();
    (bad.max(0.0) as u64).min(population)
}

/// The one-sided upper bound on the bad books among `population` after `seen`: with one more bad book, a sample with
/// `seen.hits` bad ones or fewer has a probability of at most 1 - `confidence`.
///
/// Never more than the books not examined and those found bad together; `None` if more were examined than there are.
pub fn max_bad(population: u64, seen: Proportion, confidence: f64) -> Option<u64> {
    if seen.total > population || seen.hits > seen.total {
        return None;
    }
    let goes =
        |bad: u64| hypergeometric_cdf(seen.hits, population, bad, seen.total) > 1.0 - confidence;
    let (mut most, mut too_many) = (seen.hits, population - (seen.total - seen.hits) + 1);
    while too_many - most > 1 {
        let middle = most + (too_many - most) / 2;
        match goes(middle) {
            true => most = middle,
            false => too_many = middle,
        }
    }
    Some(most)
}

/// The probability that a random sample of `sample` of `population` books holds at least `hits` of the `marked` ones: a
/// small one says that the sample is not random with respect to what marks them. `marked` and `sample` are at most
/// `population`.
pub fn probability_of_at_least(hits: u64, population: u64, marked: u64, sample: u64) -> f64 {
    let fewer = hits.checked_sub(1);
    fewer.map_or(1.0, |fewer| {
        1.0 - hypergeometric_cdf(fewer, population, marked, sample)
    })
}

/// The upper end of the one-sided exact interval of Clopper & Pearson (1934): of an endless supply of books like these,
/// no larger share is bad. `None` where nothing was examined.
pub fn upper_bound(seen: Proportion, confidence: f64) -> Option<f64> {
    let misses = seen.total.checked_sub(seen.hits)?;
    match misses {
        _ if seen.total == 0 => None,
        0 => Some(1.0),
        _ => Some(beta_quantile(
            confidence,
            seen.hits as f64 + 1.0,
            misses as f64,
        )),
    }
}

/// The verdict of a sequential plan after the books examined so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SequentialVerdict {
    /// The corpus may be published.
    Accepted,
    /// It may not.
    Rejected,
    /// More books must be examined.
    #[serde(rename = "go-on")]
    Continue,
}

/// A sequential plan: the probability ratio test of Wald (1945). It needs fewer books than a plan of one sample where the
/// corpus is clearly good or clearly bad, and its risks hold although the result is checked after every book.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SequentialPlan {
    /// Bad books for each book examined: the slope of both decision lines.
    pub slope: f64,
    /// The corpus is accepted when the bad books are at most `slope * examined - accept`.
    pub accept: f64,
    /// The corpus is rejected when the bad books are at least `slope * examined + reject`.
    pub reject: f64,
}

impl SequentialPlan {
    /// The plan that rejects a corpus with the share `good` of bad books, and accepts one with the share `bad`, with a
    /// probability of at most `risk` each. `None` unless 0 < good < bad < 1 and 0 < risk < 0.5.
    pub fn plan(good: f64, bad: f64, risk: f64) -> Option<SequentialPlan> {
        if !(0.0 < good && good < bad && bad < 1.0 && 0.0 < risk && risk < 0.5) {
            return None;
        }
        // What one bad book, and one good one, add to the logarithm of the ratio.
        let (found, clean) = ((bad / good).ln(), ((1.0 - good) / (1.0 - bad)).ln());
        let distance = ((1.0 - risk) / risk).ln() / (found + clean);
        Some(SequentialPlan {
            slope: clean / (found + clean),
            accept: distance,
            reject: distance,
        })
    }

    /// The verdict after `seen.hits` bad books of `seen.total`.
    pub fn verdict(self, seen: Proportion) -> SequentialVerdict {
        let line = self.slope * seen.total as f64;
        let bad = seen.hits as f64;
        match () {
            () if bad <= line - self.accept => SequentialVerdict::Accepted,
            () if bad >= line + self.reject => SequentialVerdict::Rejected,
            () => SequentialVerdict::Continue,
        }
    }

    /// The fewest books after which the corpus can be accepted: if none of them is bad.
    pub fn earliest(self) -> u64 {
        (self.accept / self.slope).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Binomial plans, reached where the corpus is endless for its sample.
    #[test]
    fn plans_for_an_endless_corpus_are_the_known_ones() {
        let table = [
            (0.05, [59, 93, 124, 153, 181]),
            (0.02, [149, 236, 313, 386, 456]),
            (0.01, [299, 473, 628, 773, 913]),
        ];
        for (limit, samples) in table {
            for (accept, sample) in (0..).zip(samples) {
                let plan = SingleSamplingPlan::plan(1_000_000_000, limit, 0.95, accept).unwrap();
                assert_eq!(plan.sample, sample, "{limit} {accept}");
            }
        }
    }

    #[test]
    fn plans_for_small_corpora_are_the_known_ones() {
        let table = [
            (200, 155),
            (500, 225),
            (1_000, 258),
            (3_000, 284),
            (11_000, 295),
            (60_000, 298),
        ];
        for (population, sample) in table {
            let plan = SingleSamplingPlan::plan(population, 0.01, 0.95, 0).unwrap();
            assert_eq!(plan.sample, sample, "{population}");
        }
    }

    #[test]
    fn a_corpus_too_small_for_its_plan_has_none() {
        // Two of 200 are bad at the limit: accepting two accepts always.
        assert_eq!(SingleSamplingPlan::plan(200, 0.01, 0.95, 2), None);
        assert_eq!(SingleSamplingPlan::plan(0, 0.01, 0.95, 0), None);
        assert_eq!(
            SingleSamplingPlan::plan(1, 0.01, 0.95, 0).map(|plan| plan.sample),
            Some(1)
        );
    }

    /// One-sided bounds at 95 % (Clopper-Pearson: `beta.ppf(0.95, k + 1, n - k)` of SciPy).
    #[test]
    fn upper_bounds_are_the_known_ones() {
        let table = [
            (0, 100, 2.95),
            (1, 100, 4.66),
            (3, 100, 7.57),
            (2, 300, 2.08),
        ];
        for (hits, of, percent) in table {
            let bound = upper_bound(Proportion { hits, total: of }, 0.95).unwrap();
            assert!(
                (bound * 100.0 - percent).abs() < 0.005,
                "{hits}/{of}: {bound}"
            );
        }
        let all = Proportion { hits: 4, total: 4 };
        assert_eq!(upper_bound(all, 0.95), Some(1.0));
        assert_eq!(upper_bound(Proportion::default(), 0.95), None);
    }

    /// Wald's test of 1 % against 3 % with risks of 5 %.
    #[test]
    fn the_sequential_plan_is_the_known_one() {
        let plan = SequentialPlan::plan(0.01, 0.03, 0.05).unwrap();
        assert_eq!(
            format!("{:.5} {:.3}", plan.slope, plan.accept),
            "0.01824 2.631"
        );
        assert_eq!(plan.earliest(), 145);
        let verdict = |hits, of| plan.verdict(Proportion { hits, total: of });
        assert_eq!(verdict(0, 144), SequentialVerdict::Continue);
        assert_eq!(verdict(0, 145), SequentialVerdict::Accepted);
        assert_eq!(verdict(3, 20), SequentialVerdict::Rejected);
        assert_eq!(verdict(2, 20), SequentialVerdict::Continue);
        for (good, bad, risk) in [(0.0, 0.1, 0.05), (0.1, 0.1, 0.05), (0.1, 0.2, 0.5)] {
            assert_eq!(SequentialPlan::plan(good, bad, risk), None);
        }
    }

    /// Its risks, by simulation with a fixed seed: at most 5 % each, as it says.
    #[test]
    fn the_sequential_plan_errs_as_rarely_as_it_says() {
        let plan = SequentialPlan::plan(0.02, 0.08, 0.05).unwrap();
        for (share, wrong) in [
            (0.02, SequentialVerdict::Rejected),
            (0.08, SequentialVerdict::Accepted),
        ] {
            let mut state = 7_u64;
            let mut uniform = move || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 11) as f64 / (1_u64 << 53) as f64
            };
            let mut errors = 0;
            for _ in 0..4000 {
                let mut seen = Proportion::default();
                let end = loop {
                    seen.add(uniform() < share);
                    let verdict = plan.verdict(seen);
                    if verdict != SequentialVerdict::Continue {
                        break verdict;
                    }
                };
                errors += u32::from(end == wrong);
            }
            // Four standard errors above 5 % of 4,000.
            assert!(errors < 255, "{share}: {errors} of 4000");
        }
    }

    /// Ten of a hundred are marked, and five are drawn: C(90, 5) / C(100, 5) = 0.5838 of all draws have none.
    #[test]
    fn many_marked_books_in_a_sample_are_no_chance() {
        let table = [(0, 1.0), (1, 0.4162), (2, 0.0769), (5, 3.347e-6)];
        for (hits, chance) in table {
            let found = probability_of_at_least(hits, 100, 10, 5);
            assert!((found - chance).abs() < 1e-4, "{hits}: {found}");
        }
        assert_eq!(probability_of_at_least(6, 100, 10, 5), 0.0);
        assert_eq!(probability_of_at_least(3, 3, 3, 3), 1.0);
    }

    proptest! {
        /// The definition, by adding up every case.
        #[test]
        fn the_bound_is_what_its_definition_says(population in 1u64..40, part in 0.0..=1.0f64, found in 0.0..=1.0f64) {
            let of = ((population as f64 * part) as u64).max(1);
            let hits = (of as f64 * found) as u64;
            let choose = |n: u64, k: u64| -> f64 {
                if k > n { 0.0 } else { (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64) }
            };
            let below = |bad: u64| -> f64 {
                (0..=hits).map(|k| choose(bad, k) * choose(population - bad, of - k.min(of)) ).sum::<f64>() / choose(population, of)
            };
            let goes: Vec<u64> = (hits..=population - (of - hits)).filter(|&bad| below(bad) > 0.05).collect();
            let most = max_bad(population, Proportion { hits, total: of }, 0.95).unwrap();
            prop_assert_eq!(Some(&most), goes.last());
        }

        #[test]
        fn a_plan_is_the_smallest_that_holds(population in 20u64..3000, limit in 0.01..0.3f64, accept in 0u64..4) {
            if let Some(plan) = SingleSamplingPlan::plan(population, limit, 0.95, accept) {
                let bad = bad_at(population, limit);
                prop_assert!(plan.acceptance_probability(population, bad) <= 0.05 + 1e-12);
                let smaller = SingleSamplingPlan { sample: plan.sample - 1, ..plan };
                prop_assert!(smaller.acceptance_probability(population, bad) > 0.05);
                // A user who finds as many bad ones as are accepted may claim the limit.
                let seen = Proportion { hits: accept, total: plan.sample };
                prop_assert!(max_bad(population, seen, 0.95).unwrap() < bad);
            }
        }
    }
}
