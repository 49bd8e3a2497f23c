//! A part of a corpus that is drawn from on its own, and a book that was drawn.

use serde::{Deserialize, Serialize};

/// A part of the corpus that is drawn from on its own, in proportion to its size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stratum {
    /// Its name.
    pub name: String,
    /// Books in it.
    pub books: u64,
    /// Books drawn from it.
    pub drawn: u64,
}

/// A book that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnBook {
    /// Its id.
    pub id: String,
    /// Bytes of its text.
    pub bytes: u64,
    /// CRC-64/XZ of its text, 16 hex digits.
    pub crc: String,
}
