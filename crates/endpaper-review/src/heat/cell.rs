//! A column of the picture, and its cells.

use crate::entry::ReviewStatus;

/// A cell of a column, or half of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeatCell {
    /// No line: the books are shorter, or nothing is known of them.
    #[default]
    Nothing,
    /// The mean shading of the lines, 0 to 5.
    Shade(u8),
    /// The cut.
    Cut,
}

/// A column of the screen as it is painted.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatColumn {
    /// Halves of rows, from the edge of the books inwards.
    pub cells: Box<[HeatCell]>,
    /// Some book of it is read; else the cells say nothing.
    pub read: bool,
    /// Some book of it is still to be read.
    pub is_loading: bool,
    /// How far the books are decided, if all are as far.
    pub status: Option<ReviewStatus>,
    /// How many of them are decided, and how many there are.
    pub decided: (usize, usize),
    /// The mean doubt.
    pub doubt: Option<f32>,
}
