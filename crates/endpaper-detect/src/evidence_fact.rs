//! Evidence for a cut: a fact, its lines and its weight. `evidence_text` puts it into words.

use serde::{Deserialize, Serialize};

use super::{BlockKind, End};
use endpaper_text::scan::MarkerSet;

/// A fact about one end, as counts and lines; never a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The end that it is about.
    pub end: End,
    /// First and last line that it is about.
    pub lines: (u32, u32),
    /// The fact.
    pub fact: Fact,
    /// How much it favours the cut over its likeliest rival, in log odds; `None` for a fact without a weight.
    pub weight: Option<f32>,
}

/// A fact about some lines near an end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fact {
    /// A marker of the head.
    Marker(MarkerSet),
    /// Markers of the tail.
    EndMarkers {
        /// Number of markers.
        markers: u32,
        /// Number of lines between the first and the last one.
        apart: u32,
        /// Number of non-blank lines that follow the block of the last one.
        after: u32,
    },
    /// A block contains credits.
    Credits,
    /// A block contains a note.
    Note,
    /// Frequent lines.
    Frequent {
        /// Number of lines.
        lines: u32,
        /// Largest number of infrequent lines in a row between them.
        gap: u32,
    },
    /// The likeliest kind of a block, with its probability.
    Kind(BlockKind, f32),
    /// A fact with a fitted weight.
    Weighted {
        /// The index of its weight.
        weight: u16,
        /// The line of the rival, if the fact holds there and not here.
        at: Option<u32>,
    },
    /// Evidence from another source, as a sentence.
    Text(String),
}

impl Evidence {
    /// The likeliest kind of the block, if this is the fact.
    pub fn kind(&self) -> Option<BlockKind> {
        match self.fact {
            Fact::Kind(kind, _) => Some(kind),
            _ => None,
        }
    }
}
