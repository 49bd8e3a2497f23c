//! A union-find structure.

/// Disjoint sets of the numbers below `count`.
pub(super) struct DisjointSets(Vec<usize>);

impl DisjointSets {
    /// `count` elements, each in a set of its own.
    pub fn new(count: usize) -> DisjointSets {
        DisjointSets((0..count).collect())
    }

    /// The smallest number in the set of `at`.
    pub fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    /// Unites the sets of two elements.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.0[high] = low;
    }

    /// All sets, each with its numbers in ascending order.
    pub fn all(&mut self) -> Vec<Vec<usize>> {
        let mut sets: Vec<Vec<usize>> = vec![Vec::new(); self.0.len()];
        for at in 0..self.0.len() {
            let root = self.root(at);
            sets[root].push(at);
        }
        sets.retain(|set| !set.is_empty());
        sets
    }
}
