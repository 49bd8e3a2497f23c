//! How often a line occurs in the heads and tails of a corpus (Kaser & Lemire, section 3.3).
//!
//! A counting structure takes batches of keys ([`Keyed`]), merges with another of its kind, and finishes into
//! [`Counts`], which answers [`Counts::bounds`]. Structures differ in how they may be wrong, and `bounds` says so; there
//! is no exact recount behind their back. A [`Model`] is counts with every parameter that made them, as a file.
//!
//! Adding a structure is one file with an `impl Counter` and one line in [`Structure`]. Nothing here reads books:
//! that is [`crate::scan`], and putting both together is the pipeline's.

mod builtin;
mod coding;
mod counts;
mod crc64;
mod exact;
mod histogram;
mod keyed;
mod model;
mod structure;
#[cfg(test)]
pub(crate) mod tests;

pub use builtin::built_in;
pub use counts::{Bounds, Certainty, Counts};
pub use crc64::Crc64;
pub use exact::Exact;
pub use histogram::Histogram;
pub use keyed::Keyed;
pub use model::{Ends, Measure, Model, ModelError, ModelParameters, Section, SectionKind, VERSION};
pub use structure::{Build, Counter, Structure, UnknownStructure};
