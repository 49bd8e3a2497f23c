//! What a sample is to show, and whether it does.

use serde::{Deserialize, Serialize};

use crate::acceptance::bad_at;
use crate::{Proportion, SequentialPlan, SequentialVerdict, SingleSamplingPlan, max_bad};

/// The plan of a sample: which share of bad books it must be able to exclude. Shares are from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SamplePlan {
    /// Accepted if at most `accept` books are bad: then fewer than `limit` of the corpus are, at the confidence.
    Single {
        /// The limiting quality.
        limit: f64,
        /// Confidence of every bound.
        confidence: f64,
        /// Bad books that are accepted.
        accept: u64,
    },
    /// As many books as a person wanted: accepted if the bound lies below the limit.
    Size {
        /// The limiting quality.
        limit: f64,
        /// Confidence of every bound.
        confidence: f64,
    },
    /// Wald's test, book after book in the order drawn.
    Sequential {
        /// A corpus with this share of bad books should pass.
        good: f64,
        /// A corpus with this share of bad books should not pass.
        bad: f64,
        /// The probability of each of the two errors, at most.
        risk: f64,
    },
}

/// Why a plan cannot prove anything.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SamplePlanError {
    /// A figure that is not a share.
    #[error("its plan has {name} {value}, which must lie between 0 and {most}; draw a new sample")]
    NoShare {
        /// Of what.
        name: &'static str,
        /// The figure.
        value: f64,
        /// What it must be less than.
        most: f64,
    },
    /// More bad books are accepted than there may be.
    #[error(
        "no sample of {population} books can show that fewer than {} % of them are bad while {accept} bad ones are accepted, since {} % of them are {bad}: accept fewer, or choose a higher limit",
        percent(*limit),
        percent(*limit)
    )]
    Unmeetable {
        /// Books that can be drawn.
        population: u64,
        /// The limiting quality.
        limit: f64,
        /// Bad books that are accepted.
        accept: u64,
        /// Bad books at the limit.
        bad: u64,
    },
    /// Wald's test does not exist for these figures.
    #[error("the sequential plan has no lines of decision")]
    NoLines,
    /// Wald's test cannot accept what is so small.
    #[error(
        "{population} books are too few for this plan, which needs {earliest} good ones before it accepts"
    )]
    TooFew {
        /// Books that can be drawn.
        population: u64,
        /// When it accepts at the earliest.
        earliest: u64,
    },
}

/// The bad books seen in a sample, and the verdict of its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleOutcome {
    /// Bad books among those that count.
    pub seen: Proportion,
    /// What follows.
    pub verdict: SequentialVerdict,
}

impl SamplePlan {
    /// Checks the numbers of the plan.
    ///
    /// # Errors
    ///
    /// A number that is not between its limits.
    pub fn check(&self) -> Result<(), SamplePlanError> {
        let share = |name, value: f64, most: f64| match value > 0.0 && value < most {
            true => Ok(()),
            false => Err(SamplePlanError::NoShare { name, value, most }),
        };
        match *self {
            SamplePlan::Single {
                limit, confidence, ..
            }
            | SamplePlan::Size { limit, confidence } => {
                share("limit", limit, 1.0)?;
                share("confidence", confidence, 1.0)
            }
            SamplePlan::Sequential { good, bad, risk } => {
                share("good", good, bad)?;
                share("bad", bad, 1.0)?;
                share("risk", risk, 0.5)
            }
        }
    }

    /// Confidence of every bound.
    pub fn confidence(&self) -> f64 {
        match *self {
            SamplePlan::Single { confidence, .. } | SamplePlan::Size { confidence, .. } => {
                confidence
            }
            SamplePlan::Sequential { risk, .. } => 1.0 - risk,
        }
    }

