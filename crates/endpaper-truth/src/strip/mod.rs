//! Bodies out: what is between the cuts, byte for byte, and a look over them before they are published.
//!
//! `choose` decides which lines of a book are its body and on whose word, or why the book is left out; it is pure.
//! [`OutForm`] turns them into bytes, the source's own unless another encoding or line end is asked for. [`Stripper`]
//! gives every book its file and writes it under a temporary name; [`strip_books`] does so on many threads and names the files
//! in groups, never over an existing one unless told to; [`RowCutter`] makes rows of JSON of bodies, and [`ShardWriter`]
//! puts them into files. The [`Manifest`] says
//! of every body where it came from and on whose word. [`check`] looks for what should not be in a folder of bodies.
//! Reading the books, detecting and printing are others' work.

pub mod check;
mod choose;
mod form;
mod kinds;
mod manifest;
mod row_cutter;
mod shard_row;
mod shards;
mod strip_books;
mod stripped;
mod stripper;
#[cfg(test)]
mod tests;

pub use choose::{CutsOrigin, DetectedBody, OmitReason, StripBody, StripOptions, choose_body};
pub use form::{OutEncoding, OutForm, OutNewline};
pub use kinds::DroppedKinds;
pub use manifest::{COLUMNS, MANIFEST, Manifest, ManifestEntry, ManifestSpace};
pub use row_cutter::{PreparedRow, RowCutter, stored};
pub use shard_row::ShardRow;
pub use shards::{ShardNames, ShardWriter};
pub use strip_books::strip_books;
pub use stripped::StrippedBook;
pub use stripper::{PreparedBody, StripFailure, Stripper, body_bytes};
