//! A fixed number of counters, of which frequent lines keep theirs.

use std::io::{BufReader, BufWriter, Read, Write};
use std::ops::RangeInclusive;

use anyhow::{Result, ensure};
use foldhash::fast::RandomState;
use hashbrown::HashMap;

use super::stream::{ensure_end, read_varint, write_varint};
use super::table::saturate;
use super::{Accumulate, BookLines, Certainty, Counter, Counts, ModelError};
use endpaper_text::line::Key;

/// Range of the option `counters`.
pub(super) const COUNTERS: RangeInclusive<u32> = 1..=100_000_000;

/// Counts frequent lines with c counters (Kaser & Lemire, section 3.3.5 and algorithm 2: Generalized Majority, by Misra
/// & Gries 1982 and others).
///
/// A line that has a counter increments it. Another line takes a free counter (one that is zero); without one, all
/// counters are decremented. Counters are stored by key, where the paper stores the lines themselves: a counter takes
/// about 50 bytes, and lines with equal keys count as one, as with [`super::Crc64`].
///
/// **Bound.** After N lines, the counter of a line that occurred n times is between n - N / (c + 1) and n, where a
/// missing counter is 0. It is never above n, as only the line itself increments it. It lost at most one each time that
/// all counters were decremented, d times in all. Each of these times took away c + 1 occurrences that had been counted
/// or were about to be, so (c + 1) d <= N. [`Counts::max_undercount`] reports the actual d, which is often far smaller.
///
/// **Time.** Each line takes amortised constant time. Decrementing all counters raises the *floor*; a counter is its
/// `value` less the floor. To find the counters that reach zero, each entry is linked in a list by the value that it
/// had when it was linked. When the floor reaches that value, the entry is freed, or linked again if its value has
/// grown since. Each freeing is paid for by the line that took the counter, each relinking by a line that incremented
/// it.
///
/// **Merging** adds the counters of equal keys and subtracts the (c + 1)th largest from all of them. That takes away at
/// least c + 1 times the amount by which the bound widens, so the bound holds for the N of both (Agarwal et al. 2012,
/// "Mergeable summaries").
///
/// ```
/// use endpaper_detect::frequency::MisraGries;
/// use endpaper_text::line::Key;
/// let mut hot = MisraGries::new(2);
/// for key in [1, 2, 1, 3, 1] {
///     hot.add(Key(key));
/// }
/// assert!(hot.counters().eq([(Key(1), 2)]));
/// assert_eq!(hot.max_undercount(), 1);
/// ```
#[derive(Debug)]
pub struct MisraGries {
    /// Largest number of counters.
    limit: usize,
    entries: Vec<MisraGriesEntry>,
    /// Index in `entries` of the counter of a key.
    entry_of_key: HashMap<u64, u32, RandomState>,
    /// Unused indexes of `entries`.
    free: Vec<u32>,
    /// First entry of each list of entries that are linked under the same value.
    first_by_value: HashMap<u64, u32, RandomState>,
    floor: u64,
    /// The undercount of the structures that were merged into this one.
    merged_undercount: u64,
}

/// A line that has a counter.
#[derive(Clone, Copy, Debug)]
struct MisraGriesEntry {
    key: u64,
    /// The counter plus the floor.
    value: u64,
    next: u32,
}

/// End of a list.
const NONE: u32 = u32::MAX;

impl MisraGries {
    /// A structure with `counters` counters: at least one, at most 100 million.
    pub fn new(counters: u32) -> MisraGries {
        MisraGries {
            limit: counters.clamp(*COUNTERS.start(), *COUNTERS.end()) as usize,
            entries: Vec::new(),
            entry_of_key: HashMap::default(),
            free: Vec::new(),
            first_by_value: HashMap::default(),
            floor: 0,
            merged_undercount: 0,
        }
    }

    /// Counts one line.
    pub fn add(&mut self, key: Key) {
        if let Some(&place) = self.entry_of_key.get(&key.0) {
            self.entries[place as usize].value += 1;
        } else if self.entry_of_key.len() < self.limit {
            self.insert(key.0, self.floor + 1);
        } else {
            self.decrement_all();
        }
    }

    /// The keys that have a counter, with it, in no particular order.
    pub fn counters(&self) -> impl Iterator<Item = (Key, u64)> {
        let places = self.entry_of_key.iter();
        places.map(|(&key, &place)| (Key(key), self.entries[place as usize].value - self.floor))
    }