    /// The number of books to draw from `population`.
    ///
    /// # Errors
    ///
    /// Invalid numbers, or a plan that `population` books cannot meet.
    pub fn size(&self, population: u64) -> Result<u64, SamplePlanError> {
        self.check()?;
        match *self {
            SamplePlan::Single {
                limit,
                confidence,
                accept,
            } => {
                let plan = SingleSamplingPlan::plan(population, limit, confidence, accept);
                plan.map(|plan| plan.sample)
                    .ok_or(SamplePlanError::Unmeetable {
                        population,
                        limit,
                        accept,
                        bad: bad_at(population, limit),
                    })
            }
            SamplePlan::Size { .. } => Ok(population),
            SamplePlan::Sequential { good, bad, risk } => {
                let plan = SequentialPlan::plan(good, bad, risk);
                let plan = plan.ok_or(SamplePlanError::NoLines)?;
                // Where it lasts longest it takes about this many books on average; three times as many is where Wald
                // would stop.
                let longest = plan.accept * plan.reject / (plan.slope * (1.0 - plan.slope));
                let size = (3.0 * longest).ceil() as u64;
                let earliest = plan.earliest();
                if earliest > population {
                    return Err(SamplePlanError::TooFew {
                        population,
                        earliest,
                    });
                }
                Ok(size.min(population))
            }
        }
    }

    /// What follows from what was seen: for each book in the order drawn whether it is bad, `None` if no one has looked.
    pub fn outcome(&self, population: u64, bad: &[Option<bool>]) -> SampleOutcome {
        let mut seen = Proportion::default();
        if let SamplePlan::Sequential {
            good,
            bad: high,
            risk,
        } = *self
        {
            let plan = SequentialPlan::plan(good, high, risk);
            // What comes after a book that no one examined is in no order yet.
            for bad in bad.iter().map_while(|bad| *bad) {
                seen.add(bad);
                let verdict = plan.map_or(SequentialVerdict::Continue, |plan| plan.verdict(seen));
                if verdict != SequentialVerdict::Continue {
                    return SampleOutcome { seen, verdict };
                }
            }
            let all = seen.total == population && population > 0;
            let verdict = match all {
                // Every book was examined: there is nothing left to be unsure of.
                true if (seen.hits as f64) < high * population as f64 => {
                    SequentialVerdict::Accepted
                }
                true => SequentialVerdict::Rejected,
                false => SequentialVerdict::Continue,
            };
            return SampleOutcome { seen, verdict };
        }
        bad.iter().flatten().for_each(|bad| seen.add(*bad));
        let complete = seen.total == bad.len() as u64;
        let passes = match *self {
            SamplePlan::Size { limit, confidence } => max_bad(population, seen, confidence)
                .is_some_and(|most| (most as f64) < limit * population as f64),
            SamplePlan::Single { accept, .. } => seen.hits <= accept,
            SamplePlan::Sequential { .. } => false,
        };
        // What was found is not lost by looking further.
        let hopeless = matches!(*self, SamplePlan::Single { accept, .. } if seen.hits > accept);
        let verdict = match (complete, passes) {
            (true, true) => SequentialVerdict::Accepted,
            (true, false) => SequentialVerdict::Rejected,
            (false, _) if hopeless => SequentialVerdict::Rejected,
            (false, _) => SequentialVerdict::Continue,
        };
        SampleOutcome { seen, verdict }
    }

    /// In words, for a certificate.
    pub fn in_words(&self, size: u64) -> String {
        match *self {
            SamplePlan::Single {
                limit,
                confidence,
                accept,
            } => format!(
                "{size} to look at, accepted with at most {accept} bad: then fewer than {} % are bad at {} % confidence (exact hypergeometric plan, limiting quality as ISO 2859-2)",
                percent(limit),
                percent(confidence)
            ),
            SamplePlan::Size { limit, confidence } => format!(
                "{size} to look at, accepted if fewer than {} % are bad at {} % confidence",
                percent(limit),
                percent(confidence)
            ),
            SamplePlan::Sequential { good, bad, risk } => format!(
                "one after another until decided, at most {size}: with {} % bad it is rejected, and with {} % bad accepted, with a probability of at most {} % (Wald's sequential test)",
                percent(good),
                percent(bad),
                percent(risk)
            ),
        }
    }

