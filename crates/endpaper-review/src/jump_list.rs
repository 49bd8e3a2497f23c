//! The positions from which a curator jumped, to return to them with one key.

use super::rows::Folding;
use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::BookId;

/// Maximum number of stored positions.
const MAX_JUMPS: usize = 100;

/// The target of a jump in a book.
#[derive(Clone, Debug, PartialEq)]
pub enum JumpTarget {
    /// A line, in the pane of an end.
    Line(End, u32),
    /// An earlier position.
    Origin(Box<JumpOrigin>),
}

/// A position from which the curator jumped.
#[derive(Clone, Debug, PartialEq)]
pub struct JumpOrigin {
    /// The book.
    pub book: BookId,
    pub(super) end: End,
    pub(super) whole_text: bool,
    pub(super) folding: Folding,
    /// Head, tail and whole-text panes.
    pub(super) panes: [PanePosition; 3],
    pub(super) seen: [bool; 2],
    pub(super) cuts: Cuts,
}

/// The position of a pane: what it shows at its top, and where its cursor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PanePosition {
    /// The line of its top row, and whether that row is text and not a rule.
    pub(super) top: (u32, bool),
    /// The line of its cursor.
    pub(super) cursor: u32,
}

/// The stored positions, newest last.
#[derive(Clone, Debug, Default)]
pub struct JumpList(Vec<JumpOrigin>);

impl JumpList {
    /// Stores a position; drops the oldest one if the list is full.
    pub fn push(&mut self, left: JumpOrigin) {
        if self.0.len() >= MAX_JUMPS {
            self.0.remove(0);
        }
        self.0.push(left);
    }

    /// Removes and returns the newest position.
    pub fn pop(&mut self) -> Option<JumpOrigin> {
        self.0.pop()
    }
}
