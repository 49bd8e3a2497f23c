//! A labelled book in the picture of one end.

/// Counted lines down (Kaser & Lemire, section 3.1: 300).
pub(super) const LINES: usize = 300;

/// A labelled book in the picture of one end.
pub(super) struct LabelledColumn<'a> {
    /// Its id.
    pub(super) name: &'a str,
    /// Shades of its counted lines, from the edge of the book inwards.
    pub(super) shades: &'a [u8],
    /// Counted lines outside the labelled cut, as far as the picture goes.
    pub(super) label: usize,
    /// The detected cut, if it is wrong.
    pub(super) wrong: Option<WrongCut>,
    /// Both cuts in words.
    pub(super) words: String,
}

pub(super) struct WrongCut {
    /// Counted lines outside it, as far as the picture goes.
    pub(super) outside: usize,
    /// Whether text is lost, rather than boilerplate left.
    pub(super) lost: bool,
    /// Whether the book has a place on the page.
    pub(super) linked: bool,
}
