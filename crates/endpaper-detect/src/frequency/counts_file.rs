//! The bytes of [`Counts`] in a model file.
//!
//! | what | size |
//! | --- | --- |
//! | certainty: 0 exact, 1 at most | u8 |
//! | form: 0 a table, 1 an array of saturating counters, 2 an array of Morris's counters | u8 |
//! | pruned below, largest undercount | 2 varints |
//! | *table:* number of keys, number of shared keys | 2 x u64 |
//! | ... keys, ascending: the first, then distances | varints |
//! | ... counts in the same order | varints |
//! | ... shared keys, ascending, in the same way | varints |
//! | ... counts of the rarest text of each | varints |
//! | *array:* the number of counters as a power of two | u8 |
//! | ... length of the rest | u64 |
//! | ... the counters, deflated, as most of them are often zero | bytes |

use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::array::CounterWidth;
use super::coding::{ByteReader, put_u64, put_varint};
use super::counts::CountsStorage;
use super::hashed::BITS;
use super::{Certainty, Counts, ModelError};

const TABLE: u8 = 0;
const SATURATING: u8 = 1;
const MORRIS: u8 = 2;

impl Counts {
    /// Appends the bytes of the counts.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.certainty() == Certainty::AtMost));
        out.push(match &self.storage {
            CountsStorage::Table(_) => TABLE,
            CountsStorage::Array(array) if array.kind == CounterWidth::Saturating => SATURATING,
            CountsStorage::Array(_) => MORRIS,
        });
        put_varint(out, self.pruned_below());
        put_varint(out, self.max_undercount());
        match &self.storage {
            CountsStorage::Table(_) => self.put_table(out),
            CountsStorage::Array(array) => put_array(out, array.counters()),
        }
    }

    /// Decodes counts from the front of untrusted bytes.
    ///
    /// Memory use is at most a small multiple of the number of bytes, except for an array of counters, which takes its
    /// full size.
    pub(super) fn take(reader: &mut ByteReader<'_>) -> Result<Counts, ModelError> {
        let certainty = match reader.u8()? {
            0 => Certainty::Exact,
            1 => Certainty::AtMost,
            _ => return Err(ModelError::Malformed("an unknown kind of certainty")),
        };
        let form = reader.u8()?;
        let (pruned_below, slack) = (reader.varint()?, reader.varint()?);
        let counts = match form {
            TABLE => take_table(reader, certainty)?,
            SATURATING | MORRIS if certainty == Certainty::Exact => {
                return Err(ModelError::Malformed("an array of counters that is exact"));
            }
            SATURATING => Counts::from_array(take_array(reader)?, CounterWidth::Saturating),
            MORRIS => Counts::from_array(take_array(reader)?, CounterWidth::Morris),
            _ => return Err(ModelError::Malformed("an unknown form of counts")),
        };
        Ok(counts
            .with_pruned_below(pruned_below)
            .with_max_undercount(slack))
    }

    /// Appends the bytes of a table.
    fn put_table(&self, out: &mut Vec<u8>) {
        put_u64(out, self.keys().len() as u64);
        put_u64(out, self.shared_key_minima().len() as u64);
        put_ascending(out, self.keys().iter().copied());
        for &count in self.counts() {
            put_varint(out, count.into());
        }
        put_ascending(out, self.shared_key_minima().iter().map(|shared| shared.0));
        for &(_, rarest) in self.shared_key_minima() {
            put_varint(out, rarest.into());
        }
    }
}

/// Reads a table.
fn take_table(reader: &mut ByteReader<'_>, certainty: Certainty) -> Result<Counts, ModelError> {
    // A key and its count take at least two bytes.
    let (len, shared) = (reader.count(2)?, reader.count(2)?);
    let keys = take_ascending(reader, len)?;
    let counts = take_counts(reader, len)?;
    let shared_keys = take_ascending(reader, shared)?;
    let rarest = take_counts(reader, shared)?;
    let minima = shared_keys.into_iter().zip(rarest).collect();
    Ok(Counts::from_sorted(keys, counts, certainty).with_shared_key_minima(minima))
}

/// Appends the counters of an array, compressed.
fn put_array(out: &mut Vec<u8>, counters: &[u8]) {
    out.push(counters.len().ilog2() as u8);
    let at = out.len();
    put_u64(out, 0);
    let mut encoder = DeflateEncoder::new(&mut *out, Compression::fast());
    let written = encoder
        .write_all(counters)
        .and_then(|()| encoder.finish().map(drop));
    written.expect("a vector takes whatever is written");
    let len = (out.len() - at - 8) as u64;
    out[at..at + 8].copy_from_slice(&len.to_le_bytes());
}

