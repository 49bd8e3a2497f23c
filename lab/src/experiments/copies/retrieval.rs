//! Scores of near-fingerprint searches at every distance (Vladimir et al., section 5.2 and Figure 4).

use std::collections::HashMap;

use rayon::prelude::*;

use super::Score;
use endpaper_detect::copies::Fingerprint;

/// Number of queries per job.
const QUERIES: usize = 512;

/// Number of fingerprints compared per batch, before the near ones are picked.
const STEP: usize = 64;

/// The pairs that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairSelection {
    /// All pairs.
    All,
    /// Pairs that are equal in a band of this many bits.
    Bands(u32),
}

/// Score of the results within a distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RetrievalScore {
    /// Means over queries: precision over those that return something, recall over those with an expected result.
    pub queries: Score,
    /// Precision and recall over all pairs of books.
    pub pairs: Score,
    /// Number of wrong pairs.
    pub wrong: u64,
    /// Number of wrong pairs whose books share a source.
    pub wrong_of_same_source: u64,
}

/// A fingerprint's true group and source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryFingerprint {
    /// Group: a query should return the other members.
    pub group: u32,
    /// Source: several groups may share one, such as two pieces of one book.
    pub source: u32,
}

/// Searches for every fingerprint among all others. Returns for each pair selection the scores within 0, 1, 2, ... `most` bits.
///
/// Only the first 128 bits count.
pub fn retrieval(
    prints: &[(Fingerprint, QueryFingerprint)],
    ways: &[PairSelection],
    most: usize,
) -> Vec<Vec<RetrievalScore>> {
    let table = FingerprintTable::new(prints, ways);
    let jobs: Vec<usize> = (0..prints.len()).step_by(QUERIES).collect();
    let jobs: Vec<Vec<Vec<QuerySums>>> = jobs
        .into_par_iter()
        .map(|first| table.answer(first..prints.len().min(first + QUERIES), most))
        .collect();
    // Adds in order, so that sums do not depend on the number of threads.
    let mut all = vec![vec![QuerySums::default(); most + 1]; ways.len()];
    for job in jobs {
        for (all, job) in all.iter_mut().zip(job) {
            all.iter_mut().zip(job).for_each(|(all, job)| all.add(&job));
        }
    }
    let found = |way: Vec<QuerySums>| way.iter().map(QuerySums::found).collect();
    all.into_iter().map(found).collect()
}

/// The results of a query within a distance, or at exactly one distance.
#[derive(Clone, Copy, Debug, Default)]
struct QueryAnswer {
    right: u32,
    wrong_of_same_source: u32,
    wrong: u32,
}

/// Sums over the queries at one distance, from which mean precision and recall are computed.
#[derive(Clone, Copy, Debug, Default)]
struct QuerySums {
    precisions: f64,
    answered: u64,
    recalls: f64,
    asked: u64,
    expected: u64,
    right: u64,
    wrong_of_same_source: u64,
    wrong: u64,
}

impl QuerySums {
    fn add_answer(&mut self, answer: QueryAnswer, expected: u32) {
        let returned = answer.right + answer.wrong;
        if returned > 0 {
            self.precisions += f64::from(answer.right) / f64::from(returned);
            self.answered += 1;
        }
        if expected > 0 {
            self.recalls += f64::from(answer.right) / f64::from(expected);
            self.asked += 1;
        }
        self.expected += u64::from(expected);
        self.right += u64::from(answer.right);
        self.wrong_of_same_source += u64::from(answer.wrong_of_same_source);
        self.wrong += u64::from(answer.wrong);
    }

    fn add(&mut self, other: &QuerySums) {
        self.precisions += other.precisions;
        self.answered += other.answered;
        self.recalls += other.recalls;
        self.asked += other.asked;
        self.expected += other.expected;
        self.right += other.right;
        self.wrong_of_same_source += other.wrong_of_same_source;
        self.wrong += other.wrong;
    }

    fn found(&self) -> RetrievalScore {
        let share = |part: f64, of: u64| if of == 0 { 1.0 } else { part / of as f64 };
        RetrievalScore {
            queries: Score {
                precision: share(self.precisions, self.answered),
                recall: share(self.recalls, self.asked),
            },
            pairs: Score {
                precision: share(self.right as f64, self.right + self.wrong),
                recall: share(self.right as f64, self.expected),
            },
            // Every pair was found from both sides.
            wrong: self.wrong / 2,
            wrong_of_same_source: self.wrong_of_same_source / 2,
        }
    }
}

