//! Random numbers that are the same on every run: splitmix64 (Steele, Lea & Flood 2014).

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct SampleRandom(u64);

impl SampleRandom {
    /// The stream of a seed.
    pub fn new(seed: u64) -> SampleRandom {
        SampleRandom(seed)
    }

    /// The next number, any of 64 bits.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `limit`, which is far below 2^32.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.number()) * limit as u128) >> 64) as usize
    }

    /// `true` with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        // 53 bits: what a float can distinguish below one.
        let below_one = (self.number() >> 11) as f64 / (1u64 << 53) as f64;
        below_one < probability
    }

    /// Brings items into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// The mixing step: one number for each number, well scattered.
pub fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
