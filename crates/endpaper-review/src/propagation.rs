//! What the session knows of runs: a decision on one book, and the undecided books in which the same would be right. These
//! are its near copies, cut at the same words, and after a correction also books with the same block at their cuts.
//!
//! The search itself happens outside ([`super::Effect::FindPropagationTargets`]). What is proposed here is shown and never saved by
//! itself: every book needs a verdict of its own, and what has none is forgotten with the sitting.

use std::collections::BTreeMap;

use endpaper_detect::Cuts;

/// A decision, as it is searched for in other books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropagationSource {
    /// The book.
    pub book: usize,
    /// The cuts that were proposed for it.
    pub detected: Cuts,
    /// The cuts that the curator put there, or kept.
    pub cuts: Cuts,
}

/// A book in which the cuts of a decision would be right too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropagationTarget {
    /// The book.
    pub book: usize,
    /// The cuts that are proposed for it.
    pub detected: Cuts,
    /// The same with the change of the correction; of a copy, at the words of the decision.
    pub cuts: Cuts,
    /// It is a near copy of the decided book.
    pub is_copy: bool,
}

impl PropagationTarget {
    /// Cuts with the change, at the ends where it is; `None` if they have it already and do not come from a copy.
    pub fn change(&self, cuts: Cuts) -> Option<Cuts> {
        let mut changed = cuts;
        if self.cuts.preamble_end != self.detected.preamble_end {
            changed.preamble_end = self.cuts.preamble_end;
        }
        if self.cuts.epilogue_start != self.detected.epilogue_start {
            changed.epilogue_start = self.cuts.epilogue_start;
        }
        (self.is_copy || changed != cuts).then_some(changed)
    }
}

/// Books that can be brought up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PropagationOffer {
    /// The book that was decided.
    pub from: usize,
    /// The books, in the order in which they are to come up.
    pub books: Vec<PropagationTarget>,
}

/// What is proposed for a book of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PropagationBook {
    /// The number of the run.
    pub batch: u64,
    /// The book that was decided.
    pub from: usize,
    /// The book with its cuts.
    pub target: PropagationTarget,
    /// Its place in the run, from 1.
    pub at: usize,
    /// Books of the run.
    pub of: usize,
}

/// The open book is shown with the cuts of another one's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropagationPreview {
    /// The number of the run.
    pub(super) batch: u64,
    /// Id of the book that was decided.
    pub from: String,
    /// Its short name.
    pub name: String,
    /// Place of the open book in the run, from 1.
    pub at: usize,
    /// Books of the run.
    pub of: usize,
    /// The cuts with the change.
    pub cuts: Cuts,
}

/// What was asked for, what came of it, and what is proposed.
#[derive(Clone, Debug, Default)]
pub struct Propagation {
    /// The number of the last request; answers to older ones are ignored.
    pub(super) epoch: u64,
    /// The decision that an answer is awaited for.
    pub(super) pending_source: Option<PropagationSource>,
    /// What the newest decision that is found in other books offers.
    pub(super) offer: Option<PropagationOffer>,
    /// The number of the last run.
    pub(super) last_batch: u64,
    /// What is proposed for the books of runs, decided ones too: a verdict may be undone.
    pub(super) proposed: BTreeMap<usize, PropagationBook>,
}

impl Propagation {
    /// Nothing is proposed, offered or searched for any longer.
    pub(super) fn clear(&mut self) {
        self.epoch += 1;
        (self.pending_source, self.offer) = (None, None);
        self.proposed.clear();
    }

    /// Nothing comes of the decision on a book any longer.
    pub(super) fn forget(&mut self, from: usize) {
        if self
            .pending_source
            .is_some_and(|decided| decided.book == from)
        {
            self.epoch += 1;
            self.pending_source = None;
        }
        self.offer = self.offer.take().filter(|offer| offer.from != from);
        self.proposed.retain(|_, member| member.from != from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_one_of_the_ends_it_was_made_at() {
        let cuts = |preamble_end, epilogue_start| Cuts {
            preamble_end,
            epilogue_start,
        };
        let detected = cuts(10, Some(90));
        let table = [
            // What was changed; the current cuts; these with the change.
            (cuts(12, Some(90)), detected, Some(cuts(12, Some(90)))),
            // The other end is found elsewhere now.
            (cuts(12, Some(90)), cuts(10, None), Some(cuts(12, None))),
            (cuts(12, Some(90)), cuts(12, Some(80)), None),
            (cuts(10, None), detected, Some(cuts(10, None))),
            (cuts(10, None), cuts(9, Some(90)), Some(cuts(9, None))),
            (
                cuts(12, Some(80)),
                cuts(12, Some(90)),
                Some(cuts(12, Some(80))),
            ),
            (cuts(12, Some(80)), cuts(12, Some(80)), None),
        ];
        for (changed, now, expected) in table {
            let alike = PropagationTarget {
                book: 0,
                detected,
                cuts: changed,
                is_copy: false,
            };
            assert_eq!(alike.change(now), expected, "{changed:?} {now:?}");
            // A copy that is cut at the same words already is shown as one.
            let copy = PropagationTarget {
                is_copy: true,
                ..alike
            };
            assert_eq!(copy.change(now), expected.or(Some(now)), "{changed:?}");
        }
    }
}
