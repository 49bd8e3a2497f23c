//! Byte sequences of unknown length inside a stream: chunks, each preceded by its length; an empty chunk ends them.

use std::io::{self, Read, Write};

/// Largest size of a chunk in bytes.
const CHUNK: usize = 1 << 16;

/// Writes chunks. [`ChunkWriter::finish`] writes the rest and the empty chunk.
pub(super) struct ChunkWriter<'a> {
    out: &'a mut dyn Write,
    buffer: Vec<u8>,
}

impl<'a> ChunkWriter<'a> {
    /// A writer of chunks to `out`.
    pub fn new(out: &'a mut dyn Write) -> ChunkWriter<'a> {
        ChunkWriter {
            out,
            buffer: Vec::with_capacity(CHUNK),
        }
    }

    /// Writes the buffer as a chunk, also if it is empty, and clears it.
    fn chunk(&mut self) -> io::Result<()> {
        self.out
            .write_all(&(self.buffer.len() as u32).to_le_bytes())?;
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the buffered bytes and the end.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            self.chunk()?;
        }
        self.chunk()
    }
}

impl Write for ChunkWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() == CHUNK {
            self.chunk()?;
        }
        let taken = bytes.len().min(CHUNK - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    /// Does nothing: only whole chunks and the end are written.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads chunks as one byte stream that ends after the last of them.
pub(super) struct ChunkReader<'a> {
    from: &'a mut dyn Read,
    /// Unread bytes of the current chunk.
    left: u64,
    ended: bool,
}

impl<'a> ChunkReader<'a> {
    /// A reader of the chunks that follow in `from`.
    pub fn new(from: &'a mut dyn Read) -> ChunkReader<'a> {
        ChunkReader {
            from,
            left: 0,
            ended: false,
        }
    }

    /// Whether the chunks have ended; reads the next length if the current chunk is used up.
    pub fn is_at_end(&mut self) -> io::Result<bool> {
        if self.left == 0 && !self.ended {
            let mut len = [0; 4];
            self.from.read_exact(&mut len)?;
            self.left = u32::from_le_bytes(len).into();
            self.ended = self.left == 0;
        }
        Ok(self.ended)
    }
}

impl Read for ChunkReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() || self.is_at_end()? {
            return Ok(0);
        }
        let read = (&mut self.from).take(self.left).read(buffer)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn streams_come_back_one_after_another(sizes in proptest::collection::vec(0..200_000usize, 1..4)) {
            let streams: Vec<Vec<u8>> = sizes
                .iter()
                .map(|&size| (0..size).map(|n| (n * 31 / 7) as u8).collect())
                .collect();
            let mut bytes = Vec::new();
            for stream in &streams {
                let mut writer = ChunkWriter::new(&mut bytes);
                writer.write_all(stream).unwrap();
                writer.finish().unwrap();
            }
            let mut from = &bytes[..];
            for stream in &streams {
                let mut read = Vec::new();
                let mut reader = ChunkReader::new(&mut from);
                reader.read_to_end(&mut read).unwrap();
                prop_assert_eq!(&read, stream);
                prop_assert!(reader.is_at_end().unwrap());
            }
            prop_assert!(from.is_empty());
        }

        #[test]
        fn a_stream_cut_short_is_an_error(size in 0..100_000usize, at in any::<proptest::sample::Index>()) {
            let mut bytes = Vec::new();
            let mut writer = ChunkWriter::new(&mut bytes);
            writer.write_all(&vec![7; size]).unwrap();
            writer.finish().unwrap();
            let mut from = &bytes[..at.index(bytes.len())];
            prop_assert!(ChunkReader::new(&mut from).read_to_end(&mut Vec::new()).is_err());
        }
    }
}
