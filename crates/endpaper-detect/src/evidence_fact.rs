//! Evidence for a cut: a fact, its weight and its lines. Sentences are made by `evidence_text`.

use serde::{Deserialize, Serialize};

use super::{BlockKind, End};
use endpaper_text::scan::MarkerSet;

/// A fact about one end, as counts and lines; never a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The end it speaks of.
    pub end: End,
    /// First and last line it speaks of.
    pub lines: (u32, u32),
    /// What is so.
    pub fact: Fact,
    /// How much it speaks for the cut against its likeliest rival, in log odds; `None` where nothing was weighed.
    pub weight: Option<f32>,
}

/// What can be so of some lines near an end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fact {
    /// A marker of the head.
    Marker(MarkerSet),
    /// Markers of the tail.
    EndMarkers {
        /// How many.
        markers: u32,
        /// Lines between the first and the last one.
        apart: u32,
        /// Non-blank lines that follow the block of the last one.
        after: u32,
    },
    /// A block holds credits.
    Credits,
    /// A block holds a note.
    Note,
    /// Frequent lines.
    Frequent {
        /// How many.
        lines: u32,
        /// Most infrequent lines in a row between them.
        gap: u32,
    },
    /// The likeliest kind of a block, and how likely it is.
    Kind(BlockKind, f32),
    /// A fact that was weighed.
    Weighted {
        /// The number of its weight.
        weight: u16,
        /// The line of the rival, if it is so there and not here.
        at: Option<u32>,
    },
    /// What another process or user found out, in words.
    Text(String),
}

impl Evidence {
    /// The kind that the block of these lines most likely is, where that is what is reported.
    pub fn kind(&self) -> Option<BlockKind> {
        match self.fact {
            Fact::Kind(kind, _) => Some(kind),
            _ => None,
        }
    }
}
