//! Frequent n-grams and the cuts that they call for: what they were made from, and both.

use serde::Serialize;

use super::{CorpusCache, read_checksummed};
use crate::pipeline::gram_cuts::StoredGramCuts;

/// Changes whenever the same books may give other n-grams or cuts.
const VERSION: u32 = 1;

impl CorpusCache {
    /// What an earlier run found, if it was made from the same; none if it cannot be read.
    pub fn load_gram_cuts(&self, made_from: &impl Serialize) -> Option<StoredGramCuts> {
        let (fingerprint, kept): (u64, StoredGramCuts) = read_checksummed(&self.file("grams"))?;
        let wanted = self.fingerprint(&("grams", VERSION, made_from));
        (Some(fingerprint) == wanted).then_some(kept)
    }

    /// Keeps what was found.
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
