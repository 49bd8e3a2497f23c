//! Where a curator was before a jump to another place, to come back with one key.

use super::rows::Folding;
use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::BookId;

/// Places that are remembered.
const MAX_JUMPS: usize = 100;

/// Where to go in a book.
#[derive(Clone, Debug, PartialEq)]
pub enum JumpTarget {
    /// To a line, in the pane of an end.
    Line(End, u32),
    /// To where one was.
    Origin(Box<JumpOrigin>),
}

/// A place that was left.
#[derive(Clone, Debug, PartialEq)]
pub struct JumpOrigin {
    /// The book.
    pub book: BookId,
    pub(super) end: End,
    pub(super) whole_text: bool,
    pub(super) folding: Folding,
    /// Head, tail and whole text.
    pub(super) panes: [PanePosition; 3],
    pub(super) seen: [bool; 2],
    pub(super) cuts: Cuts,
}

/// Where a pane is in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PanePosition {
    /// The line of its top row, and whether that row is text and no rule.
    pub(super) top: (u32, bool),
    /// The line of its cursor.
    pub(super) cursor: u32,
}

/// The places that were left, the last one last.
#[derive(Clone, Debug, Default)]
pub struct JumpList(Vec<JumpOrigin>);

impl JumpList {
    /// Remembers a place.
    pub fn push(&mut self, left: JumpOrigin) {
        if self.0.len() >= MAX_JUMPS {
            self.0.remove(0);
        }
        self.0.push(left);
    }

    /// The last place, which is forgotten.
    pub fn pop(&mut self) -> Option<JumpOrigin> {
        self.0.pop()
    }
}