    /// The plan as the YAML mapping of a sample file.
    pub(super) fn to_yaml(self) -> String {
        match self {
            SamplePlan::Single {
                limit,
                confidence,
                accept,
            } => {
                format!(
                    "{{kind: single, limit: {limit:?}, confidence: {confidence:?}, accept: {accept}}}"
                )
            }
            SamplePlan::Size { limit, confidence } => {
                format!("{{kind: size, limit: {limit:?}, confidence: {confidence:?}}}")
            }
            SamplePlan::Sequential { good, bad, risk } => {
                format!("{{kind: sequential, good: {good:?}, bad: {bad:?}, risk: {risk:?}}}")
            }
        }
    }
}

/// A share as percent, with as many digits as it needs, two at most.
pub fn percent(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEQUENTIAL: SamplePlan = SamplePlan::Sequential {
        good: 0.01,
        bad: 0.03,
        risk: 0.05,
    };

    fn single(limit: f64, accept: u64) -> SamplePlan {
        SamplePlan::Single {
            limit,
            confidence: 0.95,
            accept,
        }
    }

    #[test]
    fn sizes_are_those_of_the_exact_plans() {
        let table = [
            (single(0.01, 0), 1_000, 258),
            (single(0.02, 0), 1_000_000_000, 149),
            (SEQUENTIAL, 1_000_000, 1161),
            (SEQUENTIAL, 200, 200),
        ];
        for (plan, population, size) in table {
            assert_eq!(plan.size(population).unwrap(), size, "{plan:?}");
        }
        let refused = [
            (single(0.01, 2), 200, "accept fewer"),
            (SEQUENTIAL, 100, "needs 145 good ones"),
        ];
        for (plan, population, reason) in refused {
            let error = plan.size(population).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn verdicts_follow_from_what_was_seen() {
        let looked = |good: usize, bad: usize, left: usize| {
            let mut books = vec![Some(false); good];
            books.extend(vec![Some(true); bad]);
            books.extend(vec![None; left]);
            books
        };
        let size = SamplePlan::Size {
            limit: 0.05,
            confidence: 0.95,
        };
        let table = [
            (
                single(0.02, 1),
                looked(99, 1, 0),
                SequentialVerdict::Accepted,
            ),
            (
                single(0.02, 1),
                looked(98, 2, 0),
                SequentialVerdict::Rejected,
            ),
            (
                single(0.02, 1),
                looked(50, 1, 49),
                SequentialVerdict::Continue,
            ),
            (
                single(0.02, 1),
                looked(50, 2, 48),
                SequentialVerdict::Rejected,
            ),
            (size, looked(57, 0, 0), SequentialVerdict::Accepted),
            (size, looked(40, 0, 0), SequentialVerdict::Rejected),
            (size, looked(57, 0, 1), SequentialVerdict::Continue),
            (SEQUENTIAL, looked(145, 0, 300), SequentialVerdict::Accepted),
            (SEQUENTIAL, looked(144, 0, 300), SequentialVerdict::Continue),
            (SEQUENTIAL, looked(17, 3, 300), SequentialVerdict::Rejected),
            // Every book of the corpus was examined.
            (SEQUENTIAL, looked(990, 10, 0), SequentialVerdict::Accepted),
        ];
        for (plan, bad, verdict) in table {
            let outcome = plan.outcome(1000, &bad);
            assert_eq!(outcome.verdict, verdict, "{plan:?} {}", bad.len());
        }
        // After a gap nothing counts.
        let gap = [Some(false), None, Some(true)];
        assert_eq!(SEQUENTIAL.outcome(1000, &gap).seen.total, 1);
    }

    #[test]
    fn percent_has_no_idle_digits() {
        for (share, text) in [(0.02, "2"), (0.005, "0.5"), (0.95, "95"), (0.0298, "2.98")] {
            assert_eq!(percent(share), text);
        }
    }
}
