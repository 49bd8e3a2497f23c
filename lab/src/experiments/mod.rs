//! The experiments behind the figures of Kaser & Lemire: theory next to simulation. Those of Vladimir et al. on near copies are in [`copies`], the
//! measure of Wu et al. for outlines in [`outlines`].
//!
//! CounterRandom experiments take their numbers from `CounterRandom`, so that the same seed gives the same figure. Nothing here reads
//! a file, draws or prints.

mod baselines;
mod catalogue;
mod collisions;
pub mod copies;
mod distinct;
mod efficiency;
mod memory;
pub mod outlines;
pub mod pages;
mod runs;
mod sampling;
mod text_units;
mod word_ngrams;

pub use baselines::{BASELINES, Baseline, HEADINGS, headings, marker_lines, marker_paragraphs};
pub use catalogue::EbookIdentity;
pub use collisions::{Collisions, SKEW, THRESHOLDS, bound, collisions, skewed_bound};
pub use distinct::DistinctSketch;
pub use efficiency::{ITEMS, efficiency, zipfian};
pub use endpaper_evaluate::{SampleRandom, mix};
pub use memory::{FromMemory, count};
pub use runs::{
    Mean, expected_lost_lines, expected_run, run_among, simulated_lost_lines, simulated_run,
};
pub use sampling::{
    SampleErrors, count_sample, expected_sample_errors, sample_errors, sample_threshold,
};
pub use text_units::{TextUnit, UnitKind, WindowUnits};
pub use word_ngrams::{NGRAM_LENGTHS, NgramHasher};
