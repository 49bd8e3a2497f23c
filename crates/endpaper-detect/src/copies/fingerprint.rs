//! The simhash of a text.
//!
//! Vladimir et al., section 4.1: every character n-gram of the lower-cased text is hashed; for each bit of the hash its
//! number of occurrences is added to the bit's sum if the bit is one and taken from it if it is zero; a bit of the
//! fingerprint is one where the sum is positive.
//!
//! Where the paper is silent or this implementation differs:
//!
//! | question | our answer |
//! | --- | --- |
//! | what else is equal | only letters and digits count, without accents ([`folded`](super::folded)): editions differ in the rest |
//! | white space | a run is one blank, and the text begins and ends with one: lines may be broken anywhere |
//! | lower case | of each character by Unicode, without regard to its neighbours |
//! | characters | Unicode scalar values, whatever the encoding of the file |
//! | "an arbitrary (cryptographic) hash function" | a 64-bit mixer, seeded again for every 64 bits: as even, far quicker |
//! | common n-grams | those of a language make its books alike, so what they add to the sums is removed ([`super::means`]) |
//! | a sum of zero | the bit is zero |
//! | tiny texts | below [`LEAST_GRAMS`] different n-grams there is no fingerprint |
//!
//! Counts are integers, and the few operations on `f64` are those of IEEE 754 in a fixed order: the same text gives the same
//! fingerprint on every machine, in whatever pieces it is added. [`HASH`] names all of this, so that fingerprints that were
//! computed otherwise are not compared.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::bit_sliced::BitSlicedCounters;
use super::grams::GramCounter;
use super::means::LanguageMeans;
use super::part::fold_into;
use super::shape::{FingerprintBits, FingerprintShape};

/// A text with fewer different n-grams has no fingerprint: about 250 characters of prose, a few lines.
///
/// A line repeated any number of times has no more n-grams than characters; such bodies would be near others only by
/// chance.
pub const LEAST_GRAMS: usize = 200;

/// Name and version of the hash: changes whenever the same text may give another fingerprint of the same shape.
pub const HASH: &str = "splitmix64/2";

/// 64-bit words of the longest fingerprint.
const WORDS: usize = 4;

/// A simhash. Fingerprints of different [`FingerprintShape`]s must not be compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Bits beyond the length are zero.
    words: [u64; WORDS],
    bits: FingerprintBits,
}

impl Fingerprint {
    /// A fingerprint of given bits, the lowest bit of the first word first; bits beyond the length are cleared.
    pub fn from_words(words: [u64; 4], bits: FingerprintBits) -> Fingerprint {
        let mut kept = words;
        for (at, word) in kept.iter_mut().enumerate() {
            let inside = (bits.count() as usize).saturating_sub(at * 64);
            if inside < 64 {
                *word &= (1 << inside) - 1;
            }
        }
        Fingerprint { words: kept, bits }
    }

    /// Its bits, the lowest bit of the first word first.
    pub fn words(&self) -> [u64; 4] {
        self.words
    }

    /// Its length.
    pub fn bits(&self) -> FingerprintBits {
        self.bits
    }

    /// The number of bits that differ (Hamming distance).
    pub fn distance(&self, other: &Fingerprint) -> u32 {
        let pairs = self.words.iter().zip(other.words);
        pairs.map(|(a, b)| (a ^ b).count_ones()).sum()
    }
}

impl fmt::Display for Fingerprint {
    /// Formats as hexadecimal digits, those of the first 64 bits first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.bits.count() as usize / 4;
        for word in self.words {
            let digits = left.min(16);
            if digits > 0 {
                write!(f, "{word:0digits$x}")?;
            }
            left -= digits;
        }
        Ok(())
    }
}

impl FromStr for Fingerprint {
    type Err = String;

