//! The posterior detector: the probability of a cut at every place, from fitted weights of evidence.
//!
//! Each end of a book is read from the outside inwards (`end_region`). Every block and every place between rows has facts
//! (`facts`); the log odds of a cut at a place are the weighted facts of the blocks near it on both sides and of the
//! place itself (`choice_set`): a conditional logit, exact and linear in the length of the window. The weights (`weights`) are
//! fitted to labels (`fit`). Kinds of blocks are guessed from the text of blocks (`kinds`); cuts for another policy follow
//! from them (`posterior_result`).

mod calibrate;
mod choice_set;
mod cross_fit;
mod cut_posterior;
mod end_region;
mod example;
mod explain;
mod fact_names;
mod facts;
mod fit;
#[cfg(test)]
mod fitting_tests;
mod kinds;
mod posterior_result;
#[cfg(test)]
mod tests;
mod weights;
mod works;

use super::End;
use crate::frequency::document_frequency::DocumentFrequencyBuilder;
use endpaper_text::scan::Scan;

pub use cross_fit::{CrossFitPlan, CrossFitResult, GroupedExample, cross_fit};
use cut_posterior::CutPosterior;
pub use example::{Example, fit, fit_from_prior};
pub(super) use fact_names::describe_weight;
pub use fit::{Penalty, Regularisation};
pub(super) use posterior_result::PosteriorResult;
pub use weights::Weights;
pub use works::group_by_work;

/// Adds the forms of a book's ends.
pub fn add_line_forms(scan: &Scan, gatherer: &mut DocumentFrequencyBuilder) {
    let forms = [End::Start, End::End].into_iter().flat_map(|end| {
        let rows = end_region::rows_of_end(scan, end).into_iter();
        rows.flat_map(move |row| facts::forms(row, end))
    });
    let header = &scan.header;
    gatherer.add(header.producer.as_deref(), header.author.as_deref(), forms);
}
