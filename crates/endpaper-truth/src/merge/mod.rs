//! Two people's work brought together: `endpaper truth merge`.
//!
//! Records that say the same are merged, with all reviews of both. Where a base is known, what only one side changed is
//! taken from it. Everything else is a [`MergeConflict`]: no one's version wins by being last, a person settles it.

mod folders;
mod record;
#[cfg(test)]
mod tests;

pub use folders::{FolderMerge, MergeCounts, MergeOutcome, MergeSide, UnreadFile, merge, sides};
pub use record::{FieldDifference, add_reviews, joined_notes, merge_two};

use super::{Record, Verdict};

/// A book of which people say different things.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeConflict {
    /// What differs.
    pub fields: Vec<FieldDifference>,
    /// Each version once, in the order of the folders.
    pub opinions: Vec<Record>,
    /// What is agreed on and every review, not decided: where settling begins.
    pub draft: Record,
    /// The agreed verdict; means nothing if the cuts are disputed.
    pub verdict: Verdict,
}

impl MergeConflict {
    /// Whether the versions differ in a field.
    pub fn is_disputed(&self, field: &str) -> bool {
        self.fields.iter().any(|differing| differing.field == field)
    }

    /// The record if this version is right: its disputed fields, what is agreed on, and every review. Notes are not settled by
    /// a choice: those of the other versions follow its own.
    pub fn outcome_of(&self, version: &Record) -> Record {
        let mut outcome = Record {
            verdict: self.verdict,
            ..self.draft.clone()
        };
        record::copy_disputed(&mut outcome, version, |field| self.is_disputed(field));
        if self.is_disputed("note") {
            let versions = std::iter::once(version).chain(&self.opinions);
            outcome.note = joined_notes(versions.map(|version| version.note.as_str()));
        }
        outcome
    }

    /// Whether a record settles it: it is decided, keeps every review, and has one more.
    pub fn is_settled_by(&self, record: &Record) -> bool {
        record.verdict.is_decided()
            && record.has_opinions_of(&self.draft)
            && record.reviews.len() > self.draft.reviews.len()
    }
}
