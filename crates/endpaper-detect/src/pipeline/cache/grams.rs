//! Cached frequent n-grams and the cuts that follow from them, with a fingerprint of their inputs.

use serde::Serialize;

use super::{CorpusCache, read_checksummed};
use crate::pipeline::gram_cuts::StoredGramCuts;

/// Changes whenever the same books may give other n-grams or cuts.
const VERSION: u32 = 1;

impl CorpusCache {
    /// The result of an earlier run for the same inputs; `None` if it cannot be read.
    pub fn load_gram_cuts(&self, made_from: &impl Serialize) -> Option<StoredGramCuts> {
        let (fingerprint, kept): (u64, StoredGramCuts) = read_checksummed(&self.file("grams"))?;
        let wanted = self.fingerprint(&("grams", VERSION, made_from));
        (Some(fingerprint) == wanted).then_some(kept)
    }

    /// Stores a result.
    pub fn store_gram_cuts(
        &self,
        made_from: &impl Serialize,
        kept: &StoredGramCuts,
    ) -> anyhow::Result<()> {
        match self.fingerprint(&("grams", VERSION, made_from)) {
            Some(fingerprint) => self.store("grams", &(fingerprint, kept)),
            None => Ok(()),
        }
    }
}
