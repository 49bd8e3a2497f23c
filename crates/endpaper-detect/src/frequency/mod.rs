//! How often a line occurs in the heads and tails of a corpus (Kaser & Lemire, section 3.3).
//!
//! A counting structure takes batches of keys ([`BookLines`]), merges with another of its kind, and finishes into
//! [`Counts`], which answers [`Counts::bounds`]. Structures differ in how they may be wrong, and `bounds` says so:
//! counts are never corrected by an exact recount. A [`Model`] is counts with every parameter that made them, as a file. A [`ModelPart`]
//! is a file too, of counts that can still be added to others.
//!
//! There are [`Crc64`], [`Exact`], [`External`], [`Hashed`] and [`MisraGries`]. Adding a structure is one file with an
//! `impl Counter`, and a row in the table of [`Structure`]. Nothing here reads books: that is [`endpaper_text::scan`], and
//! putting both together is the pipeline's.

mod array;
mod book_lines;
mod books;
mod builtin;
mod chunks;
mod coding;
mod counter;
mod counting;
mod counts;
mod counts_file;
mod crc64;
pub mod document_frequency;
mod ends;
mod error;
mod exact;
mod external;
mod frequencies;
mod hashed;
mod histogram;
mod line_texts;
pub(crate) mod magic;
mod merge;
mod misra_gries;
mod model;
mod morris;
mod options;
mod parameters;
mod part;
pub mod rows;
mod runs;
mod scaled;
mod size;
mod stream;
mod structure;
mod table;
mod tally;
#[cfg(test)]
pub(crate) mod tests;
mod top;

pub use array::CounterWidth;
pub use book_lines::BookLines;
pub use books::{BookDigest, BookSet};
pub use builtin::built_in;
pub use counter::{Accumulate, Counter};
pub use counting::{CountMeasure, Counting};
pub use counts::{Bounds, Certainty, Counts, MismatchedCounts};
pub use crc64::Crc64;
pub use ends::CountedEnds;
pub use error::{ModelError, NoScratch, RepeatedBooks};
pub use exact::Exact;
pub use external::External;
pub use frequencies::Frequencies;
pub use hashed::Hashed;
pub use histogram::Histogram;
pub(crate) use line_texts::PART_TEXTS;
pub use line_texts::{LineTexts, TextSampler};
pub use merge::PartMerge;
pub use misra_gries::MisraGries;
pub use model::Model;
pub use options::StructureError;
pub use parameters::ModelParameters;
pub(crate) use part::write_part;
pub use part::{ModelPart, PartHead};
pub use scaled::NotScalable;
pub use size::{ByteSize, InvalidSize};
pub use structure::{STRUCTURES, Structure, StructureEntry, StructureVisitor};
pub use tally::EndCounters;
pub use top::TopLine;
