//! Sets of corrupted books (Vladimir et al., section 3.2).

use std::ops::Range;

use rayon::prelude::*;

use crate::corrupt::Original;
use crate::experiments::{SampleRandom, mix};
use endpaper_detect::copies::{Fingerprint, FingerprintShape, Fingerprinter};

/// Maximum number of versions of an original in the large set.
const MOST_VERSIONS: usize = 15;

/// Highest corruption rate in the large set.
const MOST_CORRUPTION: f64 = 0.05;

/// A version of an original.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Version {
    /// Index of the original.
    pub original: usize,
    /// Corruption rate, 0 for the original itself.
    pub rate: f64,
}

/// The versions of a set; those of one original are adjacent.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionSet {
    versions: Vec<Version>,
    seed: u64,
}

impl VersionSet {
    /// Returns the small set: every original with `corrupted` versions of it, all at one rate.
    pub fn small(originals: usize, corrupted: usize, rate: f64) -> VersionSet {
        let of_one = |original| {
            let rates = std::iter::once(0.0).chain(std::iter::repeat_n(rate, corrupted));
            rates.map(move |rate| Version { original, rate })
        };
        VersionSet {
            versions: (0..originals).flat_map(of_one).collect(),
            seed: 1_000,
        }
    }

    /// Returns the large set: `books` books, 1 to 15 versions of each original at random rates of 0 to 5 %.
    ///
    /// Originals are not members: the paper's numbers allow no other reading.
    pub fn large(books: usize) -> VersionSet {
        let mut random = SampleRandom::new(75_000);
        let mut versions = Vec::with_capacity(books);
        for original in 0.. {
            let left = books - versions.len();
            if left == 0 {
                break;
            }
            for _ in 0..left.min(1 + random.below(MOST_VERSIONS)) {
                // In steps of a millionth.
                let rate = random.below(1_000_001) as f64 * (MOST_CORRUPTION / 1e6);
                versions.push(Version { original, rate });
            }
        }
        VersionSet {
            versions,
            seed: 75_000,
        }
    }

    /// The versions in order.
    pub fn versions(&self) -> &[Version] {
        &self.versions
    }

    /// Number of originals that the set needs.
    pub fn originals(&self) -> usize {
        self.versions.last().map_or(0, |last| last.original + 1)
    }

    /// Makes every version whose original is given and returns its fingerprint, in the order of the versions.
    ///
    /// Versions that are too short for a fingerprint get `None`. Each version takes sentences from one other original, drawn at random. `done` is
    /// called with the number of versions made so far, from any thread.
    pub fn prints(
        &self,
        originals: &[Original<'_>],
        shape: FingerprintShape,
        done: &(dyn Fn(usize) + Sync),
    ) -> Vec<Option<Fingerprint>> {
        let groups: Vec<Range<usize>> = {
            let mut start = 0;
            let groups = self.versions.chunk_by(|a, b| a.original == b.original);
            groups
                .map(|group| {
                    let first = start;
                    start += group.len();
                    first..start
                })
                .collect()
        };
        let group = |printer: &mut Fingerprinter, range: Range<usize>| {
            let prints: Vec<_> = range
                .clone()
                .map(|at| printer.of(&self.version(originals, at)?))
                .collect();
            done(range.len());
            prints
        };
        let prints: Vec<Vec<Option<Fingerprint>>> = groups
            .into_par_iter()
            .map_init(|| Fingerprinter::new(shape), group)
            .collect();
        prints.concat()
    }

    fn version(&self, originals: &[Original<'_>], at: usize) -> Option<String> {
        let version = self.versions[at];
        let original = originals.get(version.original)?;
        let mut random = SampleRandom::new(mix(self.seed ^ (at as u64) << 32));
        let other = match originals.len() {
            0 | 1 => None,
            many => {
                let step = 1 + random.below(many - 1);
                originals.get((version.original + step) % many)
            }
        };
        Some(original.corrupted(other, version.rate, &mut random).text)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn sets_are_as_the_paper_has_them() {
        let small = VersionSet::small(100, 9, 0.05);
        assert_eq!((small.versions().len(), small.originals()), (1_000, 100));
        let unharmed = small
            .versions()
            .iter()
            .filter(|version| version.rate == 0.0);
        assert_eq!(unharmed.count(), 100);
        let large = VersionSet::large(75_000);
        assert_eq!(large.versions().len(), 75_000);
        // Eight versions of each on average.
        assert!(
            large.originals().abs_diff(9_375) < 250,
            "{}",
            large.originals()
        );
        let groups = large.versions().chunk_by(|a, b| a.original == b.original);
        let sizes: Vec<usize> = groups.map(<[Version]>::len).collect();
        assert!(sizes.iter().all(|size| (1..=15).contains(size)));
        let rates = || large.versions().iter().map(|version| version.rate);
        assert!(rates().all(|rate| (0.0..=0.05).contains(&rate)));
        assert!((rates().sum::<f64>() / 75_000.0 - 0.025).abs() < 0.0005);
        assert_eq!(VersionSet::large(0).originals(), 0);
        assert_eq!(VersionSet::large(1).versions().len(), 1);
    }

    #[test]
    fn prints_are_the_same_on_any_number_of_threads() {
        let books: Vec<String> = (0..6)
            .map(|book| {
                let mut random = SampleRandom::new(book);
                let word = |_| format!("{} ", random.number() % 100_000);
                (0..400).map(word).collect()
            })
            .collect();
        let originals: Vec<Original<'_>> = books.iter().map(|book| Original::new(book)).collect();
        let set = VersionSet::small(7, 3, 0.05);
        let made = AtomicUsize::new(0);
        let prints = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| {
                set.prints(&originals, FingerprintShape::default(), &|more| {
                    made.fetch_add(more, Ordering::Relaxed);
                })
            })
        };
        let one = prints(1);
        assert_eq!(one, prints(3));
        assert_eq!(made.load(Ordering::Relaxed), 56);
        // The seventh original is missing.
        assert!(one[..24].iter().all(Option::is_some) && one[24..] == [None; 4]);
        let original = Fingerprinter::new(FingerprintShape::default()).of(&books[2]);
        assert_eq!(one[8], original);
        assert!(one[9] != original && one[9] != one[10]);
    }
}
