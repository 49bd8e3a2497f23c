//! Whether a sample certifies anything.

use super::{BookSample, Certificate, DrawnBook, Inspection, Inspections, SamplePlan};
use crate::{SequentialVerdict, probability_of_at_least};
use endpaper_detect::pipeline::CorpusReport;
use endpaper_detect::{Method, Parameters};
use endpaper_text::wording::plural;

/// Weights were fitted to the sample if a random sample would hold as many books they know with a probability below this.
const MIN_PROBABILITY: f64 = 0.001;

/// How many books are named that were reviewed, but not as the sample.
const NAMED: usize = 5;

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertifyError {
    /// Weights that do better on the sample than on the rest.
    #[error(
        "the weights were fitted to {known} of the {of} books of the sample, and to {all} of all {books}: a sample cannot certify weights that were fitted to it; use the earlier weights, or draw a new sample"
    )]
    WeightsFittedToSample {
        /// Books of the sample that the weights know.
        known: u64,
        /// Books of the sample.
        of: u64,
        /// Books of the corpus that the weights know.
        all: u64,
        /// Books of the corpus.
        books: u64,
    },
    /// Nothing is left to look at, and the plan wants more.
    #[error("all {0} books of the sample are reviewed and the plan has not decided")]
    Undecided(usize),
    /// Books that no one has examined.
    #[error(
        "{missing} of {of} {} of the sample {} not reviewed yet, the next is '{next}'{}",
        plural(*of, "book"),
        if *missing == 1 { "is" } else { "are" },
        reviewed_otherwise(other)
    )]
    Incomplete {
        /// How many.
        missing: usize,
        /// Of how many.
        of: usize,
        /// The first of them.
        next: String,
        /// Those of them that were reviewed, but not as the sample.
        other: Vec<String>,
    },
}

/// A note on the books that were reviewed outside of the sample; empty if there are none.
fn reviewed_otherwise(other: &[String]) -> String {
    let more = match other.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    match other.len() {
        0 => String::new(),
        count => format!(
            "; {count} of them were reviewed otherwise, which never counts for a sample: {}{more}",
            other[..count.min(NAMED)].join(", ")
        ),
    }
}

impl BookSample {
    /// Refuses weights that know more books of the sample than a random sample would have of those they were fitted to: they
    /// were fitted to what was seen in it, and do better on it than on the rest.
    ///
    /// # Errors
    ///
    /// [`CertifyError`] if the weights were fitted to books of the sample.
    pub fn check_weights(
        &self,
        report: &CorpusReport,
        parameters: &Parameters,
    ) -> Result<(), CertifyError> {
        if parameters.method != Method::Posterior {
            return Ok(());
        }
        let knows = |crc: u64| report.profiles.were_fitted_to(crc);
        let all = report.books.iter();
        let all = all.filter(|book| knows(book.summary.crc)).count() as u64;
        let drawn = self.books.iter();
        let crcs = drawn.filter_map(|book| u64::from_str_radix(&book.crc, 16).ok());
        let known = crcs.filter(|&crc| knows(crc)).count() as u64;
        let (of, books) = (self.books.len() as u64, report.books.len() as u64);
        // Works may represent several files; the files are the larger number, which makes the test no stricter.
        match probability_of_at_least(known, books, all, of) >= MIN_PROBABILITY {
            true => Ok(()),
            false => Err(CertifyError::WeightsFittedToSample {
                known,
                of,
                all,
                books,
            }),
        }
    }

    /// The certificate that the looks at the sample give, for the analysis they were judged by.
    ///
    /// # Errors
    ///
    /// Books that are not examined, unless a sequential plan has decided; a plan that has not.
    pub fn certify<'a>(
        &'a self,
        found: &'a Inspections,
        report: &CorpusReport,
        parameters: &Parameters,
    ) -> Result<Certificate<'a>, CertifyError> {
        let outcome = self
            .plan
            .outcome(self.population, &found.are_bad(self.tolerated));
        self.check_complete(found, outcome.verdict)?;
        let weighed = parameters.method == Method::Posterior;
        Ok(Certificate {
            sample: self,
            inspections: found,
            outcome,
            model: report.model_digest.clone(),
            detector: parameters.method.name().to_owned(),
            weights: weighed.then(|| report.profiles.digest()),
            policy: parameters.policy.name.clone(),
        })
    }

    /// Checks that every book is reviewed, unless a sequential plan was decided earlier.
    fn check_complete(
        &self,
        found: &Inspections,
        verdict: SequentialVerdict,
    ) -> Result<(), CertifyError> {
        let decided = matches!(self.plan, SamplePlan::Sequential { .. })
            && verdict != SequentialVerdict::Continue;
        if decided {
            return Ok(());
        }
        let all = self.books.iter().zip(&found.by_book);
        let all = all.chain(self.controls.iter().zip(&found.controls));
        let missing = |(book, look): (&'_ DrawnBook, &Option<Inspection>)| {
            look.is_none().then(|| book.id.clone())
        };
        let missing: Vec<String> = all.filter_map(missing).collect();
        match missing.first() {
            None if verdict == SequentialVerdict::Continue => {
                Err(CertifyError::Undecided(self.books.len()))
            }
            None => Ok(()),
            Some(next) => Err(CertifyError::Incomplete {
                missing: missing.len(),
                of: self.books.len() + self.controls.len(),
                next: next.clone(),
                other: found.reviewed_outside_sample.clone(),
            }),
        }
    }
}
