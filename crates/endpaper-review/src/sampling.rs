//! A sitting over the books of a sample: in the order drawn, blind, and how far its plan is.

use std::collections::{BTreeMap, BTreeSet};

use endpaper_detect::Cuts;
use endpaper_evaluate::sample::{InspectionSide, SampleOutcome, SamplePlan, inspect, percent};
use endpaper_evaluate::{SequentialVerdict, max_bad};
use endpaper_text::corpus::BookText;
use endpaper_truth::Record;

/// The sample of a sitting.
#[derive(Clone, Debug)]
pub struct SampleSitting {
    /// What reviews say: `sample:` and the digest.
    pub review_tag: String,
    /// Books that could be drawn.
    pub population: u64,
    /// What it is to show.
    pub plan: SamplePlan,
    /// Lines that make no book bad: of the book lost, of boilerplate left.
    pub tolerated: [u64; 2],
    /// Indices of its books into the entries, in the order they come up.
    pub books: Vec<usize>,
    /// The controls among them. Nothing on the screen distinguishes them.
    pub controls: BTreeSet<usize>,
    /// Books that were examined, and whether each is bad.
    pub bad: BTreeMap<usize, bool>,
}

impl SampleSitting {
    /// A book of the sample that has not been reviewed.
    pub fn is_unreviewed(&self, book: usize) -> bool {
        self.books.contains(&book) && !self.bad.contains_key(&book)
    }

    /// Whether a record has a look in this sample.
    pub fn has_inspection(&self, record: &Record) -> bool {
        let mut reviews = record.reviews.iter();
        reviews.any(|review| review.drawn == self.review_tag)
    }

    /// A record was saved.
    pub fn record_inspection(
        &mut self,
        book: usize,
        text: &BookText,
        record: &Record,
        detected: Cuts,
    ) {
        if let Some(look) = inspect(text, record, &self.review_tag, detected) {
            self.bad
                .insert(book, look.is_bad(InspectionSide::Either, self.tolerated));
        }
    }

    /// What follows from the looks so far.
    pub fn outcome(&self) -> SampleOutcome {
        let drawn = self.books.iter();
        let drawn = drawn.filter(|book| !self.controls.contains(book));
        let bad: Vec<Option<bool>> = drawn.map(|book| self.bad.get(book).copied()).collect();
        let outcome = self.plan.outcome(self.population, &bad);
        let decided = matches!(self.plan, SamplePlan::Sequential { .. });
        match self.controls.iter().any(|&book| self.is_unreviewed(book)) && !decided {
            // A certificate needs them all.
            true if outcome.verdict == SequentialVerdict::Accepted => SampleOutcome {
                verdict: SequentialVerdict::Continue,
                ..outcome
            },
            _ => outcome,
        }
    }

    /// `continue, 0/3 bad (<=63%)`: what to do, bad ones of those examined, and the share of the corpus that is bad at most.
    pub fn short_summary(&self) -> String {
        let (word, seen, bound) = self.parts();
        format!("{word}, {}/{} bad (<={bound}%)", seen.0, seen.1)
    }

    /// The same in words.
    pub fn summary(&self) -> String {
        let (word, (hits, of), bound) = self.parts();
        let all = self.books.len();
        format!("sample: {of} of {all} reviewed, {hits} bad, at most {bound} % of all: {word}")
    }

    fn parts(&self) -> (&'static str, (u64, u64), String) {
        let SampleOutcome { seen, verdict } = self.outcome();
        let most = max_bad(self.population, seen, self.plan.confidence());
        let share = most.unwrap_or(self.population) as f64 / self.population.max(1) as f64;
        // Whole percents, rounded up: more would be noise on a line that is glanced at.
        let bound = percent((share * 100.0 - 1e-9).ceil() / 100.0);
        let word = match verdict {
            SequentialVerdict::Accepted => "accepted",
            SequentialVerdict::Rejected => "rejected",
            SequentialVerdict::Continue => "continue",
        };
        let planted = self.controls.iter();
        let planted = planted.filter(|book| self.bad.contains_key(book));
        (
            word,
            (seen.hits, seen.total + planted.count() as u64),
            bound,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_the_plan_is() {
        let mut sampling = SampleSitting {
            review_tag: "sample:1".to_owned(),
            population: 30,
            plan: SamplePlan::Single {
                limit: 0.2,
                confidence: 0.95,
                accept: 0,
            },
            tolerated: [0, 0],
            books: (10..21).rev().collect(),
            controls: BTreeSet::new(),
            bad: BTreeMap::new(),
        };
        assert_eq!(sampling.short_summary(), "continue, 0/0 bad (<=100%)");
        assert!(sampling.is_unreviewed(10) && !sampling.is_unreviewed(9));
        sampling.bad.extend((10..21).map(|book| (book, false)));
        assert_eq!(sampling.short_summary(), "accepted, 0/11 bad (<=17%)");
        sampling.bad.insert(12, true);
        assert_eq!(
            sampling.summary(),
            "sample: 11 of 11 reviewed, 1 bad, at most 30 % of all: rejected"
        );
        assert!(!sampling.is_unreviewed(10));
        // Control books are examined like the others and never enter the estimate.
        sampling.bad.insert(12, false);
        sampling.books.insert(3, 9);
        sampling.controls.insert(9);
        assert_eq!(sampling.short_summary(), "continue, 0/11 bad (<=17%)");
        sampling.bad.insert(9, true);
        assert_eq!(sampling.short_summary(), "accepted, 0/12 bad (<=17%)");
    }
}
