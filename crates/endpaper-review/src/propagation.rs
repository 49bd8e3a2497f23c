//! Propagation of decisions: a decision on one book is proposed for the undecided books in which it is likely right too. These are
//! its near copies, cut at the same words, and after a correction also books with the same block at their cuts.
//!
//! A background worker searches for them ([`super::Effect::FindPropagationTargets`]). Proposals are shown and never saved on
//! their own: every book needs its own verdict, and proposals without one end with the sitting.

use std::collections::BTreeMap;

use endpaper_detect::copies::WordIndex;
use endpaper_detect::{Cuts, End};
use endpaper_truth::InnerBoilerplate;

/// A decision to search for in other books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropagationSource {
    /// The book.
    pub book: usize,
    /// The cuts that were proposed for the book.
    pub detected: Cuts,
    /// The cuts that the curator decided on.
    pub cuts: Cuts,
    /// The boilerplate that the curator marked between the cuts.
    pub inside: Vec<InnerBoilerplate>,
}

/// A book for which the decision is likely right too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropagationTarget {
    /// The book.
    pub book: usize,
    /// The cuts of the book before propagation.
    pub detected: Cuts,
    /// The propagated cuts: `detected` with the change of the correction, or for a near copy those at the words of the decision.
    pub cuts: Cuts,
    /// Whether the book is a near copy of the decided one.
    pub is_copy: bool,
    /// The marks of the decision, at the lines of this book with the same words.
    pub inside: Vec<InnerBoilerplate>,
}

impl PropagationTarget {
    /// Whether the propagated cut of an end differs from the one before.
    pub fn moves(&self, end: End) -> bool {
        match end {
            End::Start => self.cuts.preamble_end != self.detected.preamble_end,
            End::End => self.cuts.epilogue_start != self.detected.epilogue_start,
        }
    }

    /// Applies the propagated cuts at the ends they change; `None` if that changes nothing and the book is not a near copy.
    pub fn change(&self, cuts: Cuts) -> Option<Cuts> {
        let mut changed = cuts;
        if self.moves(End::Start) {
            changed.preamble_end = self.cuts.preamble_end;
        }
        if self.moves(End::End) {
            changed.epilogue_start = self.cuts.epilogue_start;
        }
        (self.is_copy || changed != cuts).then_some(changed)
    }
}

/// The marks of a decision at the lines with the same words between the cuts of another book. Left out are marks of which
/// another passage with the same words is not marked: which of them is meant in the other book is unknown.
pub fn transfer_inside(
    ours: (&WordIndex, Cuts),
    inside: &[InnerBoilerplate],
    theirs: (&WordIndex, Cuts),
) -> Vec<InnerBoilerplate> {
    let body = |(words, cuts): (&WordIndex, Cuts)| cuts.body(words.lines());
    let is_marked = |line: u32| {
        let mut marks = inside.iter();
        marks.any(|mark| (mark.first..=mark.last).contains(&line))
    };
    let mut moved: Vec<InnerBoilerplate> = Vec::new();
    for mark in inside {
        let words = ours.0.words_of((mark.first, mark.last));
        let own = ours.0.passages(words, body(ours));
        if words.is_empty() || own.iter().any(|&(first, _)| !is_marked(first)) {
            continue;
        }
        let found = theirs.0.passages(words, body(theirs));
        moved.extend(found.into_iter().map(|(first, last)| InnerBoilerplate {
            first,
            last,
            kind: mark.kind.clone(),
        }));
    }
    moved.sort_by_key(|mark| mark.first);
    // Passages with the same words were found once for each of their marks.
    moved.dedup_by(|next, before| next.first <= before.last);
    moved
}

/// The undecided books to which a decision can be propagated, offered to the curator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PropagationOffer {
    /// The decided book.
    pub from: usize,
    /// The targets, in the order in which they will come up.
    pub books: Vec<PropagationTarget>,
}

/// The proposal for one book of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PropagationBook {
    /// Number of the batch: the books to which one decision is propagated.
    pub batch: u64,
    /// The decided book.
    pub from: usize,
    /// The target with its cuts.
    pub target: PropagationTarget,
    /// Index in the batch, from 1.
    pub at: usize,
    /// Number of books in the batch.
    pub of: usize,
}

