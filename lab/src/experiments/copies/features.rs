//! Simhashes of other features and by other hash functions than those of endpaper, for comparison (Vladimir et al., sections 4.1
//! and 5.1).

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use sha2::{Digest, Sha256};

use crate::experiments::mix;
use endpaper_detect::copies::folded;

/// The features of a text: runs of characters, or of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureChoice {
    /// This number of consecutive characters.
    Characters(usize),
    /// This number of consecutive words.
    Words(usize),
}

/// All choices that are compared.
pub const FEATURE_CHOICES: [FeatureChoice; 12] = [
    FeatureChoice::Characters(2),
    FeatureChoice::Characters(3),
    FeatureChoice::Characters(4),
    FeatureChoice::Characters(5),
    FeatureChoice::Characters(6),
    FeatureChoice::Characters(7),
    FeatureChoice::Characters(8),
    FeatureChoice::Characters(9),
    FeatureChoice::Characters(10),
    FeatureChoice::Words(1),
    FeatureChoice::Words(2),
    FeatureChoice::Words(3),
];

/// A hash function, seeded with a number so that it yields any number of bits.
#[derive(Clone, Copy, Debug)]
pub struct HashFunction {
    /// Its usual name.
    pub name: &'static str,
    /// The 64 bits of a feature for a seed.
    pub hash: fn(&[u8], u64) -> u64,
}

