//! How often a line occurs in the heads and tails of a corpus (Kaser & Lemire, section 3.3).
//!
//! A counting structure takes batches of keys ([`Keyed`]), merges with another of its kind, and finishes into
//! [`Counts`], which answers [`Counts::bounds`]. Structures differ in how they may be wrong, and `bounds` says so; there
//! is no exact recount behind their back. A [`Model`] is counts with every parameter that made them, as a file.
//!
//! There are [`Crc64`], [`Exact`], [`External`], [`Hashed`] and [`HotItems`]. Adding a structure is one file with an
//! `impl Counter`, and a row in the table of [`Structure`]. Nothing here reads books: that is [`crate::scan`], and
//! putting both together is the pipeline's.

mod array;
mod builtin;
mod coding;
mod counts;
#[allow(dead_code, reason = "the model file is about to use it")]
mod counts_file;
mod crc64;
mod exact;
mod external;
mod hashed;
mod histogram;
mod hot_items;
mod keyed;
mod model;
mod morris;
mod options;
mod runs;
mod size;
mod stream;
mod structure;
mod table;
#[cfg(test)]
pub(crate) mod tests;

pub use array::Counters;
pub use builtin::built_in;
pub use counts::{Bounds, Certainty, Counts, NotAlike};
pub use crc64::Crc64;
pub use exact::Exact;
pub use external::External;
pub use hashed::Hashed;
pub use histogram::Histogram;
pub use hot_items::HotItems;
pub use keyed::{Keyed, Texts, Window};
pub use model::{Ends, Measure, Model, ModelError, ModelParameters, Section, SectionKind, VERSION};
pub use options::StructureError;
pub use size::{NotASize, Size};
pub use structure::{Build, Counter, Entry, STRUCTURES, Structure};
