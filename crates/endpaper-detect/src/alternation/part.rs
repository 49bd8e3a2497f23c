//! A part of a document, and the maximum length of n-grams.

use std::ops::Range;

/// Maximum length of n-grams. The paper's optima have n below 30; the limit bounds the time on input with a repeated
/// part of every length, where alternations may decrease by one for thousands of steps.
pub const MAX_NGRAM: u32 = 250;

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentPart {
    /// Whether frequent n-grams cover it.
    pub useless: bool,
    /// Its bytes in the source.
    pub bytes: Range<usize>,
}
