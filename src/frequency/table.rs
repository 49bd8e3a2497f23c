//! A sorted table of keys with their counts.
//!
//! Twelve bytes a key, and an index over the leading bits of the keys so that a lookup touches a handful of
//! neighbours. Keys are already well mixed; if they are not, a lookup is a binary search and still right.

use crate::line::Key;

/// Keys in ascending order with their counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    /// Ascending, each once.
    pub keys: Vec<u64>,
    /// In the order of `keys`; saturating.
    pub counts: Vec<u32>,
    /// Keys that several texts share, ascending, with the count of the rarest; `counts` holds that of the commonest.
    pub minima: Vec<(u64, u32)>,
    index: Index,
}

impl Table {
    /// From keys in ascending order, each once, with their counts.
    pub fn new(keys: Vec<u64>, counts: Vec<u32>) -> Table {
        debug_assert!(keys.len() == counts.len() && keys.is_sorted_by(|a, b| a < b));
        let index = Index::over(&keys);
        Table {
            keys,
            counts,
            minima: Vec::new(),
            index,
        }
    }

    /// Where a key stands.
    pub fn find(&self, key: Key) -> Option<usize> {
        let range = self.index.range(key.0, self.keys.len());
        let start = range.start;
        let at = self.keys[range].binary_search(&key.0).ok()?;
        Some(start + at)
    }

    /// The count of the rarest text with this key, if several have it.
    pub fn minimum(&self, key: Key) -> Option<u32> {
        let at = self.minima.binary_search_by_key(&key.0, |&(key, _)| key);
        at.ok().map(|at| self.minima[at].1)
    }

    /// Keys in ascending order with their counts.
    pub fn pairs(&self) -> impl Iterator<Item = (u64, u32)> {
        self.keys.iter().copied().zip(self.counts.iter().copied())
    }

    /// Without the keys that occur fewer than `below` times.
    pub fn pruned(&self, below: u64) -> Table {
        let kept = || self.pairs().filter(|&(_, count)| u64::from(count) >= below);
        let (keys, counts) = kept().unzip();
        let mut table = Table::new(keys, counts);
        let minima = self.minima.iter().copied();
        let minima: Vec<_> = minima
            .filter(|&(key, _)| table.find(Key(key)).is_some())
            .collect();
        table.minima = minima;
        table
    }

    /// The keys of both; the counts of keys that both have are added up.
    pub fn sum(&self, other: &Table) -> Table {
        let mut keys = Vec::with_capacity(self.keys.len().max(other.keys.len()));
        let mut counts = Vec::with_capacity(keys.capacity());
        let mut theirs = other.pairs().peekable();
        let mut push = |key, count| {
            keys.push(key);
            counts.push(count);
        };
        for (key, mut count) in self.pairs() {
            while let Some((smaller, count)) = theirs.next_if(|&(other, _)| other < key) {
                push(smaller, count);
            }
            if let Some((_, more)) = theirs.next_if(|&(other, _)| other == key) {
                count = count.saturating_add(more);
            }
            push(key, count);
        }
        for (key, count) in theirs {
            push(key, count);
        }
        Table::new(keys, counts)
    }
}

/// A count as it is held.
pub(super) fn saturate(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Where the keys with the same leading bits begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Index {
    /// How far a key is shifted to give its bucket.
    shift: u32,
    /// Begin of every bucket, and the number of keys. Empty: no index, all keys are one bucket.
    starts: Vec<u32>,
}

impl Index {
    /// Buckets of about four keys. A table of more keys than a `u32` counts goes without.
    fn over(keys: &[u64]) -> Index {
        let bits = (keys.len() / 4).max(1).ilog2();
        if bits == 0 || u32::try_from(keys.len()).is_err() {
            return Index::default();
        }
        let shift = u64::BITS - bits;
        let mut starts = Vec::with_capacity((1 << bits) + 1);
        for (at, key) in (0..).zip(keys) {
            let bucket = (key >> shift) as usize;
            while starts.len() <= bucket {
                starts.push(at);
            }
        }
        starts.resize((1 << bits) + 1, keys.len() as u32);
        Index { shift, starts }
    }

    fn range(&self, key: u64, len: usize) -> std::ops::Range<usize> {
        if self.starts.is_empty() {
            return 0..len;
        }
        let bucket = (key >> self.shift) as usize;
        self.starts[bucket] as usize..self.starts[bucket + 1] as usize
    }
}
