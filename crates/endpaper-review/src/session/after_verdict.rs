//! Learning and propagation in a sitting: whether they are on, and which books they concern.

use super::Session;
use crate::queue::QueueOrder;

impl Session {
    /// Whether decisions are propagated to other books: not if reviews must be independent of each other (blind review, random
    /// order, second looks), if the sitting adjudicates, or if nothing can be saved.
    pub(crate) fn is_propagation_on(&self) -> bool {
        let options = &self.options;
        let alone = options.read_only || options.adjudicates || options.re_review;
        !alone && !self.modes.blind && self.queue.order != QueueOrder::Random
    }

    /// Number of books to which the last decision can be propagated.
    pub fn offered_book_count(&self) -> usize {
        self.background
            .propagation
            .offer
            .as_ref()
            .map_or(0, |offer| offer.books.len())
    }

    /// Whether the book is undecided and cuts are proposed for it because of a decision on another book.
    pub(crate) fn is_propagated(&self, book: usize) -> bool {
        let entry = self.entries.get(book);
        self.background.propagation.proposed.contains_key(&book)
            && entry.is_some_and(|entry| !entry.status.is_decided())
    }

    /// Whether proposals come from what was learned of a collection that no profile knows.
    pub(crate) fn has_learned_collection(&self) -> bool {
        self.background.learning.is_active && self.entries.iter().any(|entry| entry.exemplar > 0)
    }

    /// Whether the detector learns from verdicts: not in random order, where verdicts must be a sample of its proposals, nor
    /// while adjudicating, nor read-only.
    pub(crate) fn is_learning_on(&self) -> bool {
        let options = &self.options;
        options.learning
            && !options.read_only
            && !options.adjudicates
            && self.queue.order != QueueOrder::Random
    }
}
