//! One gzip stream whose parts are compressed on several threads.
//!
//! Each part is a run of deflate blocks that ends at a byte, so parts can be written one after the other. The result is a
//! single member, as some readers stop after the first.

use std::io::{self, Write};

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

/// Magic, deflate, no flags, no time, no extra flags, unknown system: the same bytes everywhere.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// An empty last block.
const LAST_BLOCK: [u8; 2] = [3, 0];

/// Compressed bytes that can be joined to others.
pub(super) struct GzipPart {
    blocks: Vec<u8>,
    crc: Crc,
}

impl GzipPart {
    /// Compresses bytes.
    ///
    /// # Errors
    ///
    /// The compressor failed.
    pub fn compress(bytes: &[u8]) -> io::Result<GzipPart> {
        let mut crc = Crc::new();
        crc.update(bytes);
        let mut compress = Compress::new(Compression::default(), false);
        let mut blocks = Vec::with_capacity(bytes.len() / 2 + 64);
        loop {
            let read = compress.total_in() as usize;
            let rest = bytes.get(read..).unwrap_or_default();
            let status = compress.compress_vec(rest, &mut blocks, FlushCompress::Sync)?;
            let is_flushed = blocks.len() < blocks.capacity();
            if compress.total_in() as usize == bytes.len() && is_flushed {
                return Ok(GzipPart { blocks, crc });
            }
            if status == Status::StreamEnd {
                return Err(io::Error::other("the compressor ended early"));
            }
            blocks.reserve(blocks.capacity().max(1024));
        }
    }
}

/// Joins parts to one gzip file.
pub(super) struct GzipJoiner<W> {
    out: W,
    crc: Crc,
}

impl<W: Write> GzipJoiner<W> {
    /// Writes the header.
    ///
    /// # Errors
    ///
    /// `out` cannot be written.
    pub fn new(mut out: W) -> io::Result<GzipJoiner<W>> {
        out.write_all(&HEADER)?;
        Ok(GzipJoiner {
            out,
            crc: Crc::new(),
        })
    }

    /// Appends a part.
    ///
    /// # Errors
    ///
    /// As [`GzipJoiner::new`].
    pub fn append(&mut self, part: &GzipPart) -> io::Result<()> {
        self.crc.combine(&part.crc);
        self.out.write_all(&part.blocks)
    }

    /// Writes the end, with checksum and size (modulo 2^32), and returns `out`.
    ///
    /// # Errors
    ///
    /// As [`GzipJoiner::new`].
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(&LAST_BLOCK)?;
        self.out.write_all(&self.crc.sum().to_le_bytes())?;
        self.out.write_all(&self.crc.amount().to_le_bytes())?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::bufread::GzDecoder;
    use proptest::prelude::*;
    use std::io::Read;

    fn joined(parts: &[Vec<u8>]) -> Vec<u8> {
        let mut joiner = GzipJoiner::new(Vec::new()).unwrap();
        for part in parts {
            joiner.append(&GzipPart::compress(part).unwrap()).unwrap();
        }
        joiner.finish().unwrap()
    }

    proptest! {
        /// A reader of a single member reads all parts; it checks the checksum and the size.
        #[test]
        fn parts_are_one_member(parts in proptest::collection::vec(
            proptest::collection::vec(any::<u8>(), 0..3000), 0..6
        ), repeated in 0..40usize) {
            let parts: Vec<Vec<u8>> = parts.iter().map(|part| part.repeat(repeated)).collect();
            let bytes = joined(&parts);
            let mut found = Vec::new();
            let mut decoder = GzDecoder::new(bytes.as_slice());
            decoder.read_to_end(&mut found).unwrap();
            prop_assert_eq!(found, parts.concat());
            prop_assert!(decoder.into_inner().is_empty());
        }
    }
}
