//! Cuts to be held against labels: those of a detector, of Algorithm 1 over another structure, of another tool.

mod detector;
mod structure;
mod table;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

use endpaper_detect::Cuts;
use endpaper_text::corpus::BookId;

pub use detector::detector;
pub use structure::{with_counts, with_structure};
pub use table::{TableError, other_tool};

/// Cuts and doubt by the book's place in the survey. A book that is not there is not judged.
pub type Found = HashMap<usize, (Cuts, f32)>;

/// Whose cuts they are, and the cuts.
#[derive(Debug)]
pub struct Contender {
    /// Whose they are.
    pub name: String,
    /// What there is to know of them.
    pub note: Option<String>,
    /// The cuts.
    pub cuts: Found,
}

/// Why there are no cuts to be judged.
#[derive(Debug, thiserror::Error)]
pub enum ContenderError {
    /// The file of another tool's cuts.
    #[error("'{}' cannot be read", file.display())]
    Unread {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// What is in it.
    #[error("'{}' is no table of cuts", file.display())]
    Table {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        source: TableError,
    },
    /// The detector works on Scans.
    #[error("the survey kept no Scan of '{0}'")]
    NoScan(BookId),
    /// The corpus cannot be counted, or weights cannot be fitted to it.
    #[error(transparent)]
    Pipeline(#[from] anyhow::Error),
}
