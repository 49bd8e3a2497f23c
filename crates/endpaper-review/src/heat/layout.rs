//! Where everything of the heat map stands.

use ratatui::layout::Rect;

/// Where everything stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeatLayout {
    /// First line: what is shown, and what does not fit.
    pub header: Rect,
    /// Groups of books and the mark of the chosen column; may be empty.
    pub ruler: Rect,
    /// Line numbers; may be empty.
    pub gutter: Rect,
    /// The picture: a column for each book, or for several.
    pub picture: Rect,
    /// How far each book is decided.
    pub status_marks: Rect,
    /// The doubt of each book; may be empty.
    pub doubt: Rect,
    /// One line on the chosen book.
    pub status: Rect,
    /// What to press next.
    pub keys: Rect,
    /// Counted lines in a row of the picture: even, so that each half of a row has as many.
    pub lines: usize,
}
