//! Comparison of the present cuts of near copies: a verdict, a record or learning may have changed them since the analysis, and
//! two decided copies must not be cut at other words.
//!
//! A background worker compares the words ([`super::Effect::CompareCopies`]). A result is valid as long as neither book is cut
//! elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use endpaper_detect::Cuts;
use endpaper_detect::copies::{WordIndex, cuts_differ};
use endpaper_text::corpus::BookText;
use endpaper_truth::body_lines;

/// Two near copies by index, the smaller index first.
pub type CopyPlaces = [usize; 2];

/// Two near copies with their cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyPair {
    /// The books.
    pub books: CopyPlaces,
    /// Their cuts.
    pub cuts: [Cuts; 2],
}

/// What the words at the cuts of two near copies say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyComparison {
    /// The books and the cuts that were compared.
    pub pair: CopyPair,
    /// Whether they are cut at other words, at the start and at the end of their bodies.
    pub differ: [bool; 2],
    /// First and last line of each body, without blank lines.
    pub bodies: [(u32, u32); 2],
}

impl CopyComparison {
    /// Compares the texts of a pair, which are in its order.
    pub fn of(pair: CopyPair, texts: [(&BookText, &WordIndex); 2]) -> CopyComparison {
        let body = |place: usize| pair.cuts[place].body(texts[place].0.lines());
        let printed = |place: usize| {
            let lines = body_lines(texts[place].0, pair.cuts[place]);
            lines.unwrap_or_else(|| body(place))
        };
        CopyComparison {
            pair,
            differ: cuts_differ((texts[0].1, body(0)), (texts[1].1, body(1))),
            bodies: [printed(0), printed(1)],
        }
    }

    /// A pair that cannot be compared, as a book cannot be read: nothing is known against it.
    pub fn unknown(pair: CopyPair) -> CopyComparison {
        CopyComparison {
            pair,
            differ: [false; 2],
            bodies: [(0, 0); 2],
        }
    }

    /// Whether the bodies begin or end at other words.
    pub fn is_cut_differently(&self) -> bool {
        self.differ != [false; 2]
    }
}

/// A round of learning whose message waits for the comparison of the copies that it moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LearningRound {
    /// Number of changed cuts.
    pub cuts: usize,
    /// Number of verdicts learned from.
    pub verdicts: usize,
    /// Another cut is proposed for the open book.
    pub is_open_book_behind: bool,
    /// Pairs with a moved book that are not compared yet.
    pub pending: BTreeSet<CopyPlaces>,
    /// Pairs with a moved book that are now cut at other words.
    pub apart: BTreeSet<CopyPlaces>,
}

/// Requests and results of comparing copies.
#[derive(Clone, Debug, Default)]
pub struct CopyComparisons {
    /// The last result for each pair.
    pub(super) known: BTreeMap<CopyPlaces, CopyComparison>,
    /// Pairs that were requested and not answered yet.
    pub(super) pending: Vec<CopyPair>,
    /// Decided pairs whose contradiction was shown since the open book was opened.
    pub(super) told: BTreeSet<CopyPlaces>,
    /// The last round of learning, while its copies are compared.
    pub(super) round: Option<LearningRound>,
}
