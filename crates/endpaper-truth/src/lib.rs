//! Ground truth: one YAML record per book, saved so that nothing is lost.
//!
//! [`Record`] holds a decision; [`yaml`] writes it in a fixed layout and reads it; `file_name` derives the
//! file from a book's id; [`Store`] loads, saves, restores and lists records, and keeps both versions where two
//! people changed one. Nothing here looks at a clock or a terminal.
//!
//! [`check`] finds contradictions in records, [`merge`] merges folders, [`exchange`] exports and imports records as one file.

pub mod anchor;
mod body;
pub mod check;
mod conflict_copies;
mod context;
mod detected_row;
mod encodings;
pub mod exchange;
mod file_name;
mod folder_guard;
mod index;
mod lessons;
mod lock;
pub mod merge;
mod opinions;
mod record;
mod save;
mod serde_names;
mod status;
mod store;
pub mod strip;
mod take_context;
#[cfg(test)]
mod tests;
mod walk;
pub mod yaml;

pub use anchor::{Anchored, Refusal, relocate};
pub use body::{body_bytes, body_lines, cuts_around, error_at};
pub use conflict_copies::ConflictCopy;
pub use context::{Anchor, BlockContext, CutContext};
pub use detected_row::{DetectedRows, skipped_json};
pub use file_name::{file_name, file_name_hashed, record_file};
pub use lock::Announcement;
pub use record::{
    ADJUDICATION, Alternative, DetectedCuts, InnerBoilerplate, PROPAGATED, Record, RecordKind,
    Review, ReviewedSource, SAMPLE, SCHEMA, SECOND_LOOK, SourceFacts, UnsoundRecord, Verdict,
    timestamp,
};
pub use save::{SaveError, SavedRecord, Snapshot};
pub use status::{BrokenRecord, StatusReport};
pub use store::{NotAFolder, Store, StoredRecord};
pub use take_context::{context_of, context_of_record};
