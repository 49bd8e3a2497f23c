//! What follows from a verdict in this sitting: what is learnt from it, and what it says of other books.

use super::Session;
use crate::queue::QueueOrder;

impl Session {
    /// Whether decisions are looked for in other books: never where reviews are to be independent of each other (blind
    /// ones, a random sample), settle what others decided, or cannot be saved.
    pub(crate) fn is_propagation_on(&self) -> bool {
        let options = &self.options;
        let alone = options.read_only || options.adjudicates || options.re_review;
        !alone && !self.modes.blind && self.queue.order != QueueOrder::Random
    }

    /// How many books can be brought up.
    pub fn offered_book_count(&self) -> usize {
        self.background
            .propagation
            .offer
            .as_ref()
            .map_or(0, |offer| offer.books.len())
    }

    /// An undecided book that belongs to a run.
    pub(crate) fn is_propagated(&self, book: usize) -> bool {
        let entry = self.entries.get(book);
        self.background.propagation.proposed.contains_key(&book)
            && entry.is_some_and(|entry| !entry.status.is_decided())
    }

    /// Whether verdicts are learnt from: never where they are to be a sample of what is proposed, or settle what others
    /// decided.
    pub(crate) fn is_learning_on(&self) -> bool {
        let options = &self.options;
        options.learn_after.is_some()
            && !options.read_only
            && !options.adjudicates
            && self.queue.order != QueueOrder::Random
    }
}
