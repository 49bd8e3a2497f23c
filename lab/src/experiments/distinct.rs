//! The number of distinct items in a stream, estimated in constant memory (Kaser & Lemire, Table 3).
//!
//! The paper refers to an estimate of the authors' own; here it is a bottom-k sketch (Bar-Yossef et al. 2002, "Counting
//! distinct elements in a data stream"): the k smallest of N uniform hashes reach as far as k / N of their range.

/// Number of hashes that are kept.
const KEPT: usize = 1 << 14;

/// The smallest distinct hashes of a stream.
///
/// ```
/// use lab::experiments::{DistinctSketch, mix};
/// let mut sketch = DistinctSketch::default();
/// (0..100).chain(50..150).for_each(|number| sketch.add(mix(number)));
/// assert_eq!(sketch.estimate(), (150.0, 0.0));
/// ```
#[derive(Clone, Debug)]
pub struct DistinctSketch {
    /// Hashes up to `largest`, some of them several times.
    hashes: Vec<u64>,
    largest: u64,
}

impl Default for DistinctSketch {
    fn default() -> DistinctSketch {
        DistinctSketch {
            hashes: Vec::new(),
            largest: u64::MAX,
        }
    }
}

impl DistinctSketch {
    /// Adds an item by its hash, all bits of which must be uniform.
    pub fn add(&mut self, hash: u64) {
        if hash <= self.largest {
            self.hashes.push(hash);
            if self.hashes.len() >= 4 * KEPT {
                self.compact();
            }
        }
    }

    /// Adds the items of another stream.
    pub fn merge(mut self, other: &DistinctSketch) -> DistinctSketch {
        self.largest = self.largest.min(other.largest);
        self.hashes.extend(&other.hashes);
        self.compact();
        self
    }

    /// Sorts the hashes, and drops repeated ones and those beyond the smallest.
    fn compact(&mut self) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        self.hashes.truncate(KEPT);
        if self.hashes.len() == KEPT {
            self.largest = self.hashes[KEPT - 1];
        }
    }

    /// Returns the estimated number of distinct items and its relative error: 1.96 standard errors, or 0 if the number is exact.
    pub fn estimate(&mut self) -> (f64, f64) {
        self.compact();
        if self.hashes.len() < KEPT {
            return (self.hashes.len() as f64, 0.0);
        }
        let range = self.largest as f64 / u64::MAX as f64;
        let error = 1.96 / ((KEPT - 2) as f64).sqrt();
        ((KEPT - 1) as f64 / range, error)
    }
}

#[cfg(test)]
mod tests {
    use super::super::mix;
    use super::*;

    #[test]
    fn estimates_are_within_their_error_whatever_the_order_and_the_parts() {
        let items = 1_000_000u64;
        let mut whole = DistinctSketch::default();
        let mut parts = [DistinctSketch::default(), DistinctSketch::default()];
        for item in (0..items).chain(0..items / 2) {
            whole.add(mix(item));
            parts[(item % 2) as usize].add(mix(item));
        }
        let (found, error) = whole.estimate();
        assert!((0.015..0.016).contains(&error), "{error}");
        // Twice the interval: a draw of fixed seed that is in it says nothing of others.
        let off = (found - items as f64).abs() / items as f64;
        assert!(off < 2.0 * error, "{found}");
        let [even, odd] = parts;
        assert_eq!(odd.merge(&even).estimate(), (found, error));
    }
}
