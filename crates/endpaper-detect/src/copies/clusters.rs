//! Clusters of books that pairs join, directly or through others (connected components).

/// The clusters of `books` books that are joined by `pairs`: each of at least two books in ascending order, ordered by
/// their first book. Pairs with books that do not exist are ignored.
///
/// ```
/// use endpaper_detect::copies::clusters::clusters;
/// assert_eq!(clusters(6, [(0, 4), (2, 3), (4, 5)]), [vec![0, 4, 5], vec![2, 3]]);
/// ```
pub fn clusters(books: usize, pairs: impl IntoIterator<Item = (u32, u32)>) -> Vec<Vec<u32>> {
    let mut forest = UnionFind::new(books);
    for (a, b) in pairs {
        forest.join(a, b);
    }
    let mut members: Vec<(u32, u32)> = (0..forest.parents.len() as u32)
        .map(|book| (forest.root(book), book))
        .collect();
    members.sort_unstable();
    let groups = members
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|group| group.len() > 1);
    groups
        .map(|group| group.iter().map(|member| member.1).collect())
        .collect()
}

/// A union-find forest; the root of each tree is its smallest book.
struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// Every book in a set of its own.
    fn new(books: usize) -> UnionFind {
        let books = u32::try_from(books).unwrap_or(u32::MAX);
        UnionFind {
            parents: (0..books).collect(),
        }
    }

    /// The book that stands for the set of `book`.
    fn root(&mut self, book: u32) -> u32 {
        let mut at = book as usize;
        while self.parents[at] as usize != at {
            // Path halving: shortens the path for later look-ups.
            self.parents[at] = self.parents[self.parents[at] as usize];
            at = self.parents[at] as usize;
        }
        at as u32
    }

    /// Unites the sets of two books.
    fn join(&mut self, a: u32, b: u32) {
        if a.max(b) as usize >= self.parents.len() {
            return;
        }
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn clusters_are_what_can_be_reached(pairs in prop::collection::vec((0..40u32, 0..40u32), 0..50)) {
            let mut expected = BTreeSet::new();
            for start in 0..40u32 {
                let mut reached = BTreeSet::from([start]);
                loop {
                    let near = |book: u32| pairs.iter().filter_map(move |&(a, b)| {
                        if a == book { Some(b) } else if b == book { Some(a) } else { None }
                    });
                    let more: BTreeSet<u32> = reached.iter().flat_map(|&book| near(book)).collect();
                    if more.is_subset(&reached) {
                        break;
                    }
                    reached.extend(more);
                }
                if reached.len() > 1 {
                    expected.insert(reached.into_iter().collect::<Vec<u32>>());
                }
            }
            let expected: Vec<Vec<u32>> = expected.into_iter().collect();
            prop_assert_eq!(clusters(40, pairs), expected);
        }
    }

    #[test]
    fn books_that_do_not_exist_join_nothing() {
        assert_eq!(
            clusters(2, [(0, 7), (7, 1), (1, 1)]),
            Vec::<Vec<u32>>::new()
        );
        assert_eq!(clusters(0, [(0, 0)]), Vec::<Vec<u32>>::new());
    }
}
