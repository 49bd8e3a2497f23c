//! The posterior detector: the probability of a cut at every place, from fitted weights of evidence.
//!
//! Each end of a book is read from the outside inwards (`strip`). Every block and every place between rows has facts
//! (`facts`); the log odds of a cut at a place are the weighted facts of the blocks near it on both sides and of the
//! place itself (`case`): a conditional logit, exact and linear in the length of the window. The weights (`weights`) are
//! fitted to labels (`fit`). Kinds of blocks are told apart from what some blocks say of themselves (`kinds`); cuts for
//! another policy follow from them (`outcome`).

mod case;
mod explain;
mod facts;
mod fit;
mod kinds;
mod likely;
mod outcome;
mod strip;
mod weights;

use anyhow::Result;

use self::case::Case;
use self::fit::Labelled;
use self::kinds::{Learner, seed};
use self::strip::Strip;
use super::{BlockKind, End};
use crate::frequency::Frequencies;
use crate::frequency::spread::{Gatherer, Spreads};
use crate::line::Key;
use crate::scan::Scan;

pub use likely::Likely;
pub(super) use outcome::Outcome;
pub use weights::Weights;

/// Both ends of a book as strips.
fn strips<'a>(
    scan: &'a Scan,
    frequency: impl Fn(Key, End) -> u64,
    spreads: &Spreads,
) -> [Strip<'a>; 2] {
    [End::Start, End::End].map(|end| Strip::new(scan, end, |key| frequency(key, end), spreads))
}

/// How often a key occurs at an end.
fn at_end(frequencies: &Frequencies) -> impl Fn(Key, End) -> u64 {
    |key, end| match end {
        End::Start => frequencies.head().frequency(key),
        End::End => frequencies.tail().frequency(key),
    }
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
    let strips = strips(scan, at_end(frequencies), frequencies.spreads());
    strips
        .each_ref()
        .map(|strip| Likely::new(&Case::new(strip), strip.end, weights))
}

/// A book as weights are fitted to it.
pub struct Example {
    cases: [Case; 2],
    places: [Option<usize>; 2],
    /// Blocks by number for each end, with the kind that they say they are.
    kinds: [Vec<(usize, BlockKind)>; 2],
}

impl Example {
    /// A book whose first and last line are known: lines before `first` are preamble, lines behind `last` epilogue.
    pub fn new(scan: &Scan, frequencies: &Frequencies, first: u32, last: u32) -> Example {
        let strips = strips(scan, at_end(frequencies), frequencies.spreads());
        let places = [
            place(&strips[0], |line| line < first),
            place(&strips[1], |line| line > last),
        ];
        let kinds = [0, 1].map(|end| known_kinds(&strips[end], places[end]));
        Example {
            cases: strips.each_ref().map(Case::new),
            places,
            kinds,
        }
    }
}

/// Behind the rows that are cut away; `None` if the whole strip would be, for the cut then lies beyond it.
fn place(strip: &Strip<'_>, cut: impl Fn(u32) -> bool) -> Option<usize> {
    let place = strip.rows.iter().take_while(|row| cut(row.line)).count();
    (place < strip.rows.len() || strip.rows.is_empty()).then_some(place)
}

/// What the blocks of a strip are, as far as they say it: inwards of the cut they are the book.
fn known_kinds(strip: &Strip<'_>, place: Option<usize>) -> Vec<(usize, BlockKind)> {
    let Some(place) = place else {
        return Vec::new();
    };
    let kind = |(at, block)| {
        let block: &strip::Block = block;
        if block.rows.start >= place {
            Some((at, BlockKind::Book))
        } else if block.rows.end <= place {
            Some((at, seed(block)?))
        } else {
            None
        }
    };
    strip.blocks.iter().enumerate().filter_map(kind).collect()
}

/// Weights fitted to books whose ends are known.
///
/// # Errors
///
/// No book whose cut lies within its strip.
pub fn fit(examples: &[&Example], penalty: f64) -> Result<Weights> {
    let mut weights = Weights::default();
    let mut learner = Learner::new();
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
        for example in examples {
            for &(block, kind) in &example.kinds[end] {
                learner.add(example.cases[end].block(block), kind);
            }
        }
    }
    weights.kinds = learner.finish();
    Ok(weights)
}
