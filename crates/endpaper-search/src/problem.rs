//! Problems with an index.

use std::path::PathBuf;

/// Why an index cannot be used, or not as requested. The message of each is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum IndexProblem {
    /// The folder has no index.
    #[error("'{0}' has no search index yet")]
    Missing(PathBuf),
    /// The folder holds other files.
    #[error("'{0}' holds other files; an index needs a separate folder")]
    Foreign(PathBuf),
    /// Another version of endpaper wrote it.
    #[error("the search index was written by {found}, which this version does not read")]
    OtherVersion {
        /// Its version.
        found: String,
    },
    /// It cannot be read, or differs from what was written.
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
        /// The past participle of what failed: read, written, locked, removed.
        action: &'static str,
        /// The error.
        error: std::io::Error,
    },
    /// Tantivy failed to write, though the index is not damaged.
    #[error("the search index cannot be written: {0}")]
    Unwritable(String),
}

impl IndexProblem {
    /// Whether a new index can replace it.
    pub fn is_rebuildable(&self) -> bool {
        matches!(
            self,
            IndexProblem::Missing(_) | IndexProblem::OtherVersion { .. } | IndexProblem::Broken(_)
        )
    }

    /// Whether its folder cannot be read or written, for example because the disk is full. Another folder may work.
    pub fn is_disk_error(&self) -> bool {
        matches!(self, IndexProblem::Io { .. } | IndexProblem::Unwritable(_))
    }
}
