//! The result of a counting structure.
//!
//! It is stored either as a sorted table of keys or as an array of small counters that keys share. Both answer queries
//! by the same rules.

use super::Histogram;
use super::array::{CounterWidth, SharedCounters};
use super::table::{KeyTable, KeyTableBuilder, saturate};
use endpaper_text::line::Key;

/// Bounds on how often a line occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// It occurs at least this often.
    pub at_least: u64,
    /// It occurs at most this often.
    pub at_most: u64,
}

/// How the answers of a structure may be wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// Every line was distinguished by its text.
    #[default]
    Exact,
    /// Lines with equal keys were counted together: a line occurs at most as often as counted, perhaps never.
    AtMost,
}

/// Frequencies of keys in the heads and tails of a corpus.
///
/// A count is at most 4,294,967,295; one that reaches this limit may be larger in truth. Three properties widen the
/// bounds on a key beyond its count, and [`Counts::bounds`] takes all of them into account: [`Counts::certainty`],
/// [`Counts::pruned_below`] and [`Counts::max_undercount`].
///
/// ```
/// use endpaper_detect::frequency::{Certainty, Counts};
/// use endpaper_text::line::Key;
/// let counts = Counts::from_pairs([(Key(7), 12), (Key(3), 2)], Certainty::AtMost);
/// assert_eq!(counts.frequency(Key(7)), 12);
/// assert_eq!(counts.bounds(Key(7)).at_least, 0);
/// // Leaving out what occurs fewer than 5 times: other keys may occur up to 4 times now.
/// assert_eq!(counts.pruned(5).bounds(Key(3)).at_most, 4);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub(super) storage: CountsStorage,
    certainty: Certainty,
    /// Keys that occur fewer times were left out.
    pruned_below: u64,
    /// How much every count, also that of an absent key, may be too small.
    max_undercount: u64,
}

/// How counts are stored: by key, or in an array of small counters that keys share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CountsStorage {
    Table(KeyTable),
    Array(SharedCounters),
}

impl Default for CountsStorage {
    fn default() -> Self {
        CountsStorage::Table(KeyTable::default())
    }
}

/// Two counts that cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "counts of the structure 'hashed' can only be combined with counts of the same options of 'hashed'; use another structure to combine them"
)]
pub struct MismatchedCounts;

impl Counts {
    /// Counts of which nothing was pruned.
    fn new(form: CountsStorage, certainty: Certainty) -> Counts {
        Counts {
            storage: form,
            certainty,
            pruned_below: 0,
            max_undercount: 0,
        }
    }

    /// From distinct keys in ascending order with their counts.
    pub(super) fn from_sorted(keys: Vec<u64>, counts: Vec<u32>, certainty: Certainty) -> Counts {
        Counts::new(CountsStorage::Table(KeyTable::new(keys, counts)), certainty)
    }

    /// From the lines of a [`KeyTableBuilder`], which were distinguished by their texts.
    pub(super) fn from_lines(builder: KeyTableBuilder) -> Counts {
        let (table, below) = builder.finish();
        Counts::new(CountsStorage::Table(table), Certainty::Exact).with_pruned_below(below)
    }

    /// From an array of shared counters, whose length is a power of two.
    pub(super) fn from_array(counters: Vec<u8>, kind: CounterWidth) -> Counts {
        Counts::new(
            CountsStorage::Array(SharedCounters::new(counters, kind)),
            Certainty::AtMost,
        )
    }

