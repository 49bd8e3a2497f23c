//! Removes from a text's balances what every book of its language has in common.
//!
//! The most frequent n-grams of a language decide most bits of a simhash, so that two books of one language differ in few bits
//! (Vladimir et al. do not mention it; inverse document frequencies, which would help, need a collection that all libraries
//! share: section 4). The mean balances of the books of a language point where these n-grams push every fingerprint. A text is
//! projected onto the space orthogonal to all of them, whatever its language: the others have little in common with it, so that
//! their removal changes little, and a text in a language without a mean stays as it was. Subtraction of one mean does the
//! opposite for every other language: it moves its books together.
//!
//! `lab figures --copies` measures what this brings, and computes the means (`copies8.tsv`) from the first half of the books
//! of each language.

use super::language_means::{LANGUAGE_MEANS, MEANS_NGRAM};
use super::shape::FingerprintShape;

/// The means of languages as orthogonal vectors, for fingerprints of one shape.
#[derive(Clone, Debug)]
pub(super) struct LanguageMeans {
    /// Each with its squared length.
    directions: Vec<(Vec<f64>, f64)>,
}

impl LanguageMeans {
    /// The means for fingerprints of a shape. There are some only for n-grams of the default length: others remove nothing.
    pub fn of(shape: FingerprintShape) -> LanguageMeans {
        let mut means = LanguageMeans {
            directions: Vec::new(),
        };
        if shape.ngram == MEANS_NGRAM {
            for (_, mean) in &LANGUAGE_MEANS {
                let bits = shape.bits.count() as usize;
                means.add(mean.iter().take(bits).map(|&mean| mean.into()).collect());
            }
        }
        means
    }

    /// Adds what a mean has that no other has (Gram-Schmidt).
    fn add(&mut self, mut mean: Vec<f64>) {
        self.remove(&mut mean);
        let square = dot(&mean, &mean);
        if square > 0.0 {
            self.directions.push((mean, square));
        }
    }

    /// Projects balances onto the space orthogonal to all means.
    pub fn remove(&self, balances: &mut [f64]) {
        for (direction, square) in &self.directions {
            let share = dot(balances, direction) / square;
            for (balance, mean) in balances.iter_mut().zip(direction) {
                *balance -= share * mean;
            }
        }
    }
}

/// The dot product, added from left to right.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::super::FingerprintBits;
    use super::*;

    #[test]
    fn nothing_of_any_mean_is_left() {
        for bits in FingerprintBits::all() {
            let means = LanguageMeans::of(FingerprintShape {
                bits,
                ..FingerprintShape::default()
            });
            assert_eq!(means.directions.len(), LANGUAGE_MEANS.len());
            let mut balances: Vec<f64> = (0..bits.count())
                .map(|bit| f64::from(bit % 7) - 3.1)
                .collect();
            means.remove(&mut balances);
            for (language, mean) in &LANGUAGE_MEANS {
                let mean: Vec<f64> = mean
                    .iter()
                    .take(balances.len())
                    .map(|&mean| mean.into())
                    .collect();
                let cosine =
                    dot(&balances, &mean) / (dot(&balances, &balances) * dot(&mean, &mean)).sqrt();
                assert!(cosine.abs() < 1e-9, "{language}: {cosine}");
            }
        }
    }

    #[test]
    fn ngrams_of_other_lengths_lose_nothing() {
        let means = LanguageMeans::of(FingerprintShape {
            ngram: MEANS_NGRAM + 1,
            ..FingerprintShape::default()
        });
        let mut balances = vec![0.25; 128];
        means.remove(&mut balances);
        assert_eq!(balances, [0.25; 128]);
    }
}
