//! How far a detector is from the truth, in one book.

use crate::Record;
use crate::body::error_at;
use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::BookText;

/// Non-blank lines between detected and labelled cuts: above zero, lines of the body are lost; below zero, boilerplate
/// is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CutErrors {
    /// At the end of the preamble.
    pub start: i64,
    /// At the start of the epilogue.
    pub end: i64,
}

impl CutErrors {
    /// Whether both cuts are right.
    pub fn is_exact(self) -> bool {
        self == CutErrors::default()
    }
}

/// The errors of a proposal. At each end the nearest of the labelled line and of those a second curator could defend
/// counts: moving to one of these makes nothing worse.
pub fn cut_errors(text: &BookText, record: &Record, found: Cuts) -> CutErrors {
    let nearest = |end: End| {
        let all = std::iter::once(record.cuts).chain(record.defensible_cuts(end));
        let errors = all.map(|right| error_at(text, end, found, right));
        errors.min_by_key(|error| error.abs()).unwrap_or(0)
    };
    CutErrors {
        start: nearest(End::Start),
        end: nearest(End::End),
    }
}
