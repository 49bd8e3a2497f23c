//! The corpus digest: which books, with which contents.

use sha2::{Digest, Sha256};

use crate::corpus::BookId;

/// The first 64 bits of the SHA-256 over (id, size, CRC-64 of the bytes) of all books in id order.
pub(super) fn corpus_digest<'a>(books: impl Iterator<Item = (&'a BookId, u64, u64)>) -> u64 {
    let mut hash = Sha256::new();
    for (id, bytes, crc) in books {
        hash.update(id.as_str());
        // No id holds a NUL, so that no two lists of books give the same bytes.
        hash.update([0]);
        hash.update(bytes.to_le_bytes());
        hash.update(crc.to_le_bytes());
    }
    let digest: [u8; 32] = hash.finalize().into();
    let first = digest.first_chunk().copied().unwrap_or_default();
    u64::from_be_bytes(first)
}

/// A digest as text.
pub(super) fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}
