//! Scores of clusterings.

use std::collections::HashMap;
use std::hash::Hash;

/// Precision and recall, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Fraction of the results that are right; 1 without results.
    pub precision: f64,
    /// Fraction of the expected results that were found; 1 if none are expected.
    pub recall: f64,
}

impl Score {
    /// Harmonic mean of precision and recall.
    pub fn f1(&self) -> f64 {
        let sum = self.precision + self.recall;
        if sum > 0.0 {
            2.0 * self.precision * self.recall / sum
        } else {
            0.0
        }
    }
}

/// Compares a clustering with the truth, pair by pair: a pair in one cluster is found, a pair in one group is right.
///
/// Both slices are in the same order; the names of clusters and groups are arbitrary.
///
/// ```
/// use lab::experiments::copies::pairwise;
/// // Of three pairs found one is right, and one of two right ones is found.
/// let score = pairwise(&[0, 0, 0, 1], &["a", "a", "b", "b"]);
/// assert_eq!((score.precision, score.recall), (1.0 / 3.0, 0.5));
/// ```
pub fn pairwise<C: Copy + Eq + Hash, G: Copy + Eq + Hash>(clusters: &[C], groups: &[G]) -> Score {
    let both = pairs(clusters.iter().zip(groups));
    let share = |of: u64| {
        if of == 0 {
            1.0
        } else {
            both as f64 / of as f64
        }
    };
    Score {
        precision: share(pairs(clusters)),
        recall: share(pairs(groups)),
    }
}

fn pairs<T: Eq + Hash>(things: impl IntoIterator<Item = T>) -> u64 {
    let mut counts: HashMap<T, u64> = HashMap::new();
    for thing in things {
        *counts.entry(thing).or_default() += 1;
    }
    counts.values().map(|count| count * (count - 1) / 2).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pairs_are_counted(things in prop::collection::vec((0..5u8, 0..5u8), 0..40)) {
            let (clusters, groups): (Vec<u8>, Vec<u8>) = things.iter().copied().unzip();
            let (mut found, mut right, mut both) = (0, 0, 0);
            for a in 0..things.len() {
                for b in a + 1..things.len() {
                    let (in_cluster, in_group) = (clusters[a] == clusters[b], groups[a] == groups[b]);
                    found += u32::from(in_cluster);
                    right += u32::from(in_group);
                    both += u32::from(in_cluster && in_group);
                }
            }
            let score = pairwise(&clusters, &groups);
            let share = |of: u32| if of == 0 { 1.0 } else { f64::from(both) / f64::from(of) };
            prop_assert_eq!((score.precision, score.recall), (share(found), share(right)));
            let expected = 2.0 * f64::from(both) / f64::from((found + right).max(1));
            if found > 0 && right > 0 {
                prop_assert!((score.f1() - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn names_of_clusters_mean_nothing() {
        let score = pairwise(&[7, 7, 3, 3], &['a', 'a', 'b', 'b']);
        assert_eq!(
            (score.f1(), score),
            (
                1.0,
                Score {
                    precision: 1.0,
                    recall: 1.0
                }
            )
        );
        // All in one cluster; each in a separate one.
        assert_eq!(pairwise(&[0; 4], &[0, 0, 1, 1]).precision, 1.0 / 3.0);
        assert_eq!(pairwise(&[0, 1, 2, 3], &[0, 0, 1, 1]).f1(), 0.0);
    }
}
