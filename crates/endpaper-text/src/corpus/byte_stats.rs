//! Byte counts of a book, from which its encoding and line endings are derived.

use crate::lanes::LANES;

/// Counts of the relevant bytes of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ByteStats {
    pub lf: usize,
    pub cr: usize,
    /// Number of CRs right before an LF.
    pub crlf: usize,
    /// Whether a byte is 0.
    pub nul: bool,
    /// Whether all bytes are under 0x80.
    pub ascii: bool,
}

impl ByteStats {
    /// Counts the bytes, a whole vector at a time.
    pub fn of(bytes: &[u8]) -> ByteStats {
        let mut lanes = ByteLanes::default();
        let mut census = ByteStats::default();
        let mut at = 0;
        let mut vectors = 0;
        // Every byte is examined together with the next one.
        while let Some(next) = bytes
            .get(at + 1..)
            .and_then(|rest| rest.first_chunk::<LANES>())
        {
            let Some(these) = bytes[at..].first_chunk::<LANES>() else {
                break;
            };
            lanes.add(these, next);
            at += LANES;
            vectors += 1;
            // A lane counts up to 255.
            if vectors == 255 {
                census.take(&mut lanes);
                vectors = 0;
            }
        }
        census.take(&mut lanes);
        let mut high = lanes.high.iter().fold(0, |all, lane| all | lane);
        let mut nul = lanes.nul.iter().fold(0, |all, lane| all | lane);
        for (index, &byte) in bytes.iter().enumerate().skip(at) {
            let next = bytes.get(index + 1).copied();
            census.lf += usize::from(byte == b'\n');
            census.cr += usize::from(byte == b'\r');
            census.crlf += usize::from(byte == b'\r' && next == Some(b'\n'));
            high |= byte;
            nul |= u8::from(byte == 0);
        }
        ByteStats {
            nul: nul != 0,
            ascii: high < 0x80,
            ..census
        }
    }

    /// Adds the counts of the lanes and clears them.
    fn take(&mut self, lanes: &mut ByteLanes) {
        let sum = |lanes: &mut [u8; LANES]| -> usize {
            let lanes = std::mem::take(lanes);
            lanes.iter().copied().map(usize::from).sum()
        };
        self.lf += sum(&mut lanes.lf);
        self.cr += sum(&mut lanes.cr);
        self.crlf += sum(&mut lanes.crlf);
    }
}

/// Counts of line ends, and the or of all bytes, for each of the positions that are examined at once.
#[derive(Default)]
struct ByteLanes {
    lf: [u8; LANES],
    cr: [u8; LANES],
    crlf: [u8; LANES],
    high: [u8; LANES],
    nul: [u8; LANES],
}

impl ByteLanes {
    /// Counts the bytes `these`; `next` are the bytes after each of them.
    #[inline(always)]
    fn add(&mut self, these: &[u8; LANES], next: &[u8; LANES]) {
        for lane in 0..LANES {
            let cr = u8::from(these[lane] == b'\r');
            self.lf[lane] += u8::from(these[lane] == b'\n');
            self.cr[lane] += cr;
            self.crlf[lane] += cr & u8::from(next[lane] == b'\n');
            self.high[lane] |= these[lane];
            self.nul[lane] |= u8::from(these[lane] == 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_census_counts_what_is_there(
            few in proptest::collection::vec(proptest::sample::select(&b"\r\nax\0\xe9"[..]), 0..200),
            repeats in 0..100usize,
        ) {
            let bytes = few.repeat(repeats);
            let count = |byte: u8| bytes.iter().filter(|&&other| other == byte).count();
            let expected = ByteStats {
                lf: count(b'\n'),
                cr: count(b'\r'),
                crlf: bytes.windows(2).filter(|pair| pair == b"\r\n").count(),
                nul: bytes.contains(&0),
                ascii: bytes.is_ascii(),
            };
            prop_assert_eq!(ByteStats::of(&bytes), expected);
        }
    }
}
