//! Ranked places where a cut could be.
//!
//! The proposal comes first; then the edges of blocks around it in the order of their worth (`edges`), with every marker
//! and Algorithm 1 alone, and always the place that cuts nothing away. Places are lines with something in them, so no
//! two differ by blank lines only.

use super::edges::BlockEdge;
use super::findings::BookFindings;
use super::{Candidate, CandidateSource, End};

/// Most candidates per end: each has a digit key.
pub(super) const MAX_CANDIDATES: usize = 9;

/// What a marker or the edge of Algorithm 1 inside a block is worth: cuts seldom run through a block.
const INSIDE_BLOCK: f32 = -3.0;

/// What it is worth to cut nothing away.
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

/// Places of one end, each line once.
struct CandidateSet {
    end: End,
    proposed: u32,
    nothing: u32,
    list: Vec<Candidate>,
}

impl CandidateSet {
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

    /// Adds a place, unless it is the proposal or known already.
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

    /// The proposal, scored above all others, and the best of the rest, always with nothing among them.
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
