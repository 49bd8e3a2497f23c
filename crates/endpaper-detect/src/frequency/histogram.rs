//! How many keys occur how often (Kaser & Lemire, figure 5).

/// Number of keys by frequency: 1, 2, 3 to 4, 5 to 8 and so on in powers of two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// `bins[0]` counts frequency 1, `bins[i]` frequencies from `2^(i-1) + 1` to `2^i`.
    bins: Vec<u64>,
}

impl Histogram {
    /// First and last frequency of each bin with its number of keys, up to the last non-empty bin.
    ///
    /// ```
    /// use endpaper_detect::frequency::Histogram;
    /// let histogram: Histogram = [1, 1, 2, 7].into_iter().collect();
    /// let bins: Vec<_> = histogram.bins().collect();
    /// assert_eq!(bins, [(1, 1, 2), (2, 2, 1), (3, 4, 0), (5, 8, 1)]);
    /// ```
    pub fn bins(&self) -> impl Iterator<Item = (u64, u64, u64)> {
        let bins = (0..).zip(&self.bins);
        bins.map(|(power, &keys)| match power {
            0 => (1, 1, keys),
            _ => ((1 << (power - 1)) + 1, 1 << power, keys),
        })
    }
}

impl FromIterator<u64> for Histogram {
    fn from_iter<I: IntoIterator<Item = u64>>(frequencies: I) -> Histogram {
        let mut bins = Vec::new();
        for frequency in frequencies {
            let bin = frequency.max(1).next_power_of_two().ilog2() as usize;
            if bins.len() <= bin {
                bins.resize(bin + 1, 0);
            }
            bins[bin] += 1;
        }
        Histogram { bins }
    }
}
