//! From lines to counts to cuts.
//!
//! [`frequency`] counts the lines of a corpus, [`propose`] finds where a book begins and ends, [`pipeline`] does both for a
//! whole corpus in parallel, with a cache. [`alternation`] and [`copies`] find what documents share without lines, and books
//! that are one text.
//!
//! [`propose`] is the one door: Algorithm 1 of Kaser & Lemire (`gap`), the markers of their section 3.4
//! (`markers`), ranked candidates for both ends, and a doubt made of named reasons. It takes microseconds, so
//! candidates, what-if and counterfactuals are the same call with other [`Parameters`]:
//!
//! ```
//! use endpaper_detect::frequency::built_in;
//! use endpaper_detect::{Parameters, propose};
//! use endpaper_text::scan::{Options, scan};
//!
//! let text = b"*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\nX\n\nIt was a dark night.\n";
//! let scan = scan(text, Options::default());
//! let detection = propose(&scan, &built_in().frequencies, &Parameters::default());
//! assert_eq!(detection.cuts.preamble_end, 1);
//! ```

pub mod alternation;
mod candidates;
mod change;
pub mod copies;
mod doubt;
mod edges;
mod evidence;
mod fact;
mod findings;
pub mod frequency;
mod gap;
mod kind;
mod markers;
pub mod pipeline;
mod policy;
pub mod posterior;
mod propose;
mod reason;
mod row_counts;
#[cfg(test)]
mod sketch;
mod symptoms;
#[cfg(test)]
mod tests;
mod view;
mod words;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::posterior::Weights;
use endpaper_text::names;

pub use change::Correction;
pub use fact::{Evidence, Fact};
pub use kind::BlockKind;
pub use policy::Policy;
pub use propose::propose;
pub use reason::{Reason, UnknownReason};

/// One of the two ends of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum End {
    /// Where the preamble ends and the body begins.
    Start,
    /// Where the body ends and the epilogue begins.
    End,
}

/// The two cut points of a book. Blank lines around a cut carry no meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cuts {
    /// Last non-blank line of the preamble; 0 where there is none.
    pub preamble_end: u32,
    /// First non-blank line of the epilogue; `None` where there is none.
    pub epilogue_start: Option<u32>,
}

impl Cuts {
    /// First and last line between the cuts in a book of so many lines, blank ones next to a cut included. First > last
    /// where nothing is between them.
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

/// What decides which lines belong to the book, and how it is found. Every field is part of a cache key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// A line is frequent if its frequency is greater than this (the paper's K = 10).
    pub threshold: u64,
    /// As many infrequent lines end a preamble or epilogue (GAP_MAX = 10).
    pub gap: u32,
    /// Non-trivial lines of the head window (p_max = 300).
    pub head: u32,
    /// Non-trivial lines of the tail window (e_max = 300).
    pub tail: u32,
    /// Whether the rules of section 3.4 are used.
    pub heuristics: bool,
    /// Which rule proposes the cuts.
    pub method: Method,
    /// Which kinds of blocks belong to the book (posterior only).
    pub policy: Policy,
    /// Weights of the posterior; `None`: those that are shipped.
    pub weights: Option<Arc<Weights>>,
}

impl Parameters {
    /// The weights of the posterior that are in force.
    pub fn weights(&self) -> &Weights {
        self.weights
            .as_deref()
            .unwrap_or_else(|| Weights::shipped())
    }
}

/// The detectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Method {
    /// Algorithm 1 of Kaser & Lemire and their markers.
    Gap,
    /// The probability of a cut at every place, from fitted weights of evidence.
    #[default]
    Posterior,
}

names!(Method, "detector", {
    Posterior => "posterior",
    Gap => "gap",
});

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            threshold: 10,
            gap: 10,
            head: 300,
            tail: 300,
            heuristics: true,
            method: Method::default(),
            policy: Policy::default(),
            weights: None,
        }
    }
}

/// Where a candidate comes from, in the order of how much it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Source {
    /// The cut in force.
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
    pub source: Source,
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

/// A block between the cuts that is no part of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsideBlock {
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// What it is.
    pub kind: BlockKind,
}
