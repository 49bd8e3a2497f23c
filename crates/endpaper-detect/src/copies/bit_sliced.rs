//! Sums weighted bits, all bits of a fingerprint at once.
//!
//! A simhash adds the weight of an n-gram to one sum for each bit of the fingerprint. Here the sums are stored in bit
//! planes: plane `k` holds bit `k` of every sum, and one addition of planes updates 64 sums. Two planes of one weight
//! and the plane already there add up to a plane of that weight and one of twice the weight (a carry-save adder), so
//! that an n-gram costs about five instructions for each 64 bits and each binary one of its weight.

/// Number of planes: sums are below 2^64.
const PLANES: usize = 64;

/// For each of `64 * W` bits, the sum of the weights with which it was one.
#[derive(Debug)]
pub(super) struct BitSlicedCounters<const W: usize> {
    /// Bit `k` of every sum, without the pending planes.
    sums: [[u64; W]; PLANES],
    /// At most one more plane of each weight, waiting for a second.
    pending: [[u64; W]; PLANES],
    /// The weights with a pending plane, as bits.
    pending_weights: u64,
}

impl<const W: usize> Default for BitSlicedCounters<W> {
    fn default() -> Self {
        BitSlicedCounters {
            sums: [[0; W]; PLANES],
            pending: [[0; W]; PLANES],
            pending_weights: 0,
        }
    }
}

impl<const W: usize> BitSlicedCounters<W> {
    /// Adds a weight to the sums of all bits that are one.
    pub fn add(&mut self, words: [u64; W], weight: u32) {
        let mut rest = weight;
        while rest != 0 {
            self.add_plane(words, rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }

    /// Adds `2^weight` to every sum whose bit is set in `words`.
    fn add_plane(&mut self, words: [u64; W], weight: usize) {
        let (mut carry, mut at) = (words, weight);
        while self.pending_weights >> at & 1 == 1 {
            let (sum, held) = (&mut self.sums[at], &self.pending[at]);
            for word in 0..W {
                let (a, b, c) = (sum[word], held[word], carry[word]);
                let differ = a ^ b;
                sum[word] = differ ^ c;
                carry[word] = (a & b) | (differ & c);
            }
            self.pending_weights &= !(1 << at);
            // The sums stay below 2^64, so that the last plane has no carry.
            at = (at + 1).min(PLANES - 1);
        }
        self.pending[at] = carry;
        self.pending_weights |= 1 << at;
    }

    /// The sum of one bit.
    pub fn sum(&self, bit: usize) -> u64 {
        let (word, shift) = (bit / 64, bit % 64);
        let at = |planes: &[[u64; W]; PLANES], plane: usize| planes[plane][word] >> shift & 1;
        let digits = (0..PLANES).map(|plane| {
            let held = (self.pending_weights >> plane & 1) * at(&self.pending, plane);
            (at(&self.sums, plane) + held) << plane
        });
        digits.fold(0, u64::wrapping_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_are_those_of_adding_one_by_one(
            adds in prop::collection::vec((any::<[u64; 2]>(), prop_oneof![1..9u32, any::<u32>()]), 0..60),
        ) {
            let mut planes = BitSlicedCounters::<2>::default();
            let mut sums = [0u64; 128];
            for (words, weight) in &adds {
                planes.add(*words, *weight);
                for (bit, sum) in sums.iter_mut().enumerate() {
                    *sum += (words[bit / 64] >> (bit % 64) & 1) * u64::from(*weight);
                }
            }
            for (bit, sum) in sums.iter().enumerate() {
                prop_assert_eq!(planes.sum(bit), *sum);
            }
        }
    }
}
