//! Arrays of small counters that keys share.

use serde::{Deserialize, Serialize};

use super::morris::{self, CounterRandom};
use endpaper_text::line::Key;

/// How an eight-bit counter represents a count.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub enum CounterWidth {
    /// Counts up to 254; 255 represents any larger count.
    #[default]
    Saturating,
    /// Approximate counts up to 3.4 thousand million (Morris 1978): exact up to 16, then with a relative standard error of
    /// 21 %.
    Morris,
}

impl CounterWidth {
    /// All widths with their option names; the default first.
    pub(super) const NAMES: [(CounterWidth, &'static str); 2] = [
        (CounterWidth::Saturating, "saturating"),
        (CounterWidth::Morris, "morris"),
    ];

    /// The largest K for which a counter decides whether a line occurs more than K times.
    pub fn largest(self) -> u64 {
        self.value(u8::MAX) - 1
    }

    /// The count that a counter represents.
    pub(super) fn value(self, counter: u8) -> u64 {
        match self {
            CounterWidth::Saturating => counter.into(),
            CounterWidth::Morris => morris::value(counter),
        }
    }

    /// The largest count that a counter may represent.
    pub(super) fn at_most(self, counter: u8) -> u64 {
        match (self, counter) {
            (_, u8::MAX) => u64::MAX,
            (CounterWidth::Saturating, counter) => counter.into(),
            (CounterWidth::Morris, counter) => morris::at_most(counter),
        }
    }

    /// The highest counter that represents fewer than `count` occurrences, or 0 if no counter does. Never the full counter,
    /// which may represent any count.
    pub(super) fn below(self, count: u64) -> u8 {
        let below = match self {
            CounterWidth::Saturating => u8::try_from(count.saturating_sub(1)).unwrap_or(u8::MAX),
            CounterWidth::Morris => morris::level_below(count),
        };
        below.min(u8::MAX - 1)
    }

    /// The counter that represents the sum of two counters.
    pub(super) fn sum(self, a: u8, b: u8, random: &mut CounterRandom) -> u8 {
        match self {
            CounterWidth::Saturating => a.saturating_add(b),
            CounterWidth::Morris => morris::merged(a, b, random),
        }
    }
}

/// Index of a key's counter among `1 << bits` counters: the leading bits of the key.
pub(super) fn slot(key: Key, bits: u32) -> usize {
    (key.0 >> (u64::BITS - bits)) as usize
}

/// An array of counters, each shared by the keys with the same leading bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SharedCounters {
    bits: u32,
    pub kind: CounterWidth,
    /// `1 << bits` counters.
    counters: Vec<u8>,
}

impl SharedCounters {
    /// `counters.len()` must be a power of two.
    pub fn new(counters: Vec<u8>, kind: CounterWidth) -> SharedCounters {
        debug_assert!(counters.len().is_power_of_two());
        SharedCounters {
            bits: counters.len().ilog2(),
            kind,
            counters,
        }
    }

    /// All counters, by slot.
    pub fn counters(&self) -> &[u8] {
        &self.counters
    }

    /// The counter of a key, as stored: an occurrence count or a level.
    pub fn counter(&self, key: Key) -> u8 {
        self.counters[slot(key, self.bits)]
    }

    /// Number of counters that are not zero.
    pub fn len(&self) -> usize {
        self.counters.iter().filter(|&&counter| counter > 0).count()
    }

    /// The smallest key of every non-zero counter, with the count that the counter represents.
    pub fn pairs(&self) -> impl Iterator<Item = (Key, u64)> {
        let used = (0..)
            .zip(&self.counters)
            .filter(|&(_, &counter)| counter > 0);
        used.map(|(slot, &counter)| {
            (
                Key(slot << (u64::BITS - self.bits)),
                self.kind.value(counter),
            )
        })
    }

    /// A copy in which counters that represent fewer than `below` are zero.
    pub fn pruned(&self, below: u64) -> SharedCounters {
        let last = self.kind.below(below);
        let keep = |&counter: &u8| if counter <= last { 0 } else { counter };
        SharedCounters {
            counters: self.counters.iter().map(keep).collect(),
            ..*self
        }
    }

    /// The sum of both, counter by counter; `None` if they differ in size or width.
    pub fn sum(&self, other: &SharedCounters) -> Option<SharedCounters> {
        if (self.bits, self.kind) != (other.bits, other.kind) {
            return None;
        }
        let mut random = CounterRandom::new(1);
        let pairs = self.counters.iter().zip(&other.counters);
        Some(SharedCounters {
            counters: pairs
                .map(|(&a, &b)| self.kind.sum(a, b, &mut random))
                .collect(),
            ..*self
        })
    }
}
