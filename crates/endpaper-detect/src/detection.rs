//! What detection finds in one book.

use serde::{Deserialize, Serialize};

use super::{BlockKind, Cuts, End, Evidence, Reason};

/// Where a candidate comes from, in the order of how much it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CandidateSource {
    /// The current cut.
    Detector,
    /// Algorithm 1 alone.
    Gap,
    /// A marker line (section 3.4).
    Marker,
    /// The edge of a block that looks like credits or a note.
    Credits,
    /// The edge of any block near one of the others.
    Block,
    /// The alternation detector, which knows no lines.
    Alternation,
    /// No preamble, or no epilogue.
    Nothing,
}

/// A place where a cut could be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Which cut.
    pub end: End,
    /// For [`End::Start`] a `preamble_end` (0: no preamble); for [`End::End`] an `epilogue_start` (`lines + 1`: none).
    pub line: u32,
    /// Higher is likelier; comparable within one book and end only.
    pub score: f32,
    /// Where it comes from.
    pub source: CandidateSource,
}

/// Proposed cuts with everything that speaks for and against them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detection {
    /// The proposal.
    pub cuts: Cuts,
    /// Ranked, best first, at most nine for each end; the proposal is always among them.
    pub candidates: Vec<Candidate>,
    /// 0..1: estimated probability that at least one cut is wrong.
    pub doubt: f32,
    /// Why there is doubt, weightiest first.
    pub reasons: Vec<Reason>,
    /// Boilerplate between the cuts, in line order.
    #[serde(default)]
    pub inside: Vec<InsideBlock>,
    /// What was found at the start and at the end.
    pub evidence: Vec<Evidence>,
}

/// A block between the cuts that is not a part of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsideBlock {
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// What it is.
    pub kind: BlockKind,
}
