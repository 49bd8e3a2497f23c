//! How well curators agree on where books begin and end.
//!
//! [`between_folders`] puts the records of several truth folders side by side, [`between_curators`] and [`within_curators`]
//! the reviews in the records of one, [`with_adjudicators`] these with what settled them. Each gives a [`SideMatching`]: its sides, and for each book what they said. `compare`
//! counts it up into an [`SideAgreement`], with a [`BodyRuler`] for each book that is available, so that distances are non-blank
//! lines: blank lines around a cut carry no meaning.

mod compare;
mod gather;
mod tally;
#[cfg(test)]
mod tests;

pub use super::ruler::BodyRuler;
pub use compare::{BookFacts, Disagreement, SideAgreement, TemplateTally, alphas, compare};
pub use gather::{
    ComparedBook, ReviewOutcome, SideMatching, SideReview, between_curators, between_folders,
    with_adjudicators, within_curators,
};
pub use tally::{AgreementTally, EndTally, LIMITS, NEAR};
