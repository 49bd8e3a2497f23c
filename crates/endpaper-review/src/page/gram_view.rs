//! What frequent n-grams cover of a book.

use std::ops::Range;

/// Candidates of an end that have a digit.
pub(super) const DIGITS: usize = 9;

/// A book as the alternation detector sees it.
#[derive(Debug)]
pub(super) struct GramView {
    /// Bytes that frequent n-grams cover, in order.
    pub(super) useless: Vec<Range<usize>>,
    /// Length of the n-grams.
    pub(super) n: u32,
}
