//! What cutting by n-grams makes of a document, and the bound of their length.

use std::ops::Range;

/// The longest n-grams that are tried. The paper's optima have n below 30; a bound keeps the time in bounds on input that
/// has a repeated part of every length, where alternations may go down by one for thousands of steps.
pub const MAX_NGRAM: u32 = 250;

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentPart {
    /// Whether it is covered by frequent n-grams.
    pub useless: bool,
    /// Its bytes in the source.
    pub bytes: Range<usize>,
}
