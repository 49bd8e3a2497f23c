//! Which books come into a sample.

use std::collections::BTreeMap;

use super::Stratum;
use endpaper_text::checksum::sha256;

/// A book that can be drawn.
#[derive(Clone, Copy, Debug)]
pub struct SampleCandidate<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its stratum; empty if there are none.
    pub stratum: &'a str,
    /// Its work, if one book of each is to be drawn from.
    pub work: Option<u64>,
}

/// The places of the books that are drawn, in the order drawn, the strata, and how many could be drawn: the candidates, or
/// their works.
///
/// Books come in the order of the SHA-256 of `seed:id`. Of the books of a work, the first in this order represents it. From
/// each stratum as many are drawn as go with its size, by the largest remainders; all that was drawn comes in the one order.
pub fn draw_stratified(
    candidates: &[SampleCandidate<'_>],
    seed: u64,
    size: u64,
) -> (Vec<usize>, Vec<Stratum>, u64) {
    let key = |at: &usize| sha256(format!("{seed}:{}", candidates[*at].id).as_bytes());
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_cached_key(key);
    let mut works = std::collections::HashSet::new();
    order.retain(|&at| candidates[at].work.is_none_or(|work| works.insert(work)));
    let population = order.len() as u64;
    let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
    for &at in &order {
        *sizes.entry(candidates[at].stratum).or_default() += 1;
    }
    let shares = proportional(&sizes.values().copied().collect::<Vec<_>>(), size);
    let mut left: BTreeMap<&str, u64> = sizes.keys().copied().zip(shares).collect();
    let strata = sizes.iter().map(|(name, books)| Stratum {
        name: (*name).to_owned(),
        books: *books,
        drawn: left[name],
    });
    let strata: Vec<Stratum> = strata.filter(|stratum| !stratum.name.is_empty()).collect();
    order.retain(|&at| match left.get_mut(candidates[at].stratum) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    });
    (order, strata, population)
}

/// Divides `size` among the parts in proportion to their sizes: the whole numbers first, then one each to the largest remainders, the
/// earlier part first. Never more than all.
fn proportional(sizes: &[u64], size: u64) -> Vec<u64> {
    let all: u64 = sizes.iter().sum();
    if size >= all {
        return sizes.to_vec();
    }
    let exact = |part: u64| u128::from(part) * u128::from(size);
    let all = u128::from(all);
    let mut shares: Vec<u64> = sizes
        .iter()
        .map(|&part| (exact(part) / all) as u64)
        .collect();
    let mut by_rest: Vec<usize> = (0..sizes.len()).collect();
    by_rest.sort_by_key(|&at| std::cmp::Reverse(exact(sizes[at]) % all));
    let missing = size - shares.iter().sum::<u64>();
    for &at in by_rest.iter().take(missing as usize) {
        shares[at] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidate(id: &str) -> SampleCandidate<'_> {
        SampleCandidate {
            id,
            stratum: "",
            work: None,
        }
    }

    /// The order is a promise: `for id in a b c d e; do printf "7:$id" | sha256sum; done | sort`.
    #[test]
    fn the_order_is_that_of_the_hashes() {
        let ids = ["a", "b", "c", "d", "e"];
        let all: Vec<SampleCandidate> = ids.iter().map(|id| candidate(id)).collect();
        let (order, strata, population) = draw_stratified(&all, 7, 3);
        let mut hashed: Vec<(String, usize)> = ids
            .iter()
            .enumerate()
            .map(|(at, id)| (sha256(format!("7:{id}").as_bytes()), at))
            .collect();
        hashed.sort();
        let expected: Vec<usize> = hashed.iter().take(3).map(|(_, at)| *at).collect();
        assert_eq!((order, strata, population), (expected, vec![], 5));
        // Another seed is another order, and more books begin with the same.
        let (more, ..) = draw_stratified(&all, 7, 5);
        assert_eq!(more[..3], draw_stratified(&all, 7, 3).0);
        assert!((8..20).any(|seed| draw_stratified(&all, seed, 5).0 != more));
    }

    #[test]
    fn one_book_stands_for_a_work() {
        let ids: Vec<String> = (0..30).map(|number| format!("book-{number}")).collect();
        let all: Vec<SampleCandidate> = ids
            .iter()
            .enumerate()
            .map(|(at, id)| SampleCandidate {
                work: Some(at as u64 / 3),
                ..candidate(id)
            })
            .collect();
        let (order, _, population) = draw_stratified(&all, 1, 100);
        let mut works: Vec<usize> = order.iter().map(|at| at / 3).collect();
        works.sort_unstable();
        assert_eq!((works, population), ((0..10).collect(), 10));
    }

    proptest! {
        #[test]
        fn strata_are_drawn_from_in_proportion(sizes in proptest::collection::vec(1u64..50, 1..6), size in 1u64..120) {
            let ids: Vec<(String, String)> = sizes.iter().enumerate()
                .flat_map(|(part, &size)| (0..size).map(move |n| (format!("{part}/{n}"), format!("s{part}"))))
                .collect();
            let all: Vec<SampleCandidate> = ids.iter()
                .map(|(id, stratum)| SampleCandidate { stratum, ..candidate(id) }).collect();
            let (order, strata, population) = draw_stratified(&all, 3, size);
            let total: u64 = sizes.iter().sum();
            prop_assert_eq!(population, total);
            prop_assert_eq!(order.len() as u64, size.min(total));
            for stratum in &strata {
                let found = order.iter().filter(|&&at| all[at].stratum == stratum.name).count() as u64;
                prop_assert_eq!(found, stratum.drawn);
                let exact = stratum.books as f64 * size.min(total) as f64 / total as f64;
                prop_assert!((stratum.drawn as f64 - exact).abs() < 1.0);
            }
        }
    }
}
