//! Tables of the distances that other features and other hash functions would give, with and without the means of languages.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::bench::CopiesBench;
use crate::figures::report::{Compared, Figure, FigureData};
use lab::corrupt::Original;
use lab::experiments::copies::{
    FEATURE_CHOICES, FeatureChoice, HASH_FUNCTIONS, HashFunction, MeanRemover, balances, cut, signs,
};
use lab::experiments::{SampleRandom, mix};

/// Different books that are compared; their texts are cut, as there are many tables.
const BOOKS: usize = 120;
const BYTES: usize = 100_000;

/// Corruption of the versions.
const RATES: [f64; 2] = [0.01, 0.05];

/// The share of the unrelated pairs that may be as near as a version is.
const NEAR_SHARE: f64 = 0.001;

/// A language with fewer books in the first half has no mean.
const MIN_BOOKS: usize = 3;

/// Texts that fingerprints of every kind are made of.
pub(super) struct FeatureTexts<'a> {
    books: Vec<&'a str>,
    languages: Vec<&'a str>,
    /// A version of each book at each rate.
    versions: [Vec<String>; 2],
    editions: &'a [[String; 2]],
}

/// The books of which means are made; distances are measured among the others.
pub(super) fn first_half(books: usize) -> impl Iterator<Item = usize> {
    (0..books).step_by(2)
}

impl<'a> FeatureTexts<'a> {
    pub(super) fn of(bench: &CopiesBench<'a>) -> FeatureTexts<'a> {
        let bodies = &bench.originals.bodies;
        let books: Vec<&str> = bodies
            .iter()
            .take(BOOKS)
            .map(|body| cut(body, BYTES))
            .collect();
        let originals: Vec<Original<'_>> = books.iter().map(|text| Original::new(text)).collect();
        let versions = RATES.map(|rate| {
            let each = (0..books.len()).into_par_iter().map(|book| {
                let other = &originals[(book + 1) % books.len()];
                let mut random = SampleRandom::new(mix(book as u64 ^ rate.to_bits()));
                originals[book]
                    .corrupted(Some(other), rate, &mut random)
                    .text
            });
            each.collect()
        });
        FeatureTexts {
            languages: bench
                .originals
                .languages
                .iter()
                .take(BOOKS)
                .map(String::as_str)
                .collect(),
            books,
            versions,
            editions: &bench.originals.editions,
        }
    }

    /// The balances of all texts.
    fn balances(&self, choice: FeatureChoice, function: HashFunction) -> TextBalances<'_> {
        let of = |text: &str| balances(text, choice, function, 2);
        TextBalances {
            languages: &self.languages,
            books: self.books.par_iter().map(|text| of(text)).collect(),
            versions: [0, 1].map(|rate| {
                self.versions[rate]
                    .par_iter()
                    .map(|text| of(text))
                    .collect()
            }),
            editions: self
                .editions
                .par_iter()
                .map(|pair| [of(&pair[0]), of(&pair[1])])
                .collect(),
        }
    }
}

/// The balances of all texts, by one hash function.
struct TextBalances<'a> {
    languages: &'a [&'a str],
    books: Vec<Vec<f64>>,
    versions: [Vec<Vec<f64>>; 2],
    editions: Vec<[Vec<f64>; 2]>,
}

/// What is removed before bits are taken.
#[derive(Clone, Copy)]
enum MeanUse {
    Kept,
    Subtracted,
    Projected,
}

impl MeanUse {
    const ALL: [MeanUse; 3] = [MeanUse::Kept, MeanUse::Subtracted, MeanUse::Projected];

    fn name(self) -> &'static str {
        match self {
            MeanUse::Kept => "kept",
            MeanUse::Subtracted => "mean of all subtracted",
            MeanUse::Projected => "means of languages removed",
        }
    }
}

/// Distances in bits, in ascending order.
struct PairDistances {
    /// Of different books.
    unrelated: Vec<u32>,
    /// Of books and their versions, by rate.
    versions: [Vec<u32>; 2],
    /// Of two editions.
    editions: Vec<u32>,
}

impl TextBalances<'_> {
    /// A remover of the means of the first half.
    fn remover(&self, means: MeanUse) -> MeanRemover {
        let mean = |books: &[usize]| -> Vec<f64> {
            let width = self.books[0].len();
            let sum = |bit: usize| books.iter().map(|&book| self.books[book][bit]).sum::<f64>();
            (0..width)
                .map(|bit| sum(bit) / books.len().max(1) as f64)
                .collect()
        };
        let half: Vec<usize> = first_half(self.books.len()).collect();
        match means {
            MeanUse::Kept => MeanRemover::default(),
            MeanUse::Subtracted => MeanRemover::subtracting(mean(&half)),
            MeanUse::Projected => {
                let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
                for book in half {
                    groups.entry(self.languages[book]).or_default().push(book);
                }
                let groups = groups.values().filter(|books| books.len() >= MIN_BOOKS);
                MeanRemover::projecting(&groups.map(|books| mean(books)).collect::<Vec<_>>())
            }
        }
    }

    /// The distances in the second half of the books, of the first `bits` bits.
    fn distances(&self, means: MeanUse, bits: usize) -> PairDistances {
        let remover = self.remover(means);
        let of = |balances: &[f64]| signs(&remover.of(balances)[..bits]);
        let second: Vec<usize> = (1..self.books.len()).step_by(2).collect();
        let books: Vec<u128> = second.iter().map(|&book| of(&self.books[book])).collect();
        let pairs = (0..books.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        PairDistances {
            unrelated: sorted(pairs.map(|(a, b)| books[a] ^ books[b])),
            versions: [0, 1].map(|rate| {
                let versions = second.iter().map(|&book| of(&self.versions[rate][book]));
                sorted(versions.zip(&books).map(|(version, book)| version ^ book))
            }),
            editions: sorted(self.editions.iter().map(|[a, b]| of(a) ^ of(b))),
        }
    }
}

