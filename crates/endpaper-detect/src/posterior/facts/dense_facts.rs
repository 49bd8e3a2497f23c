//! Facts of all cut positions of an end with their zeros, which are written and weighed faster than lists without them. They
//! take more memory, so that they are kept for one book only.

use std::sync::Arc;

/// Positions whose facts are weighed together.
const TILE: usize = 16;

/// The same facts for every cut position.
#[derive(Clone, Debug)]
pub(in crate::posterior) struct DenseFacts {
    /// The number of the first fact.
    first: usize,
    /// How many facts a position has.
    count: usize,
    positions: usize,
    /// Tile by tile; in a tile fact by fact, each with the values of its positions.
    values: Vec<[f32; TILE]>,
}

impl DenseFacts {
    /// Facts that are all zero: `count` of them for every position, numbered from `first` on.
    pub fn new(first: usize, count: usize, positions: usize) -> DenseFacts {
        DenseFacts {
            first,
            count,
            positions,
            values: vec![[0.0; TILE]; positions.div_ceil(TILE) * count],
        }
    }

    /// Sets facts of a position, from the fact at index `at` on.
    pub fn put_all<const N: usize>(&mut self, position: usize, at: usize, values: [f32; N]) {
        let start = position / TILE * self.count + at;
        let lane = position % TILE;
        for (slot, value) in self.values[start..start + N].iter_mut().zip(values) {
            slot[lane] = value;
        }
    }

    /// Adds the weighted facts of each position to its sum, one after another as a loop over single facts would.
    pub fn weigh(&self, weights: &[f32], sums: &mut [f32]) {
        let weights = &weights[self.first..self.first + self.count];
        let tiles = self.values.chunks_exact(self.count.max(1));
        for (tile, sums) in tiles.zip(sums.chunks_mut(TILE)) {
            let mut all = [0.0; TILE];
            all[..sums.len()].copy_from_slice(sums);
            for (values, weight) in tile.iter().zip(weights) {
                for (sum, value) in all.iter_mut().zip(values) {
                    *sum += weight * value;
                }
            }
            sums.copy_from_slice(&all[..sums.len()]);
        }
    }

    /// The facts of a position that are not zero: pairs of number and value.
    pub fn of(&self, position: usize) -> impl Iterator<Item = (u16, f32)> {
        let start = position / TILE * self.count;
        let values = self.values[start..start + self.count].iter();
        let values = (self.first as u16..).zip(values.map(move |values| values[position % TILE]));
        values.filter(|(_, value)| *value != 0.0)
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.positions
    }
}

/// Facts that belong together, each with other numbers.
pub(in crate::posterior) type DenseParts = Vec<Arc<DenseFacts>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_have_the_facts_that_are_put() {
        let mut facts = DenseFacts::new(7, 3, 2 * TILE + 1);
        facts.put_all(0, 1, [2.0]);
        facts.put_all(TILE, 0, [1.0, 0.0, -1.0]);
        facts.put_all(2 * TILE, 2, [0.5]);
        let of = |position| facts.of(position).collect::<Vec<_>>();
        assert_eq!(of(0), [(8, 2.0)]);
        assert_eq!(of(1), []);
        assert_eq!(of(TILE), [(7, 1.0), (9, -1.0)]);
        let weights: Vec<f32> = (0..10).map(|fact| fact as f32).collect();
        let mut sums = vec![1.0; facts.positions()];
        facts.weigh(&weights, &mut sums);
        for (position, sum) in sums.iter().enumerate() {
            let each = facts.of(position);
            let slowly: f32 = each
                .map(|(fact, value)| weights[usize::from(fact)] * value)
                .sum();
            assert_eq!(*sum, 1.0 + slowly, "position {position}");
        }
    }
}
