//! Two people's work brought together: `endpaper truth merge`.
//!
//! Records that say the same are merged, with all reviews of both. Where a base is known, what only one side changed is
//! taken from it. Everything else is a [`MergeConflict`]: no one's version wins by being last, a person settles it.

mod folders;
mod record;
#[cfg(test)]
mod tests;

pub use folders::{FolderMerge, MergeCounts, MergeOutcome, MergeSide, UnreadFile, merge, sides};
pub use record::{FieldDifference, add_reviews, merge_two};

use super::Record;

/// A book of which people say different things.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeConflict {
    /// What differs.
    pub fields: Vec<FieldDifference>,
    /// Each version once, in the order of the folders.
    pub opinions: Vec<Record>,
    /// What is agreed on and every review, not decided: where settling begins.
    pub draft: Record,
}

impl MergeConflict {
    /// Whether a record settles it: it is decided, keeps every review, and has one more.
    pub fn is_settled_by(&self, record: &Record) -> bool {
        record.verdict.is_decided()
            && record.has_opinions_of(&self.draft)
            && record.reviews.len() > self.draft.reviews.len()
    }
}