/// The hash functions that are compared: good ones, and ones that are used because they are short.
pub const HASH_FUNCTIONS: [HashFunction; 9] = [
    HashFunction {
        name: "SHA-256",
        hash: |feature, seed| {
            let digest = Sha256::new_with_prefix(seed.to_le_bytes())
                .chain_update(feature)
                .finalize();
            digest
                .iter()
                .take(8)
                .fold(0, |word, byte| word << 8 | u64::from(*byte))
        },
    },
    HashFunction {
        name: "SplitMix64",
        hash: |feature, seed| {
            mix(polynomial(feature, 0, 0x9e37_79b9_7f4a_7c15).wrapping_add(mix(seed + 1)))
        },
    },
    HashFunction {
        name: "Murmur3 finaliser",
        hash: |feature, seed| {
            let mut word = polynomial(feature, seed + 1, 0x87c3_7b91_1142_53d5);
            word = (word ^ word >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
            word = (word ^ word >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
            word ^ word >> 33
        },
    },
    HashFunction {
        name: "foldhash",
        hash: |feature, seed| {
            use std::hash::{BuildHasher, Hasher};
            let mut hasher = FixedState::with_seed(seed).build_hasher();
            hasher.write(feature);
            hasher.finish()
        },
    },
    HashFunction {
        name: "CRC-64",
        hash: |feature, seed| {
            let mut digest = crc64fast::Digest::new();
            digest.write(&seed.to_le_bytes());
            digest.write(feature);
            digest.sum64()
        },
    },
    HashFunction {
        name: "FNV-1a",
        hash: |feature, seed| {
            let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x100_0000_01b3);
            feature.iter().fold(start, |word, byte| {
                (word ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
            })
        },
    },
    HashFunction {
        name: "one-at-a-time",
        hash: |feature, seed| {
            let mut word = feature.iter().fold(seed, |word, byte| {
                let word = word.wrapping_add(u64::from(*byte));
                let word = word.wrapping_add(word << 10);
                word ^ word >> 6
            });
            word = word.wrapping_add(word << 3);
            word ^= word >> 11;
            word.wrapping_add(word << 15)
        },
    },
    HashFunction {
        name: "sdbm",
        hash: |feature, seed| polynomial(feature, seed, 65_599),
    },
    HashFunction {
        name: "djb2",
        hash: |feature, seed| polynomial(feature, 5_381 + seed, 33),
    },
];

/// A polynomial of the bytes, modulo 2^64.
fn polynomial(feature: &[u8], start: u64, factor: u64) -> u64 {
    feature.iter().fold(start, |word, byte| {
        word.wrapping_mul(factor).wrapping_add(u64::from(*byte))
    })
}

/// The balance of each of 64 bits per seed: the share of the features that have a one there, less the share that have a zero.
///
/// Features are counted in what endpaper compares, in lower case with single blanks. All zeros for a text without a feature.
pub fn balances(text: &str, choice: FeatureChoice, function: HashFunction, seeds: u64) -> Vec<f64> {
    let text = folded(text).to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let (starts, count): (Vec<usize>, usize) = match choice {
        FeatureChoice::Characters(count) => {
            (text.char_indices().map(|(at, _)| at).collect(), count)
        }
        FeatureChoice::Words(count) => {
            let blanks = text.match_indices(' ').map(|(at, _)| at + 1);
            (std::iter::once(0).chain(blanks).collect(), count)
        }
    };
    let end = |at: usize| match (starts.get(at), choice) {
        (None, _) => text.len(),
        (Some(&next), FeatureChoice::Characters(_)) => next,
        (Some(&next), FeatureChoice::Words(_)) => next - 1,
    };
    let mut counts: HashMap<&str, u32, FixedState> = HashMap::default();
    for (at, &start) in starts.iter().enumerate() {
        if at + count <= starts.len() {
            *counts.entry(&text[start..end(at + count)]).or_default() += 1;
        }
    }
    let mut sums = vec![0i64; 64 * seeds as usize];
    let mut total = 0;
    for (feature, count) in counts {
        total += i64::from(count);
        for (seed, sums) in (0..).zip(sums.chunks_mut(64)) {
            let hash = (function.hash)(feature.as_bytes(), seed);
            for (bit, sum) in sums.iter_mut().enumerate() {
                // 1 or -1.
                *sum += ((hash >> bit & 1) as i64 * 2 - 1) * i64::from(count);
            }
        }
    }
    sums.iter()
        .map(|&sum| sum as f64 / total.max(1) as f64)
        .collect()
}

/// The simhash of at most 128 balances: a bit is one where the balance is positive.
pub fn signs(balances: &[f64]) -> u128 {
    let bits = balances.iter().enumerate();
    bits.fold(0, |word, (at, balance)| {
        word | u128::from(*balance > 0.0) << at
    })
}

/// Removes what mean vectors have from others, by projection, or by subtraction of their mean.
#[derive(Clone, Debug, Default)]
pub struct MeanRemover {
    /// Orthogonal vectors of length 1.
    directions: Vec<Vec<f64>>,
    subtracted: Option<Vec<f64>>,
}

impl MeanRemover {
    /// Projects onto the space orthogonal to all means.
    pub fn projecting(means: &[Vec<f64>]) -> MeanRemover {
        let mut remover = MeanRemover::default();
        for mean in means {
            let left = remover.of(mean);
            let length = dot(&left, &left).sqrt();
            // What rounding leaves of a mean that the others make up is no direction.
            if length > 1e-9 {
                remover
                    .directions
                    .push(left.iter().map(|value| value / length).collect());
            }
        }
        remover
    }

    /// Subtracts one mean.
    pub fn subtracting(mean: Vec<f64>) -> MeanRemover {
        MeanRemover {
            subtracted: Some(mean),
            ..MeanRemover::default()
        }
    }

    /// What is left of a vector.
    pub fn of(&self, vector: &[f64]) -> Vec<f64> {
        let mut left = vector.to_vec();
        if let Some(mean) = &self.subtracted {
            left.iter_mut()
                .zip(mean)
                .for_each(|(value, mean)| *value -= mean);
        }
        for direction in &self.directions {
            let share = dot(&left, direction);
            left.iter_mut()
                .zip(direction)
                .for_each(|(value, part)| *value -= share * part);
        }
        left
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_runs_of_characters_or_words() {
        // The balances of one feature are 1 and -1, and tell which it was.
        let function = HASH_FUNCTIONS[0];
        let of_one = |feature: &str| -> Vec<f64> {
            let hash = (function.hash)(feature.as_bytes(), 0);
            (0..64)
                .map(|bit| if hash >> bit & 1 == 1 { 1.0 } else { -1.0 })
                .collect()
        };
        for (text, choice, feature) in [
            ("\u{c4}b,  C", FeatureChoice::Characters(4), "ab c"),
            ("One\ntwo!", FeatureChoice::Words(2), "one two"),
            ("aaaa", FeatureChoice::Characters(2), "aa"),
        ] {
            assert_eq!(
                balances(text, choice, function, 1),
                of_one(feature),
                "{text}"
            );
        }
        let both = balances("abc", FeatureChoice::Characters(2), function, 1);
        let (first, second) = (of_one("ab"), of_one("bc"));
        let mean: Vec<f64> = first
            .iter()
            .zip(second)
            .map(|(a, b)| (a + b) / 2.0)
            .collect();
        assert_eq!(both, mean);
        assert_eq!(
            balances("a b", FeatureChoice::Words(3), function, 2),
            [0.0; 128]
        );
        assert_eq!(signs(&[0.5, -0.5, 0.0, 0.1]), 0b1001);
    }

    #[test]
    fn hash_functions_differ_and_depend_on_the_seed() {
        let mut found: Vec<u64> = HASH_FUNCTIONS
            .iter()
            .flat_map(|function| (0..4).map(|seed| (function.hash)(b"the ", seed)))
            .collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 4 * HASH_FUNCTIONS.len());
    }

    #[test]
    fn means_are_removed() {
        let remover = MeanRemover::projecting(&[
            vec![1.0, 1.0, 0.0],
            vec![2.0, 2.0, 0.0],
            vec![1.0, 0.0, 0.0],
        ]);
        assert_eq!(remover.directions.len(), 2);
        let left = remover.of(&[3.0, 5.0, 7.0]);
        assert!(left[0].abs() < 1e-12 && left[1].abs() < 1e-12, "{left:?}");
        assert_eq!(left[2], 7.0);
        assert_eq!(
            MeanRemover::subtracting(vec![1.0, 2.0]).of(&[3.0, 3.0]),
            [2.0, 1.0]
        );
    }
}
