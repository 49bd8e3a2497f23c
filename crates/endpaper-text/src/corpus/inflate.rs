//! Inflating a member of a zip archive at once, from a buffer into a buffer of the stated size.
//!
//! A stream of small pieces takes a third longer. The sizes are stated by the archive and are not trusted: whatever does not
//! fit them is left to the stream, which has the limits and the messages.

use std::io::{Read, Seek};

use flate2::{Crc, Decompress, FlushDecompress, Status};
use zip::{CompressionMethod, ZipArchive};

/// Largest text that is inflated at once, in bytes: memory is taken before the first byte is known to exist.
const MOST_AT_ONCE: u64 = 16 << 20;

/// Inflates a member to the front of `buffer` and returns its size. `compressed` is for its compressed bytes. Returns `None` if it
/// is to be read as a stream: because it is not deflated, is large or has a fault.
pub(super) fn inflate_at_once<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    index: usize,
    compressed: &mut Vec<u8>,
    buffer: &mut Vec<u8>,
) -> Option<usize> {
    let mut member = archive.by_index_raw(index).ok()?;
    let (size, compressed_size) = (member.size(), member.compressed_size());
    let is_deflated = member.compression() == CompressionMethod::Deflated && !member.encrypted();
    // Deflating never adds more than this, unless someone means to fill the memory.
    if !is_deflated || size > MOST_AT_ONCE || compressed_size > size + size / 8 + 64 {
        return None;
    }
    let compressed = front(compressed, compressed_size as usize);
    member.read_exact(compressed).ok()?;
    let text = front(buffer, size as usize);
    let mut inflater = Decompress::new(false);
    let status = inflater.decompress(compressed, text, FlushDecompress::Finish);
    let len = inflater.total_out() as usize;
    let mut crc = Crc::new();
    crc.update(&text[..len]);
    (status.ok()? == Status::StreamEnd && crc.sum() == member.crc32()).then_some(len)
}

/// The first `len` bytes of a buffer that grows as needed and never shrinks.
fn front(buffer: &mut Vec<u8>, len: usize) -> &mut [u8] {
    if buffer.len() < len {
        buffer.resize(len, 0);
    }
    &mut buffer[..len]
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use proptest::prelude::*;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(text: &[u8], method: CompressionMethod) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file("a.txt", options).unwrap();
        writer.write_all(text).unwrap();
        writer.finish().unwrap().into_inner()
    }

    fn at_once(archive: &[u8]) -> Option<Vec<u8>> {
        let mut archive = ZipArchive::new(Cursor::new(archive)).ok()?;
        // What a longer member left behind must not show.
        let (mut compressed, mut buffer) = (vec![7; 9], vec![7; 9]);
        let len = inflate_at_once(&mut archive, 0, &mut compressed, &mut buffer)?;
        assert!(len <= buffer.len() && buffer.len() as u64 <= MOST_AT_ONCE.max(9));
        Some(buffer[..len].to_vec())
    }

    fn as_stream(archive: &[u8]) -> Option<Vec<u8>> {
        let mut archive = ZipArchive::new(Cursor::new(archive)).ok()?;
        let mut text = Vec::new();
        archive.by_index(0).ok()?.read_to_end(&mut text).ok()?;
        Some(text)
    }

    /// Sets a number of four bytes in the central directory, which is what readers go by.
    fn with_number(mut archive: Vec<u8>, at: usize, number: u32) -> Vec<u8> {
        let entry = memchr::memmem::rfind(&archive, b"PK\x01\x02").unwrap();
        archive[entry + at..entry + at + 4].copy_from_slice(&number.to_le_bytes());
        archive
    }

    const CRC: usize = 16;
    const COMPRESSED_SIZE: usize = 20;
    const SIZE: usize = 24;

    #[test]
    fn sizes_and_checksums_that_do_not_fit_are_left_to_the_stream() {
        let text = b"It was the best of times, it was the worst of times.\n".repeat(99);
        let good = archive(&text, CompressionMethod::Deflated);
        assert_eq!(at_once(&good), Some(text.clone()));
        let size = text.len() as u32;
        for (at, number) in [
            (CRC, 0),
            (SIZE, size - 1),
            (SIZE, 0),
            (SIZE, u32::MAX - 1),
            (COMPRESSED_SIZE, 5),
            (COMPRESSED_SIZE, u32::MAX - 1),
        ] {
            assert_eq!(
                at_once(&with_number(good.clone(), at, number)),
                None,
                "{at} {number}"
            );
        }
        // As for the stream, the checksum decides whether a text that is shorter than stated is whole.
        let longer = with_number(good, SIZE, size + 1);
        assert_eq!(at_once(&longer), as_stream(&longer));
        assert_eq!(at_once(&archive(&text, CompressionMethod::Stored)), None);
    }

    proptest! {
        #[test]
        fn members_are_what_the_stream_gives(text in "[ab\n]{0,2000}", damage in proptest::option::of((any::<prop::sample::Index>(), any::<u8>()))) {
            let mut archive = archive(text.as_bytes(), CompressionMethod::Deflated);
            if let Some((at, byte)) = damage {
                let at = at.index(archive.len());
                archive[at] = byte;
            }
            // A fault may be left to the stream, but no other text may come out.
            if let Some(read) = at_once(&archive) {
                prop_assert_eq!(Some(read), as_stream(&archive));
            } else {
                prop_assert!(damage.is_some());
            }
        }
    }
}