/// Reads the counters of an array.
fn take_array(reader: &mut ByteReader<'_>) -> Result<Vec<u8>, ModelError> {
    const DAMAGED: ModelError = ModelError::Malformed("an array of counters is damaged");
    let bits = u32::from(reader.u8()?);
    if !BITS.contains(&bits) {
        return Err(ModelError::Malformed(
            "an array of counters has an impossible size",
        ));
    }
    let len = reader.count(1)?;
    let mut decoder = DeflateDecoder::new(reader.bytes(len)?);
    let mut counters = Vec::new();
    // Memory grows with the bytes that are actually read.
    let read = (&mut decoder).take(1 << bits).read_to_end(&mut counters);
    let whole = read.map_err(|_| DAMAGED)? as u64 == 1 << bits;
    let ends = decoder.read(&mut [0]).map_err(|_| DAMAGED)? == 0;
    if whole && ends && decoder.into_inner().is_empty() {
        Ok(counters)
    } else {
        Err(DAMAGED)
    }
}

/// Appends distinct ascending numbers as distances.
fn put_ascending(out: &mut Vec<u8>, numbers: impl Iterator<Item = u64>) {
    let mut last = 0;
    for number in numbers {
        put_varint(out, number - last);
        last = number;
    }
}

/// Reads `len` ascending numbers, which are stored as distances.
fn take_ascending(reader: &mut ByteReader<'_>, len: usize) -> Result<Vec<u64>, ModelError> {
    let mut numbers = Vec::with_capacity(len);
    let mut last = 0u64;
    for index in 0..len {
        let distance = reader.varint()?;
        let number = last.checked_add(distance);
        let number = number.filter(|_| distance > 0 || index == 0);
        last = number.ok_or(ModelError::Malformed("keys out of order"))?;
        numbers.push(last);
    }
    Ok(numbers)
}

/// Reads `len` counts.
fn take_counts(reader: &mut ByteReader<'_>, len: usize) -> Result<Vec<u32>, ModelError> {
    let counts = (0..len).map(|_| {
        let count = u32::try_from(reader.varint()?);
        count.map_err(|_| ModelError::Malformed("a count is out of range"))
    });
    counts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::line::Key;
    use proptest::prelude::*;

    fn counts() -> impl Strategy<Value = Counts> {
        let pairs = proptest::collection::vec((any::<u64>(), 1..5000u64), 0..60);
        let table = pairs.prop_map(|pairs| {
            let shared = pairs.iter().step_by(3).map(|&(key, _)| (key, 1)).collect();
            let pairs = pairs.into_iter().map(|(key, n)| (Key(key), n));
            Counts::from_pairs(pairs, Certainty::Exact).with_shared_key_minima(shared)
        });
        let kinds = prop_oneof![Just(CounterWidth::Saturating), Just(CounterWidth::Morris)];
        let used = proptest::collection::vec((0..1usize << 16, 1..=255u8), 0..20);
        let array = (used, kinds).prop_map(|(used, kind)| {
            let mut counters = vec![0; 1 << 16];
            for (slot, counter) in used {
                counters[slot] = counter;
            }
            Counts::from_array(counters, kind)
        });
        let forms = prop_oneof![table.boxed(), array.boxed()];
        (forms, 0..9u64, 0..9u64).prop_map(|(counts, pruned_below, slack)| {
            counts.pruned(pruned_below).with_max_undercount(slack)
        })
    }

    proptest! {
        #[test]
        fn counts_survive_their_bytes(counts in counts()) {
            let mut bytes = vec![7];
            counts.put(&mut bytes);
            bytes.push(9);
            let mut reader = ByteReader::new(&bytes[1..]);
            prop_assert_eq!(Counts::take(&mut reader).unwrap(), counts);
            prop_assert_eq!(reader.left(), 1);
        }

        #[test]
        fn changed_bytes_are_an_error_or_other_counts(counts in counts(), at in any::<proptest::sample::Index>(), to in any::<u8>()) {
            let mut bytes = Vec::new();
            counts.put(&mut bytes);
            let at = at.index(bytes.len());
            prop_assert!(Counts::take(&mut ByteReader::new(&bytes[..at])).is_err());
            bytes[at] = to;
            if let Ok(other) = Counts::take(&mut ByteReader::new(&bytes)) {
                // The changed bytes are valid too: the counts that they encode must round-trip.
                let mut again = Vec::new();
                other.put(&mut again);
                prop_assert_eq!(Counts::take(&mut ByteReader::new(&again)).unwrap(), other);
            }
        }
    }

    #[test]
    fn impossible_lengths_are_refused_before_memory_is_taken() {
        let mut many_keys = vec![1, TABLE, 0, 0];
        put_u64(&mut many_keys, u64::MAX);
        put_u64(&mut many_keys, 0);
        let mut short_array = vec![1, SATURATING, 0, 0, 32];
        put_u64(&mut short_array, 0);
        let odd_size = vec![1, SATURATING, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0];
        for bytes in [
            many_keys,
            short_array,
            odd_size,
            vec![1, 9, 0, 0],
            vec![0, MORRIS, 0, 0],
        ] {
            assert!(
                Counts::take(&mut ByteReader::new(&bytes)).is_err(),
                "{bytes:?}"
            );
        }
    }
}
