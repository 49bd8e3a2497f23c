//! Cuts to be compared with labels: those of a detector, of Algorithm 1 over another structure, of another tool.

mod cuts;
mod detector;
mod structure;
mod table;

pub use cuts::{CutTableError, System, SystemCuts, SystemError};
pub use detector::detector;
pub use structure::{with_counts, with_structure};
pub use table::read_cut_table;
