//! A sorted table of keys with their counts.
//!
//! A key takes twelve bytes. An index over the leading bits of the keys limits a lookup to a handful of neighbours.
//! Keys are well mixed already; if they are not, a lookup is a binary search and still correct.

use std::ops::Range;

use endpaper_text::line::Key;

/// Keys in ascending order with their counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyTable {
    /// Distinct, ascending.
    pub keys: Vec<u64>,
    /// In the order of `keys`; saturating.
    pub counts: Vec<u32>,
    /// Keys that several texts share, ascending, with the count of the rarest text; `counts` has that of the commonest.
    pub minima: Vec<(u64, u32)>,
    index: LeadingBitsIndex,
}

impl KeyTable {
    /// From distinct keys in ascending order with their counts.
    pub fn new(keys: Vec<u64>, counts: Vec<u32>) -> KeyTable {
        debug_assert!(keys.len() == counts.len() && keys.is_sorted_by(|a, b| a < b));
        let index = LeadingBitsIndex::over(&keys);
        KeyTable {
            keys,
            counts,
            minima: Vec::new(),
            index,
        }
    }

    /// The index of a key.
    pub fn find(&self, key: Key) -> Option<usize> {
        self.find_in(key, self.index.range(key.0, self.keys.len()))
    }

    /// The counts of many keys, 0 for those without one; faster than one by one, as the lookups overlap their memory
    /// accesses.
    pub fn find_counts(&self, keys: impl Iterator<Item = Key>) -> Vec<u64> {
        let ranges = keys.map(|key| (key, self.index.range(key.0, self.keys.len())));
        let ranges: Vec<(Key, Range<usize>)> = ranges.collect();
        let found = ranges
            .into_iter()
            .map(|(key, range)| self.find_in(key, range));
        found
            .map(|at| at.map_or(0, |at| self.counts[at].into()))
            .collect()
    }

    /// The index of a key, which is in this range if it is in the table.
    fn find_in(&self, key: Key, range: Range<usize>) -> Option<usize> {
        let near = &self.keys[range.clone()];
        // Nearly all ranges are short, and what is in them cannot be predicted.
        let before = match near.len() {
            0..=16 => near.iter().filter(|other| **other < key.0).count(),
            _ => near.partition_point(|other| *other < key.0),
        };
        (near.get(before) == Some(&key.0)).then_some(range.start + before)
    }

    /// The count of the rarest text with this key, if several texts share it.
    pub fn minimum(&self, key: Key) -> Option<u32> {
        let at = self.minima.binary_search_by_key(&key.0, |&(key, _)| key);
        at.ok().map(|at| self.minima[at].1)
    }

    /// Keys in ascending order with their counts.
    pub fn pairs(&self) -> impl Iterator<Item = (u64, u32)> {
        self.keys.iter().copied().zip(self.counts.iter().copied())
    }

    /// A copy without the keys that occur fewer than `below` times.
    pub fn pruned(&self, below: u64) -> KeyTable {
        let kept = || self.pairs().filter(|&(_, count)| u64::from(count) >= below);
        let (keys, counts) = kept().unzip();
        let mut table = KeyTable::new(keys, counts);
        let minima = self.minima.iter().copied();
        let minima: Vec<_> = minima
            .filter(|&(key, _)| table.find(Key(key)).is_some())
            .collect();
        table.minima = minima;
        table
    }

    /// The keys of both; counts of common keys are added.
    pub fn sum(&self, other: &KeyTable) -> KeyTable {
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
        KeyTable::new(keys, counts)
    }
}

/// Builds a table from lines sorted by key, within a limited size.
#[derive(Debug)]
pub(super) struct KeyTableBuilder {
    keys: Vec<u64>,
    counts: Vec<u32>,
    minima: Vec<(u64, u32)>,
    /// Largest number of keys.
    limit: usize,
    /// Keys that occur fewer times are left out.
    below: u64,
    /// The last key, the counts of its commonest and rarest text, and whether several texts share it.
    last: Option<(u64, u64, u64, bool)>,
}

/// Bytes of a key in a table: the key, its count, and its share of the index.
pub(super) const KEY_SIZE: u64 = 8 + 4 + 1;

impl KeyTableBuilder {
    /// A builder for at most `expected` keys. Keys that occur fewer than `below` times are left out, and the rarest
    /// keys while there are more than `limit`.
    pub fn new(expected: u64, limit: usize, below: u64) -> KeyTableBuilder {
        // Allocated at once, as a growing vector may take twice its size; the unused rest is released at the end.
        let expected = usize::try_from(expected).unwrap_or(usize::MAX);
        let capacity = expected.min(limit.saturating_add(1));
        KeyTableBuilder {
            keys: Vec::with_capacity(capacity),
            counts: Vec::with_capacity(capacity),
            minima: Vec::new(),
            limit,
            below: if below > 1 { below } else { 0 },
            last: None,
        }
    }