    /// The largest amount by which a counter may be too small.
    pub fn max_undercount(&self) -> u64 {
        self.merged_undercount + self.floor
    }

    /// Gives a key a free counter.
    fn insert(&mut self, key: u64, value: u64) {
        let item = MisraGriesEntry {
            key,
            value,
            next: NONE,
        };
        let place = match self.free.pop() {
            Some(place) => {
                self.entries[place as usize] = item;
                place
            }
            None => {
                self.entries.push(item);
                self.entries.len() as u32 - 1
            }
        };
        self.entry_of_key.insert(key, place);
        self.link_by_value(place);
    }

    /// Links an entry under its value.
    fn link_by_value(&mut self, place: u32) {
        let item = &mut self.entries[place as usize];
        item.next = self
            .first_by_value
            .insert(item.value, place)
            .unwrap_or(NONE);
    }

    /// Decrements all counters by raising the floor, and frees those that reach it.
    fn decrement_all(&mut self) {
        self.floor += 1;
        let mut place = self.first_by_value.remove(&self.floor).unwrap_or(NONE);
        while place != NONE {
            let MisraGriesEntry { key, value, next } = self.entries[place as usize];
            if value == self.floor {
                self.entry_of_key.remove(&key);
                self.free.push(place);
            } else {
                self.link_by_value(place);
            }
            place = next;
        }
    }
}

impl Accumulate for MisraGries {
    const WANTS_TEXT: bool = false;
    const IN_ORDER: bool = true;

    fn add_batch(&mut self, keys: &BookLines) -> Result<()> {
        for &key in keys.keys() {
            self.add(key);
        }
        Ok(())
    }

    fn merge(self, other: Self) -> Result<Self> {
        ensure!(
            self.limit == other.limit,
            "hot items with {} and with {} counters cannot be merged",
            self.limit,
            other.limit
        );
        let mut pairs: HashMap<u64, u64, RandomState> = HashMap::default();
        for (key, count) in self.counters().chain(other.counters()) {
            *pairs.entry(key.0).or_default() += count;
        }
        let mut counts: Vec<u64> = pairs.values().copied().collect();
        let excess = if counts.len() > self.limit {
            *counts.select_nth_unstable_by(self.limit, |a, b| b.cmp(a)).1
        } else {
            0
        };
        let mut merged = MisraGries::new(self.limit as u32);
        merged.merged_undercount = self.max_undercount() + other.max_undercount() + excess;
        for (key, count) in pairs {
            if count > excess {
                merged.insert(key, count - excess);
            }
        }
        Ok(merged)
    }
}

impl Counter for MisraGries {
    fn finish(self, below: u64) -> Result<Counts> {
        let slack = self.max_undercount();
        let mut pairs: Vec<(u64, u32)> = self
            .counters()
            .map(|(key, count)| (key.0, saturate(count)))
            .collect();
        drop(self);
        pairs.sort_unstable();
        let (keys, counts) = pairs.into_iter().unzip();
        let counts =
            Counts::from_sorted(keys, counts, Certainty::AtMost).with_max_undercount(slack);
        Ok(if below > 1 {
            counts.pruned(below)
        } else {
            counts
        })
    }

    /// Writes the number of counters, the undercount, the number of keys, then the distances of keys with their
    /// counters.
    fn save(self, out: &mut dyn Write) -> Result<()> {
        let mut out = BufWriter::new(out);
        let mut pairs: Vec<(u64, u64)> = self.counters().map(|(key, n)| (key.0, n)).collect();
        pairs.sort_unstable();
        for number in [self.limit as u64, self.max_undercount(), pairs.len() as u64] {
            write_varint(&mut out, number)?;
        }
        let mut last = 0;
        for (key, counter) in pairs {
            write_varint(&mut out, key - last)?;
            write_varint(&mut out, counter)?;
            last = key;
        }
        out.flush()?;
        Ok(())
    }

