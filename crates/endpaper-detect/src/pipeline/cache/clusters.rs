//! Cached clusters of near copies: a fingerprint of their inputs and one list, with a checksum.

use serde::Serialize;

use super::{CorpusCache, read_checksummed};
use crate::pipeline::CopyClusters;

/// Changes whenever the same books may give other clusters.
const VERSION: u32 = 2;

impl CorpusCache {
    /// The clusters that an earlier run found for the same inputs; `None` if they cannot be read.
    pub fn load_clusters(&self, made_from: &impl Serialize) -> Option<CopyClusters> {
        let (fingerprint, clusters): (u64, CopyClusters) =
            read_checksummed(&self.file("clusters"))?;
        let wanted = self.fingerprint(&("clusters", VERSION, made_from));
        (Some(fingerprint) == wanted).then_some(clusters)
    }

    /// Stores clusters.
    pub fn store_clusters(
        &self,
        made_from: &impl Serialize,
        clusters: &CopyClusters,
    ) -> anyhow::Result<()> {
        match self.fingerprint(&("clusters", VERSION, made_from)) {
            Some(fingerprint) => self.store("clusters", &(fingerprint, clusters)),
            None => Ok(()),
        }
    }
}
