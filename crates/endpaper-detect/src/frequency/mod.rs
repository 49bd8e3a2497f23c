//! How often a line occurs in the heads and tails of a corpus (Kaser & Lemire, section 3.3).
//!
//! A counting structure takes batches of lines ([`BookLines`]), merges with others of its kind, and finishes into
//! [`Counts`], which answer [`Counts::bounds`]. Structures differ in how they may be wrong; the bounds state this, and
//! nothing is recounted exactly afterwards. A [`Model`] is a file of counts with all parameters that produced them. A
//! [`ModelPart`] is a file of counts that can still be merged with others.
//!
//! The structures are [`Crc64`], [`Exact`], [`External`], [`Hashed`] and [`MisraGries`]. A new structure is one file
//! with an `impl Counter`, and an entry in the table of [`Structure`]. This module does not read books: that is the
//! task of [`endpaper_text::scan`], and the pipeline connects the two.

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
