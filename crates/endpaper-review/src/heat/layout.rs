//! The areas of the heat map's screen.

use ratatui::layout::Rect;

/// The areas of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeatLayout {
    /// First line: what is shown, and what does not fit.
    pub header: Rect,
    /// Groups of books and the mark of the chosen column; may be empty.
    pub ruler: Rect,
    /// Line numbers; may be empty.
    pub gutter: Rect,
    /// The heat map: one column for each book, or for several.
    pub picture: Rect,
    /// The review status of each book.
    pub status_marks: Rect,
    /// The doubt of each book; may be empty.
    pub doubt: Rect,
    /// One line about the chosen book.
    pub status: Rect,
    /// Key hints.
    pub keys: Rect,
    /// Counted lines per row of the map; even, so that both halves of a row have the same number.
    pub lines: usize,
}
