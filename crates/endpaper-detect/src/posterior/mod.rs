//! The posterior detector: the probability of a cut at every position, from fitted weights of facts.
//!
//! Each end of a book is read from the outside inwards (`end_region`). Every block and every cut position between rows
//! has facts (`facts`); the log odds of a cut at a position are the weighted facts of the blocks near it on both sides
//! and of the position itself (`choice_set`): a conditional logit, exact and linear in the length of the window. The
//! weights (`weights`) are fitted to labels (`fit`). A classifier learns the kinds of blocks from those that identify
//! themselves (`kinds`); the cuts for other policies follow from these kinds (`posterior_result`).

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
mod fit_generic;
#[cfg(test)]
mod fitting_tests;
mod kinds;
mod landmarks;
mod learn;
#[cfg(test)]
mod learn_tests;
mod posterior_result;
mod profile;
mod profile_summary;
#[cfg(test)]
mod tests;
mod works;

use super::End;
use crate::frequency::document_frequency::{DocumentFrequencyBuilder, LineForm};
use endpaper_text::scan::Scan;

pub use cross_fit::{CrossFitPlan, CrossFitResult, GroupedExample, cross_fit};
use cut_posterior::CutPosterior;
pub use example::{Example, fit};
pub(super) use fact_names::describe_weight;
pub use fit::Penalty;
pub use fit_generic::{CollectionExamples, fit_generic};
pub(super) use learn::MIN_WORKS;
pub use learn::{DecidedExample, LearnedProfile, learn};
pub(super) use posterior_result::PosteriorResult;
pub use profile::{FactScope, Profile};
pub use profile_summary::ProfileSummary;
pub use works::group_by_work;

/// The line forms of the outermost `rows` rows of both ends of a book.
pub(super) fn edge_forms(scan: &Scan, rows: usize) -> [Vec<LineForm>; 2] {
    [End::Start, End::End].map(|end| {
        let outer = end_region::rows_of_end(scan, end).into_iter().take(rows);
        outer.flat_map(|row| facts::forms(row, end)).collect()
    })
}

/// Adds the line forms of both ends of a book to `builder`.
pub fn add_line_forms(scan: &Scan, builder: &mut DocumentFrequencyBuilder) {
    let forms = [End::Start, End::End].into_iter().flat_map(|end| {
        let rows = end_region::rows_of_end(scan, end).into_iter();
        rows.flat_map(move |row| facts::forms(row, end))
    });
    let header = &scan.header;
    builder.add(header.producer.as_deref(), header.author.as_deref(), forms);
}
