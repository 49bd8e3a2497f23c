//! What a reader of any format returns.

use super::LabelledSpan;
use crate::{Record, Verdict};

/// A book as a tool gave it back.
#[derive(Clone, Debug, Default)]
pub struct AnnotatedItem {
    /// The book, if the item says it.
    pub book: Option<String>,
    /// The SHA-256 of the text that was labelled, if the item says it.
    pub sha256: Option<String>,
    /// The record that the tool carried along.
    pub record: Option<Record>,
    /// The text beside the labels.
    pub text: Option<String>,
    /// What people labelled.
    pub opinions: Vec<LabelOpinion>,
}

/// The labels of one person.
#[derive(Clone, Debug, Default)]
pub struct LabelOpinion {
    /// Who, if the tool says it.
    pub by: Option<String>,
    /// When, as in reviews, if the tool says it.
    pub at: Option<String>,
    /// How long it took, in seconds.
    pub seconds: u64,
    /// Whether the tool marks it as the right one of several.
    pub is_outcome: bool,
    /// Why there is no answer, for example that it was rejected.
    pub no_answer: Option<String>,
    /// The verdict without cuts that the tool tells in place of labels.
    pub verdict: Option<Verdict>,
    /// The labels.
    pub spans: Vec<LabelledSpan>,
}

impl AnnotatedItem {
    /// Takes the record that the tool carried along, and what it says of book and text.
    ///
    /// # Errors
    ///
    /// The record is damaged.
    pub(super) fn carry(&mut self, json: Option<&str>) -> Result<(), String> {
        if let Some(json) = json.filter(|json| !json.is_empty()) {
            self.record = Some(super::carried_record(json)?);
        }
        Ok(())
    }
}
