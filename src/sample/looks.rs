//! What the looks at the books of a sample say.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Result, ensure};
use rayon::prelude::*;

use endpaper_detect::pipeline::Survey;
use endpaper_detect::{Detection, Parameters};
use endpaper_evaluate::sample::{Drawn, Look, OwnError, Sample, Side, look, repeats};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::{Listing, Text};
use endpaper_truth::check::Books;
use endpaper_truth::{Record, Store, yaml};

/// The looks at a sample, and what else its truth folder holds.
pub(crate) struct Looks {
    /// For each book in the order drawn, what a look at it says; `None` if nobody has looked.
    pub looks: Vec<Option<Look>>,
    /// The same for each planted book.
    pub planted: Vec<Option<Look>>,
    /// How often second looks differ.
    pub repeats: OwnError,
    /// 16 hex digits over all records.
    pub truth: String,
    /// Books of the sample that were reviewed, but never as it: ids.
    pub other: Vec<String>,
}

impl Looks {
    /// How often planted books were found to begin or end elsewhere than is known of them.
    pub fn missed(&self, tolerated: [u64; 2]) -> OwnError {
        let mut missed = OwnError::default();
        // Without a decision before the look nothing is known that the look could differ from.
        for look in self.planted.iter().flatten().filter(|look| look.reviewed) {
            missed.add(Side::ALL.map(|side| look.is_bad(side, tolerated)));
        }
        missed
    }
}

/// Reads all records and judges the books of the sample that were looked at, as the survey has their cuts.
///
/// # Errors
///
/// A truth folder that cannot be listed; a record of a drawn book that does not parse or is about another text.
pub(crate) fn looks(
    sample: &Sample,
    store: &Store,
    listing: &Listing,
    survey: &Survey,
    max_size: u64,
) -> Result<Looks> {
    let mut records: BTreeMap<String, Record> = BTreeMap::new();
    let mut broken = Vec::new();
    if store.folder().is_dir() {
        for (path, record) in store.records()? {
            match record {
                Ok(record) => {
                    records.insert(record.book.clone(), record);
                }
                Err(error) => broken.push(format!("'{}': {error}", path.display())),
            }
        }
    }
    ensure!(
        broken.is_empty(),
        "{} records do not parse, and nobody knows of which books they are ({}): mend them",
        broken.len(),
        broken[0]
    );
    let shelf = crate::books::Shelf::new(listing, max_size);
    let detected: HashMap<&str, &Detection> = survey
        .books
        .iter()
        .map(|book| (book.book.id.as_str(), &book.summary.detection))
        .collect();
    let text = |record: &Record| -> Option<Text> {
        let text = shelf.read(&record.book)?.ok()?;
        record.is_about(&sha256(text.bytes())).then_some(text)
    };
    let drawn = sample.drawn();
    let look_at = |book: &Drawn| {
        let record = records.get(&book.id)?;
        record.reviews.iter().find(|review| review.drawn == drawn)?;
        let found = detected.get(book.id.as_str())?;
        look(&text(record)?, record, &drawn, found.cuts)
    };
    let looks: Vec<Option<Look>> = sample.books.par_iter().map(look_at).collect();
    let planted = sample.planted.par_iter().map(look_at).collect();
    let again = |record: &&Record| {
        let mut reviews = record.reviews.iter();
        reviews.any(|review| review.drawn == endpaper_truth::AGAIN)
    };
    let mut count = OwnError::default();
    for record in records.values().filter(again) {
        if let Some(text) = text(record) {
            repeats(&text, record, sample.tolerated, &mut count);
        }
    }
    let other = sample.books.iter().zip(&looks).filter_map(|(book, look)| {
        let record = records.get(&book.id)?;
        let reviewed = look.is_none() && !record.reviews.is_empty();
        reviewed.then(|| book.id.clone())
    });
    let mut all = String::new();
    for record in records.values() {
        all.push_str(&sha256(yaml::write(record).as_bytes()));
    }
    let mut truth = sha256(all.as_bytes());
    truth.truncate(16);
    Ok(Looks {
        planted,
        repeats: count,
        truth,
        other: other.collect(),
        looks,
    })
}

/// The digest of the weights that proposed cuts; `None` for a detector without.
pub(super) fn weights(parameters: &Parameters) -> Option<String> {
    use endpaper_detect::Method;
    (parameters.method == Method::Posterior).then(|| parameters.weights().digest())
}