    fn load(&mut self, from: &mut dyn Read) -> Result<()> {
        const DAMAGED: ModelError = ModelError::Malformed("counters of hot items are damaged");
        let mut from = BufReader::new(from);
        let limit = read_varint(&mut from)?;
        ensure!(
            limit == self.limit as u64,
            "the hot items were counted with {limit} counters, not {}",
            self.limit
        );
        self.merged_undercount = read_varint(&mut from)?;
        let counters = read_varint(&mut from)?;
        ensure!(counters <= limit, DAMAGED);
        let mut key = 0u64;
        for index in 0..counters {
            let distance = read_varint(&mut from)?;
            let next = key
                .checked_add(distance)
                .filter(|_| distance > 0 || index == 0);
            key = next.ok_or(DAMAGED)?;
            let counter = read_varint(&mut from)?;
            // So that sums of these numbers do not overflow.
            ensure!(
                counter > 0 && counter.max(self.merged_undercount) < 1 << 60,
                DAMAGED
            );
            self.insert(key, counter);
        }
        ensure_end(&mut from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Algorithm 2 as printed: every line visits every counter.
    fn printed(keys: &[u64], counters: usize) -> (HashMap<u64, u64>, u64) {
        let (mut monitored, mut lost) = (HashMap::new(), 0);
        for &key in keys {
            if monitored.contains_key(&key) || monitored.len() < counters {
                *monitored.entry(key).or_default() += 1;
            } else {
                monitored.values_mut().for_each(|counter| *counter -= 1);
                monitored.retain(|_, counter| *counter > 0);
                lost += 1;
            }
        }
        (monitored, lost)
    }

    proptest! {
        #[test]
        fn it_is_the_printed_algorithm(keys in proptest::collection::vec(0..40u64, 0..600), counters in 1..12u32) {
            // Squares are skewed: some keys are frequent.
            let keys: Vec<u64> = keys.into_iter().map(|key| key * key / 40).collect();
            let mut hot = MisraGries::new(counters);
            for &key in &keys {
                hot.add(Key(key));
            }
            let (expected, lost) = printed(&keys, counters as usize);
            let found: HashMap<u64, u64> = hot.counters().map(|(key, n)| (key.0, n)).collect();
            prop_assert_eq!(found, expected);
            prop_assert_eq!(hot.max_undercount(), lost);
            prop_assert!(lost * (u64::from(counters) + 1) <= keys.len() as u64);
        }

        #[test]
        fn the_bound_survives_merging(
            parts in proptest::collection::vec(proptest::collection::vec(0..30u64, 0..200), 1..6), counters in 1..12u32,
        ) {
            let part = |keys: &Vec<u64>| {
                let mut hot = MisraGries::new(counters);
                keys.iter().for_each(|&key| hot.add(Key(key * key / 30)));
                hot
            };
            let mut truth: HashMap<u64, u64> = HashMap::new();
            for key in parts.iter().flatten() {
                *truth.entry(key * key / 30).or_default() += 1;
            }
            let hot = parts.iter().map(part).reduce(|a, b| a.merge(b).unwrap()).unwrap();
            let lines: usize = parts.iter().map(Vec::len).sum();
            prop_assert!(hot.max_undercount() * (u64::from(counters) + 1) <= lines as u64);
            prop_assert!(hot.counters().count() <= counters as usize);
            let found: HashMap<u64, u64> = hot.counters().map(|(key, n)| (key.0, n)).collect();
            for (key, n) in truth {
                let counter = found.get(&key).copied().unwrap_or(0);
                prop_assert!(counter <= n && n <= counter + hot.max_undercount());
            }
        }
    }

    #[test]
    fn counters_are_found_again_after_merging_and_going_on() {
        let mut a = MisraGries::new(2);
        [1, 1, 1, 2].into_iter().for_each(|key| a.add(Key(key)));
        let mut b = MisraGries::new(2);
        [3, 3, 1].into_iter().for_each(|key| b.add(Key(key)));
        let mut both = a.merge(b).unwrap();
        // 1: 4, 3: 2, 2: 1; the third largest is subtracted from all.
        let sorted = |hot: &MisraGries| {
            let mut counters: Vec<_> = hot.counters().collect();
            counters.sort_unstable();
            counters
        };
        assert_eq!(sorted(&both), [(Key(1), 3), (Key(3), 1)]);
        assert_eq!(both.max_undercount(), 1);
        both.add(Key(4));
        both.add(Key(4));
        assert_eq!(sorted(&both), [(Key(1), 2), (Key(4), 1)]);
        assert_eq!(both.max_undercount(), 2);
    }
}
