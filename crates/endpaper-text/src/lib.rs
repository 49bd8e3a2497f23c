//! Files to books to lines: what is in a corpus, how it is encoded, and what can be known of each line by itself.
//!
//! [`corpus`] lists the files of a folder and reads them, [`mod@line`] normalises a line and gives its key, [`scan`] keeps of a book
//! what counting and detecting need. The rest is the ground everything is on: [`atomic`] writes every file, [`files`]
//! opens every file, [`config`] knows the user's folders and settings, [`sanitise`] makes text safe for a terminal.

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
pub mod wording;
pub mod yaml_limits;