    /// Adds a line. Its key must not be smaller than the one before.
    pub fn push(&mut self, key: u64, count: u64) {
        match &mut self.last {
            Some((last, commonest, rarest, shared)) if *last == key => {
                *commonest = count.max(*commonest);
                *rarest = count.min(*rarest);
                *shared = true;
            }
            _ => {
                self.push_last();
                self.last = Some((key, count, count, false));
            }
        }
    }

    /// Appends the last key, of which no further text can come, unless it is too rare.
    fn push_last(&mut self) {
        let Some((key, commonest, rarest, shared)) = self.last.take() else {
            return;
        };
        if commonest < self.below {
            return;
        }
        self.keys.push(key);
        self.counts.push(saturate(commonest));
        if shared {
            self.minima.push((key, saturate(rarest)));
        }
        while self.keys.len() > self.limit {
            self.prune_rarest();
        }
    }

    /// Leaves out the rarest keys, more than a quarter of all, so that this does not happen for every key.
    fn prune_rarest(&mut self) {
        let fewer = |below: u64| {
            let counts = self.counts.iter().map(|&count| u64::from(count));
            counts.filter(|&count| count < below).count()
        };
        // Found by bisection, as there may be no memory for a sorted copy of the counts.
        let (mut too_few, mut enough) = (self.below, u64::from(u32::MAX) + 1);
        while enough - too_few > 1 {
            let below = too_few.midpoint(enough);
            if fewer(below) > self.keys.len() / 4 {
                enough = below;
            } else {
                too_few = below;
            }
        }
        self.below = enough;
        let mut kept = 0;
        for at in 0..self.keys.len() {
            if u64::from(self.counts[at]) >= self.below {
                self.keys[kept] = self.keys[at];
                self.counts[kept] = self.counts[at];
                kept += 1;
            }
        }
        self.keys.truncate(kept);
        self.counts.truncate(kept);
        let keys = &self.keys;
        self.minima
            .retain(|(key, _)| keys.binary_search(key).is_ok());
    }

    /// The table, and the count below which keys were left out.
    pub fn finish(mut self) -> (KeyTable, u64) {
        self.push_last();
        self.keys.shrink_to_fit();
        self.counts.shrink_to_fit();
        let mut table = KeyTable::new(self.keys, self.counts);
        table.minima = self.minima;
        (table, self.below)
    }
}

/// A count as it is stored.
pub(super) fn saturate(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Index of the first key for each value of the leading bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct LeadingBitsIndex {
    /// Number of bits by which a key is shifted right to get its bucket.
    shift: u32,
    /// Start of every bucket, then the number of keys. Empty: all keys are in one bucket.
    starts: Vec<u32>,
}

impl LeadingBitsIndex {
    /// Buckets of about four keys. A table with more keys than fit into a `u32` has no index.
    fn over(keys: &[u64]) -> LeadingBitsIndex {
        let bits = (keys.len() / 4).max(1).ilog2();
        if bits == 0 || u32::try_from(keys.len()).is_err() {
            return LeadingBitsIndex::default();
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
        LeadingBitsIndex { shift, starts }
    }

    /// The range of indices in which a key can be, in a table of `len` keys.
    fn range(&self, key: u64, len: usize) -> Range<usize> {
        if self.starts.is_empty() {
            return 0..len;
        }
        let bucket = (key >> self.shift) as usize;
        self.starts[bucket] as usize..self.starts[bucket + 1] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_are_those_of_a_binary_search_however_keys_cluster(
            keys in proptest::collection::btree_set(
                // Clustered keys share their leading bits, so that a range holds more than a handful.
                prop_oneof![any::<u64>(), 0..90_u64, (0..90_u64).prop_map(|near| u64::MAX / 3 + near)],
                0..400,
            ),
            others in proptest::collection::vec(any::<u64>(), 0..20),
        ) {
            let keys: Vec<u64> = keys.into_iter().collect();
            let counts: Vec<u32> = (1..).take(keys.len()).collect();
            let table = KeyTable::new(keys.clone(), counts.clone());
            let asked = keys.iter().flat_map(|key| [*key, key.wrapping_add(1), key.wrapping_sub(1)]);
            let asked: Vec<u64> = asked.chain(others).collect();
            let slowly: Vec<u64> = asked
                .iter()
                .map(|key| keys.binary_search(key).map_or(0, |at| counts[at].into()))
                .collect();
            prop_assert_eq!(table.find_counts(asked.into_iter().map(Key)), slowly);
        }
    }
}
