//! A book as weights are fitted to it and tried on it: facts only, without its Scan.

use anyhow::Result;

use super::case::{Case, probabilities};
use super::fit::{self, Labelled, Penalty};
use super::strip::Strip;
use super::{Likely, Weights, best_of, lines, strip};
use crate::detect::{Cuts, End};
use crate::frequency::Frequencies;
use crate::scan::Scan;

/// The two ends.
pub(super) const ENDS: [End; 2] = [End::Start, End::End];

/// A book as weights are fitted to it.
pub struct Example {
    cases: [Case; 2],
    /// Line of the cut at each place of each end.
    lines: [Vec<u32>; 2],
    /// Lines of the book.
    length: u32,
    /// Places of the label, where there is one and the cut lies within the strip.
    pub(super) places: [Option<usize>; 2],
}

impl Example {
    /// A book whose first and last line are known: lines before `first` are preamble, lines behind `last` epilogue.
    pub fn new(scan: &Scan, frequencies: &Frequencies, first: u32, last: u32) -> Example {
        let strips = ENDS.map(|end| strip(scan, end, frequencies));
        let places = [
            place(&strips[0], |line| line < first),
            place(&strips[1], |line| line > last),
        ];
        Example {
            places,
            ..Example::of(scan, &strips)
        }
    }

    /// A book without a label.
    pub fn unlabelled(scan: &Scan, frequencies: &Frequencies) -> Example {
        Example::of(scan, &ENDS.map(|end| strip(scan, end, frequencies)))
    }

    fn of(scan: &Scan, strips: &[Strip<'_>; 2]) -> Example {
        Example {
            cases: strips.each_ref().map(Case::new),
            lines: strips.each_ref().map(|strip| lines(scan, strip)),
            length: scan.lines,
            places: [None; 2],
        }
    }

    /// The cuts that these weights think best, with their probability.
    pub fn best(&self, weights: &Weights) -> (Cuts, f32) {
        let likely =
            ENDS.map(|end| Likely::of(self.case(end), &self.lines[end as usize], end, weights));
        best_of(self.length, &likely)
    }

    /// Log odds of the places of one end before any temperature.
    pub(super) fn scores(&self, end: End, weights: &Weights) -> Vec<f32> {
        self.case(end).scores(weights.of(end))
    }

    /// The likeliest places of both ends if their probability together is greater than `sure` and the start lies before
    /// the end.
    pub(super) fn sure(&self, weights: &Weights, sure: f32) -> Option<[Option<usize>; 2]> {
        let best = ENDS.map(|end| {
            let shares = probabilities(
                &self.scores(end, weights),
                weights.temperature[end as usize],
            );
            let best = shares.into_iter().enumerate();
            best.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default()
        });
        let [(start, p), (end, q)] = best;
        (p * q > sure && self.lines[0][start] < self.lines[1][end])
            .then_some([Some(start), Some(end)])
    }

    fn case(&self, end: End) -> &Case {
        &self.cases[end as usize]
    }
}

/// Behind the rows that are cut away; `None` if the whole strip would be, for the cut then lies beyond it.
fn place(strip: &Strip<'_>, cut: impl Fn(u32) -> bool) -> Option<usize> {
    let place = strip.rows.iter().take_while(|row| cut(row.line)).count();
    (place < strip.rows.len()).then_some(place)
}

/// Weights fitted to books whose ends are known.
///
/// # Errors
///
/// No book whose cut lies within its strip.
pub fn fit(examples: &[&Example], penalty: &Penalty) -> Result<Weights> {
    let all: Vec<_> = examples.iter().map(|&one| (one, one.places)).collect();
    fit_places(&all, penalty, None)
}

/// Weights fitted to books and these places of theirs, searched from other weights.
pub(super) fn fit_places(
    examples: &[(&Example, [Option<usize>; 2])],
    penalty: &Penalty,
    start: Option<&Weights>,
) -> Result<Weights> {
    let mut weights = Weights::default();
    for end in ENDS {
        let labelled = examples.iter().filter_map(|(example, places)| {
            Some(Labelled {
                case: example.case(end),
                place: places[end as usize]?,
            })
        });
        let labelled: Vec<Labelled<'_>> = labelled.collect();
        weights.ends[end as usize] =
            fit::fit(&labelled, penalty, start.map(|start| start.of(end)))?;
    }
    Ok(weights)
}
