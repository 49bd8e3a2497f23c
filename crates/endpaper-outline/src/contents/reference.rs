//! Entries of tables of contents.

use std::ops::Range;

use crate::heading::HeadingKind;

/// One entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ContentsReference {
    /// Rows it fills.
    pub rows: Range<usize>,
    pub kind: HeadingKind,
    pub number: Option<u32>,
    pub title: String,
    pub folded: String,
    pub indent: u8,
    /// A page number was at its end.
    pub has_page: bool,
}
