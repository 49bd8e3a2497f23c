//! Answers of a finished counting structure.
//!
//! A sorted table of keys with their counts, twelve bytes a key, and an index over the leading bits of the keys so
//! that a lookup touches a handful of neighbours. Keys are already well mixed; if they are not, a lookup is a binary
//! search and still right.

use super::Histogram;
use crate::line::Key;

/// What is known of how often a key occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// It occurs at least so often.
    pub at_least: u64,
    /// It occurs at most so often.
    pub at_most: u64,
}

/// How the answers of a structure may be wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// Every line was told apart by its text.
    #[default]
    Exact,
    /// Lines with equal keys were counted together: a line occurs at most so often, perhaps never.
    AtMost,
}

/// Frequencies of keys in the heads and tails of a corpus.
///
/// A count holds up to 4,294,967,295; one that reaches it is unknown above.
///
/// ```
/// use endpaper::frequency::{Certainty, Counts};
/// use endpaper::line::Key;
/// let counts = Counts::from_pairs([(Key(7), 12), (Key(3), 2)], Certainty::AtMost);
/// assert_eq!(counts.frequency(Key(7)), 12);
/// assert_eq!(counts.bounds(Key(7)).at_least, 0);
/// // Leaving out what occurs fewer than 5 times: other keys may occur up to 4 times now.
/// assert_eq!(counts.pruned(5).bounds(Key(3)).at_most, 4);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Ascending, each once.
    keys: Vec<u64>,
    /// In the order of `keys`; saturating.
    counts: Vec<u32>,
    /// Keys that several texts share, ascending, with the count of the rarest; `counts` holds that of the commonest.
    minima: Vec<(u64, u32)>,
    certainty: Certainty,
    /// Keys that occur fewer times were left out.
    pruned_below: u64,
    index: Index,
}

impl Counts {
    /// From keys in ascending order, each once, with their counts.
    pub(super) fn from_sorted(keys: Vec<u64>, counts: Vec<u32>, certainty: Certainty) -> Counts {
        debug_assert!(keys.len() == counts.len() && keys.is_sorted());
        let index = Index::over(&keys);
        Counts {
            keys,
            counts,
            minima: Vec::new(),
            certainty,
            pruned_below: 0,
            index,
        }
    }

    /// From pairs in any order; pairs with equal keys are added up.
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

    /// The same with the rarest count of each key that several texts share.
    pub(super) fn with_minima(mut self, mut minima: Vec<(u64, u32)>) -> Counts {
        minima.sort_unstable();
        self.minima = minima;
        self
    }

    /// The same, remembering that keys which occur fewer times had been left out.
    pub(super) fn with_pruned_below(mut self, pruned_below: u64) -> Counts {
        self.pruned_below = pruned_below;
        self
    }

    /// What is known of a key.
    pub fn bounds(&self, key: Key) -> Bounds {
        let Some(count) = self.find(key) else {
            return Bounds {
                at_least: 0,
                at_most: self.pruned_below.saturating_sub(1),
            };
        };
        let at_least = match self.certainty {
            Certainty::Exact => self.minimum(key).unwrap_or(count),
            Certainty::AtMost => 0,
        };
        Bounds {
            at_least: at_least.into(),
            at_most: if count == u32::MAX {
                u64::MAX
            } else {
                count.into()
            },
        }
    }

    /// The structure's own answer: what is compared with K and shown as shading. 0 if the key was never seen.
    pub fn frequency(&self, key: Key) -> u64 {
        self.find(key).map_or(0, u64::from)
    }

    /// How the answers may be wrong.
    pub fn certainty(&self) -> Certainty {
        self.certainty
    }

    /// Keys that occur fewer times than this were left out (0 and 1: none were).
    pub fn pruned_below(&self) -> u64 {
        self.pruned_below
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Keys in ascending order with their frequencies.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Key, u64)> {
        let pairs = self.keys.iter().zip(&self.counts);
        pairs.map(|(&key, &count)| (Key(key), count.into()))
    }

    /// Without the keys that occur fewer than `below` times.
    pub fn pruned(&self, below: u64) -> Counts {
        let kept = || self.iter().filter(|&(_, count)| count >= below);
        let keys: Vec<u64> = kept().map(|(key, _)| key.0).collect();
        let counts = kept().map(|(_, count)| saturate(count)).collect();
        let minima = self.minima.iter().copied();
        let minima = minima.filter(|(key, _)| keys.binary_search(key).is_ok());
        let minima = minima.collect();
        Counts::from_sorted(keys, counts, self.certainty)
            .with_minima(minima)
            .with_pruned_below(below.max(self.pruned_below))
    }

    /// Both counted together.
    pub fn sum(&self, other: &Counts) -> anyhow::Result<Counts> {
        Ok(Counts::from_pairs(
            self.iter().chain(other.iter()),
            Certainty::AtMost,
        ))
    }

    /// How many keys occur how often.
    pub fn histogram(&self) -> Histogram {
        self.counts.iter().map(|&count| u64::from(count)).collect()
    }

    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    pub(super) fn counts(&self) -> &[u32] {
        &self.counts
    }

    pub(super) fn minima(&self) -> &[(u64, u32)] {
        &self.minima
    }

    fn find(&self, key: Key) -> Option<u32> {
        let range = self.index.range(key.0, self.keys.len());
        let start = range.start;
        let at = self.keys[range].binary_search(&key.0).ok()?;
        Some(self.counts[start + at])
    }

    fn minimum(&self, key: Key) -> Option<u32> {
        let at = self.minima.binary_search_by_key(&key.0, |&(key, _)| key);
        at.ok().map(|at| self.minima[at].1)
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn every_key_is_found_however_badly_the_keys_are_mixed(
            pairs in proptest::collection::hash_map(prop_oneof![any::<u64>(), 0..50u64], 1..1000u64, 0..300),
            other in any::<u64>(),
        ) {
            let pairs: HashMap<u64, u64> = pairs;
            let counts = Counts::from_pairs(pairs.iter().map(|(&key, &n)| (Key(key), n)), Certainty::Exact);
            for (&key, &n) in &pairs {
                prop_assert_eq!(counts.frequency(Key(key)), n);
                prop_assert_eq!(counts.bounds(Key(key)), Bounds { at_least: n, at_most: n });
            }
            prop_assert_eq!(counts.frequency(Key(other)), pairs.get(&other).copied().unwrap_or(0));
        }

        #[test]
        fn pruning_widens_what_it_forgets_and_nothing_else(
            pairs in proptest::collection::hash_map(any::<u64>(), 1..20u64, 0..100), below in 0..20u64,
        ) {
            let pairs: HashMap<u64, u64> = pairs;
            let pruned = Counts::from_pairs(pairs.iter().map(|(&key, &n)| (Key(key), n)), Certainty::Exact)
                .pruned(below);
            for (&key, &n) in &pairs {
                let bounds = pruned.bounds(Key(key));
                prop_assert!(bounds.at_least <= n && n <= bounds.at_most);
                prop_assert_eq!(pruned.frequency(Key(key)), if n < below { 0 } else { n });
            }
        }
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
    }
}
