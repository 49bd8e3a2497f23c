//! The share of its counters that the Generalized Majority algorithm puts to use (Kaser & Lemire, section 3.3.5 and Figure 7).
//!
//! Items of rank 1 to 1,000 occur about 100,000 times in total, the item of rank r in proportion to 1/r^x, rounded (for x above about 1.5 the
//! last ranks do not occur at all). The efficiency is the largest k for which the k highest counters are those of ranks 1 to k, divided by the
//! number of counters. Where all items are equally frequent (x = 0) no ranks are the highest, and the efficiency is 0
//! if there are fewer counters than items.

use endpaper_detect::frequency::MisraGries;
use endpaper_evaluate::{SampleRandom, mix};
use endpaper_text::line::Key;

/// Number of distinct items.
pub const ITEMS: u64 = 1_000;

const LENGTH: f64 = 100_000.0;

/// Returns every occurrence of every item, as ranks in ascending order.
pub fn zipfian(x: f64) -> Vec<u64> {
    let weight = |rank: u64| (rank as f64).powf(-x);
    let all: f64 = (1..=ITEMS).map(weight).sum();
    let occurrences = |rank: u64| {
        let times = (LENGTH * weight(rank) / all).round();
        std::iter::repeat_n(rank, times as usize)
    };
    (1..=ITEMS).flat_map(occurrences).collect()
}

/// Returns the mean efficiency (0 to 1) over `orders` random orders of a stream of ranks sorted in ascending order.
pub fn efficiency(stream: &[u64], counters: u32, orders: u64) -> f64 {
    let occurring = stream.chunk_by(|a, b| a == b).count();
    if occurring <= counters as usize {
        // Every item has a separate counter from its first occurrence on, in any order.
        return 1.0;
    }
    let mut total = 0;
    for order in 0..orders {
        let mut stream = stream.to_vec();
        SampleRandom::new(order).shuffle(&mut stream);
        let mut hot = MisraGries::new(counters);
        stream.into_iter().for_each(|rank| hot.add(key(rank)));
        total += largest_exact(hot.counters());
    }
    total as f64 / (orders.max(1) * u64::from(counters.max(1))) as f64
}

/// Scatters ranks like the keys of lines.
fn key(rank: u64) -> Key {
    Key(mix(rank))
}

/// Returns the largest k for which the k highest counters are those of ranks 1 to k.
fn largest_exact(counters: impl Iterator<Item = (Key, u64)>) -> u64 {
    let ranks = |key| (1..=ITEMS).find(|&rank| self::key(rank) == key);
    let mut found: Vec<(u64, u64)> = counters
        .filter_map(|(key, count)| Some((count, ranks(key)?)))
        .collect();
    // Of equal counters the wrong one comes first: a query that is right by luck does not count.
    found.sort_unstable_by(|a, b| b.cmp(a));
    let (mut highest, mut exact) = (0, 0);
    for (k, (_, rank)) in (1..).zip(found) {
        highest = highest.max(rank);
        if highest == k {
            exact = k;
        }
    }
    exact
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_counters_must_be_those_of_the_first_ranks() {
        let table: [(&[(u64, u64)], u64); 5] = [
            (&[], 0),
            (&[(1, 9), (2, 8), (3, 7)], 3),
            (&[(2, 9), (1, 8), (4, 7)], 2),
            (&[(2, 9), (3, 8)], 0),
            // Equal counters of ranks 2 and 3 could be in either order.
            (&[(1, 9), (2, 5), (3, 5)], 3),
        ];
        for (counters, expected) in table {
            let counters = counters.iter().map(|&(rank, count)| (key(rank), count));
            assert_eq!(largest_exact(counters), expected);
        }
    }

    #[test]
    fn more_skewed_streams_use_more_counters_whatever_their_number() {
        for counters in [10, 30] {
            let [none, flat, steep, steepest] =
                [0.0, 1.0, 2.0, 3.0].map(|x| efficiency(&zipfian(x), counters, 5));
            // Equally frequent ranks have an efficiency of 0.
            assert_eq!(none, 0.0);
            assert!(
                flat < steep && steep < steepest,
                "{flat} {steep} {steepest}"
            );
            assert!((0.6..1.0).contains(&steepest), "{steepest}");
        }
    }

    #[test]
    fn a_query_for_more_items_than_occur_is_exact_if_it_names_them_all() {
        let stream = zipfian(4.0);
        let items = stream.chunk_by(|a, b| a == b).count() as u32;
        assert_eq!(items, 20);
        for counters in [items, items + 1, 3 * items] {
            assert_eq!(efficiency(&stream, counters, 5), 1.0);
            let mut hot = MisraGries::new(counters);
            stream.iter().rev().for_each(|&rank| hot.add(key(rank)));
            assert_eq!(largest_exact(hot.counters()), u64::from(items));
        }
        let fewer = efficiency(&stream, items - 1, 5);
        assert!((0.5..1.0).contains(&fewer), "{fewer}");
    }
}
