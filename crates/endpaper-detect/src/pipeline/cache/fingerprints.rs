//! Cached fingerprints of bodies, of any shape: one list with a checksum.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{CorpusCache, read_checksummed};
use crate::copies::{Fingerprint, FingerprintShape};
use endpaper_text::corpus::EncodingChoice;

/// Everything that determines a fingerprint: the checksum, size and encoding of the book, the lines taken, and the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in super::super) struct FingerprintKey {
    /// CRC-64/XZ of the text.
    pub crc: u64,
    /// Size of the text in bytes.
    pub bytes: u64,
    /// How its encoding was found, as the fingerprint is of its characters.
    pub encoding: EncodingChoice,
    /// First and last line.
    pub lines: (u32, u32),
    pub shape: FingerprintShape,
}

/// Fingerprints by key; `None` for a text that is too short to have one.
pub(in super::super) type FingerprintCache = HashMap<FingerprintKey, Option<Fingerprint>>;

/// An entry of the file.
type CachedFingerprint = (FingerprintKey, Option<Fingerprint>);

/// Changes whenever the same text may give another fingerprint.
const VERSION: u32 = 4;

impl CorpusCache {
    /// The fingerprints of earlier runs; empty if they cannot be read.
    pub fn load_fingerprints(&self) -> FingerprintCache {
        let wanted = self.fingerprint(&("prints", VERSION));
        let read = read_checksummed::<(u64, Vec<CachedFingerprint>)>(&self.file("prints"));
        let read = read.filter(|(fingerprint, _)| Some(*fingerprint) == wanted);
        read.map_or_else(FingerprintCache::new, |(_, prints)| {
            prints.into_iter().collect()
        })
    }

    /// Stores fingerprints.
    pub fn store_fingerprints(&self, prints: &FingerprintCache) -> anyhow::Result<()> {
        let Some(fingerprint) = self.fingerprint(&("prints", VERSION)) else {
            return Ok(());
        };
        let prints: Vec<_> = prints.iter().collect();
        self.store("prints", &(fingerprint, prints))
    }
}
