//! Where the top a percent of the n-grams end, and which of equally frequent n-grams belong to it.

use super::levels::ALL;

/// Which n-grams belong to the top a percent if the last of them are as frequent as others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// All that are as frequent as the last one.
    #[default]
    Group,
    /// Those whose first occurrence in the documents is earliest: exactly the first a/100 of the paper's sorted array.
    First,
}

/// The last n-grams of the top a percent, for a = 1 to 100.
pub(super) struct PercentCuts([PercentCut; ALL as usize]);

/// The last n-gram of the top a percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PercentCut {
    /// How often it occurs.
    count: u32,
    /// How many n-grams of this count are among the top a percent; `None` if all are.
    some: Option<u64>,
    /// The largest offset of the first occurrence of such an n-gram.
    last: usize,
}

impl PercentCuts {
    /// The cuts among `distinct` n-grams; `counts` has the numbers of n-grams by their count, from the highest to 2.
    pub fn new(distinct: u64, counts: &[(u32, u64)], ties: Ties) -> PercentCuts {
        let mut counts = counts.iter();
        let (mut grams, mut of_count) = (0, 0);
        let mut cut = PercentCut {
            count: u32::MAX,
            some: None,
            last: usize::MAX,
        };
        PercentCuts(std::array::from_fn(|at| {
            let wanted = ((at as u64 + 1) * distinct).div_ceil(u64::from(ALL));
            while grams < wanted {
                let Some((count, more)) = counts.next() else {
                    break;
                };
                grams += more;
                (cut.count, of_count) = (*count, *more);
            }
            let beyond = grams.saturating_sub(wanted);
            cut.some = (ties == Ties::First && beyond > 0).then(|| of_count - beyond);
            cut
        }))
    }

    /// The counts of which some n-grams are among the top a percent and others are not, the highest first.
    pub fn divided(&self) -> Vec<u32> {
        let divided = self.0.iter().filter(|cut| cut.some.is_some());
        let mut counts: Vec<u32> = divided.map(|cut| cut.count).collect();
        counts.dedup();
        counts
    }

    /// Sets where the divided counts end. `firsts` are the offsets of the first occurrences of their n-grams, ascending,
    /// with the index of the count in [`PercentCuts::divided`].
    pub fn divide(&mut self, firsts: impl Iterator<Item = (usize, usize)>) {
        let divided = self.divided();
        let mut seen = vec![0; divided.len()];
        // The next cut within each count.
        let mut next: Vec<usize> = divided
            .iter()
            .map(|count| self.0.partition_point(|cut| cut.count > *count))
            .collect();
        for (offset, of) in firsts {
            seen[of] += 1;
            while let Some(cut) = self.0.get_mut(next[of])
                && cut.count == divided[of]
                && cut.some == Some(seen[of])
            {
                cut.last = offset;
                next[of] += 1;
            }
        }
    }

    /// The least a for which an n-gram is among the top a percent, by its count and the offset of its first occurrence.
    pub fn level(&self, count: u32, first: usize) -> u8 {
        let before = |cut: &PercentCut| {
            cut.count > count || (cut.count == count && cut.some.is_some() && cut.last < first)
        };
        self.0.partition_point(before) as u8 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 200 different n-grams, so that each percent is two of them.
    const COUNTS: [(u32, u64); 4] = [(9, 1), (5, 2), (3, 17), (2, 30)];

    #[test]
    fn what_is_as_frequent_as_the_last_wanted_is_wanted_too() {
        let cuts = PercentCuts::new(200, &COUNTS, Ties::Group);
        assert!(cuts.divided().is_empty());
        for (count, level) in [(9, 1), (5, 1), (3, 2), (2, 11)] {
            assert_eq!(cuts.level(count, 0), level, "count {count}");
        }
    }

    #[test]
    fn the_first_occurrence_decides_between_equally_frequent_ones() {
        let mut cuts = PercentCuts::new(200, &COUNTS, Ties::First);
        // The top 10 % end with the last n-gram that occurs three times.
        assert_eq!(cuts.divided(), [5, 3, 2]);
        let firsts = [(5, 2), (3, 17), (2, 30)].into_iter().enumerate();
        let firsts = firsts.flat_map(|(of, (_, grams))| (0..grams).map(move |at| (at, of)));
        let mut firsts: Vec<(usize, usize)> = firsts.collect();
        firsts.sort_unstable();
        cuts.divide(firsts.into_iter());
        let table = [
            (9, 0, 1),
            (5, 0, 1),
            (5, 1, 2),
            (3, 0, 2),
            (3, 1, 3),
            (3, 2, 3),
            (3, 15, 10),
            (3, 16, 10),
            (2, 0, 11),
            (2, 29, 25),
        ];
        for (count, first, level) in table {
            assert_eq!(cuts.level(count, first), level, "count {count} at {first}");
        }
    }
}
