//! The shape of fingerprints: their length and the length of n-grams.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Default length of n-grams in characters; the best of those tried by Vladimir et al., section 5.1.
pub const NGRAM: usize = 4;

/// Allowed lengths of n-grams.
pub const NGRAMS: RangeInclusive<usize> = 2..=16;

/// The length of a fingerprint in bits: 64 to 256 in steps of 32, as Vladimir et al. tried them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FingerprintBits(u32);

impl FingerprintBits {
    /// All allowed lengths.
    pub fn all() -> impl Iterator<Item = FingerprintBits> {
        (64..=256).step_by(32).map(FingerprintBits)
    }

    /// A length of `bits` bits.
    ///
    /// # Errors
    ///
    /// A message if `bits` is not an allowed length.
    pub fn new(bits: u32) -> Result<FingerprintBits, String> {
        let found = FingerprintBits::all().find(|known| known.0 == bits);
        found.ok_or_else(|| {
            format!(
                "a fingerprint cannot have {bits} bits; use one of 64, 96, 128, 160, 192, 224, 256"
            )
        })
    }

    /// The number of bits.
    pub fn count(self) -> u32 {
        self.0
    }
}

impl Default for FingerprintBits {
    /// 128, for which Vladimir et al. find a recall of 97 % at 5 % corruption.
    fn default() -> Self {
        FingerprintBits(128)
    }
}

impl fmt::Display for FingerprintBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for FingerprintBits {
    type Err = String;

    fn from_str(word: &str) -> Result<FingerprintBits, String> {
        let bits = word.parse().map_err(|_| {
            format!("unknown number of bits '{word}'; use one of 64, 96, 128, 160, 192, 224, 256")
        })?;
        FingerprintBits::new(bits)
    }
}

/// How fingerprints are computed. Only fingerprints of one shape can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FingerprintShape {
    /// Length of the fingerprint.
    pub bits: FingerprintBits,
    /// Characters of an n-gram; values outside [`NGRAMS`] are clamped.
    pub ngram: usize,
}

impl Default for FingerprintShape {
    fn default() -> Self {
        FingerprintShape {
            bits: FingerprintBits::default(),
            ngram: NGRAM,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lengths_of_the_paper_are_taken() {
        for (word, bits) in [
            ("64", Some(64)),
            ("96", Some(96)),
            ("256", Some(256)),
            ("32", None),
            ("100", None),
            ("288", None),
            ("x", None),
        ] {
            let read = FingerprintBits::from_str(word);
            assert_eq!(read.as_ref().ok().map(|bits| bits.count()), bits, "{word}");
            if let Err(message) = read {
                assert!(
                    message.contains(word) && message.contains("use one of"),
                    "{message}"
                );
            }
        }
    }
}
