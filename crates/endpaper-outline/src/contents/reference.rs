//! Entries of a table of contents.

use std::ops::Range;

use crate::heading::HeadingKind;

/// An entry of a table of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ContentsReference {
    /// The rows it fills.
    pub rows: Range<usize>,
    pub kind: HeadingKind,
    pub number: Option<u32>,
    pub title: String,
    pub folded: String,
    pub indent: u8,
    /// Whether it ended in a page number.
    pub has_page: bool,
}
