//! Checksums: CRC-64/XZ for the program's own files, SHA-256 for the texts that records refer to.

use std::io::{self, Write};

/// CRC-64/XZ of bytes.
///
/// ```
/// assert_eq!(endpaper_text::checksum::crc64(b"123456789"), 0x995d_c9bb_df19_39fa);
/// ```
pub fn crc64(bytes: &[u8]) -> u64 {
    if bytes.len() < SHORT {
        return crc64_of_short(bytes);
    }
    let mut digest = crc64fast::Digest::new();
    digest.write(bytes);
    digest.sum64()
}

/// Fewer bytes are summed with tables by the library too, which first goes byte by byte up to an aligned address: for lines
/// that is most of the time.
const SHORT: usize = 128;

/// The sums of single bytes followed by 0 to 7 zeros.
static TABLES: [[u64; 256]; 8] = {
    const POLYNOMIAL: u64 = 0xC96C_5795_D787_0F42;
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            sum = (sum >> 1) ^ if sum & 1 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        tables[0][byte] = sum;
        byte += 1;
    }
    let mut zeros = 1;
    while zeros < 8 {
        let mut byte = 0;
        while byte < 256 {
            let sum = tables[zeros - 1][byte];
            tables[zeros][byte] = (sum >> 8) ^ tables[0][(sum & 0xFF) as usize];
            byte += 1;
        }
        zeros += 1;
    }
    tables
};

/// The same sum, eight bytes at a time.
fn crc64_of_short(bytes: &[u8]) -> u64 {
    let (eights, rest) = bytes.as_chunks::<8>();
    let mut sum = u64::MAX;
    for &eight in eights {
        let mixed = (sum ^ u64::from_le_bytes(eight)).to_le_bytes();
        let each = TABLES.iter().rev().zip(mixed);
        sum = each.fold(0, |sum, (table, byte)| sum ^ table[usize::from(byte)]);
    }
    for &byte in rest {
        sum = (sum >> 8) ^ TABLES[0][usize::from(byte ^ sum as u8)];
    }
    !sum
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
    fn short_and_long_inputs_have_the_sum_of_the_library() {
        let bytes: Vec<u8> = (0..2 * SHORT as u32).map(|n| (n * n % 251) as u8).collect();
        for start in 0..9 {
            for end in start..bytes.len() {
                let mut digest = crc64fast::Digest::new();
                digest.write(&bytes[start..end]);
                assert_eq!(crc64(&bytes[start..end]), digest.sum64(), "{start}..{end}");
            }
        }
    }

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
