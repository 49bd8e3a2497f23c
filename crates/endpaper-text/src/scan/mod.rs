//! Reading a book once, into a [`Scan`].
//!
//! A [`Scan`] keeps what counting and all detectors need, about ten kilobytes per book, so that the file is read (and inflated)
//! once. It has a row for each non-blank line of the head and tail windows, which are the first and last lines of the book up
//! to a number of non-trivial ones (Kaser & Lemire, section 3.1: 300), and a few facts about the whole file.

mod cues;
mod ends;
pub mod header;
mod leading_pattern;
mod line_features;
mod line_terminator;
mod lines;
mod markers;
mod memo;
mod mentions;
mod modern;
mod producer;
mod row;
mod scanner;
mod template;
#[cfg(test)]
mod tests;
mod titles;
mod window;

use serde::{Deserialize, Serialize};

use crate::corpus::Encoding;

pub use cues::{CueSet, LexicalCue};
pub use ends::{BookBytes, SCAN_END_BYTES};
pub use header::Header;
pub use line_features::{MAX_PROSE_ROWS, count_rows_near_end};
pub use markers::MarkerSet;
pub use row::{LineFeatures, ScanRow};
pub use scanner::{Scanner, scan};
pub use template::Template;
pub use window::{Window, WindowOptions};

/// The data kept of a book after reading it once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scan {
    /// Number of lines.
    pub lines: u32,
    /// Size of the text in bytes (inflated).
    pub bytes: u64,
    /// CRC-64/XZ of the bytes.
    pub crc: u64,
    /// The encoding used for display.
    pub encoding: Encoding,
    /// Non-blank lines of both windows in line order, each once (the windows overlap in a short book), and between them
    /// `rows[head..tail]`: lines above the tail window that are examined but not counted, for books whose end may be
    /// beyond the window.
    pub rows: Vec<ScanRow>,
    /// The head window is `rows[..head]`.
    pub head: u32,
    /// The tail window is `rows[tail..]`.
    pub tail: u32,
    /// Lines outside both windows that hold `Gutenberg`, `gutenberg` or `GUTENBERG`, at most [`MENTIONS`] of them.
    /// (Inside the windows it is a mark of the row.)
    pub mentions: Vec<u32>,
    /// The fields of the header.
    pub header: Header,
    /// Hash of the lines between the last marker and the first title line.
    pub template: Template,
}

/// Most mentions that a [`Scan`] keeps.
pub const MENTIONS: usize = 64;

impl Scan {
    /// Rows of the head window.
    pub fn head_rows(&self) -> &[ScanRow] {
        &self.rows[..self.head as usize]
    }

    /// Rows of the tail window.
    pub fn tail_rows(&self) -> &[ScanRow] {
        &self.rows[self.tail as usize..]
    }

    /// Whether both windows together hold the whole file.
    pub fn is_whole(&self) -> bool {
        self.tail < self.head || self.head as usize == self.rows.len()
    }

    /// How many of the last non-trivial lines of the head window are also in the tail window.
    pub fn overlap(&self) -> u32 {
        let rows = self.rows.get(self.tail as usize..self.head as usize);
        let full = rows.unwrap_or_default().iter();
        full.filter(|row| !row.marks.has(MarkerSet::TRIVIAL))
            .count() as u32
    }
}
