//! A fixed number of counters that only frequent lines keep.

use std::io::{BufReader, BufWriter, Read, Write};
use std::ops::RangeInclusive;

use anyhow::{Result, ensure};
use foldhash::fast::RandomState;
use hashbrown::HashMap;

use super::stream::{ensure_end, read_varint, write_varint};
use super::table::saturate;
use super::{Accumulate, BookLines, Certainty, Counter, Counts, ModelError};
use endpaper_text::line::Key;

/// What the option `counters` may be.
pub(super) const COUNTERS: RangeInclusive<u32> = 1..=100_000_000;

/// Counts the lines that are frequent with c counters (Kaser & Lemire, section 3.3.5 and algorithm 2: Generalized
/// Majority, by Misra & Gries 1982 and others).
///
/// A line that has a counter adds one to it, another takes a counter that is zero, and if there is none, all counters lose
/// one. Counters hold keys, where the paper's hold the lines themselves: about 50 bytes each, and lines with equal keys
/// count as one, as they do with [`super::Crc64`].
///
/// **Bound.** After N lines, a line that occurred n times has a counter of n - N / (c + 1) to n (no counter being 0). It is
/// never above n, for only the line itself adds to it. It lost at most one each time that all counters lost one, d times
/// in all. Each of these times took away c + 1 occurrences that had been counted or were about to be, so
/// (c + 1) d <= N. What is answered is the d that really was ([`Counts::max_undercount`]), which is often far smaller.
///
/// **Time.** Each line takes constant time, amortised. Losing one is not done to every counter: it raises the *floor*, and
/// a counter is what its `value` is above it. Counters that fall to the floor are found because each is filed under a
/// value that it cannot fall below unseen: its value when it was filed. Reaching that floor, a counter is freed, or filed again
/// if it was raised in the meantime. Every freeing pays with the line that took the counter, every filing with one that raised
/// it.
///
/// **Merging** adds counters of equal keys and takes the (c + 1)th largest off them all. That takes away at least c + 1 times
/// as much as the bound widens, so the bound holds for the N of both (Agarwal et al. 2012, "Mergeable summaries").
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
    /// How many counters there may be.
    limit: usize,
    entries: Vec<MisraGriesEntry>,
    /// Where the counter of a key is.
    entry_of_key: HashMap<u64, u32, RandomState>,
    /// Items without a key.
    free: Vec<u32>,
    /// By value, the first of the items that are filed under it.
    first_by_value: HashMap<u64, u32, RandomState>,
    floor: u64,
    /// How much every counter lost in structures that were merged into this one.
    merged_undercount: u64,
}

#[derive(Clone, Copy, Debug)]
struct MisraGriesEntry {
    key: u64,
    /// The counter and the floor.
    value: u64,
    /// The next item that is filed under the same value.
    next: u32,
}

/// No item.
const NONE: u32 = u32::MAX;

impl MisraGries {
    /// A structure of `counters` counters: at least one, at most 100 million.
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

    /// The most that any counter may be too low.
    pub fn max_undercount(&self) -> u64 {
        self.merged_undercount + self.floor
    }

    /// Gives a key a counter.
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

    /// Files an item under its value.
    fn link_by_value(&mut self, place: u32) {
        let item = &mut self.entries[place as usize];
        item.next = self
            .first_by_value
            .insert(item.value, place)
            .unwrap_or(NONE);
    }

    /// Takes one off every counter.
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

    /// The options, what every counter lost, the number of counters, then distances of keys with their counters.
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
            // So that no sum of such numbers overflows before a corpus does.
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

    /// Algorithm 2 as it is printed: every counter is examined for every line.
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
        // 1: 4, 3: 2, 2: 1; the third largest is taken off.
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
