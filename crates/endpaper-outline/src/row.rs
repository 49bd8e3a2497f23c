//! One line of a book.

/// A non-blank line of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutlineRow {
    /// Line number, from 1.
    pub line: u32,
    /// Blank lines before it (saturating).
    pub before: u8,
    /// Columns of white space before its text (saturating; a tab is eight).
    pub indent: u8,
    /// Bytes of its text (saturating at 255).
    pub size: u8,
    /// Whether it has a capital and no lower-case ASCII letter.
    pub upper: bool,
    /// Whether it begins with a capital, a digit, a quotation mark or another character that may open a heading.
    pub may_open_heading: bool,
    /// Whether it mentions electronic texts or their producers.
    pub mentions_etext: bool,
}

impl OutlineRow {
    /// Whether it is the first line of its block.
    pub fn is_first(&self) -> bool {
        self.before > 0
    }

    /// Whether it is too long to be examined.
    pub fn is_long(&self) -> bool {
        usize::from(self.size) >= MAX_HEADING_BYTES
    }
}

/// Longest line that may be a heading, in bytes; longer ones are prose.
pub(super) const MAX_HEADING_BYTES: usize = 160;
