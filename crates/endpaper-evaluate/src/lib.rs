//! Evaluation of detections against ground truth, agreement of curators, and samples for certificates.
//!
//! [`Proportion`] computes confidence intervals, [`BoundaryEdits`] the boundary similarity, [`kappa`] and [`KrippendorffAlpha`]
//! agreement beyond chance, [`ProposalMetrics`] the quality of proposals; these are pure statistics. [`agree`] compares curators
//! with them. [`system`] reads or makes the cuts of a detector, [`report`] scores them. Nothing here prints.

mod acceptance;
pub mod agree;
mod boundary;
mod coefficients;
mod distributions;
mod draws;
mod era;
mod errors;
mod intervals;
mod proposals;
mod random;
pub mod report;
mod ruler;
pub mod sample;
mod summary;
pub mod system;
mod windows;

pub use acceptance::{
    SequentialPlan, SequentialVerdict, SingleSamplingPlan, max_bad, probability_of_at_least,
    upper_bound,
};
pub use boundary::BoundaryEdits;
pub use coefficients::{INFLATION_NOTE, KrippendorffAlpha, LabelDifference, kappa};
pub use draws::{LabelDraws, WeightedShare};
pub use era::Era;
pub use errors::{BookErrors, EndErrors, TextVolume};
pub use intervals::{CONFIDENCE, Interval, Proportion};
pub use proposals::{DoubtBin, LabelledProposal, NEAR_MISS, ProposalMetrics};
pub use random::{SampleRandom, mix};
pub use summary::{
    CutAccuracy, ErrorDistribution, MetricsSummary, NEAR, share_in_words, window_metrics,
};
pub use windows::{WindowMetrics, usual_window};
