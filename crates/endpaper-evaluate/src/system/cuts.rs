//! Cuts to be judged, and why there are none.

use endpaper_detect::Cuts;
use endpaper_text::corpus::BookId;
use std::collections::HashMap;
use std::io;
use std::num::ParseIntError;
use std::path::PathBuf;

/// Cuts and doubt by the book's place in the analysis. A book that is not there is not judged.
pub type SystemCuts = HashMap<usize, (Cuts, f32)>;

/// A system that is evaluated: its name, and its cuts of each book.
#[derive(Debug)]
pub struct System {
    /// Whose they are.
    pub name: String,
    /// What there is to know of them.
    pub note: Option<String>,
    /// The cuts.
    pub cuts: SystemCuts,
}

/// Why there are no cuts to be judged.
#[derive(Debug, thiserror::Error)]
pub enum SystemError {
    /// The file of another tool's cuts.
    #[error("'{}' cannot be read", file.display())]
    Unread {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// What is in it.
    #[error("'{}' is not a table of cuts", file.display())]
    Table {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        source: CutTableError,
    },
    /// The detector works on Scans.
    #[error("the analysis kept no scan of '{0}'")]
    NoScan(BookId),
    /// The corpus cannot be counted, or weights cannot be fitted to it.
    #[error(transparent)]
    Pipeline(#[from] anyhow::Error),
}

/// Why a text is not a table of cuts.
#[derive(Debug, thiserror::Error)]
pub enum CutTableError {
    /// Not even a header.
    #[error("it is empty; its first line names the columns book, preamble_end and epilogue_start")]
    Empty,
    /// A column that must be there.
    #[error("line 1 names no column '{0}' (columns are separated by tabs)")]
    NoColumn(&'static str),
    /// A line with too few cells.
    #[error("line {line} has only {columns} columns")]
    Short {
        /// Counted from 1.
        line: u32,
        /// How many it has.
        columns: usize,
    },
    /// A cell that is not a number.
    #[error("line {line}: '{cell}' is not a line number")]
    NoNumber {
        /// Counted from 1.
        line: u32,
        /// The text of the cell.
        cell: String,
        /// Why it is not a number.
        source: ParseIntError,
    },
}
