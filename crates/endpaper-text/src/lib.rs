//! From files to books to lines: the books of a corpus, their encodings, and the features of single lines.
//!
//! [`corpus`] lists the files of a folder and reads them, [`mod@line`] normalises a line and computes its key, [`scan`] extracts from a
//! book what counting and detecting need. The other crates share the rest: [`atomic`] writes every file, [`files`] opens every
//! file, [`config`] reads the user's settings, [`sanitise`] escapes control characters for the terminal.

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
pub mod sanitise;
pub mod scan;
pub mod varint;
pub mod wording;
pub mod yaml_limits;
