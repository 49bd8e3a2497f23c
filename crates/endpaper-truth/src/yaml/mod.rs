//! YAML in and out.
//!
//! [`write`](fn@write) lays a record out in one fixed way, so that an unchanged record is the same bytes and a changed one gives a
//! small diff. `read` takes any YAML that says the same. Every string is double-quoted and no tag is written, so a
//! YAML 1.1 reader and a YAML 1.2 reader see the same values. Comments and the order of unknown keys are not kept.

mod emit;
mod parse_error;
mod read;
#[cfg(test)]
mod tests;

pub use emit::write;
pub use parse_error::ParseError;
pub(crate) use read::MOST_BYTES;
pub(super) use read::{check_untyped, file_bytes};
pub use read::{read, read_bytes};
