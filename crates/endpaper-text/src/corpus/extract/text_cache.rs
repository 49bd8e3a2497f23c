//! Extracted texts that are kept: one gzip file for each file and way of extraction.

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::format::TextExtractor;

/// Changes with every change of the text that comes out of a file.
const VERSION: u32 = 1;
use crate::atomic;
use crate::checksum::crc64;
use crate::corpus::FileStamp;
use crate::files::open_regular;

/// Where the text of a file is kept, in the state the file has now.
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

/// Returns a cached text; `None` if there is none or its checksum is wrong.
pub(super) fn load(file: &Path, limit: u64) -> Option<Vec<u8>> {
    let file = BufReader::new(open_regular(file).ok()?);
    let mut text = Vec::new();
    let mut inflated = GzDecoder::new(file).take(limit.saturating_add(1));
    inflated.read_to_end(&mut text).ok()?;
    // A longer one is extracted again, and refused with its reason.
    (text.len() as u64 <= limit && !text.is_empty()).then_some(text)
}

/// Keeps a text.
pub(super) fn store(file: &Path, text: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    atomic::write(file, atomic::Existing::Replace, |to| -> io::Result<()> {
        let mut gzip = GzEncoder::new(to, Compression::fast());
        gzip.write_all(text)?;
        gzip.finish().map(|_| ())
    })
}
