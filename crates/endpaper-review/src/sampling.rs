//! The review of a sample: its books come up blind in the order drawn, and the screen shows the progress of the plan.

use std::collections::{BTreeMap, BTreeSet};

use endpaper_detect::Cuts;
use endpaper_evaluate::sample::{InspectionSide, SampleOutcome, SamplePlan, inspect, percent};
use endpaper_evaluate::{SequentialVerdict, max_bad};
use endpaper_text::corpus::BookText;
use endpaper_truth::Record;

/// The sample of a sitting.
#[derive(Clone, Debug)]
pub struct SampleSitting {
    /// The tag in its reviews: `sample:` and the digest of the sample.
    pub review_tag: String,
    /// Number of books from which the sample was drawn.
    pub population: u64,
    /// What the sample is meant to show.
    pub plan: SamplePlan,
    /// Tolerated errors per book, in lines: lost body lines, remaining boilerplate lines.
    pub tolerated: [u64; 2],
    /// Indices of the books into the entries, in the order they come up.
    pub books: Vec<usize>,
    /// Those of `books` that are controls. The screen never marks them.
    pub controls: BTreeSet<usize>,
    /// For each examined book, whether it is bad.
    pub bad: BTreeMap<usize, bool>,
    /// Examined books that the curator went back to, for a second opinion.
    pub second_opinions: BTreeSet<usize>,
}

impl SampleSitting {
    /// Whether a book is still to be examined. Once a sequential plan has decided, no book is.
    pub fn is_unreviewed(&self, book: usize) -> bool {
        self.books.contains(&book) && !self.is_examined(book) && !self.has_decided()
    }

    /// Whether a book has the opinion that counts.
    fn is_examined(&self, book: usize) -> bool {
        self.bad.contains_key(&book) && !self.second_opinions.contains(&book)
    }

    /// Whether a book awaits an opinion: it has none yet, or the curator went back for a second one.
    pub fn awaits_opinion(&self, book: usize, record: Option<&Record>) -> bool {
        let has_one = record.is_some_and(|record| self.has_inspection(record));
        self.books.contains(&book) && (!has_one || self.second_opinions.contains(&book))
    }

    /// Whether the plan is sequential and has decided.
    fn has_decided(&self) -> bool {
        matches!(self.plan, SamplePlan::Sequential { .. })
            && self.outcome().verdict != SequentialVerdict::Continue
    }

    /// Whether no book is to be examined any more. Until then nothing may be told of the outcome: it depends on what the
    /// detector has, which a blind curator must not know.
    fn is_finished(&self) -> bool {
        self.has_decided() || self.books.iter().all(|&book| self.is_examined(book))
    }

    /// Whether the curator went back for a second opinion on a book that was first decided in this sample: the record then
    /// follows the last opinion. A decision from before the sample is what the sample judges, and stays.
    pub fn may_be_revised(&self, book: usize, record: &Record) -> bool {
        let first = record
            .reviews
            .iter()
            .find(|review| review.verdict.is_decided());
        self.second_opinions.contains(&book)
            && first.is_some_and(|review| review.drawn == self.review_tag)
    }

    /// Whether a record has a review of this sample.
    fn has_inspection(&self, record: &Record) -> bool {
        let mut reviews = record.reviews.iter();
        reviews.any(|review| review.drawn == self.review_tag)
    }

    /// Enters the result of a saved record; ignores a record without a review of this sample.
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
            self.second_opinions.remove(&book);
        }
    }

    /// The outcome of the books examined so far, without the controls.
    pub fn outcome(&self) -> SampleOutcome {
        let drawn = self.books.iter();
        let drawn = drawn.filter(|book| !self.controls.contains(book));
        let bad: Vec<Option<bool>> = drawn.map(|book| self.bad.get(book).copied()).collect();
        let outcome = self.plan.outcome(self.population, &bad);
        let decided = matches!(self.plan, SamplePlan::Sequential { .. });
        match !self.controls.iter().all(|&book| self.is_examined(book)) && !decided {
            // A plan of fixed size accepts only after all controls are examined.
            true if outcome.verdict == SequentialVerdict::Accepted => SampleOutcome {
                verdict: SequentialVerdict::Continue,
                ..outcome
            },
            _ => outcome,
        }
    }

    /// How many books are examined (`3 of 11 decided`, `3 decided, continue`); after the last one the verdict, bad and examined
    /// books, and the upper bound of the bad share: `accepted, 0/11 bad (<=17%)`.
    pub fn short_summary(&self) -> String {
        if !self.is_finished() {
            return self.progress();
        }
        let (word, seen, bound) = self.parts();
        format!("{word}, {}/{} bad (<={bound}%)", seen.0, seen.1)
    }

    /// The long form of [`SampleSitting::short_summary`].
    pub fn summary(&self) -> String {
        if !self.is_finished() {
            return format!("sample: {}", self.progress());
        }
        let (word, (hits, of), bound) = self.parts();
        let all = self.books.len();
        format!("sample: {of} of {all} reviewed, {hits} bad, at most {bound} % of all: {word}")
    }

    /// How many books were examined, for the status line.
    fn progress(&self) -> String {
        let books = self.books.iter();
        let done = books.filter(|&&book| self.is_examined(book)).count();
        match self.plan {
            // Its length would tell what is known so far.
            SamplePlan::Sequential { .. } => format!("{done} decided, continue"),
            _ => format!("{done} of {} decided", self.books.len()),
        }
    }

    /// What was seen and what it proves: the outcome, the bad books, and the bound on their share.
    fn parts(&self) -> (&'static str, (u64, u64), String) {
        let SampleOutcome { seen, verdict } = self.outcome();
        let most = max_bad(self.population, seen, self.plan.confidence());
        let share = most.unwrap_or(self.population) as f64 / self.population.max(1) as f64;
        // Whole percents, rounded up: decimals would only distract in a status line.
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
            second_opinions: BTreeSet::new(),
        };
        assert_eq!(sampling.short_summary(), "0 of 11 decided");
        assert!(sampling.is_unreviewed(10) && !sampling.is_unreviewed(9));
        // Nothing is told of the outcome before the last book, whatever was found.
        sampling.bad.extend((10..20).map(|book| (book, book == 12)));
        assert_eq!(sampling.summary(), "sample: 10 of 11 decided");
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
        assert_eq!(sampling.short_summary(), "11 of 12 decided");
        sampling.bad.insert(9, true);
        assert_eq!(sampling.short_summary(), "accepted, 0/12 bad (<=17%)");
    }
}
