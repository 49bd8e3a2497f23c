//! Checksums: CRC-64/XZ for the program's own files, SHA-256 for the texts that records refer to.

use std::io::{self, Write};

/// CRC-64/XZ of bytes.
///
/// ```
/// assert_eq!(endpaper_text::checksum::crc64(b"123456789"), 0x995d_c9bb_df19_39fa);
/// ```
pub fn crc64(bytes: &[u8]) -> u64 {
    let mut digest = crc64fast::Digest::new();
    digest.write(bytes);
    digest.sum64()
}

/// SHA-256 of bytes as 64 lower-case hex digits.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A writer that computes the CRC-64/XZ of everything written through it.
pub struct ChecksumWriter<W> {
    to: W,
    digest: crc64fast::Digest,
}

impl<W: Write> ChecksumWriter<W> {
    /// Creates a writer that passes everything on to `to`.
    pub fn new(to: W) -> ChecksumWriter<W> {
        let digest = crc64fast::Digest::new();
        ChecksumWriter { to, digest }
    }

    /// The inner writer and the checksum.
    pub fn end(self) -> (W, u64) {
        (self.to, self.digest.sum64())
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.digest.write(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_in_pieces_has_the_sum_of_the_whole() {
        let mut room = [0; 9];
        let mut summed = ChecksumWriter::new(&mut room[..]);
        for piece in [&b"1234"[..], b"", b"56", b"789"] {
            summed.write_all(piece).unwrap();
        }
        let (rest, sum) = summed.end();
        assert_eq!((rest.len(), sum), (0, crc64(b"123456789")));
        assert_eq!(&room, b"123456789");
        // Bytes that were not written are not included.
        let mut room = [0; 3];
        let mut summed = ChecksumWriter::new(&mut room[..]);
        assert_eq!(summed.write(b"12345").unwrap(), 3);
        assert_eq!(summed.end().1, crc64(b"123"));
    }
}
