//! Where the books of a sample are in a corpus.

use std::collections::HashMap;

use super::{BookSample, DrawnBook};
use endpaper_detect::pipeline::CorpusReport;
use endpaper_text::corpus::Listing;

/// How many books are named that are missing or changed.
const NAMED: usize = 5;

/// Where the books of a sample are in a listing, by their ids.
#[derive(Debug)]
pub struct SamplePositions(HashMap<String, usize>);

/// A sample that is not of this corpus.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SamplePositionsError {
    /// The corpus has other books.
    #[error(
        "the sample was drawn from another corpus (digest {sample}, this one has {corpus}; {named}): name the corpus it was drawn from, or draw a new sample from this one"
    )]
    OtherCorpus {
        /// The digest of the corpus it was drawn from.
        sample: String,
        /// The digest of this one.
        corpus: String,
        /// Which of its books are missing or changed, in words.
        named: String,
    },
    /// The corpus is the same, and yet a book is not in it.
    #[error(
        "'{0}' is not in the corpus that the sample names; the sample file was edited: draw a new sample"
    )]
    Edited(String),
}

impl SamplePositions {
    /// The places of the drawn and of the control books in a listing.
    ///
    /// # Errors
    ///
    /// A sample that was drawn from another corpus: the books of it that are missing or changed are named.
    pub fn find(
        sample: &BookSample,
        listing: &Listing,
        report: &CorpusReport,
    ) -> Result<SamplePositions, SamplePositionsError> {
        if report.corpus_digest != sample.corpus {
            return Err(SamplePositionsError::OtherCorpus {
                sample: sample.corpus.clone(),
                corpus: report.corpus_digest.clone(),
                named: differences(sample, report),
            });
        }
        let places = (0..).zip(&listing.books);
        let places: HashMap<&str, usize> =
            places.map(|(at, book)| (book.id.as_str(), at)).collect();
        let found = sample.books.iter().chain(&sample.controls).map(|drawn| {
            let at = places.get(drawn.id.as_str()).copied();
            let at = at.filter(|_| report.index_of(&drawn.id).is_some());
            let at = at.ok_or_else(|| SamplePositionsError::Edited(drawn.id.clone()))?;
            Ok((drawn.id.clone(), at))
        });
        Ok(SamplePositions(found.collect::<Result<_, _>>()?))
    }

    /// Where they are, in their order.
    pub fn positions<'a>(&self, books: impl IntoIterator<Item = &'a DrawnBook>) -> Vec<usize> {
        let books = books.into_iter();
        books
            .filter_map(|book| self.0.get(&book.id).copied())
            .collect()
    }
}

/// Which books of a sample are missing or changed.
fn differences(sample: &BookSample, report: &CorpusReport) -> String {
    let wrong = |drawn: &DrawnBook| match report.index_of(&drawn.id) {
        None => Some(format!("'{}' is missing", drawn.id)),
        Some(at) if format!("{:016x}", report.books[at].summary.crc) != drawn.crc => {
            Some(format!("'{}' has changed", drawn.id))
        }
        Some(_) => None,
    };
    let books = sample.books.iter().chain(&sample.controls);
    let mut wrong: Vec<String> = books.filter_map(wrong).collect();
    let more = wrong.len().saturating_sub(NAMED);
    wrong.truncate(NAMED);
    match (wrong.is_empty(), more) {
        (true, _) => "all books of the sample are there unchanged, others are not".to_owned(),
        (false, 0) => wrong.join(", "),
        (false, more) => format!("{}, and {more} more", wrong.join(", ")),
    }
}
