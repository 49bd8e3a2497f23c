//! The CRC-64 structure: one 64-bit key and a counter for each distinct line.
//!
//! A hash table of millions of keys misses the cache at every step and needs twice its size while it grows. Instead,
//! keys are partitioned by their leading byte. Each partition is a sorted table that fits into the second-level cache,
//! and a short list of keys still to be sorted into it. That takes 12 bytes per distinct line, plus about two for the
//! lists, and the concatenated partitions are the sorted table that [`Counts`] needs.

use std::io::{BufReader, BufWriter, Read, Write};

use anyhow::Result;
use rayon::prelude::*;

use super::stream::{ensure_end, read_varint, write_varint};
use super::table::saturate;
use super::{Accumulate, BookLines, Certainty, Counter, Counts, ModelError};

/// One partition per value of the leading byte.
const PARTITIONS: usize = 256;

/// A list of pending keys is sorted into its table when it has this length, or a quarter of the length of the table if
/// that is more.
const PENDING: usize = 2048;

/// Counts by CRC-64 (Kaser & Lemire, section 3.3.3).
///
/// Two lines with the same key are counted as one line, so a frequency is never too small. Among a million distinct
/// lines this happens with a probability of about 3 in 100 million.
#[derive(Debug)]
pub struct Crc64 {
    partitions: Vec<KeyPartition>,
}

impl Default for Crc64 {
    fn default() -> Self {
        let partitions = std::iter::repeat_with(KeyPartition::default);
        Crc64 {
            partitions: partitions.take(PARTITIONS).collect(),
        }
    }
}

impl Crc64 {
    /// From distinct ascending keys with their counts.
    pub(super) fn from_sorted(lines: impl Iterator<Item = (u64, u32)>) -> Crc64 {
        let mut counter = Crc64::default();
        for (key, count) in lines {
            counter.partitions[(key >> 56) as usize].push(key, count);
        }
        counter
    }

    /// Number of distinct keys that are sorted into the tables.
    pub(super) fn len(&self) -> usize {
        self.partitions.iter().map(|part| part.keys.len()).sum()
    }

    /// Merges both.
    pub(super) fn with(self, other: Crc64) -> Crc64 {
        let pairs = self.partitions.into_par_iter().zip(other.partitions);
        Crc64 {
            partitions: pairs.map(|(ours, theirs)| ours.merge(theirs)).collect(),
        }
    }
}

impl Accumulate for Crc64 {
    const WANTS_TEXT: bool = false;

    fn add_batch(&mut self, keys: &BookLines) -> Result<()> {
        for key in keys.keys() {
            self.partitions[(key.0 >> 56) as usize].add(key.0);
        }
        Ok(())
    }

    fn merge(self, other: Self) -> Result<Self> {
        Ok(self.with(other))
    }
}

impl Counter for Crc64 {
    fn finish(mut self, below: u64) -> Result<Counts> {
        self.partitions
            .par_iter_mut()
            .for_each(KeyPartition::merge_pending);
        let len = self.len();
        let mut keys = Vec::with_capacity(len);
        let mut counts = Vec::with_capacity(len);
        // Each partition is freed as soon as it is copied.
        for partition in self.partitions {
            keys.extend_from_slice(&partition.keys);
            counts.extend_from_slice(&partition.counts);
        }
        let counts = Counts::from_sorted(keys, counts, Certainty::AtMost);
        Ok(if below > 1 {
            counts.pruned(below)
        } else {
            counts
        })
    }

    /// Writes the number of keys, then the distances of keys with their counts.
    fn save(mut self, out: &mut dyn Write) -> Result<()> {
        self.partitions
            .par_iter_mut()
            .for_each(KeyPartition::merge_pending);
        let mut out = BufWriter::new(out);
        write_varint(&mut out, self.len() as u64)?;
        let mut last = 0;
        for (key, count) in self.partitions.iter().flat_map(KeyPartition::pairs) {
            write_varint(&mut out, key - last)?;
            write_varint(&mut out, count.into())?;
            last = key;
        }
        out.flush()?;
        Ok(())
    }

    fn load(&mut self, from: &mut dyn Read) -> Result<()> {
        let mut from = BufReader::new(from);
        let mut last = 0u64;
        for index in 0..read_varint(&mut from)? {
            let distance = read_varint(&mut from)?;
            let key = last.checked_add(distance);
            let key = key.filter(|_| distance > 0 || index == 0);
            last = key.ok_or(ModelError::Malformed("keys out of order"))?;
            let count = u32::try_from(read_varint(&mut from)?).ok();
            let count = count.filter(|&count| count > 0);
            let count = count.ok_or(ModelError::Malformed("a count is out of range"))?;
            self.partitions[(last >> 56) as usize].push(last, count);
        }
        ensure_end(&mut from)
    }
}

/// The keys with one leading byte.
#[derive(Debug, Default)]
struct KeyPartition {
    /// Distinct, ascending.
    keys: Vec<u64>,
    /// In the order of `keys`.
    counts: Vec<u32>,
    /// Keys still to be sorted in, in any order.
    pending: Vec<u64>,
}

impl KeyPartition {
    /// Counts one occurrence of a key.
    fn add(&mut self, key: u64) {
        if self.pending.len() >= PENDING.max(self.keys.len() / 4) {
            self.merge_pending();
        }
        self.pending.push(key);
    }

    /// Merges the pending keys into the sorted table.
    fn merge_pending(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let mut pending = std::mem::take(&mut self.pending);
        pending.sort_unstable();
        let runs = pending.chunk_by(|a, b| a == b);
        let runs = runs.map(|run| (run[0], saturate(run.len() as u64)));
        let table = std::mem::take(self);
        *self = KeyPartition::union(table.pairs(), runs, table.keys.len() + pending.len());
        pending.clear();
        self.pending = pending;
    }

    /// The sum of two partitions of the same keys.
    fn merge(mut self, mut other: KeyPartition) -> KeyPartition {
        self.merge_pending();
        other.merge_pending();
        let capacity = self.keys.len() + other.keys.len();
        KeyPartition::union(self.pairs(), other.pairs(), capacity)
    }

    /// All keys with their counts, ascending.
    fn pairs(&self) -> impl Iterator<Item = (u64, u32)> {
        self.keys.iter().copied().zip(self.counts.iter().copied())
    }

    /// Merges two ascending lists into a table.
    fn union(
        ours: impl Iterator<Item = (u64, u32)>,
        theirs: impl Iterator<Item = (u64, u32)>,
        capacity: usize,
    ) -> KeyPartition {
        let mut table = KeyPartition {
            keys: Vec::with_capacity(capacity),
            counts: Vec::with_capacity(capacity),
            pending: Vec::new(),
        };
        let mut theirs = theirs.peekable();
        for (key, mut count) in ours {
            while let Some((smaller, count)) = theirs.next_if(|&(other, _)| other < key) {
                table.push(smaller, count);
            }
            if let Some((_, more)) = theirs.next_if(|&(other, _)| other == key) {
                count = count.saturating_add(more);
            }
            table.push(key, count);
        }
        for (key, count) in theirs {
            table.push(key, count);
        }
        table.keys.shrink_to_fit();
        table.counts.shrink_to_fit();
        table
    }

    /// Appends a key that is larger than all others.
    fn push(&mut self, key: u64, count: u32) {
        self.keys.push(key);
        self.counts.push(count);
    }
}
