//! Variable-length numbers (as in [`endpaper_text::varint`]) and bytes in streams that are too long for memory.

use std::io::{BufRead, Read, Write};

use anyhow::{Result, ensure};

use super::ModelError;
use endpaper_text::varint::{self, VarintDecoder};

/// Writes a number of variable length.
pub(super) fn write_varint(out: &mut impl Write, number: u64) -> std::io::Result<()> {
    let (bytes, len) = varint::encode(number);
    out.write_all(&bytes[..len])
}

/// Reads a variable-length number, which must be in its shortest form.
pub(super) fn read_varint(from: &mut impl BufRead) -> Result<u64> {
    let mut decoder = VarintDecoder::default();
    loop {
        let buffer = from.fill_buf()?;
        ensure!(!buffer.is_empty(), ModelError::Truncated);
        for (read, &byte) in (1..).zip(buffer) {
            if let Some(number) = decoder.push(byte).map_err(ModelError::from)? {
                from.consume(read);
                return Ok(number);
            }
        }
        let read = buffer.len();
        from.consume(read);
    }
}

/// Appends `len` bytes. Memory grows with the bytes that are actually read, as `len` may be wrong.
pub(super) fn read_bytes(from: &mut impl BufRead, len: u64, bytes: &mut Vec<u8>) -> Result<()> {
    let buffer = from.fill_buf()?;
    if let Some(whole) = usize::try_from(len).ok().and_then(|len| buffer.get(..len)) {
        bytes.extend_from_slice(whole);
        from.consume(len as usize);
        return Ok(());
    }
    let read = from.take(len).read_to_end(bytes)?;
    ensure!(read as u64 == len, ModelError::Truncated);
    Ok(())
}

/// Fails if more bytes follow.
pub(super) fn ensure_end(from: &mut impl BufRead) -> Result<()> {
    ensure!(
        from.fill_buf()?.is_empty(),
        ModelError::Malformed("something follows the counts")
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequency::coding::{ByteReader, put_varint};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_those_of_model_files(shift in 0..64u32, number in any::<u64>(), capacity in 1..12usize) {
            let number = number >> shift;
            let (mut bytes, mut expected) = (Vec::new(), Vec::new());
            write_varint(&mut bytes, number).unwrap();
            put_varint(&mut expected, number);
            prop_assert_eq!(&bytes, &expected);
            let mut reader = std::io::BufReader::with_capacity(capacity, &bytes[..]);
            prop_assert_eq!(read_varint(&mut reader).unwrap(), number);
            prop_assert!(ensure_end(&mut reader).is_ok());
        }

        #[test]
        fn bytes_that_are_a_number_there_are_one_here(bytes in proptest::collection::vec(any::<u8>(), 0..12)) {
            let there = ByteReader::new(&bytes).varint().ok();
            prop_assert_eq!(read_varint(&mut &bytes[..]).ok(), there);
        }
    }
}
