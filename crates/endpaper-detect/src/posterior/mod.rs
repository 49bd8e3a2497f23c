//! The posterior detector: the probability of a cut at every place, from fitted weights of evidence.
//!
//! Each end of a book is read from the outside inwards (`strip`). Every block and every place between rows has facts
//! (`facts`); the log odds of a cut at a place are the weighted facts of the blocks near it on both sides and of the
//! place itself (`case`): a conditional logit, exact and linear in the length of the window. The weights (`weights`) are
//! fitted to labels (`fit`). Kinds of blocks are told apart from what some blocks say of themselves (`kinds`); cuts for
//! another policy follow from them (`outcome`).

mod calibrate;
mod case;
mod cross;
mod example;
mod explain;
mod facts;
mod fit;
#[cfg(test)]
mod fitting_tests;
mod kinds;
mod likely;
mod meaning;
mod outcome;
mod strip;
#[cfg(test)]
mod tests;
mod weights;
mod works;

use self::strip::Strip;
use super::End;
use crate::frequency::Frequencies;
use crate::frequency::spread::{Gatherer, Spreads};
use endpaper_text::line::Key;
use endpaper_text::scan::Scan;

pub use cross::{Crossed, Plan, Sample, cross};
pub use example::{Example, fit, learn};
pub use fit::{Caution, Penalty};
use likely::Likely;
pub(super) use outcome::Outcome;
pub use weights::Weights;
pub use works::works;

/// Both ends of a book as strips.
fn strips<'a>(
    scan: &'a Scan,
    frequency: impl Fn(Key, End) -> u64,
    spreads: &Spreads,
) -> [Strip<'a>; 2] {
    [End::Start, End::End].map(|end| Strip::new(scan, end, |key| frequency(key, end), spreads))
}

/// How often a key occurs at an end.
pub(super) fn at_end(frequencies: &Frequencies) -> impl Fn(Key, End) -> u64 {
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
