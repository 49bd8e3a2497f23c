//! Clusters of near copies: a checksum, what they were made from, and one list.

use serde::Serialize;

use super::{CorpusCache, read_checksummed};
use crate::pipeline::CopyClusters;

/// Changes whenever the same books may give other clusters.
const VERSION: u32 = 1;

impl CorpusCache {
    /// The clusters that an earlier run found, if they were made from the same; none if they cannot be read.
    pub fn load_clusters(&self, made_from: &impl Serialize) -> Option<CopyClusters> {
        let (fingerprint, clusters): (u64, CopyClusters) =
            read_checksummed(&self.file("clusters"))?;
        let wanted = self.fingerprint(&("clusters", VERSION, made_from));
        (Some(fingerprint) == wanted).then_some(clusters)
    }

    /// Keeps clusters.
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