/// The number of bits that are one in each word, in ascending order.
fn sorted(words: impl Iterator<Item = u128>) -> Vec<u32> {
    let mut all: Vec<u32> = words.map(u128::count_ones).collect();
    all.sort_unstable();
    all
}

/// The value below which a share of the distances are; 0 of none.
fn quantile(distances: &[u32], share: f64) -> u32 {
    let last = distances.len().saturating_sub(1);
    distances
        .get((last as f64 * share) as usize)
        .copied()
        .unwrap_or(0)
}

fn mean(distances: &[u32]) -> f64 {
    distances.iter().sum::<u32>() as f64 / distances.len().max(1) as f64
}

fn share_within(distances: &[u32], limit: u32) -> f64 {
    distances.partition_point(|&distance| distance <= limit) as f64 / distances.len().max(1) as f64
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// The table of features (section 5.1).
pub(super) fn choices(texts: &FeatureTexts<'_>) -> Figure {
    let mut data = FigureData::new([
        "features",
        "means",
        "unrelated_mean",
        "unrelated_nearest_0.1_percent",
        "version_1_percent_median",
        "version_1_percent_most",
        "version_5_percent_median",
        "version_5_percent_most",
        "editions_median",
        "editions_95_percent",
        "versions_5_percent_nearer_than_unrelated",
    ]);
    let mut best: BTreeMap<&str, (f64, String)> = BTreeMap::new();
    for choice in FEATURE_CHOICES {
        let name = match choice {
            FeatureChoice::Characters(count) => format!("{count} characters"),
            FeatureChoice::Words(1) => "1 word".to_owned(),
            FeatureChoice::Words(count) => format!("{count} words"),
        };
        let all = texts.balances(choice, HASH_FUNCTIONS[1]);
        for means in MeanUse::ALL {
            let found = all.distances(means, 128);
            let near = quantile(&found.unrelated, NEAR_SHARE);
            let nearer = found.versions[1].partition_point(|&distance| distance < near);
            let share = nearer as f64 / found.versions[1].len().max(1) as f64;
            data.row([
                name.clone(),
                means.name().to_owned(),
                format!("{:.1}", mean(&found.unrelated)),
                near.to_string(),
                quantile(&found.versions[0], 0.5).to_string(),
                quantile(&found.versions[0], 1.0).to_string(),
                quantile(&found.versions[1], 0.5).to_string(),
                quantile(&found.versions[1], 1.0).to_string(),
                quantile(&found.editions, 0.5).to_string(),
                quantile(&found.editions, 0.95).to_string(),
                percent(share),
            ]);
            // The first of equal ones: the shortest.
            let known = best.entry(means.name()).or_insert((-1.0, String::new()));
            if share > known.0 {
                *known = (share, name.clone());
            }
        }
    }
    let compared = best.iter().map(|(means, (share, name))| {
        let paper = "4 characters; characters before words";
        Compared::new(
            format!("best features, means {means}"),
            paper,
            format!("{name} ({})", percent(*share)),
        )
    });
    Figure {
        name: "copies5".to_owned(),
        title: "Distances by features".to_owned(),
        about: format!(
            "Bits of 128 in which fingerprints differ: of different books, of a book and its version with 1 and 5 % corruption, and of \
            {} pairs of editions. {} beginnings of at most {} kB; means are those of one half, distances those of the other. The last \
            column has the versions that are nearer than all but 0.1 % of the pairs of different books.",
            texts.editions.len(),
            texts.books.len(),
            BYTES / 1000,
        ),
        svg: None,
        compared: compared.collect(),
        data,
    }
}

/// The table of hash functions.
pub(super) fn hash_functions(texts: &FeatureTexts<'_>) -> Figure {
    let mut data = FigureData::new([
        "hash_function",
        "means",
        "unrelated_mean",
        "unrelated_within_16",
        "version_5_percent_within_16",
    ]);
    let mut shares: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for function in HASH_FUNCTIONS {
        let all = texts.balances(FeatureChoice::Characters(4), function);
        for means in MeanUse::ALL {
            let found = all.distances(means, 64);
            let within = share_within(&found.unrelated, 16);
            data.row([
                function.name.to_owned(),
                means.name().to_owned(),
                format!("{:.1}", mean(&found.unrelated)),
                percent(within),
                percent(share_within(&found.versions[1], 16)),
            ]);
            shares.entry(means.name()).or_default().push(within);
        }
    }
    let compared = shares.iter().map(|(means, shares)| {
        let least = shares.iter().copied().fold(1.0, f64::min);
        let most = shares.iter().copied().fold(0.0, f64::max);
        let what = format!("different books within 16 bits of 64, means {means}");
        Compared::new(
            what,
            "any hash function will do",
            format!("{} to {}", percent(least), percent(most)),
        )
    });
    Figure {
        name: "copies6".to_owned(),
        title: "Distances by hash function".to_owned(),
        about: "How near different books come in 64 bits of 4 characters: which n-grams are frequent decides most bits, and how the \
            hash function happens to hash those few. The books are those of the last table."
            .to_owned(),
        svg: None,
        compared: compared.collect(),
        data,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_distances_in_order() {
        let distances = [1, 3, 5, 9, 20];
        assert_eq!(
            [0.0, 0.5, 1.0].map(|share| quantile(&distances, share)),
            [1, 5, 20]
        );
        assert_eq!(
            (quantile(&[], 0.5), mean(&[]), share_within(&[], 3)),
            (0, 0.0, 0.0)
        );
        assert_eq!((mean(&[1, 2]), share_within(&distances, 5)), (1.5, 0.6));
    }
}
