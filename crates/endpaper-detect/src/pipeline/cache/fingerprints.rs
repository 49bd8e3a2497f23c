//! Fingerprints of bodies, of any shape: a checksum, then one list.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{CorpusCache, read_checksummed};
use crate::copies::{Fingerprint, FingerprintShape};

/// What decides a fingerprint: the digest of the book, the lines that were taken of it, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in super::super) struct FingerprintKey {
    /// CRC-64/XZ of the text.
    pub crc: u64,
    /// Size of the text in bytes.
    pub bytes: u64,
    /// First and last line.
    pub lines: (u32, u32),
    pub shape: FingerprintShape,
}

/// Fingerprints by what decides them; `None` for what is too short to have one.
pub(in super::super) type FingerprintCache = HashMap<FingerprintKey, Option<Fingerprint>>;

/// One of them.
type CachedFingerprint = (FingerprintKey, Option<Fingerprint>);

/// Changes whenever the same text may give another fingerprint.
const VERSION: u32 = 1;

impl CorpusCache {
    /// The fingerprints that earlier runs made; none if they cannot be read.
    pub fn load_fingerprints(&self) -> FingerprintCache {
        let wanted = self.fingerprint(&("prints", VERSION));
        let read = read_checksummed::<(u64, Vec<CachedFingerprint>)>(&self.file("prints"));
        let read = read.filter(|(fingerprint, _)| Some(*fingerprint) == wanted);
        read.map_or_else(FingerprintCache::new, |(_, prints)| {
            prints.into_iter().collect()
        })
    }

    /// Keeps fingerprints.
    pub fn store_fingerprints(&self, prints: &FingerprintCache) -> anyhow::Result<()> {
        let Some(fingerprint) = self.fingerprint(&("prints", VERSION)) else {
            return Ok(());
        };
        let prints: Vec<_> = prints.iter().collect();
        self.store("prints", &(fingerprint, prints))
    }
}
