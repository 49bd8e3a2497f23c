//! Records by the digest of their source, to know a text again in another place.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::yaml;

/// Files of records by the SHA-256 of their source.
#[derive(Debug, Default)]
pub(super) struct SourceIndex {
    files: HashMap<String, Vec<PathBuf>>,
    /// Whether all records were read. Records that are saved are noted before that too: reading them takes a while.
    pub(super) is_whole: bool,
}

impl SourceIndex {
    /// Reads all records; one that cannot be read is left out, as it is named elsewhere.
    pub(super) fn build(folder: &Path, files: &[PathBuf]) -> SourceIndex {
        let digest = |file: &PathBuf| {
            let bytes = yaml::file_bytes(&folder.join(file)).ok()?;
            let record = yaml::read_bytes(&bytes).ok()?;
            Some((record.source.sha256, file.clone()))
        };
        let found: Vec<_> = files.par_iter().filter_map(digest).collect();
        let mut index = SourceIndex {
            is_whole: true,
            ..SourceIndex::default()
        };
        for (sha256, file) in found {
            index.add(&sha256, &file);
        }
        index
    }

    /// Notes a record that was saved.
    pub(super) fn add(&mut self, sha256: &str, file: &Path) {
        let files = self.files.entry(sha256.to_ascii_lowercase()).or_default();
        if !files.iter().any(|known| known == file) {
            files.push(file.to_owned());
        }
    }

    /// Takes in what another index holds.
    pub(super) fn extend(&mut self, other: SourceIndex) {
        for (sha256, files) in &other.files {
            files.iter().for_each(|file| self.add(sha256, file));
        }
        self.is_whole |= other.is_whole;
    }

    /// Files whose records were about these bytes when they were last examined.
    pub(super) fn files(&self, sha256: &str) -> Vec<PathBuf> {
        let files = self.files.get(&sha256.to_ascii_lowercase());
        files.cloned().unwrap_or_default()
    }
}
