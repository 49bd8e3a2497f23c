//! Rows: the lines of the windows with their features.

use super::cues::CueSet;
use super::markers::MarkerSet;
use crate::line::Key;
use serde::{Deserialize, Serialize};

/// One non-blank line of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScanRow {
    /// Its exact key (also computed for trivial lines).
    pub key: Key,
    /// Its line number, from 1.
    pub line: u32,
    /// Its marks.
    pub marks: MarkerSet,
    /// Characters of the normalised line (saturating).
    pub characters: u16,
    /// Its features, extracted near both ends of the book only.
    pub features: LineFeatures,
}

/// The features of a line that the posterior detector reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineFeatures {
    /// Cues from its words and its shape.
    pub cues: CueSet,
    /// 32-bit hash of its [`skeleton`](crate::line::skeleton) (names, numbers and addresses replaced).
    pub skeleton: u32,
    /// 32-bit hash of its [`opening`](crate::line::opening) (its first three words).
    pub opening: u32,
    /// Width of the white space before it, in columns (saturating; a tab is eight).
    pub indent: u8,
}

impl ScanRow {
    /// The blocks of a slice of rows: runs of consecutive line numbers.
    pub fn blocks(rows: &[ScanRow]) -> impl DoubleEndedIterator<Item = &[ScanRow]> {
        let follows = |a: &ScanRow, b: &ScanRow| a.line + 1 == b.line;
        rows.chunk_by(follows)
    }
}
