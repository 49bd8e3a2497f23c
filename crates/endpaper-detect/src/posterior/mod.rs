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

use super::End;
use crate::frequency::spread::DocumentFrequencyBuilder;
use endpaper_text::scan::Scan;

pub use cross::{CrossFitPlan, CrossFitResult, GroupedExample, cross};
pub use example::{Example, fit, learn};
pub use fit::{Penalty, Regularisation};
use likely::CutPosterior;
pub(super) use meaning::in_words;
pub(super) use outcome::PosteriorResult;
pub use weights::Weights;
pub use works::works;

/// Adds the forms of a book's ends.
pub fn gather(scan: &Scan, gatherer: &mut DocumentFrequencyBuilder) {
    let forms = [End::Start, End::End].into_iter().flat_map(|end| {
        let rows = strip::zone(scan, end).into_iter();
        rows.flat_map(move |row| facts::forms(row, end))
    });
    let header = &scan.header;
    gatherer.add(header.hand.as_deref(), header.author.as_deref(), forms);
}