    /// From pairs in any order; the counts of equal keys are added.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (Key, u64)>, certainty: Certainty) -> Counts {
        let mut pairs: Vec<(u64, u64)> = pairs.into_iter().map(|(key, n)| (key.0, n)).collect();
        pairs.sort_unstable();
        pairs.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        let counts = pairs.iter().map(|&(_, n)| saturate(n)).collect();
        let keys = pairs.into_iter().map(|(key, _)| key).collect();
        Counts::from_sorted(keys, counts, certainty)
    }

    /// The same counts with the rarest count of each key that several texts share. Ignored by arrays.
    pub(super) fn with_shared_key_minima(mut self, mut minima: Vec<(u64, u32)>) -> Counts {
        minima.sort_unstable();
        if let CountsStorage::Table(table) = &mut self.storage {
            table.minima = minima;
        }
        self
    }

    /// The same counts, marked as lacking the keys that occur fewer than `pruned_below` times.
    pub(super) fn with_pruned_below(mut self, pruned_below: u64) -> Counts {
        self.pruned_below = pruned_below;
        self
    }

    /// The same counts, where every key, also an absent one, may occur up to `slack` times more than its count.
    pub fn with_max_undercount(mut self, slack: u64) -> Counts {
        self.max_undercount = slack;
        self
    }

    /// Bounds on how often a line with this key occurs.
    ///
    /// They always hold, except for `hashed:counters=morris`, whose upper bounds fail with the probability that
    /// [`CounterWidth::Morris`] states.
    pub fn bounds(&self, key: Key) -> Bounds {
        let (at_least, at_most) = match &self.storage {
            CountsStorage::Table(table) => match table.find(key) {
                Some(at) => {
                    let count = table.counts[at];
                    let at_least = match self.certainty {
                        Certainty::Exact => table.minimum(key).unwrap_or(count),
                        Certainty::AtMost => 0,
                    };
                    let full = count == u32::MAX;
                    (at_least.into(), if full { u64::MAX } else { count.into() })
                }
                None => (0, self.max_pruned_count()),
            },
            CountsStorage::Array(array) => match array.counter(key) {
                0 => (0, self.max_pruned_count()),
                counter => (0, array.kind.at_most(counter)),
            },
        };
        Bounds {
            at_least,
            at_most: at_most.saturating_add(self.max_undercount),
        }
    }

    /// The largest count that a key may have had that was left out.
    fn max_pruned_count(&self) -> u64 {
        match &self.storage {
            CountsStorage::Table(_) => self.pruned_below.saturating_sub(1),
            CountsStorage::Array(array) => array.kind.at_most(array.kind.below(self.pruned_below)),
        }
    }

    /// The count of a key, which is compared with K and shown as shading; 0 for a key without one.
    pub fn frequency(&self, key: Key) -> u64 {
        match &self.storage {
            CountsStorage::Table(table) => table.find(key).map_or(0, |at| table.counts[at].into()),
            CountsStorage::Array(array) => array.kind.value(array.counter(key)),
        }
    }

    /// The frequencies of many keys; faster than one by one.
    pub fn frequencies(&self, keys: impl Iterator<Item = Key>) -> Vec<u64> {
        match &self.storage {
            CountsStorage::Table(table) => table.find_counts(keys),
            CountsStorage::Array(_) => keys.map(|key| self.frequency(key)).collect(),
        }
    }

    /// How the answers may be wrong.
    pub fn certainty(&self) -> Certainty {
        self.certainty
    }

    /// Keys that were counted fewer times than this were left out (0 and 1: none was).
    pub fn pruned_below(&self) -> u64 {
        self.pruned_below
    }

    /// Every key, also an absent one, may occur up to this many times more than its count.
    pub fn max_undercount(&self) -> u64 {
        self.max_undercount
    }

    /// The largest K for which [`Counts::frequency`] decides whether a line occurs more than K times.
    pub fn largest(&self) -> u64 {
        match &self.storage {
            CountsStorage::Table(_) => u64::from(u32::MAX) - 1,
            CountsStorage::Array(array) => array.kind.largest(),
        }
    }

    /// Number of keys; of an array, number of non-zero counters.
    pub fn len(&self) -> usize {
        match &self.storage {
            CountsStorage::Table(table) => table.keys.len(),
            CountsStorage::Array(array) => array.len(),
        }
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keys in ascending order with their frequencies; of an array, the smallest key of every non-zero counter.
    pub fn iter(&self) -> impl Iterator<Item = (Key, u64)> {
        let (table, array) = match &self.storage {
            CountsStorage::Table(table) => (Some(table.pairs()), None),
            CountsStorage::Array(array) => (None, Some(array.pairs())),
        };
        let table = table.into_iter().flatten();
        let table = table.map(|(key, count)| (Key(key), count.into()));
        table.chain(array.into_iter().flatten())
    }

    /// A copy without the keys that occur fewer than `below` times.
    pub fn pruned(&self, below: u64) -> Counts {
        let form = match &self.storage {
            CountsStorage::Table(table) => CountsStorage::Table(table.pruned(below)),
            CountsStorage::Array(array) => CountsStorage::Array(array.pruned(below)),
        };
        Counts {
            storage: form,
            pruned_below: below.max(self.pruned_below),
            ..*self
        }
    }

    /// The sum of both, such as of a corpus and the built-in model.
    ///
    /// The sum of two tables no longer records which texts shared a key, so it bounds lines from above only. A key that
    /// one of the two left out may occur a few times more than the sum says: [`Counts::max_undercount`] grows by that
    /// number.
    ///
    /// # Errors
    ///
    /// If one is an array and the other is not an array of the same size and kind.
    pub fn sum(&self, other: &Counts) -> Result<Counts, MismatchedCounts> {
        let form = match (&self.storage, &other.storage) {
            (CountsStorage::Table(ours), CountsStorage::Table(theirs)) => {
                CountsStorage::Table(ours.sum(theirs))
            }
            (CountsStorage::Array(ours), CountsStorage::Array(theirs)) => {
                CountsStorage::Array(ours.sum(theirs).ok_or(MismatchedCounts)?)
            }
            _ => return Err(MismatchedCounts),
        };
        // A key that one contains may have been left out of the other, and an absent key out of both.
        let left_out = self.max_pruned_count().max(other.max_pruned_count());
        let slack = self.max_undercount.saturating_add(other.max_undercount);
        Ok(Counts {
            storage: form,
            certainty: Certainty::AtMost,
            pruned_below: self.pruned_below.min(other.pruned_below),
            max_undercount: slack.saturating_add(left_out),
        })
    }

    /// How many keys occur how often.
    pub fn histogram(&self) -> Histogram {
        self.iter().map(|(_, count)| count).collect()
    }

    /// The keys of a table; empty for an array.
    pub(super) fn keys(&self) -> &[u64] {
        match &self.storage {
            CountsStorage::Table(table) => &table.keys,
            CountsStorage::Array(_) => &[],
        }
    }

    /// In the order of [`Counts::keys`].
    pub(super) fn counts(&self) -> &[u32] {
        match &self.storage {
            CountsStorage::Table(table) => &table.counts,
            CountsStorage::Array(_) => &[],
        }
    }

    /// Keys that several texts share, ascending, with the count of the rarest text of each; empty for an array.
    pub(super) fn shared_key_minima(&self) -> &[(u64, u32)] {
        match &self.storage {
            CountsStorage::Table(table) => &table.minima,
            CountsStorage::Array(_) => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn counts_of(pairs: &HashMap<u64, u64>) -> Counts {
        Counts::from_pairs(
            pairs.iter().map(|(&key, &n)| (Key(key), n)),
            Certainty::Exact,
        )
    }

    /// The same lines counted by sixteen shared counters.
    fn array_of(pairs: &HashMap<u64, u64>, kind: CounterWidth) -> Counts {
        let mut totals = [0u64; 16];
        for (key, n) in pairs {
            totals[(key >> 60) as usize] += n;
        }
        let counter = |total| (0..=255).find(|&c| kind.value(c) >= total).unwrap_or(255);
        Counts::from_array(totals.into_iter().map(counter).collect(), kind)
    }

    fn pairs(counts: std::ops::Range<u64>) -> impl Strategy<Value = HashMap<u64, u64>> {
        let keys = prop_oneof![any::<u64>(), 0..50u64];
        proptest::collection::hash_map(keys, counts, 0..100)
    }

    proptest! {
        #[test]
        fn every_key_is_found_however_badly_the_keys_are_mixed(pairs in pairs(1..1000), other in any::<u64>()) {
            let counts = counts_of(&pairs);
            for (&key, &n) in &pairs {
                prop_assert_eq!(counts.frequency(Key(key)), n);
                prop_assert_eq!(counts.bounds(Key(key)), Bounds { at_least: n, at_most: n });
            }
            prop_assert_eq!(counts.frequency(Key(other)), pairs.get(&other).copied().unwrap_or(0));
        }

        #[test]
        fn pruning_widens_what_it_forgets_and_nothing_else(pairs in pairs(1..20), below in 0..20u64) {
            let pruned = counts_of(&pairs).pruned(below);
            for (&key, &n) in &pairs {
                let bounds = pruned.bounds(Key(key));
                prop_assert!(bounds.at_least <= n && n <= bounds.at_most);
                prop_assert_eq!(pruned.frequency(Key(key)), if n < below { 0 } else { n });
            }
        }

        #[test]
        fn a_pruned_array_forgets_rare_counters_and_keeps_its_bounds(pairs in pairs(1..60), below in 0..400u64) {
            for kind in [CounterWidth::Saturating, CounterWidth::Morris] {
                let counts = array_of(&pairs, kind);
                let pruned = counts.pruned(below);
                for (&key, &n) in &pairs {
                    prop_assert!(n <= pruned.bounds(Key(key)).at_most);
                    let frequency = counts.frequency(Key(key));
                    let forgotten = frequency < below && frequency < kind.value(255);
                    prop_assert_eq!(pruned.frequency(Key(key)), if forgotten { 0 } else { frequency });
                }
                prop_assert!(pruned.iter().all(|(key, n)| pruned.frequency(key) == n));
                prop_assert_eq!(pruned.iter().count(), pruned.len());
            }
        }

        #[test]
        fn bounds_of_a_sum_hold_for_both_together(
            ours in pairs(1..20), theirs in pairs(1..20), below in (0..8u64, 0..8u64), slack in (0..4u64, 0..4u64),
        ) {
            let lacking = |pairs: &HashMap<u64, u64>, slack: u64| -> HashMap<u64, u64> {
                let less = pairs.iter().map(|(&key, &n)| (key, n.saturating_sub(slack)));
                less.filter(|&(_, n)| n > 0).collect()
            };
            let (few, fewer) = (lacking(&ours, slack.0), lacking(&theirs, slack.1));
            let tables = (counts_of(&few), counts_of(&fewer));
            let arrays = (array_of(&few, CounterWidth::Saturating), array_of(&fewer, CounterWidth::Saturating));
            for (a, b) in [tables, arrays] {
                let a = a.pruned(below.0).with_max_undercount(slack.0);
                let sum = a.sum(&b.pruned(below.1).with_max_undercount(slack.1)).unwrap();
                for key in ours.keys().chain(theirs.keys()) {
                    let n = ours.get(key).unwrap_or(&0) + theirs.get(key).unwrap_or(&0);
                    let bounds = sum.bounds(Key(*key));
                    prop_assert!(bounds.at_least <= n && n <= bounds.at_most, "{n} not in {bounds:?}");
                }
            }
        }
    }

    #[test]
    fn an_array_is_added_to_its_like_only() {
        let table = Counts::default();
        let array = Counts::from_array(vec![1; 16], CounterWidth::Saturating);
        let others = [
            table.clone(),
            Counts::from_array(vec![1; 32], CounterWidth::Saturating),
            Counts::from_array(vec![1; 16], CounterWidth::Morris),
        ];
        for other in others {
            assert_eq!(array.sum(&other), Err(MismatchedCounts));
            assert_eq!(other.sum(&array), Err(MismatchedCounts));
        }
        let twice = Counts::from_array(vec![2; 16], CounterWidth::Saturating);
        assert_eq!(array.sum(&array), Ok(twice));
        assert_eq!(table.sum(&table).map(|sum| sum.len()), Ok(0));
    }

    #[test]
    fn a_full_count_is_unknown_above() {
        let counts = Counts::from_pairs([(Key(1), u64::MAX)], Certainty::Exact);
        let full = u32::MAX.into();
        let expected = Bounds {
            at_least: full,
            at_most: u64::MAX,
        };
        assert_eq!(counts.bounds(Key(1)), expected);
        let array = Counts::from_array(vec![255, 254], CounterWidth::Saturating);
        assert_eq!(array.bounds(Key(0)).at_most, u64::MAX);
        assert_eq!(array.bounds(Key(u64::MAX)).at_most, 254);
        assert_eq!(array.largest(), 254);
    }
}
