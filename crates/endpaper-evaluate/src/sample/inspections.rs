//! What the looks at the books of a sample say.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use rayon::prelude::*;

use super::{
    BookSample, DrawnBook, Inspection, InspectionSide, ReviewerError, count_repeated_reviews,
    inspect,
};
use endpaper_detect::Cuts;
use endpaper_detect::pipeline::CorpusReport;
use endpaper_text::checksum::sha256;
use endpaper_truth::check::ListedBooks;
use endpaper_truth::{Record, SECOND_LOOK, Store, yaml};

/// The inspections of a sample, and the rest of its truth folder.
#[derive(Debug)]
pub struct Inspections {
    /// For each book in the order drawn, its inspection; `None` if it was not reviewed.
    pub by_book: Vec<Option<Inspection>>,
    /// The same for each control book.
    pub controls: Vec<Option<Inspection>>,
    /// How often second looks differ.
    pub reviewer_error: ReviewerError,
    /// 16 hex digits over all records.
    pub truth_digest: String,
    /// Books of the sample that were reviewed, but never as it: ids.
    pub reviewed_outside_sample: Vec<String>,
}

/// Why it cannot be determined which books were examined.
#[derive(Debug, thiserror::Error)]
pub enum InspectionsError {
    /// Records that no one knows the books of.
    #[error(
        "{count} records do not parse, and their books are unknown ('{}': {error}): fix them",
        first.display()
    )]
    Broken {
        /// How many.
        count: usize,
        /// The file of the first.
        first: PathBuf,
        /// What is wrong with it.
        error: yaml::ParseError,
    },
    /// The truth folder cannot be listed.
    #[error(transparent)]
    Store(#[from] anyhow::Error),
}

impl Inspections {
    /// Reads all records and judges the books of the sample that were examined, as the analysis has their cuts.
    ///
    /// # Errors
    ///
    /// A truth folder that cannot be listed; a record that does not parse.
    pub fn read(
        sample: &BookSample,
        store: &Store,
        shelf: &ListedBooks<'_>,
        report: &CorpusReport,
    ) -> Result<Inspections, InspectionsError> {
        let records = records(store)?;
        let looker = InspectionFinder {
            drawn: sample.review_tag(),
            records: &records,
            shelf,
            detected: detected(report),
        };
        let features: Vec<Option<Inspection>> = sample
            .books
            .par_iter()
            .map(|it| looker.inspect(it))
            .collect();
        let planted = sample.controls.par_iter().map(|it| looker.inspect(it));
        let other = sample
            .books
            .iter()
            .zip(&features)
            .filter_map(|(book, look)| {
                let record = records.get(&book.id)?;
                let reviewed = look.is_none() && !record.reviews.is_empty();
                reviewed.then(|| book.id.clone())
            });
        Ok(Inspections {
            controls: planted.collect(),
            reviewer_error: repeated_review_error(&records, shelf, sample.tolerated),
            truth_digest: digest(&records),
            reviewed_outside_sample: other.collect(),
            by_book: features,
        })
    }

    /// For each book in the order drawn whether it is bad; `None` if no one has looked.
    pub fn are_bad(&self, tolerated: [u64; 2]) -> Vec<Option<bool>> {
        let bad = |look: &Inspection| look.is_bad(InspectionSide::Either, tolerated);
        let features = self.by_book.iter();
        features.map(|look| look.as_ref().map(bad)).collect()
    }

    /// How often control books were found to begin or end elsewhere than is known of them.
    pub fn control_error(&self, tolerated: [u64; 2]) -> ReviewerError {
        let mut missed = ReviewerError::default();
        // Without a decision before the look nothing is known that the look could differ from.
        for look in self.controls.iter().flatten().filter(|look| look.reviewed) {
            missed.add(InspectionSide::ALL.map(|side| look.is_bad(side, tolerated)));
        }
        missed
    }
}

/// All records of a truth folder by the ids of their books; none where there is no folder yet.
fn records(store: &Store) -> Result<BTreeMap<String, Record>, InspectionsError> {
    let mut records = BTreeMap::new();
    let mut broken = Vec::new();
    if store.folder().is_dir() {
        for (path, record) in store.records()? {
            match record {
                Ok(record) => {
                    records.insert(record.book.clone(), record);
                }
                Err(error) => broken.push((path, error)),
            }
        }
    }
    let count = broken.len();
    match broken.into_iter().next() {
        None => Ok(records),
        Some((first, error)) => Err(InspectionsError::Broken {
            count,
            first,
            error,
        }),
    }
}

/// The detector's cuts by the ids of books.
fn detected(report: &CorpusReport) -> HashMap<&str, Cuts> {
    let books = report.books.iter();
    books
        .map(|book| (book.book.id.as_str(), book.summary.detection.cuts))
        .collect()
}

/// Finds the inspections of drawn books in the records of a truth folder.
struct InspectionFinder<'a> {
    /// What reviews of this sample say.
    drawn: String,
    records: &'a BTreeMap<String, Record>,
    shelf: &'a ListedBooks<'a>,
    detected: HashMap<&'a str, Cuts>,
}

impl InspectionFinder<'_> {
    /// The inspection of a drawn book; `None` if it was not reviewed for this sample.
    fn inspect(&self, book: &DrawnBook) -> Option<Inspection> {
        let record = self.records.get(&book.id)?;
        let mut reviews = record.reviews.iter();
        reviews.find(|review| review.drawn == self.drawn)?;
        let detected = self.detected.get(book.id.as_str())?;
        inspect(&self.shelf.text_of(record)?, record, &self.drawn, *detected)
    }
}

/// How often blind second looks differ from the first.
fn repeated_review_error(
    records: &BTreeMap<String, Record>,
    shelf: &ListedBooks<'_>,
    tolerated: [u64; 2],
) -> ReviewerError {
    let again = |record: &&Record| {
        record
            .reviews
            .iter()
            .any(|review| review.drawn == SECOND_LOOK)
    };
    let mut count = ReviewerError::default();
    for record in records.values().filter(again) {
        if let Some(text) = shelf.text_of(record) {
            count_repeated_reviews(&text, record, tolerated, &mut count);
        }
    }
    count
}

/// The first 16 hexadecimal digits of a SHA-256 of all records.
fn digest(records: &BTreeMap<String, Record>) -> String {
    let each = records
        .values()
        .map(|record| sha256(yaml::write(record).as_bytes()));
    let mut digest = sha256(each.collect::<String>().as_bytes());
    digest.truncate(16);
    digest
}
