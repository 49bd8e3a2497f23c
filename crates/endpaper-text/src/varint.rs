//! Variable-length numbers (LEB128): seven bits per byte, lowest first; the top bit is set if more bytes follow. Each number
//! has exactly one form.

/// Returns the bytes of a number and how many of them are used.
#[inline]
pub fn encode(mut number: u64) -> ([u8; 10], usize) {
    let (mut bytes, mut last) = ([0; 10], 0);
    while number >= 0x80 {
        bytes[last] = number as u8 | 0x80;
        number >>= 7;
        last += 1;
    }
    bytes[last] = number as u8;
    (bytes, last + 1)
}

/// A number that exceeds 64 bits or is padded with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a variable-length number is out of range")]
pub struct InvalidVarint;

/// A number of which some bytes were read.
#[derive(Clone, Copy, Debug, Default)]
pub struct VarintDecoder {
    number: u64,
    shift: u32,
}

impl VarintDecoder {
    /// Takes the next byte. Returns the number if it was the last.
    ///
    /// # Errors
    ///
    /// [`InvalidVarint`].
    #[inline]
    pub fn push(&mut self, byte: u8) -> Result<Option<u64>, InvalidVarint> {
        let bits = u64::from(byte & 0x7f);
        let overflows = self.shift > 63 || (self.shift == 63 && bits > 1);
        let padded = byte == 0 && self.shift > 0;
        if overflows || padded {
            return Err(InvalidVarint);
        }
        self.number |= bits << self.shift;
        self.shift += 7;
        Ok((byte & 0x80 == 0).then_some(self.number))
    }
}
