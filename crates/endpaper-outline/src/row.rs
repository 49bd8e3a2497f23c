//! One line of a book.

/// One non-blank line of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutlineRow {
    /// Its number, from 1.
    pub line: u32,
    /// Blank lines before it (saturating).
    pub before: u8,
    /// Columns of white space before its text (saturating; a tab is eight).
    pub indent: u8,
    /// Bytes of its text (saturating at 255).
    pub size: u8,
    /// It has a capital, and no small letter that is ASCII.
    pub upper: bool,
    /// It begins with a capital, a digit, a quotation mark or another sign that a heading can begin with.
    pub may_open_heading: bool,
    /// It speaks of electronic texts and of those who make them.
    pub mentions_etext: bool,
}

impl OutlineRow {
    /// Whether it is the first line of its block.
    pub fn is_first(&self) -> bool {
        self.before > 0
    }

    /// Whether it is too long to be examined.
    pub fn is_long(&self) -> bool {
        usize::from(self.size) >= LONGEST
    }
}

/// Longer lines are prose, whatever else they look like, in bytes.
pub(super) const LONGEST: usize = 160;
