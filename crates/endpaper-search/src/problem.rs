//! What can be wrong with an index.

use std::path::PathBuf;

/// Why an index cannot be used, or not as it was asked for. Each is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum IndexProblem {
    /// There is no index.
    #[error("'{0}' has no search index yet")]
    Missing(PathBuf),
    /// The folder is used for something else.
    #[error("'{0}' holds other files; an index needs a separate folder")]
    Foreign(PathBuf),
    /// Another program wrote it.
    #[error("the search index was written by {found}, which this version does not read")]
    OtherVersion {
        /// Its version.
        found: String,
    },
    /// It cannot be read, or not what was written.
    #[error("the search index is damaged ({0})")]
    Broken(String),
    /// Another process is writing it.
    #[error("another endpaper is writing the search index in '{0}'; try again when it is done")]
    Busy(PathBuf),
    /// The operating system refused.
    #[error("the search index in '{folder}' cannot be {action}: {error}")]
    Io {
        /// The folder.
        folder: PathBuf,
        /// What was tried: read, written.
        action: &'static str,
        /// Why not.
        error: std::io::Error,
    },
    /// The index refused, for no fault of what it holds.
    #[error("the search index cannot be written: {0}")]
    Unwritable(String),
}

impl IndexProblem {
    /// Whether the index can be made again in its place.
    pub fn is_rebuildable(&self) -> bool {
        matches!(
            self,
            IndexProblem::Missing(_) | IndexProblem::OtherVersion { .. } | IndexProblem::Broken(_)
        )
    }

    /// Whether its folder cannot be written: a full disk and the like. Another folder may do.
    pub fn is_disk_error(&self) -> bool {
        matches!(self, IndexProblem::Io { .. } | IndexProblem::Unwritable(_))
    }
}
