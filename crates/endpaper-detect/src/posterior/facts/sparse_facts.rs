//! Lists of facts: one for every block of an end region, or for every cut position.

use std::borrow::Borrow;

use super::DenseFacts;

/// Facts that are not zero, by their numbers, in one list for each block or position.
///
/// All lists share one allocation: a book has hundreds of them.
#[derive(Clone, Debug, Default)]
pub(in crate::posterior) struct SparseFacts {
    facts: Vec<(u16, f32)>,
    /// Where each list ends.
    ends: Vec<u32>,
}

impl SparseFacts {
    /// Capacity for `lists` lists of `facts` facts each.
    pub fn with_capacity(lists: usize, facts: usize) -> SparseFacts {
        SparseFacts {
            facts: Vec::with_capacity(lists * facts),
            ends: Vec::with_capacity(lists),
        }
    }

    /// The lists of dense facts, without their zeros.
    pub fn of_dense<P: Borrow<DenseFacts>>(parts: &[P]) -> SparseFacts {
        let positions = parts.first().map_or(0, |part| part.borrow().positions());
        let mut all = SparseFacts::default();
        for position in 0..positions {
            all.facts
                .extend(parts.iter().flat_map(|part| part.borrow().of(position)));
            all.end();
        }
        all.facts.shrink_to_fit();
        all
    }

    /// Adds a fact to the current list.
    pub fn put(&mut self, fact: usize, value: f32) {
        self.facts.push((fact as u16, value));
    }

    /// Adds facts to the current list, numbered from `first` on, without zeros.
    pub fn put_all<const N: usize>(&mut self, first: usize, values: [f32; N]) {
        // No branch on whether a fact is zero: it would be unpredictable.
        let (mut kept, mut count) = ([(0, 0.0); N], 0);
        for (fact, value) in (first as u16..).zip(values) {
            kept[count] = (fact, value);
            count += usize::from(value != 0.0);
        }
        self.facts.extend_from_slice(&kept[..count]);
    }

    /// The lists of both, joined one by one; `other` has as many lists.
    pub fn joined(&self, other: &SparseFacts) -> SparseFacts {
        let mut all = SparseFacts {
            facts: Vec::with_capacity(self.facts.len() + other.facts.len()),
            ends: Vec::with_capacity(self.ends.len()),
        };
        for (ours, theirs) in self.each().zip(other.each()) {
            all.facts.extend_from_slice(ours);
            all.facts.extend_from_slice(theirs);
            all.end();
        }
        all
    }

    /// Ends the current list.
    pub fn end(&mut self) {
        self.ends.push(self.facts.len() as u32);
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The facts of one list: pairs of index and value.
    pub fn of(&self, list: usize) -> &[(u16, f32)] {
        let start = list.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.facts[start as usize..self.ends[list] as usize]
    }

    /// All lists, in order.
    pub fn each(&self) -> impl Iterator<Item = &[(u16, f32)]> {
        (0..self.len()).map(|list| self.of(list))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_what_is_not_zero() {
        let mut lists = SparseFacts::with_capacity(3, 2);
        lists.put_all(5, [0.0, 1.0, 0.0, -2.0]);
        lists.put(1, 0.5);
        lists.end();
        lists.put_all(0, [0.0]);
        lists.end();
        lists.put_all(7, [3.0]);
        lists.end();
        assert_eq!(lists.of(0), [(6, 1.0), (8, -2.0), (1, 0.5)]);
        assert!(lists.of(1).is_empty());
        assert_eq!(lists.each().last(), Some(&[(7, 3.0)][..]));
        assert_eq!(lists.len(), 3);
    }
}