    /// Parses what its `Display` writes, in lower or upper case. The length follows from the number of digits.
    fn from_str(digits: &str) -> Result<Fingerprint, String> {
        let wrong = || {
            format!(
                "'{digits:.80}' is not a fingerprint; write 16 to 64 hexadecimal digits, 8 for every 32 bits"
            )
        };
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let bits = u32::try_from(digits.len() * 4).map_err(|_| wrong())?;
        let bits = FingerprintBits::new(bits).map_err(|_| wrong())?;
        let mut words = [0; WORDS];
        for (word, digits) in words.iter_mut().zip(digits.as_bytes().chunks(16)) {
            let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
            *word = u64::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        Ok(Fingerprint::from_words(words, bits))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// Computes the fingerprints of one text after another.
///
/// Holds about 10 MB of tables that serve every text: use one for each thread.
#[derive(Debug)]
pub struct Fingerprinter {
    shape: FingerprintShape,
    grams: GramCounter,
    means: LanguageMeans,
    /// A piece of text without what does not count.
    folded: String,
}

impl Fingerprinter {
    /// A fingerprinter for one shape.
    pub fn new(shape: FingerprintShape) -> Fingerprinter {
        Fingerprinter {
            shape,
            grams: GramCounter::new(shape.ngram),
            means: LanguageMeans::of(shape),
            folded: String::new(),
        }
    }

    /// The fingerprint of a text; `None` if it is too short for one.
    pub fn of(&mut self, text: &str) -> Option<Fingerprint> {
        self.push(text);
        self.finish()
    }

    /// Adds the next piece of a text to the fingerprint.
    pub fn push(&mut self, text: &str) {
        self.folded.clear();
        fold_into(text, &mut self.folded);
        self.grams.push(&self.folded);
    }

    /// Ends the text and returns its fingerprint; `None` if it is too short for one.
    pub fn finish(&mut self) -> Option<Fingerprint> {
        let mut balances = self.finish_balances()?;
        self.means.remove(&mut balances);
        let mut words = [0; WORDS];
        for (bit, balance) in balances.iter().enumerate() {
            words[bit / 64] |= u64::from(*balance > 0.0) << (bit % 64);
        }
        Some(Fingerprint {
            words,
            bits: self.shape.bits,
        })
    }

    /// Ends the text and returns the balance of every bit, -1 to 1: the share of its n-grams that have a one there, less the
    /// share that have a zero. `None` if it is too short. This is what the fingerprint is made from, before the means of
    /// languages are removed.
    pub fn finish_balances(&mut self) -> Option<Vec<f64>> {
        match self.shape.bits.count() {
            0..=64 => self.balances::<1>(),
            65..=128 => self.balances::<2>(),
            129..=192 => self.balances::<3>(),
            _ => self.balances::<4>(),
        }
    }

    /// The balances of the counted n-grams, of `W` words of 64 bits; `None` if the text has too few n-grams.
    fn balances<const W: usize>(&mut self) -> Option<Vec<f64>> {
        let mut ones = BitSlicedCounters::<W>::default();
        let mut total = 0u64;
        let distinct = self.grams.finish(|name, count| {
            total += u64::from(count);
            ones.add(std::array::from_fn(|word| hash(name, word)), count);
        });
        if distinct < LEAST_GRAMS {
            return None;
        }
        let bits = 0..self.shape.bits.count() as usize;
        // A text has less than 2^53 n-grams, so that the numerator is exact.
        let balance = |bit| (2.0 * ones.sum(bit) as f64 - total as f64) / total as f64;
        Some(bits.map(balance).collect())
    }
}

/// 64 bits of the hash of an n-gram: the finaliser of SplitMix64, seeded with the index of the word.
fn hash(name: u64, word: usize) -> u64 {
    let mut mixed = name.wrapping_add(0x9E37_79B9_7F4A_7C15u64.wrapping_mul(word as u64 + 1));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::super::grams::name_of;
    use super::*;

    /// The paper's definition, literally, of the text that counts and without the means.
    fn naive(text: &str, shape: FingerprintShape) -> Option<Fingerprint> {
        let text = crate::copies::folded(text);
        let words: Vec<&str> = text
            .split(char::is_whitespace)
            .filter(|word| !word.is_empty())
            .collect();
        let text = if words.is_empty() {
            " ".to_owned()
        } else {
            format!(" {} ", words.join(" "))
        };
        let chars: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
        let mut counts: HashMap<&[char], i64> = HashMap::new();
        for gram in chars.windows(shape.ngram) {
            *counts.entry(gram).or_default() += 1;
        }
        if counts.len() < LEAST_GRAMS {
            return None;
        }
        let total: i64 = counts.values().sum();
        let (mut words, mut balances) = ([0; 4], Vec::new());
        for bit in 0..shape.bits.count() as usize {
            let signed = counts.iter().map(|(gram, count)| {
                let name = name_of(gram.iter().map(|&c| c.into()));
                if hash(name, bit / 64) >> (bit % 64) & 1 == 1 {
                    *count
                } else {
                    -*count
                }
            });
            balances.push(signed.sum::<i64>() as f64 / total as f64);
        }
        LanguageMeans::of(shape).remove(&mut balances);
        for (bit, balance) in balances.into_iter().enumerate() {
            words[bit / 64] |= u64::from(balance > 0.0) << (bit % 64);
        }
        Some(Fingerprint::from_words(words, shape.bits))
    }

    fn shapes() -> impl Strategy<Value = FingerprintShape> {
        (
            prop::sample::select(FingerprintBits::all().collect::<Vec<_>>()),
            2..7usize,
        )
            .prop_map(|(bits, ngram)| FingerprintShape { bits, ngram })
    }

    /// Texts of many n-grams, with every kind of character next to every other.
    fn texts() -> impl Strategy<Value = String> {
        let mixed = "[a-zA-Z ,.'\r\n0-9é中ßİK\u{a0}Жж]{300,900}";
        let plain = "([a-zA-Z]{1,9}[ ,.;\n]{1,3}){80,200}";
        prop_oneof![mixed, plain, ".{0,400}"]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_fingerprint_is_what_the_paper_says(text in texts(), shape in shapes()) {
            let mut printer = Fingerprinter::new(shape);
            prop_assert_eq!(printer.of(&text), naive(&text, shape));
            // The tables are reset for the next text.
            prop_assert_eq!(printer.of(""), None);
            prop_assert_eq!(printer.of(&text), naive(&text, shape));
        }

        #[test]
        fn pieces_do_not_matter(text in texts(), cut in any::<prop::sample::Index>()) {
            let mut cut = cut.index(text.len() + 1);
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            let mut printer = Fingerprinter::new(FingerprintShape::default());
            printer.push(&text[..cut]);
            printer.push(&text[cut..]);
            let pieces = printer.finish();
            prop_assert_eq!(pieces, printer.of(&text));
        }
    }

    #[test]
    fn long_texts_are_counted_across_all_pieces() {
        let words = [
            "Call",
            "me",
            "Ishmael.",
            "Некоторые",
            "years",
            "ago—never",
            "mind",
            "§5",
            "how",
            "long",
        ];
        let mut number = 1u64;
        let text: String = (0..9000)
            .map(|_| {
                number = hash(number, 0);
                format!(
                    "{}{}",
                    words[number as usize % words.len()],
                    ["\r\n", " ", "  ", ""][(number >> 40) as usize % 4]
                )
            })
            .collect();
        for shape in [
            FingerprintShape::default(),
            FingerprintShape {
                ngram: 5,
                ..FingerprintShape::default()
            },
        ] {
            assert_eq!(Fingerprinter::new(shape).of(&text), naive(&text, shape));
        }
    }

    #[test]
    fn texts_without_meaning_have_no_fingerprint() {
        let line =
            "It was the best of times, it was the worst of times, it was the age of wisdom\n";
        let mut printer = Fingerprinter::new(FingerprintShape::default());
        for text in [
            "",
            " \n\n ",
            "a",
            "abc",
            "\u{0}\u{0}",
            &line.repeat(1000),
            &"a".repeat(100_000),
            &"漢".repeat(100_000),
        ] {
            assert_eq!(printer.of(text), None, "{:.20}", text);
        }
    }

    #[test]
    fn fingerprints_are_the_same_on_every_machine() {
        let text: String = (0..200)
            .map(|number| format!("{number} green bottles hanging on the wall; "))
            .collect();
        let printed = |bits| {
            let shape = FingerprintShape {
                bits: FingerprintBits::new(bits).unwrap(),
                ..FingerprintShape::default()
            };
            Fingerprinter::new(shape).of(&text).unwrap().to_string()
        };
        assert_eq!(printed(128), "5a47156cbb827a826d556936b98fbe50");
    }

    #[test]
    fn fingerprints_are_read_as_they_are_written() {
        for bits in FingerprintBits::all() {
            let words = std::array::from_fn(|word| hash(7, word));
            let print = Fingerprint::from_words(words, bits);
            assert_eq!(print.to_string().parse(), Ok(print));
            assert_eq!(print.to_string().to_uppercase().parse(), Ok(print));
        }
        for wrong in [
            "",
            "-",
            "0",
            "+fffffffffffffff",
            "xyzxyzxyzxyzxyzx",
            "fffffffffffffffff",
            &"é".repeat(16),
            &"f".repeat(72),
        ] {
            let message = wrong.parse::<Fingerprint>().unwrap_err();
            assert!(
                message.contains("is not a fingerprint; write 16 to 64"),
                "{message}"
            );
        }
    }

    #[test]
    fn the_distance_is_the_number_of_bits_that_differ() {
        let of = |words| Fingerprint::from_words(words, FingerprintBits::new(96).unwrap());
        let zero = of([0; 4]);
        for (words, distance) in [
            ([1, 0, 0, 0], 1),
            ([u64::MAX, 3, 0, 0], 66),
            ([0, u64::MAX, 9, 9], 32),
        ] {
            assert_eq!(zero.distance(&of(words)), distance);
        }
    }
}
