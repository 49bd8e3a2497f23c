//! Millions of small counters that lines share by their hash.

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

/// What the option `bits` may be: 64 KiB to 4 GiB.
pub(super) const BITS: RangeInclusive<u32> = 16..=32;

/// Counters that are written or read at once.
const PIECE: usize = 1 << 16;

const LENGTH: ModelError =
    ModelError::Malformed("an array of counters has another length than its options say");

/// Counts with an array of 2^bits counters of eight bits, one for each value of the leading bits of a key (Kaser & Lemire,
/// section 3.3.4).
///
/// Lines that share a counter are counted as one line, so a frequency is never too small (beside what
/// [`CounterWidth::Morris`] states for itself). A line that occurs K times or fewer looks frequent with a probability of at
/// most 1 - e^(-n / 2^bits), n being the number of distinct lines, and usually far less: most lines that share a counter
/// are rare together too.
///
/// All structures of one build count in the same array without locks: memory is 2^bits bytes on any number of threads.
/// Saturating counters then give the same counts in any order; Morris's counters draw random numbers, the same ones in
/// every run, but which line draws which depends on how the threads take turns.
#[derive(Debug)]
pub struct Hashed {
    counters: Arc<Vec<AtomicU8>>,
    bits: u32,
    kind: CounterWidth,
    random: CounterRandom,
}

/// Makes structures that share an array.
#[derive(Debug)]
pub(super) struct SharedArrayBuilder {
    bits: u32,
    kind: CounterWidth,
    /// One array for each number of what is counted. Weak, so that the last structure owns it and its counts can be taken
    /// without a copy.
    arrays: Mutex<Vec<Weak<Vec<AtomicU8>>>>,
    made: AtomicU64,
}

impl SharedArrayBuilder {
    pub fn new(bits: u32, kind: CounterWidth) -> SharedArrayBuilder {
        SharedArrayBuilder {
            bits,
            kind,
            arrays: Mutex::new(Vec::new()),
            made: AtomicU64::new(0),
        }
    }

    /// A separate counter for the lines of set `set`.
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
        // Nothing to write is not a failure. After another thread's step, the same random number meets the new level.
        let _ = counter.fetch_update(Relaxed, Relaxed, next);
    }

    fn take_in(&mut self, slot: usize, more: u8) {
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

    /// Structures of one build have the same array, and there is nothing to do.
    fn merge(mut self, other: Self) -> Result<Self> {
        let alike = (self.bits, self.kind) == (other.bits, other.kind);
        ensure!(
            alike,
            "arrays of counters with different options cannot be merged"
        );
        if !Arc::ptr_eq(&self.counters, &other.counters) {
            for (slot, counter) in other.counters.iter().enumerate() {
                self.take_in(slot, counter.load(Relaxed));
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
            // In place: an array of gigabytes is not copied.
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

    /// The options, then the counters, deflated: most of them are often zero.
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
                self.take_in(slot, counter);
            }
            slot += read;
        }
        ensure!(slot == self.counters.len(), LENGTH);
        ensure_end(&mut from)
    }
}