/// The open book is shown with cuts propagated from another book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropagationPreview {
    /// Number of the batch.
    pub(super) batch: u64,
    /// Id of the decided book.
    pub from: String,
    /// Short name of the decided book.
    pub name: String,
    /// Index of the open book in the batch, from 1.
    pub at: usize,
    /// Number of books in the batch.
    pub of: usize,
    /// The propagated cuts.
    pub cuts: Cuts,
    /// The propagated marks.
    pub(super) inside: Vec<InnerBoilerplate>,
    /// Only the cut of the end is moved: the curator begins there.
    pub moves_only_end: bool,
}

/// Requests, offers and proposals of propagation.
#[derive(Clone, Debug, Default)]
pub struct Propagation {
    /// The number of the last request; answers to older ones are ignored.
    pub(super) epoch: u64,
    /// The decision whose targets are being searched for.
    pub(super) pending_source: Option<PropagationSource>,
    /// The targets of the newest decision that has any.
    pub(super) offer: Option<PropagationOffer>,
    /// Number of the last batch.
    pub(super) last_batch: u64,
    /// The proposals by book, also for books decided since: a verdict may be undone.
    pub(super) proposed: BTreeMap<usize, PropagationBook>,
}

impl Propagation {
    /// Drops all proposals and offers, and cancels the search.
    pub(super) fn clear(&mut self) {
        self.epoch += 1;
        (self.pending_source, self.offer) = (None, None);
        self.proposed.clear();
    }

    /// Drops the proposals and offers that come from the decision on a book, and cancels its search.
    pub(super) fn forget(&mut self, from: usize) {
        if self
            .pending_source
            .as_ref()
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
    use endpaper_text::corpus::BookText;

    #[test]
    fn marks_are_carried_to_the_same_words_between_the_cuts_and_never_guessed() {
        let text = |text: &str| BookText::new(text.as_bytes().to_vec());
        let words = |lines: &str| WordIndex::of(&text(lines));
        let cuts = Cuts {
            preamble_end: 1,
            epilogue_start: Some(9),
        };
        let ours = words(
            "Header\nOne\nA note on this edition\nTwo\nPage\nThree\nPage\nFour\nA note on this edition\n",
        );
        let theirs = words(
            "A note on this edition\nOne\nTwo\nA note on\nthis edition\nPage\n\nFooter\nFour\n",
        );
        let mark = |first: u32, last: u32| InnerBoilerplate {
            first,
            last,
            kind: "note".to_owned(),
        };
        let carried = |marks: &[InnerBoilerplate]| {
            let moved = transfer_inside((&ours, cuts), marks, (&theirs, cuts));
            let lines = moved.iter().map(|mark| (mark.first, mark.last));
            lines.collect::<Vec<_>>()
        };
        // What is outside the cuts is neither the mark nor its target.
        assert_eq!(carried(&[mark(3, 3)]), [(4, 5)]);
        // Of two passages with the same words, only one is marked.
        assert_eq!(carried(&[mark(5, 5)]), []);
        assert_eq!(
            carried(&[mark(3, 3), mark(5, 5), mark(7, 7)]),
            [(4, 5), (6, 6)]
        );
        // A line that the other book does not have.
        assert_eq!(carried(&[mark(6, 6)]), []);
    }

    #[test]
    fn a_change_is_one_of_the_ends_it_was_made_at() {
        let cuts = |preamble_end, epilogue_start| Cuts {
            preamble_end,
            epilogue_start,
        };
        let detected = cuts(10, Some(90));
        let table = [
            // The cuts of the target; the current cuts; the expected result.
            (cuts(12, Some(90)), detected, Some(cuts(12, Some(90)))),
            // The other end was detected elsewhere in the meantime.
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
                inside: Vec::new(),
            };
            assert_eq!(alike.change(now), expected, "{changed:?} {now:?}");
            // A near copy that is already cut at the same words is shown too.
            let copy = PropagationTarget {
                is_copy: true,
                ..alike.clone()
            };
            assert_eq!(copy.change(now), expected.or(Some(now)), "{changed:?}");
        }
    }
}
