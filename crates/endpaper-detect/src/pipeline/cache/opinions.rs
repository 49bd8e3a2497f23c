//! Cached opinions of texts, with a fingerprint of their inputs.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{CorpusCache, read_checksummed};

/// Changes whenever the same books may give other opinions.
const VERSION: u32 = 1;

impl CorpusCache {
    /// The result of an earlier run for the same inputs; `None` if it cannot be read.
    pub fn load_opinions<T: DeserializeOwned>(&self, made_from: &impl Serialize) -> Option<T> {
        let (fingerprint, kept): (u64, T) = read_checksummed(&self.file("opinions"))?;
        let wanted = self.fingerprint(&("opinions", VERSION, made_from));
        (Some(fingerprint) == wanted).then_some(kept)
    }

    /// Stores a result.
    pub fn store_opinions(
        &self,
        made_from: &impl Serialize,
        kept: &impl Serialize,
    ) -> anyhow::Result<()> {
        match self.fingerprint(&("opinions", VERSION, made_from)) {
            Some(fingerprint) => self.store("opinions", &(fingerprint, kept)),
            None => Ok(()),
        }
    }
}
