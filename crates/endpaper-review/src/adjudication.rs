//! Adjudication: reviews only the books whose records differ, with the opinion of each curator on a digit.

use std::sync::Arc;

use anyhow::Result;

use crate::dispute::{Dispute, Disputes};
use crate::terminal::Records;
use endpaper_text::corpus::Listing;
use endpaper_truth::merge::{MergeSide, add_reviews, joined_notes, merge};
use endpaper_truth::{Record, SaveError, SavedRecord, Snapshot, Store, StoredRecord, Verdict};

/// The books to adjudicate.
#[derive(Debug)]
pub struct Adjudication {
    /// The opinions to choose from, by book id.
    pub disputes: Arc<Disputes>,
}

/// Why there is nothing to adjudicate.
#[derive(Debug, thiserror::Error)]
pub enum AdjudicationError {
    /// No records differ.
    #[error("nothing to adjudicate: no two records differ, or all conflicts are resolved")]
    Nothing,
    /// The corpus has none of the books.
    #[error("none of the {0} books to adjudicate is in the corpus; name the folder they are below")]
    NoneHere(usize),
    /// The records that resolve conflicts cannot be read.
    #[error(transparent)]
    Store(#[from] anyhow::Error),
}

impl Adjudication {
    /// Finds the books on which the sides differ and `into` does not settle. Shows the names of curators if `show_names`.
    ///
    /// # Errors
    ///
    /// The sides do not differ, or records of `into` cannot be read.
    pub fn find_disputes(
        sides: &[MergeSide],
        base: Option<&MergeSide>,
        into: &Store,
        show_names: bool,
    ) -> Result<Adjudication, AdjudicationError> {
        let merge = merge(base, sides);
        let disputes: Disputes = merge
            .open_conflicts(into)?
            .into_iter()
            .map(|(book, conflict)| {
                (
                    book.to_owned(),
                    Arc::new(Dispute::new(conflict, show_names)),
                )
            })
            .collect();
        if disputes.is_empty() {
            return Err(AdjudicationError::Nothing);
        }
        Ok(Adjudication {
            disputes: Arc::new(disputes),
        })
    }

    /// Restricts a listing to these books; returns the number of books that are not in it.
    ///
    /// # Errors
    ///
    /// The listing has none of these books.
    pub fn limit(&self, listing: &mut Listing) -> Result<usize, AdjudicationError> {
        let wanted = |id: &str| self.disputes.contains_key(id);
        listing.books.retain(|book| wanted(book.id.as_str()));
        listing.skipped.retain(|book| wanted(book.id.as_str()));
        match listing.books.is_empty() {
            true => Err(AdjudicationError::NoneHere(self.disputes.len())),
            false => Ok(self.disputes.len() - listing.books.len() - listing.skipped.len()),
        }
    }

    /// The truth folder for this sitting.
    pub fn records(&self, store: Arc<Store>) -> AdjudicationFolder {
        AdjudicationFolder {
            store,
            disputes: self.disputes.clone(),
        }
    }
}

/// The truth folder in an adjudication: the record of an unsettled book is a draft with all reviews.
#[derive(Debug)]
pub struct AdjudicationFolder {
    store: Arc<Store>,
    disputes: Arc<Disputes>,
}

impl Records for AdjudicationFolder {
    fn load(&self, id: &str) -> Result<(StoredRecord, Snapshot)> {
        let (found, known) = self.store.load(id)?;
        let Some(dispute) = self.disputes.get(id) else {
            return Ok((found, known));
        };
        let draft = &dispute.draft;
        let found = match found {
            StoredRecord::Record(there) if is_adjudicated(&there, draft) => {
                StoredRecord::Record(there)
            }
            StoredRecord::Record(there) => {
                StoredRecord::Record(Box::new(draft_over(&there, draft)))
            }
            StoredRecord::Nothing => StoredRecord::Record(Box::new(draft.clone())),
            broken => broken,
        };
        Ok((found, known))
    }

    fn save(&self, record: &Record, known: &Snapshot) -> Result<SavedRecord, SaveError> {
        self.store.save(record, known)
    }

    fn restore(
        &self,
        id: &str,
        previous: &Snapshot,
        known: &Snapshot,
    ) -> Result<SavedRecord, SaveError> {
        self.store.restore(id, previous, known)
    }

    fn find_same_text(&self, sha256: &str, id: &str) -> Option<Box<Record>> {
        Records::find_same_text(&*self.store, sha256, id)
    }

    fn index_texts(&self) {
        self.store.build_index();
    }
}

/// The draft that replaces a record of the truth folder. What only that record says stays.
fn draft_over(there: &Record, draft: &Record) -> Record {
    let mut over = draft.clone();
    if !draft.has_opinions_of(there) {
        add_reviews(&mut over, there);
        over.note = joined_notes([&*draft.note, &there.note]);
    }
    over
}

/// Whether a record comes from such an adjudication: it has all reviews of the draft, and is open or has a further one.
fn is_adjudicated(there: &Record, draft: &Record) -> bool {
    let more = there.reviews.len() > draft.reviews.len();
    there.has_opinions_of(draft) && (more || there.verdict == Verdict::Open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_detect::Cuts;
    use endpaper_text::corpus::BookText;
    use endpaper_truth::{Review, SourceFacts};

    fn decided(by: &str, preamble_end: u32) -> Record {
        let text = BookText::new(b"licence\n\nTitle\n\nText.\n".to_vec());
        let mut record = Record::new("a.txt", SourceFacts::of(&text));
        record.note = format!("note of {by}");
        record.add_review(Review {
            by: by.into(),
            at: "2026-11-21T03:22:00Z".into(),
            verdict: Verdict::Corrected,
            cuts: Cuts {
                preamble_end,
                epilogue_start: None,
            },
            ..Review::default()
        });
        record
    }

    #[test]
    fn a_record_of_somebody_else_in_the_folder_keeps_its_review_and_its_note() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Arc::new(Store::open(folder.path()).expect("a store"));
        let (_, nothing) = store.load("a.txt").expect("no record");
        store.save(&decided("carl", 5), &nothing).expect("a save");
        let sides = [decided("anna", 1), decided("ben", 3)];
        let sides = sides.map(|record| MergeSide::of_records([record]));
        let adjudication = Adjudication::find_disputes(&sides, None, &store, false);
        let records = adjudication.expect("a dispute").records(store.clone());

        let (StoredRecord::Record(mut draft), known) = records.load("a.txt").expect("a draft")
        else {
            panic!("no record");
        };
        assert_eq!(draft.verdict, Verdict::Open);
        draft.add_review(Review {
            drawn: endpaper_truth::ADJUDICATION.into(),
            ..decided("judge", 3).reviews.remove(0)
        });
        records.save(&draft, &known).expect("a save");
        let (StoredRecord::Record(settled), _) = store.load("a.txt").expect("a record") else {
            panic!("no record");
        };
        for by in ["anna", "ben", "carl"] {
            let said = settled.reviews.iter().filter(|review| review.by == by);
            assert_eq!(said.count(), 1, "{by}");
            assert!(settled.note.contains(&format!("note of {by}")), "{by}");
        }
        // It is settled: there is nothing left to adjudicate.
        let again = Adjudication::find_disputes(&sides, None, &store, false);
        assert!(matches!(again, Err(AdjudicationError::Nothing)));
    }
}
