//! Millions of small counters that lines share by hash.

use std::io::{BufReader, BufWriter, Read, Write};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use anyhow::{Result, ensure};
use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::array::{CounterWidth, slot};
use super::morris::{self, CounterRandom};
use super::stream::{ensure_end, read_varint, write_varint};
use super::{Accumulate, BookLines, Counter, Counts, ModelError};
use endpaper_text::line::Key;

/// Range of the option `bits`: 64 KiB to 4 GiB.
pub(super) const BITS: RangeInclusive<u32> = 16..=32;

/// Number of counters that are read or written at once.
const PIECE: usize = 1 << 16;

const LENGTH: ModelError =
    ModelError::Malformed("an array of counters has another length than its options say");

/// Counts with an array of 2^bits eight-bit counters, indexed by the leading bits of a key (Kaser & Lemire, section
/// 3.3.4).
///
/// Lines that share a counter are counted as one line, so a frequency is never too small (apart from the error that
/// [`CounterWidth::Morris`] states). A line that occurs K times or fewer looks frequent with a probability of at most
/// 1 - e^(-n / 2^bits), where n is the number of distinct lines, and usually with far less: most lines that share a
/// counter are rare even together.
///
/// All structures of one build share one array without locks, so memory is 2^bits bytes with any number of threads.
/// Saturating counters give the same counts in any order. Morris counters draw the same random numbers in every run,
/// but which line gets which number depends on the scheduling of the threads.
#[derive(Debug)]
pub struct Hashed {
    counters: Arc<Vec<AtomicU8>>,
    bits: u32,
    kind: CounterWidth,
    random: CounterRandom,
}

/// Creates structures that share an array.
#[derive(Debug)]
pub(super) struct SharedArrayBuilder {
    bits: u32,
    kind: CounterWidth,
    /// One array per set of counts. The references are weak, so that the last structure owns the array and its counts
    /// can be taken without a copy.
    arrays: Mutex<Vec<Weak<Vec<AtomicU8>>>>,
    made: AtomicU64,
}

impl SharedArrayBuilder {
    /// A builder of arrays with `2^bits` counters.
    pub fn new(bits: u32, kind: CounterWidth) -> SharedArrayBuilder {
        SharedArrayBuilder {
            bits,
            kind,
            arrays: Mutex::new(Vec::new()),
            made: AtomicU64::new(0),
        }
    }

    /// A structure that counts in the shared array of set `set`.
    pub fn counter_for_set(&self, set: usize) -> Hashed {
        let mut arrays = self.arrays.lock().unwrap_or_else(PoisonError::into_inner);
        if arrays.len() <= set {
            arrays.resize(set + 1, Weak::new());
        }
        let counters = arrays[set].upgrade().unwrap_or_else(|| {
            let zeros = std::iter::repeat_with(AtomicU8::default);
            Arc::new(zeros.take(1 << self.bits).collect())
        });
        arrays[set] = Arc::downgrade(&counters);
        Hashed {
            counters,
            bits: self.bits,
            kind: self.kind,
            random: CounterRandom::new(self.made.fetch_add(1, Relaxed)),
        }
    }
}

impl Hashed {
    /// Counts one occurrence of a key.
    fn add(&mut self, key: Key) {
        let counter = &self.counters[slot(key, self.bits)];
        let random = match self.kind {
            CounterWidth::Saturating => 0,
            CounterWidth::Morris => self.random.next(key.0),
        };
        let next = |counter: u8| match (self.kind, counter) {
            (_, u8::MAX) => None,
            (CounterWidth::Saturating, counter) => Some(counter + 1),
            (CounterWidth::Morris, level) => {
                Some(morris::counted(level, random)).filter(|&next| next > level)
            }
        };
        // Having nothing to write is not a failure. After a concurrent change the same random number is used with the
        // new level.
        let _ = counter.fetch_update(Relaxed, Relaxed, next);
    }

    /// Adds the value of another counter to that of a slot.
    fn add_to_slot(&mut self, slot: usize, more: u8) {
        if more > 0 {
            let sum = |counter| Some(self.kind.sum(counter, more, &mut self.random));
            let _ = self.counters[slot].fetch_update(Relaxed, Relaxed, sum);
        }
    }
}

impl Accumulate for Hashed {
    const WANTS_TEXT: bool = false;

    fn add_batch(&mut self, keys: &BookLines) -> Result<()> {
        for &key in keys.keys() {
            self.add(key);
        }
        Ok(())
    }

    /// Structures of one build share their array, so that there is nothing to merge.
    fn merge(mut self, other: Self) -> Result<Self> {
        let alike = (self.bits, self.kind) == (other.bits, other.kind);
        ensure!(
            alike,
            "arrays of counters with different options cannot be merged"
        );
        if !Arc::ptr_eq(&self.counters, &other.counters) {
            for (slot, counter) in other.counters.iter().enumerate() {
                self.add_to_slot(slot, counter.load(Relaxed));
            }
        }
        Ok(self)
    }
}

impl Counter for Hashed {
    fn finish(self, below: u64) -> Result<Counts> {
        let last = self.kind.below(below);
        let keep = |counter| if counter <= last { 0 } else { counter };
        let counters = match Arc::try_unwrap(self.counters) {
            // In place, as an array may have gigabytes.
            Ok(counters) => counters
                .into_iter()
                .map(|counter| keep(counter.into_inner()))
                .collect(),
            Err(shared) => shared
                .iter()
                .map(|counter| keep(counter.load(Relaxed)))
                .collect(),
        };
        Ok(
            Counts::from_array(counters, self.kind).with_pruned_below(if below > 1 {
                below
            } else {
                0
            }),
        )
    }

    /// Writes the options, then the counters, deflated, as most of them are often zero.
    fn save(self, out: &mut dyn Write) -> Result<()> {
        let mut out = BufWriter::with_capacity(PIECE, out);
        write_varint(&mut out, self.bits.into())?;
        write_varint(&mut out, u64::from(self.kind == CounterWidth::Morris))?;
        let mut encoder = DeflateEncoder::new(out, Compression::fast());
        for piece in self.counters.chunks(PIECE) {
            let piece: Vec<u8> = piece.iter().map(|counter| counter.load(Relaxed)).collect();
            encoder.write_all(&piece)?;
        }
        encoder.finish()?.flush()?;
        Ok(())
    }

    fn load(&mut self, from: &mut dyn Read) -> Result<()> {
        let mut from = BufReader::with_capacity(PIECE, from);
        let options = (read_varint(&mut from)?, read_varint(&mut from)?);
        ensure!(
            options
                == (
                    self.bits.into(),
                    u64::from(self.kind == CounterWidth::Morris)
                ),
            "the array of counters was made with other options"
        );
        let mut decoder = DeflateDecoder::new(&mut from);
        let mut piece = vec![0; PIECE];
        let mut slot = 0;
        loop {
            let read = decoder.read(&mut piece)?;
            if read == 0 {
                break;
            }
            ensure!(read <= self.counters.len() - slot, LENGTH);
            for (slot, &counter) in (slot..).zip(&piece[..read]) {
                self.add_to_slot(slot, counter);
            }
            slot += read;
        }
        ensure!(slot == self.counters.len(), LENGTH);
        ensure_end(&mut from)
    }
}
