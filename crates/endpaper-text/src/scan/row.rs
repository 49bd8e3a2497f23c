//! One line of a book, with what it looks like.

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
    /// What is in it.
    pub marks: MarkerSet,
    /// Characters of the normalised line (saturating).
    pub characters: u16,
    /// What its words and its looks say: found out near both ends only.
    pub features: LineFeatures,
}

/// What a line looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineFeatures {
    /// What its words and its shape say.
    pub cues: CueSet,
    /// Half of the key of its skeleton (names, numbers and addresses replaced).
    pub skeleton: u32,
    /// Half of the key of its first words.
    pub opening: u32,
    /// White space before it, in columns (saturating; a tab is eight).
    pub indent: u8,
}

impl ScanRow {
    /// Blocks of a slice of rows: runs of rows with consecutive line numbers.
    pub fn blocks(rows: &[ScanRow]) -> impl DoubleEndedIterator<Item = &[ScanRow]> {
        let follows = |a: &ScanRow, b: &ScanRow| a.line + 1 == b.line;
        rows.chunk_by(follows)
    }
}
