//! Finds pairs of fingerprints within a distance that share a band: fast among millions, but some pairs are missed.
//!
//! Vladimir et al., section 5.2: a fingerprint is divided into bands, and only fingerprints that are equal in at least
//! one band are compared. `d` different bits are the more likely to hit all bands, the more they are and the longer the
//! bands: [`recall`] returns the probability. Bits that fill no band (8 of 128 with bands of 24, which the paper does
//! not mention) belong to no band: added to one, they would make it longer and pairs rarer. They count for the distance
//! like all others.

use rayon::prelude::*;

use super::{Fingerprint, FingerprintBits, FingerprintPair};

/// Number of whole bands of `width` bits in a fingerprint.
pub fn count(bits: FingerprintBits, width: u32) -> u32 {
    bits.count() / width.max(1)
}

/// Checks the width of bands.
///
/// # Errors
///
/// A message if the width is less than 4, or more than the fingerprint or 64 bits.
pub fn check(bits: FingerprintBits, width: u32) -> Result<(), String> {
    let widest = bits.count().min(64);
    if (4..=widest).contains(&width) {
        return Ok(());
    }
    Err(format!(
        "bands of {width} bits cannot be cut from {bits} bits; write 4 to {widest}"
    ))
}

/// The share of pairs at a distance that share a band, if all bits are equally likely to differ: by inclusion and
/// exclusion over the bands without a difference.
pub fn recall(bits: FingerprintBits, width: u32, distance: u32) -> f64 {
    let (bits, bands, width) = (bits.count(), count(bits, width), width.max(1));
    let mut missed = 1.0;
    // The probability that `clean` given bands have no difference, times the ways to choose them.
    let (mut ways, mut sign) = (1.0, 1.0);
    for clean in 1..=bands {
        ways *= f64::from(bands - clean + 1) / f64::from(clean);
        sign = -sign;
        let left = bits - clean * width;
        if distance > left {
            break;
        }
        let places = (0..distance).map(|at| f64::from(left - at) / f64::from(bits - at));
        missed += sign * ways * places.product::<f64>();
    }
    (1.0 - missed).clamp(0.0, 1.0)
}

/// The pairs of a list that differ in at most `distance` bits and are equal in a band of `width` bits, ordered by their
/// indices.
pub fn within(prints: &[Fingerprint], width: u32, distance: u32) -> Vec<FingerprintPair> {
    let found = |a: u32, b: u32, found: &mut Vec<FingerprintPair>, band: u32| {
        let (ours, theirs) = (&prints[a as usize], &prints[b as usize]);
        let apart = ours.distance(theirs);
        // A pair that shares several bands is reported for the first.
        if apart <= distance
            && (0..band).all(|band| key(ours, band, width) != key(theirs, band, width))
        {
            found.push(FingerprintPair {
                a,
                b,
                distance: apart,
            });
        }
    };
    let in_band = |band: u32| {
        let mut keyed: Vec<(u64, u32)> = (0..)
            .zip(prints)
            .map(|(at, print)| (key(print, band, width), at))
            .collect();
        keyed.par_sort_unstable();
        let buckets: Vec<&[(u64, u32)]> = keyed
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|bucket| bucket.len() > 1)
            .collect();
        let pairs = buckets.par_iter().map(|bucket| {
            let mut pairs = Vec::new();
            for (at, (_, a)) in bucket.iter().enumerate() {
                bucket[at + 1..]
                    .iter()
                    .for_each(|(_, b)| found(*a, *b, &mut pairs, band));
            }
            pairs
        });
        pairs.flatten_iter().collect::<Vec<FingerprintPair>>()
    };
    let bands = prints.first().map_or(0, |print| count(print.bits(), width));
    let mut pairs: Vec<FingerprintPair> = (0..bands).flat_map(in_band).collect();
    pairs.par_sort_unstable();
    pairs
}

/// The bits of a band of `width` bits, as a number.
fn key(print: &Fingerprint, band: u32, width: u32) -> u64 {
    let (words, start) = (print.words(), band * width);
    let (word, shift) = ((start / 64) as usize, start % 64);
    let low = words.get(word).map_or(0, |word| word >> shift);
    let high = words
        .get(word + 1)
        .filter(|_| shift > 0)
        .map_or(0, |word| word << (64 - shift));
    (low | high) & (u64::MAX >> (64 - width.clamp(1, 64)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::pairs::tests::{naive, prints};
    use super::*;

    fn shares_a_band(a: &Fingerprint, b: &Fingerprint, width: u32) -> bool {
        let differ = |bit: u32| {
            (a.words()[bit as usize / 64] ^ b.words()[bit as usize / 64]) >> (bit % 64) & 1 == 1
        };
        let bands = 0..a.bits().count() / width;
        bands
            .into_iter()
            .any(|band| !(band * width..(band + 1) * width).any(differ))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn exactly_the_pairs_that_share_a_band_are_found(prints in prints(120), width in 4..=64u32, limit in 0..40u32) {
            let mut expected = naive(&prints, &prints, true, limit);
            expected.retain(|pair| shares_a_band(&prints[pair.a as usize], &prints[pair.b as usize], width));
            prop_assert_eq!(within(&prints, width, limit), expected);
        }

        #[test]
        fn recall_is_the_share_of_pairs_that_share_a_band(width in 8..=32u32, distance in 0..30u32, seed in any::<u64>()) {
            let bits = FingerprintBits::default();
            let zero = Fingerprint::from_words([0; 4], bits);
            let mut random = seed | 1;
            let mut shared = 0;
            for _ in 0..2000 {
                let mut words = [0u64; 4];
                while words.iter().map(|word| word.count_ones()).sum::<u32>() < distance {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let bit = (random >> 57) as usize;
                    words[bit / 64] |= 1 << (bit % 64);
                }
                shared += u32::from(shares_a_band(&zero, &Fingerprint::from_words(words, bits), width));
            }
            // Six standard deviations.
            prop_assert!((f64::from(shared) / 2000.0 - recall(bits, width, distance)).abs() < 0.07);
        }
    }

    #[test]
    fn recall_of_the_paper_s_bands() {
        let bits = FingerprintBits::default();
        // Fewer differences than bands cannot hit them all.
        for (width, distance, expected) in [
            (24, 4, 1.0),
            (32, 3, 1.0),
            (32, 4, 0.9017),
            (32, 128, 0.0),
            (24, 0, 1.0),
        ] {
            let share = recall(bits, width, distance);
            assert!(
                (share - expected).abs() < 0.001,
                "{width} bits, distance {distance}: {share}"
            );
        }
    }

    #[test]
    fn widths_that_cut_no_band_are_refused_with_those_that_do() {
        let bits = FingerprintBits::default();
        for width in [0, 3, 65, 128] {
            let message = check(bits, width).unwrap_err();
            assert!(
                message.contains(&format!("bands of {width} bits")) && message.contains("4 to 64"),
                "{message}"
            );
        }
        assert_eq!((check(bits, 24), count(bits, 24)), (Ok(()), 5));
    }
}
