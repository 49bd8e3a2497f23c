//! Columns of the heat map and their cells.

use crate::entry::ReviewStatus;

/// A cell of a column: one half of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeatCell {
    /// No line: the books are shorter, or not read yet.
    #[default]
    Nothing,
    /// The mean shading of the lines, 0 to 5.
    Shade(u8),
    /// The cut.
    Cut,
}

/// A painted column of the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatColumn {
    /// Half rows, from the edge of the books towards the body.
    pub cells: Box<[HeatCell]>,
    /// At least one of its books is read; otherwise the cells are meaningless.
    pub read: bool,
    /// At least one of its books is not read yet.
    pub is_loading: bool,
    /// The review status of its books, if they all have the same.
    pub status: Option<ReviewStatus>,
    /// Number of decided books, and number of books.
    pub decided: (usize, usize),
    /// The mean doubt.
    pub doubt: Option<f32>,
}
