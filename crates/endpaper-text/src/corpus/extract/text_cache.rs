//! Cache of extracted texts: one gzip file for each file and extractor.

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::format::TextExtractor;

/// Must change whenever extraction yields other text for the same file.
const VERSION: u32 = 1;
use crate::atomic;
use crate::checksum::crc64;
use crate::corpus::FileStamp;
use crate::files::open_regular;

/// The cache file for the text of a file in its current state.
pub(super) fn cache_path(
    folder: &Path,
    path: &Path,
    stamp: FileStamp,
    extractor: &TextExtractor,
) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let path = path.as_os_str().as_encoded_bytes();
    let key = postcard::to_allocvec(&(VERSION, path, stamp, extractor)).ok()?;
    Some(folder.join(format!("{:016x}.text", crc64(&key))))
}

/// A cached text; `None` if it does not exist or is damaged (gzip has a checksum).
pub(super) fn load(file: &Path, limit: u64) -> Option<Vec<u8>> {
    let file = BufReader::new(open_regular(file).ok()?);
    let mut text = Vec::new();
    let mut inflated = GzDecoder::new(file).take(limit.saturating_add(1));
    inflated.read_to_end(&mut text).ok()?;
    // A longer text is extracted again, which fails with the right reason.
    (text.len() as u64 <= limit && !text.is_empty()).then_some(text)
}

/// Writes a text to its cache file.
pub(super) fn store(file: &Path, text: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    atomic::write_cache(file, |to| -> io::Result<()> {
        let mut gzip = GzEncoder::new(to, Compression::fast());
        gzip.write_all(text)?;
        gzip.finish().map(|_| ())
    })
}
