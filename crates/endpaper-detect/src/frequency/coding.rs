//! Numbers in a model file, and reading them without trusting a length.
//!
//! Fixed numbers are little-endian, variable ones as in [`endpaper_text::varint`].

use super::ModelError;
use endpaper_text::varint::{self, VarintDecoder};

/// Appends a number of variable length.
pub(super) fn put_varint(out: &mut Vec<u8>, number: u64) {
    let (bytes, len) = varint::encode(number);
    out.extend_from_slice(&bytes[..len]);
}

/// Appends four bytes.
pub(super) fn put_u32(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_le_bytes());
}

/// Appends eight bytes.
pub(super) fn put_u64(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

/// Reads numbers from the front of a byte slice; a premature end is an error, never a panic.
#[derive(Clone, Debug)]
pub(super) struct ByteReader<'a> {
    bytes: &'a [u8],
}

impl<'a> ByteReader<'a> {
    /// Reads from the first of these bytes.
    pub(super) fn new(bytes: &'a [u8]) -> ByteReader<'a> {
        ByteReader { bytes }
    }

    /// Number of unread bytes.
    pub(super) fn left(&self) -> usize {
        self.bytes.len()
    }

    /// Reads the next `len` bytes.
    pub(super) fn bytes(&mut self, len: usize) -> Result<&'a [u8], ModelError> {
        let (taken, rest) = self
            .bytes
            .split_at_checked(len)
            .ok_or(ModelError::Truncated)?;
        self.bytes = rest;
        Ok(taken)
    }

    /// Reads the next `N` bytes.
    fn array<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let (taken, rest) = self
            .bytes
            .split_first_chunk()
            .ok_or(ModelError::Truncated)?;
        self.bytes = rest;
        Ok(*taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, ModelError> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn u32(&mut self) -> Result<u32, ModelError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, ModelError> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a number of variable length.
    pub(super) fn varint(&mut self) -> Result<u64, ModelError> {
        let mut decoder = VarintDecoder::default();
        loop {
            if let Some(number) = decoder.push(self.u8()?)? {
                return Ok(number);
            }
        }
    }

    /// Reads a number of items that take at least `size` of the remaining bytes each.
    pub(super) fn count(&mut self, size: usize) -> Result<usize, ModelError> {
        let count = usize::try_from(self.u64()?).map_err(|_| ModelError::Truncated)?;
        if count > self.left() / size {
            return Err(ModelError::Truncated);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn variable_numbers_round_trip(shift in 0..64u32, number in any::<u64>()) {
            let number = number >> shift;
            let mut bytes = Vec::new();
            put_varint(&mut bytes, number);
            let mut reader = ByteReader::new(&bytes);
            prop_assert_eq!(reader.varint().unwrap(), number);
            prop_assert_eq!(reader.left(), 0);
        }
    }

    #[test]
    fn only_one_form_of_a_number_is_read() {
        let overlong: &[&[u8]] = &[&[0x80, 0], &[0xff; 10], &[0xff; 11], &[0x80]];
        for bytes in overlong {
            assert!(ByteReader::new(bytes).varint().is_err(), "{bytes:?}");
        }
    }
}
