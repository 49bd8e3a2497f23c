//! Finds all pairs of fingerprints within a distance, exactly, by comparing every pair.
//!
//! Fingerprints are stored in columns, one for each of their words, so that the compiler vectorises the comparison; a
//! block of them stays in the first-level cache while it is compared with many others. Blocks are processed in
//! parallel.

use rayon::prelude::*;

use super::Fingerprint;

/// Two fingerprints, by their indices in their lists, and the number of bits that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FingerprintPair {
    /// Index of the first.
    pub a: u32,
    /// Index of the second; within one list, it is greater than `a`.
    pub b: u32,
    /// Hamming distance.
    pub distance: u32,
}

/// Fingerprints per block.
const BLOCK: usize = 1024;
/// Fingerprints compared before their distances are checked.
const STEP: usize = 64;
/// Fingerprints compared with a block in one job.
const QUERIES: usize = 8192;

/// All pairs of a list that differ in at most `distance` bits, ordered by their indices.
pub fn within(prints: &[Fingerprint], distance: u32) -> Vec<FingerprintPair> {
    search(prints, prints, distance, true)
}

/// All pairs of one fingerprint of each list that differ in at most `distance` bits, ordered by their indices.
pub fn between(
    ours: &[Fingerprint],
    theirs: &[Fingerprint],
    distance: u32,
) -> Vec<FingerprintPair> {
    search(ours, theirs, distance, false)
}

/// The pairs of a fingerprint of `ours` and one of `theirs` within `distance` bits; with `same`, both are one list and
/// each pair is returned once.
fn search(
    ours: &[Fingerprint],
    theirs: &[Fingerprint],
    distance: u32,
    same: bool,
) -> Vec<FingerprintPair> {
    let words = ours
        .iter()
        .chain(theirs)
        .map(|print| print.bits().count().div_ceil(64))
        .max();
    let mut pairs = match words {
        None => Vec::new(),
        Some(..=1) => search_words::<1>(ours, theirs, distance, same),
        Some(2) => search_words::<2>(ours, theirs, distance, same),
        Some(3) => search_words::<3>(ours, theirs, distance, same),
        Some(_) => search_words::<4>(ours, theirs, distance, same),
    };
    pairs.sort_unstable();
    pairs
}

/// As [`search`], for fingerprints of `W` words of 64 bits.
fn search_words<const W: usize>(
    ours: &[Fingerprint],
    theirs: &[Fingerprint],
    distance: u32,
    same: bool,
) -> Vec<FingerprintPair> {
    let columns: Vec<FingerprintColumns<W>> = theirs
        .par_chunks(BLOCK)
        .map(FingerprintColumns::new)
        .collect();
    let jobs: Vec<(usize, usize)> = (0..columns.len())
        .flat_map(|block| {
            (0..ours.len())
                .step_by(QUERIES)
                .map(move |first| (block, first))
        })
        .collect();
    let job = |&(block, first): &(usize, usize)| {
        let start = block * BLOCK;
        let queries = &ours[first..ours.len().min(first + QUERIES)];
        let mut found = Vec::new();
        for (at, query) in (first..).zip(queries) {
            // Within one list, a pair is found once, from its first fingerprint.
            let from = if same {
                (at + 1).saturating_sub(start)
            } else {
                0
            };
            if from >= BLOCK {
                break;
            }
            columns[block].near(query, distance, from / STEP, |place, distance| {
                if place >= from {
                    found.push(FingerprintPair {
                        a: at as u32,
                        b: (start + place) as u32,
                        distance,
                    });
                }
            });
        }
        found
    };
    jobs.par_iter().flat_map_iter(job).collect()
}

/// A block of fingerprints, one column for each word.
struct FingerprintColumns<const W: usize> {
    columns: [Vec<u64>; W],
    len: usize,
}

