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
