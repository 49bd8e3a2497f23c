//! The two ends of a book, and the cuts at them.

use serde::{Deserialize, Serialize};

/// One of the two ends of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The end of the preamble, where the body begins.
    Start,
    /// The beginning of the epilogue, where the body ends.
    End,
}

/// The two cuts of a book. Blank lines next to a cut are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cuts {
    /// Last non-blank line of the preamble; 0: no preamble.
    pub preamble_end: u32,
    /// First non-blank line of the epilogue; `None`: no epilogue.
    pub epilogue_start: Option<u32>,
}

impl Cuts {
    /// First and last line between the cuts in a book of `lines` lines, including blank lines next to a cut. First >
    /// last if there is nothing between them.
    pub fn body(self, lines: u32) -> (u32, u32) {
        let last = self
            .epilogue_start
            .map_or(lines, |start| start.saturating_sub(1));
        (self.preamble_end.saturating_add(1), last)
    }

    /// Whether a line is between the cuts.
    pub fn enclose(self, line: u32) -> bool {
        line > self.preamble_end && self.epilogue_start.is_none_or(|start| line < start)
    }
}