/// Fingerprints as two columns, so that the compiler vectorises comparisons.
struct FingerprintTable {
    low: Vec<u64>,
    high: Vec<u64>,
    known: Vec<QueryFingerprint>,
    /// Group size of each fingerprint.
    expected: Vec<u32>,
    /// Bit masks of the bands; empty for all pairs.
    ways: Vec<Vec<u128>>,
}

impl FingerprintTable {
    fn new(prints: &[(Fingerprint, QueryFingerprint)], ways: &[PairSelection]) -> FingerprintTable {
        let len = prints.len().next_multiple_of(STEP);
        let column = |word: usize| {
            let mut column: Vec<u64> = prints.iter().map(|print| print.0.words()[word]).collect();
            column.resize(len, 0);
            column
        };
        let mut sizes: HashMap<u32, u32> = HashMap::new();
        for (_, known) in prints {
            *sizes.entry(known.group).or_default() += 1;
        }
        let bits = prints
            .first()
            .map_or(0, |print| print.0.bits().count().min(128));
        let bands = |way: &PairSelection| match *way {
            PairSelection::All => Vec::new(),
            PairSelection::Bands(width) => {
                let width = width.clamp(1, 64);
                let band = |at: u32| ((1u128 << width) - 1) << (at * width);
                (0..bits / width).map(band).collect()
            }
        };
        FingerprintTable {
            low: column(0),
            high: column(1),
            known: prints.iter().map(|print| print.1).collect(),
            expected: prints
                .iter()
                .map(|print| sizes[&print.1.group] - 1)
                .collect(),
            ways: ways.iter().map(bands).collect(),
        }
    }

    /// Returns the sums over some queries, by pair selection and distance.
    fn answer(&self, queries: std::ops::Range<usize>, most: usize) -> Vec<Vec<QuerySums>> {
        let mut sums = vec![vec![QuerySums::default(); most + 1]; self.ways.len()];
        let mut answers = vec![vec![QueryAnswer::default(); most + 1]; self.ways.len()];
        for query in queries {
            answers
                .iter_mut()
                .for_each(|way| way.fill(QueryAnswer::default()));
            self.each_near(query, most as u64, |other, distance| {
                if other != query {
                    self.note(&mut answers, query, other, distance);
                }
            });
            for (sums, answers) in sums.iter_mut().zip(&answers) {
                let mut within = QueryAnswer::default();
                for (sums, at) in sums.iter_mut().zip(answers) {
                    within.right += at.right;
                    within.wrong += at.wrong;
                    within.wrong_of_same_source += at.wrong_of_same_source;
                    sums.add_answer(within, self.expected[query]);
                }
            }
        }
        sums
    }

    fn note(&self, answers: &mut [Vec<QueryAnswer>], query: usize, other: usize, distance: usize) {
        let (ours, theirs) = (self.known[query], self.known[other]);
        let (right, near) = (ours.group == theirs.group, ours.source == theirs.source);
        let differ = self.bits(query) ^ self.bits(other);
        for (bands, answers) in self.ways.iter().zip(answers) {
            if bands.is_empty() || bands.iter().any(|band| differ & band == 0) {
                let at = &mut answers[distance];
                at.right += u32::from(right);
                at.wrong += u32::from(!right);
                at.wrong_of_same_source += u32::from(!right && near);
            }
        }
    }

    fn bits(&self, at: usize) -> u128 {
        u128::from(self.high[at]) << 64 | u128::from(self.low[at])
    }