impl<const W: usize> FingerprintColumns<W> {
    /// The fingerprints as columns, filled up with zeros to whole steps.
    fn new(prints: &[Fingerprint]) -> FingerprintColumns<W> {
        let column = |word: usize| {
            let mut column: Vec<u64> = prints.iter().map(|print| print.words()[word]).collect();
            column.resize(prints.len().next_multiple_of(STEP), 0);
            column
        };
        FingerprintColumns {
            columns: std::array::from_fn(column),
            len: prints.len(),
        }
    }

    /// Calls `found` with the index and the distance of every fingerprint within `limit` bits of `query`, from a step
    /// on.
    #[inline]
    fn near(
        &self,
        query: &Fingerprint,
        limit: u32,
        step: usize,
        mut found: impl FnMut(usize, u32),
    ) {
        let query = query.words();
        for start in (step * STEP..self.len).step_by(STEP) {
            let mut distances = [0u64; STEP];
            for (column, query) in self.columns.iter().zip(query) {
                if let Some(column) = column[start..].first_chunk::<STEP>() {
                    for (distance, other) in distances.iter_mut().zip(column) {
                        *distance += u64::from((other ^ query).count_ones());
                    }
                }
            }
            let limit = u64::from(limit);
            if distances
                .iter()
                .fold(false, |any, distance| any | (*distance <= limit))
            {
                let rest = self.len - start;
                for (at, &distance) in distances.iter().enumerate().take(rest) {
                    if distance <= limit {
                        found(start + at, distance as u32);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::super::FingerprintBits;
    use super::*;

    /// Fingerprints of which many are near others: a few seeds, with some of their bits changed.
    pub fn prints(most: usize) -> impl Strategy<Value = Vec<Fingerprint>> {
        let changed = (0..4usize, prop::collection::vec(0..256usize, 0..12));
        let seeds = any::<[[u64; 4]; 4]>();
        let bits = prop::sample::select(FingerprintBits::all().collect::<Vec<_>>());
        (seeds, bits, prop::collection::vec(changed, 0..most)).prop_map(|(seeds, bits, changed)| {
            let print = |(seed, flips): (usize, Vec<usize>)| {
                let mut words = seeds[seed];
                flips
                    .iter()
                    .for_each(|bit| words[bit / 64] ^= 1 << (bit % 64));
                Fingerprint::from_words(words, bits)
            };
            changed.into_iter().map(print).collect()
        })
    }

    /// Compares every pair, one after another.
    pub fn naive(
        ours: &[Fingerprint],
        theirs: &[Fingerprint],
        same: bool,
        limit: u32,
    ) -> Vec<FingerprintPair> {
        let mut pairs = Vec::new();
        for (a, ours) in ours.iter().enumerate() {
            for (b, theirs) in theirs.iter().enumerate() {
                let distance = ours.distance(theirs);
                if distance <= limit && (!same || a < b) {
                    pairs.push(FingerprintPair {
                        a: a as u32,
                        b: b as u32,
                        distance,
                    });
                }
            }
        }
        pairs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn all_pairs_are_found(prints in prints(200), limit in 0..40u32, cut in 0..200usize) {
            prop_assert_eq!(within(&prints, limit), naive(&prints, &prints, true, limit));
            let (ours, theirs) = prints.split_at(cut.min(prints.len()));
            prop_assert_eq!(between(ours, theirs, limit), naive(ours, theirs, false, limit));
        }
    }

    #[test]
    fn pairs_across_blocks_and_jobs_are_found() {
        let bits = FingerprintBits::default();
        let print = |at: u64| Fingerprint::from_words([at % 3000, 0, 0, 0], bits);
        let prints: Vec<Fingerprint> = (0..9000).map(print).collect();
        let pairs = within(&prints, 0);
        assert_eq!(pairs.len(), 9000);
        assert!(
            pairs
                .iter()
                .all(|pair| pair.a < pair.b && (pair.b - pair.a).is_multiple_of(3000))
        );
        assert_eq!(between(&prints[..10], &prints, 0).len(), 30);
    }
}
