//! Ranked candidates for a cut.
//!
//! The proposal comes first, followed by the edges of blocks around it in the order of their worth (`edges`), every
//! marker, the result of Algorithm 1 alone, and always the candidate that cuts nothing away. Candidates are non-blank
//! lines, so that no two differ by blank lines only.

use super::edges::BlockEdge;
use super::findings::BookFindings;
use super::{Candidate, CandidateSource, End};

/// Most candidates per end, as each has a digit key.
pub(super) const MAX_CANDIDATES: usize = 9;

/// Score of a marker, or of the result of Algorithm 1, inside a block: cuts seldom run through a block.
const INSIDE_BLOCK: f32 = -3.0;

/// Score of cutting nothing away.
const NO_CUT_SCORE: f32 = -4.0;

/// Candidates of one end, best first.
pub(super) fn candidates(found: &BookFindings, end: End, edges: &[BlockEdge]) -> Vec<Candidate> {
    let view = &found.view;
    let cuts = found.cuts();
    let none = view.scan.lines + 1;
    let (proposed, nothing, markers, gap) = match end {
        End::Start => (
            cuts.preamble_end,
            0,
            &found.markers.starts,
            found.head.last_frequent,
        ),
        End::End => (
            cuts.epilogue_start.unwrap_or(none),
            none,
            &found.markers.ends,
            found.tail.last_frequent,
        ),
    };
    let mut places = CandidateSet::new(end, proposed, nothing);
    for edge in edges {
        places.add(view.line(edge.row), edge.worth, edge.source);
    }
    for &row in markers {
        places.add(view.line(row), INSIDE_BLOCK, CandidateSource::Marker);
    }
    if let Some(row) = gap {
        places.add(view.line(row), INSIDE_BLOCK, CandidateSource::Gap);
    }
    places.best()
}

/// The candidates of one end, each line once.
struct CandidateSet {
    end: End,
    proposed: u32,
    nothing: u32,
    list: Vec<Candidate>,
}

impl CandidateSet {
    /// The set with its two fixed candidates: the proposed cut, and `nothing`, the cut that cuts nothing away.
    fn new(end: End, proposed: u32, nothing: u32) -> CandidateSet {
        let mut places = CandidateSet {
            end,
            proposed,
            nothing,
            list: Vec::with_capacity(64),
        };
        places.add(nothing, NO_CUT_SCORE, CandidateSource::Nothing);
        places
    }

    /// Adds a candidate, unless its line is the proposal or is already listed.
    fn add(&mut self, line: u32, score: f32, source: CandidateSource) {
        if line != self.proposed && self.list.iter().all(|place| place.line != line) {
            self.list.push(Candidate {
                end: self.end,
                line,
                score,
                source,
            });
        }
    }

    /// The proposal, scored above all others, and the best of the rest, which always include the one that cuts nothing
    /// away.
    fn best(mut self) -> Vec<Candidate> {
        self.list
            .sort_by(|a, b| b.score.total_cmp(&a.score).then(a.line.cmp(&b.line)));
        let nothing = |place: &Candidate| place.line == self.nothing;
        if let Some(at) = self
            .list
            .iter()
            .position(nothing)
            .filter(|&at| at > MAX_CANDIDATES - 2)
        {
            self.list.swap(at, MAX_CANDIDATES - 2);
        }
        self.list.truncate(MAX_CANDIDATES - 1);
        let best = self.list.first().map_or(0.0, |best| best.score);
        let proposal = Candidate {
            end: self.end,
            line: self.proposed,
            score: best + 1.0,
            source: CandidateSource::Detector,
        };
        self.list.insert(0, proposal);
        self.list
    }
}
