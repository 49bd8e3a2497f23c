//! The books of a corpus, their encodings, and the features of their lines.
//!
//! [`corpus`] lists the books of a corpus and reads them, [`mod@line`] normalises a line and computes its key, and [`scan`]
//! extracts from a book what counting and detection need. Other modules are shared by all crates: [`atomic`] writes files,
//! [`files`] opens untrusted files, [`config`] reads the user's settings, [`sanitise`] makes text safe for the terminal.

pub mod atomic;
pub mod cells;
pub mod checksum;
pub mod config;
pub mod corpus;
pub mod files;
pub mod lanes;
pub mod line;
mod named_enum;
pub mod panics;
pub mod program;
pub mod sanitise;
pub mod scan;
pub mod varint;
pub mod wording;
pub mod yaml_limits;
