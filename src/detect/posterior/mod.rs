//! The posterior detector: the probability of a cut at every place, from fitted weights of evidence.
//!
//! Each end of a book is read from the outside inwards (`strip`). Every block and every place between rows has facts
//! (`facts`); the log odds of a cut at a place are the weighted facts of all blocks that it cuts away, of the blocks
//! beside it, and of the place itself (`case`): a conditional logit, exact and linear in the length of the window. The
//! weights (`weights`) are fitted to labels (`fit`).

mod case;
mod facts;
mod fit;
mod strip;
mod weights;

use anyhow::Result;

use self::case::{Case, probabilities};
use self::fit::Labelled;
use self::strip::Strip;
use super::{Cuts, End};
use crate::frequency::Frequencies;
use crate::frequency::spread::Gatherer;
use crate::scan::Scan;

pub use weights::Weights;

/// How likely the cut of one end is at each of its places.
#[derive(Clone, Debug, PartialEq)]
pub struct Likely {
    /// Line of the cut (for [`End::Start`] a `preamble_end`, 0 for none; for [`End::End`] an `epilogue_start`,
    /// `lines + 1` for none) and its probability, from the outside inwards.
    pub places: Vec<(u32, f32)>,
}

impl Likely {
    fn new(scan: &Scan, strip: &Strip<'_>, weights: &Weights) -> Likely {
        let scores = Case::new(strip).scores(weights.of(strip.end));
        let shares = probabilities(&scores, weights.temperature[strip.end as usize]);
        let line = |place: usize| match place.checked_sub(1) {
            Some(row) => strip.rows[row].line,
            None if strip.end == End::Start => 0,
            None => scan.lines + 1,
        };
        Likely {
            places: shares
                .into_iter()
                .enumerate()
                .map(|(at, share)| (line(at), share))
                .collect(),
        }
    }

    /// The likeliest place.
    pub fn best(&self) -> (u32, f32) {
        let best = self.places.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.copied().unwrap_or_default()
    }
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
    let [start, end] = likely;
    let cuts = |start: u32, end: u32| Cuts {
        preamble_end: start,
        epilogue_start: Some(end).filter(|&end| end <= scan.lines),
    };
    let ((s, p), (e, q)) = (start.best(), end.best());
    if s < e {
        return (cuts(s, e), p * q);
    }
    let mut best = (0, scan.lines + 1, 0.0);
    for &(s, p) in &start.places {
        for &(e, q) in &end.places {
            if s < e && p * q > best.2 {
                best = (s, e, p * q);
            }
        }
    }
    (cuts(best.0, best.1), best.2)
}

/// A book as weights are fitted to it.
pub struct Example {
    cases: [Case; 2],
    places: [Option<usize>; 2],
}

impl Example {
    /// A book whose first and last line are known: lines before `first` are preamble, lines behind `last` epilogue.
    pub fn new(scan: &Scan, frequencies: &Frequencies, first: u32, last: u32) -> Example {
        let strips = [End::Start, End::End].map(|end| strip(scan, end, frequencies));
        let places = [
            place(&strips[0], |line| line < first),
            place(&strips[1], |line| line > last),
        ];
        Example {
            cases: strips.each_ref().map(Case::new),
            places,
        }
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
pub fn fit(examples: &[&Example], penalty: f64) -> Result<Weights> {
    let mut weights = Weights::default();
    for end in 0..2 {
        let labelled: Vec<Labelled<'_>> = examples
            .iter()
            .filter_map(|example| {
                Some(Labelled {
                    case: &example.cases[end],
                    place: example.places[end]?,
                })
            })
            .collect();
        weights.ends[end] = fit::fit(&labelled, penalty)?;
    }
    Ok(weights)
}
