//! Which records the detector may learn from.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;

use super::file_name::is_record_file;
use super::{Record, RecordKind, SAMPLE, Store, Verdict};
use endpaper_detect::Policy;
use endpaper_detect::pipeline::Lesson;

impl Record {
    /// What the record teaches: its cuts, if somebody decided them by the default policy, and not for a sample, which measures
    /// the proposals.
    pub fn lesson(&self) -> Option<Lesson> {
        let is_sampled = |drawn: &str| drawn.starts_with(SAMPLE);
        let teaches = matches!(self.verdict, Verdict::Confirmed | Verdict::Corrected)
            && self.kind == RecordKind::Book
            && self.policy == Policy::default().name
            && !self
                .reviews
                .iter()
                .any(|review| is_sampled(&review.drawn) || review.blind);
        teaches.then(|| Lesson {
            book: self.book.clone(),
            cuts: self.cuts,
            bytes: self.source.bytes,
            lines: self.source.lines,
        })
    }
}

/// What a truth folder teaches.
#[derive(Clone, Debug)]
pub struct Lessons {
    /// The decided books.
    pub taught: Arc<[Lesson]>,
    /// Files from which nothing is learned because something is wrong with them, with the reason.
    pub unsound: Vec<(PathBuf, String)>,
}

impl Store {
    /// What the valid records of the folder teach, in the order of their files.
    ///
    /// # Errors
    ///
    /// The folder cannot be listed.
    pub fn lessons(&self) -> Result<Lessons> {
        let (mut lessons, mut unsound) = (Vec::new(), Vec::new());
        for (file, record) in self.valid_records()? {
            match record {
                // A second file on the same book would count the book twice.
                Ok(record) if !is_record_file(&file, &record.book) => {
                    let why = format!("it is not where the record of '{}' belongs", record.book);
                    unsound.push((file, why));
                }
                Ok(record) => lessons.extend(record.lesson()),
                Err(why) => unsound.push((file, why.to_string())),
            }
        }
        Ok(Lessons {
            taught: lessons.into(),
            unsound,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Review, SourceFacts};

    #[test]
    fn only_verdicts_by_the_guide_that_measure_nothing_teach() {
        let review = |drawn: &str, blind: bool| Review {
            drawn: drawn.to_owned(),
            blind,
            ..Review::default()
        };
        let record = || {
            let mut record = Record::new("a", SourceFacts::default());
            record.verdict = Verdict::Corrected;
            record.reviews = vec![review("queue", false)];
            record
        };
        assert!(record().lesson().is_some());
        let cases: [fn(&mut Record); 4] = [
            |record| record.verdict = Verdict::Open,
            |record| record.verdict = Verdict::Undecidable,
            |record| record.kind = RecordKind::SeveralBooks,
            |record| record.policy = "keep-notes".to_owned(),
        ];
        for (at, change) in cases.iter().enumerate() {
            let mut changed = record();
            change(&mut changed);
            assert!(changed.lesson().is_none(), "{at}");
        }
        for review in [review("sample:77", false), review("queue", true)] {
            let mut sampled = record();
            sampled.reviews.push(review);
            assert!(sampled.lesson().is_none());
        }
    }
}