    fn each_near(&self, query: usize, most: u64, mut each: impl FnMut(usize, usize)) {
        let (low, high) = (self.low[query], self.high[query]);
        let steps = self
            .low
            .chunks_exact(STEP)
            .zip(self.high.chunks_exact(STEP));
        for (step, (lows, highs)) in steps.enumerate() {
            let mut distances = [0u64; STEP];
            for ((distance, a), b) in distances.iter_mut().zip(lows).zip(highs) {
                *distance = u64::from((a ^ low).count_ones() + (b ^ high).count_ones());
            }
            for (at, distance) in distances.into_iter().enumerate() {
                let other = step * STEP + at;
                if distance <= most && other < self.known.len() {
                    each(other, distance as usize);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use endpaper_detect::copies::{FingerprintBits, bands, pairs};

    fn known(group: u32, source: u32) -> QueryFingerprint {
        QueryFingerprint { group, source }
    }

    /// Strategy for fingerprints of some groups, a few bits around a centre that is nearly the same for all groups.
    fn prints() -> impl Strategy<Value = Vec<(Fingerprint, QueryFingerprint)>> {
        let flips = |most| prop::collection::vec(0..128usize, 0..most);
        let middle = [u64::MAX, 0, 0, 0];
        let groups = prop::collection::vec(flips(20), 6);
        (groups, prop::collection::vec((0..6u32, flips(12)), 0..150)).prop_map(
            move |(groups, all)| {
                let print = |(group, flips): (u32, Vec<usize>)| {
                    let mut words = middle;
                    for bit in groups[group as usize].iter().chain(&flips) {
                        words[bit / 64] ^= 1 << (bit % 64);
                    }
                    let print = Fingerprint::from_words(words, FingerprintBits::default());
                    (print, known(group, group / 2))
                };
                all.into_iter().map(print).collect()
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn what_is_found_is_what_a_search_finds(prints in prints(), most in 0..45usize) {
            let ways = [PairSelection::All, PairSelection::Bands(24), PairSelection::Bands(32)];
            let found = retrieval(&prints, &ways, most);
            let only: Vec<Fingerprint> = prints.iter().map(|print| print.0).collect();
            let group = |at: u32| prints[at as usize].1.group;
            for (way, found) in ways.iter().zip(&found) {
                prop_assert_eq!(found.len(), most + 1);
                for (distance, found) in found.iter().enumerate() {
                    let near = match *way {
                        PairSelection::All => pairs::within(&only, distance as u32),
                        PairSelection::Bands(width) => bands::within(&only, width, distance as u32),
                    };
                    let wrong = || near.iter().filter(|pair| group(pair.a) != group(pair.b));
                    prop_assert_eq!(found.wrong, wrong().count() as u64);
                    let near_wrong = wrong().filter(|pair| group(pair.a) / 2 == group(pair.b) / 2);
                    prop_assert_eq!(found.wrong_of_same_source, near_wrong.count() as u64);
                    let right = (near.len() - wrong().count()) as f64;
                    let expected = (0..prints.len())
                        .flat_map(|a| (0..a).map(move |b| (a as u32, b as u32)))
                        .filter(|(a, b)| group(*a) == group(*b))
                        .count();
                    let share = |of: usize| if of == 0 { 1.0 } else { right / of as f64 };
                    prop_assert_eq!(found.pairs.precision, share(near.len()));
                    prop_assert_eq!(found.pairs.recall, share(expected));
                }
            }
        }

        #[test]
        fn threads_do_not_matter(prints in prints()) {
            let once = || retrieval(&prints, &[PairSelection::All], 40);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            prop_assert_eq!(pool.install(once), once());
        }
    }

    #[test]
    fn means_are_over_the_queries_that_have_an_answer() {
        let print = |word, group| {
            let print = Fingerprint::from_words([word, 0, 0, 0], FingerprintBits::default());
            (print, known(group, group))
        };
        // Three of one group, two of them equal; a single one nearby; a single one far away.
        let prints = [
            print(0, 0),
            print(0, 0),
            print(0xFF, 0),
            print(1, 1),
            print(u64::MAX, 2),
        ];
        let found = &retrieval(&prints, &[PairSelection::All], 2)[0];
        let zero = found[0].queries;
        assert_eq!((zero.precision, zero.recall), (1.0, 1.0 / 3.0));
        // Two queries are half right; the third returns only its neighbours, which are wrong.
        let one = found[1].queries;
        assert_eq!((one.precision, one.recall), (1.0 / 3.0, 1.0 / 3.0));
        assert_eq!((found[1].wrong, found[1].wrong_of_same_source), (2, 0));
        assert_eq!(
            (found[1].pairs.precision, found[1].pairs.recall),
            (1.0 / 3.0, 1.0 / 3.0)
        );
        assert_eq!(retrieval(&[], &[PairSelection::All], 1)[0].len(), 2);
    }
}
