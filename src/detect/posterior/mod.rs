//! The posterior detector: the probability of a cut at every place, from fitted weights of evidence.
//!
//! Each end of a book is read from the outside inwards (`strip`). Every block and every place between rows has facts
//! (`facts`); the log odds of a cut at a place are the weighted facts of all blocks that it cuts away, of the blocks
//! beside it, and of the place itself (`case`): a conditional logit, exact and linear in the length of the window. The
//! weights (`weights`) are fitted to labels (`fit`).

mod calibrate;
mod case;
mod cross;
mod example;
mod facts;
mod fit;
mod strip;
#[cfg(test)]
mod tests;
mod weights;
mod works;

use self::case::{Case, probabilities};
use self::strip::Strip;
use super::{Cuts, End};
use crate::frequency::Frequencies;
use crate::frequency::spread::Gatherer;
use crate::scan::Scan;

pub use cross::{Crossed, Plan, Sample, cross};
pub use example::{Example, fit};
pub use fit::Penalty;
pub use weights::Weights;
pub use works::works;

/// How likely the cut of one end is at each of its places.
#[derive(Clone, Debug, PartialEq)]
pub struct Likely {
    /// Line of the cut (for [`End::Start`] a `preamble_end`, 0 for none; for [`End::End`] an `epilogue_start`,
    /// `lines + 1` for none) and its probability, from the outside inwards.
    pub places: Vec<(u32, f32)>,
}

impl Likely {
    fn new(scan: &Scan, strip: &Strip<'_>, weights: &Weights) -> Likely {
        let lines = lines(scan, strip);
        Likely::of(&Case::new(strip), &lines, strip.end, weights)
    }

    fn of(case: &Case, lines: &[u32], end: End, weights: &Weights) -> Likely {
        let scores = case.scores(weights.of(end));
        let shares = probabilities(&scores, weights.temperature[end as usize]);
        Likely {
            places: lines.iter().copied().zip(shares).collect(),
        }
    }

    /// The likeliest place.
    pub fn best(&self) -> (u32, f32) {
        let best = self.places.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.copied().unwrap_or_default()
    }
}

/// The line of a cut at each place.
fn lines(scan: &Scan, strip: &Strip<'_>) -> Vec<u32> {
    let nothing = match strip.end {
        End::Start => 0,
        End::End => scan.lines + 1,
    };
    let rows = strip.rows.iter().map(|row| row.line);
    std::iter::once(nothing).chain(rows).collect()
}

fn strip<'a>(scan: &'a Scan, end: End, frequencies: &Frequencies) -> Strip<'a> {
    let counts = match end {
        End::Start => frequencies.head(),
        End::End => frequencies.tail(),
    };
    Strip::new(
        scan,
        end,
        |key| counts.frequency(key),
        frequencies.spreads(),
    )
}

/// Adds the forms of a book's ends.
pub fn gather(scan: &Scan, gatherer: &mut Gatherer) {
    let forms = [End::Start, End::End].into_iter().flat_map(|end| {
        let rows = strip::zone(scan, end).into_iter();
        rows.flat_map(move |row| facts::forms(row, end))
    });
    let header = &scan.header;
    gatherer.add(header.hand.as_deref(), header.author.as_deref(), forms);
}

/// How likely the cuts of both ends are at each place.
pub fn likely(scan: &Scan, frequencies: &Frequencies, weights: &Weights) -> [Likely; 2] {
    [End::Start, End::End].map(|end| Likely::new(scan, &strip(scan, end, frequencies), weights))
}

/// The cuts with the greatest probability among those that leave the start before the end.
pub fn best(scan: &Scan, likely: &[Likely; 2]) -> (Cuts, f32) {
    best_of(scan.lines, likely)
}

fn best_of(lines: u32, likely: &[Likely; 2]) -> (Cuts, f32) {
    let [start, end] = likely;
    let cuts = |start: u32, end: u32| Cuts {
        preamble_end: start,
        epilogue_start: Some(end).filter(|&end| end <= lines),
    };
    let ((s, p), (e, q)) = (start.best(), end.best());
    if s < e {
        return (cuts(s, e), p * q);
    }
    let mut best = (0, lines + 1, 0.0);
    for &(s, p) in &start.places {
        for &(e, q) in &end.places {
            if s < e && p * q > best.2 {
                best = (s, e, p * q);
            }
        }
    }
    (cuts(best.0, best.1), best.2)
}
