//! What follows from a verdict in this sitting: what is learnt from it, and what it says of other books.

use super::Session;
use crate::queue::QueueOrder;

impl Session {
    /// Whether decisions are looked for in other books: never where reviews are to be independent of each other (blind
    /// ones, a random sample), settle what others decided, or cannot be saved.
    pub(crate) fn has_runs(&self) -> bool {
        let options = &self.options;
        let alone = options.read_only || options.adjudicates || options.again;
        !alone && !self.modes.blind && self.queue.order != QueueOrder::Random
    }

    /// How many books can be brought up.
    pub fn offered(&self) -> usize {
        self.background
            .runs
            .offer
            .as_ref()
            .map_or(0, |offer| offer.books.len())
    }

    /// An undecided book that belongs to a run.
    pub(crate) fn is_member(&self, book: usize) -> bool {
        let entry = self.entries.get(book);
        self.background.runs.members.contains_key(&book)
            && entry.is_some_and(|entry| !entry.standing.is_decided())
    }

    /// Whether verdicts are learnt from: never where they are to be a sample of what is proposed, or settle what others
    /// decided.
    pub(crate) fn learns(&self) -> bool {
        let options = &self.options;
        options.learn_after.is_some()
            && !options.read_only
            && !options.adjudicates
            && self.queue.order != QueueOrder::Random
    }
}
