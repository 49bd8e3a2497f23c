//! Cuts to be held against labels: those of a detector, of Algorithm 1 over another structure, of another tool.

mod detector;
mod structure;
mod table;

use std::collections::HashMap;

use endpaper_detect::Cuts;

pub(super) use detector::detector;
pub(super) use structure::{with_counts, with_structure};
pub(super) use table::other_tool;

/// Cuts and doubt by the book's place in the survey. A book that is not there is not judged.
pub(super) type Found = HashMap<usize, (Cuts, f32)>;

/// Whose cuts they are, and the cuts.
pub(super) struct Contender {
    /// Whose they are.
    pub name: String,
    /// What there is to know of them.
    pub note: Option<String>,
    /// The cuts.
    pub cuts: Found,
}
