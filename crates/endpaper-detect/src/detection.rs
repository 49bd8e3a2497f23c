//! The result of detection in one book.

use serde::{Deserialize, Serialize};

use super::{BlockKind, Cuts, End, EvidenceList, Reason};

/// The source of a candidate, in the order of their worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
    /// The alternation detector, which does not use lines.
    Alternation,
    /// No preamble, or no epilogue.
    Nothing,
}

/// A candidate for a cut.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The end of the book.
    pub end: End,
    /// A `preamble_end` for [`End::Start`] (0: no preamble), an `epilogue_start` for [`End::End`] (`lines + 1`: no
    /// epilogue).
    pub line: u32,
    /// Higher is likelier. Comparable only within one end of one book.
    pub score: f32,
    /// Its source.
    pub source: CandidateSource,
}

/// Proposed cuts, with the evidence for and against them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detection {
    /// The proposal.
    pub cuts: Cuts,
    /// Best first, at most nine for each end; the proposal is always among them.
    pub candidates: Vec<Candidate>,
    /// The estimated probability that at least one cut is wrong, from 0 to 1.
    pub doubt: f32,
    /// Reasons for doubt, weightiest first.
    pub reasons: Vec<Reason>,
    /// Boilerplate between the cuts, in line order.
    #[serde(default)]
    pub inside: Vec<InsideBlock>,
    /// Evidence at the start and at the end.
    pub evidence: EvidenceList,
    /// Whether the profile of Project Gutenberg made it.
    #[serde(default)]
    pub is_gutenberg: bool,
}

/// A block between the cuts that does not belong to the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsideBlock {
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// Its kind.
    pub kind: BlockKind,
}
