//! How often a line occurs in the heads and tails of a corpus (Kaser & Lemire, section 3.3).
//!
//! A counting structure takes batches of keys ([`Keyed`]), merges with another of its kind, and finishes into
//! [`Counts`], which answers [`Counts::bounds`]. Structures differ in how they may be wrong, and `bounds` says so; there
//! is no exact recount behind their back. A [`Model`] is counts with every parameter that made them, as a file. A [`Part`]
//! is a file too, of counts that can still be added to others.
//!
//! Adding a structure is one file with an `impl Counter` and one line in [`Structure`]. Nothing here reads books:
//! that is [`crate::scan`], and putting both together is the pipeline's.

mod books;
mod builtin;
mod chunks;
mod coding;
mod counting;
mod counts;
mod crc64;
mod error;
mod exact;
mod frequencies;
mod histogram;
mod keyed;
mod known;
mod merge;
mod model;
mod parameters;
mod part;
mod structure;
mod tally;
#[cfg(test)]
pub(crate) mod tests;
mod top;

pub use books::{BookMark, Books};
pub use builtin::built_in;
pub use counting::{Counting, Ends, Measure};
pub use counts::{Bounds, Certainty, Counts};
pub use crc64::Crc64;
pub use error::ModelError;
pub use exact::Exact;
pub use frequencies::Frequencies;
pub use histogram::Histogram;
pub use keyed::Keyed;
pub use known::{Known, Sample};
pub use merge::Merge;
pub use model::{Model, Section, SectionKind};
pub use parameters::ModelParameters;
pub use part::{Part, PartHead, write_part};
pub use structure::{Build, Counter, Structure, UnknownStructure};
pub use tally::Tally;
pub use top::TopLine;
