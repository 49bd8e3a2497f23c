//! Cached results with a fingerprint of their inputs, one file for each kind of result.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{CorpusCache, read_checksummed};

impl CorpusCache {
    /// The result that an earlier run stored with this extension for the same inputs; `None` if it cannot be read. `version`
    /// changes whenever the same inputs may give another result.
    pub fn load_keyed<T: DeserializeOwned>(
        &self,
        extension: &str,
        version: u32,
        made_from: &impl Serialize,
    ) -> Option<T> {
        let (fingerprint, kept): (u64, T) = read_checksummed(&self.file(extension))?;
        let wanted = self.fingerprint(&(extension, version, made_from));
        (Some(fingerprint) == wanted).then_some(kept)
    }

    /// Stores a result.
    pub fn store_keyed(
        &self,
        extension: &str,
        version: u32,
        made_from: &impl Serialize,
        kept: &impl Serialize,
    ) -> anyhow::Result<()> {
        match self.fingerprint(&(extension, version, made_from)) {
            Some(fingerprint) => self.store(extension, &(fingerprint, kept)),
            None => Ok(()),
        }
    }
}
