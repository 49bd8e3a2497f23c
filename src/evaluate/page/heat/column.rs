//! A labelled book as a column of the heat map of one end.

/// Most counted lines in a column (Kaser & Lemire, section 3.1: 300).
pub(super) const LINES: usize = 300;

/// A labelled book as a column of the heat map of one end.
pub(super) struct LabelledColumn<'a> {
    pub(super) name: &'a str,
    /// Shades of its counted lines, from the edge of the book towards the body.
    pub(super) shades: &'a [u8],
    /// Number of counted lines outside the labelled cut, up to the height of the heat map.
    pub(super) label: usize,
    /// The detected cut, if it is wrong.
    pub(super) wrong: Option<WrongCut>,
    /// Both cuts as text.
    pub(super) words: String,
}

/// A detected cut that is not at the labelled position, as a mark on the book's column.
pub(super) struct WrongCut {
    /// Number of counted lines outside it, up to the height of the heat map.
    pub(super) outside: usize,
    /// Whether it loses text, rather than leaves boilerplate.
    pub(super) lost: bool,
    /// Whether the page shows the book, so that the mark can link to it.
    pub(super) linked: bool,
}
