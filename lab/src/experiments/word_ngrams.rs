//! Word n-grams: n consecutive words, a word being text between white space (Kaser & Lemire, section 2.1 and Table 3).

use super::mix;
use endpaper_text::checksum::crc64;

/// The n of Table 3, in ascending order.
pub const NGRAM_LENGTHS: [usize; 8] = [1, 2, 3, 4, 5, 6, 8, 10];

const LONGEST: usize = NGRAM_LENGTHS[NGRAM_LENGTHS.len() - 1];

/// Hashes the n-grams of a text, word by word.
///
/// ```
/// use lab::experiments::NgramHasher;
/// let mut words = NgramHasher::default();
/// let mut pairs = "to be or to be".split(' ').map(|word| {
///     words.push(word.as_bytes());
///     words.hash(2)
/// });
/// let pairs: Vec<_> = pairs.by_ref().collect();
/// assert_eq!(pairs[0], None);
/// assert_eq!(pairs[1], pairs[4]);
/// assert_ne!(pairs[1], pairs[2]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NgramHasher {
    /// Hash of the last n words, by n; that of none is 0.
    last: [u64; LONGEST + 1],
    words: usize,
}

impl NgramHasher {
    /// Reads the next word.
    pub fn push(&mut self, word: &[u8]) {
        let word = crc64(word);
        for length in (1..=LONGEST).rev() {
            // The rotation makes the order of words count.
            self.last[length] = mix(self.last[length - 1].rotate_left(23) ^ word);
        }
        self.words += 1;
    }

    /// The hash of the last `length` words; `None` while fewer were read, or for a length above that of Table 3.
    pub fn hash(&self, length: usize) -> Option<u64> {
        let hash = self.last.get(length)?;
        (self.words >= length).then_some(*hash)
    }

    /// Number of words read.
    pub fn words(&self) -> usize {
        self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn as_many_hashes_are_distinct_as_ngrams_are() {
        let text = "a b a b b a c a b a b b a a c b c a b a b b a c".repeat(3);
        let words: Vec<&str> = text.split(' ').collect();
        for length in NGRAM_LENGTHS {
            let mut hasher = NgramHasher::default();
            let hashes = words.iter().filter_map(|word| {
                hasher.push(word.as_bytes());
                hasher.hash(length)
            });
            let hashes: HashSet<u64> = hashes.collect();
            let ngrams: HashSet<&[&str]> = words.windows(length).collect();
            assert_eq!(hashes.len(), ngrams.len(), "{length}");
        }
    }
}
