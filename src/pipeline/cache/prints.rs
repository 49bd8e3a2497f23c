//! Fingerprints of bodies, of any shape: a checksum, then one list.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Cache;
use crate::checksum::{Summed, crc64};
use crate::copies::{Fingerprint, Shape};

/// What decides a fingerprint: the digest of the book, the lines that were taken of it, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in super::super) struct PrintKey {
    /// CRC-64/XZ of the text.
    pub crc: u64,
    /// Size of the text in bytes.
    pub bytes: u64,
    /// First and last line.
    pub lines: (u32, u32),
    pub shape: Shape,
}

/// Fingerprints by what decides them; `None` for what is too short to have one.
pub(in super::super) type Prints = HashMap<PrintKey, Option<Fingerprint>>;

/// Changes whenever the same text may give another fingerprint.
const VERSION: u32 = 1;

impl Cache {
    /// The fingerprints that earlier runs made; none if they cannot be read.
    pub fn old_prints(&self) -> Prints {
        let read = || -> Option<Prints> {
            let bytes = std::fs::read(self.file("prints")).ok()?;
            let (bytes, crc) = bytes.split_last_chunk()?;
            if crc64(bytes) != u64::from_le_bytes(*crc) {
                return None;
            }
            let (fingerprint, prints): (u64, Vec<(PrintKey, Option<Fingerprint>)>) =
                postcard::from_bytes(bytes).ok()?;
            (Some(fingerprint) == self.fingerprint(&("prints", VERSION)))
                .then(|| prints.into_iter().collect())
        };
        read().unwrap_or_default()
    }

    /// Keeps fingerprints.
    pub fn keep_prints(&self, prints: &Prints) -> anyhow::Result<()> {
        let Some(fingerprint) = self.fingerprint(&("prints", VERSION)) else {
            return Ok(());
        };
        let prints: Vec<_> = prints.iter().collect();
        self.prepare()?;
        crate::atomic::write(&self.file("prints"), |out| {
            let summed = postcard::to_io(&(fingerprint, prints), Summed::new(out));
            let (out, crc) = summed.map_err(std::io::Error::other)?.end();
            out.write_all(&crc.to_le_bytes())
        })?;
        self.tidy();
        Ok(())
    }
}
