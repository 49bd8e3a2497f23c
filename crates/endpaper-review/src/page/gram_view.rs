//! Data of the alternation detector about a book.

use std::ops::Range;

/// Number of candidates per end that have a digit.
pub(super) const DIGITS: usize = 9;

/// The useless parts of a book according to the alternation detector, and the length `n` of its n-grams in characters.
#[derive(Debug)]
pub(super) struct GramView {
    /// Byte ranges covered by frequent n-grams, in order.
    pub(super) useless: Vec<Range<usize>>,
    pub(super) n: u32,
}
