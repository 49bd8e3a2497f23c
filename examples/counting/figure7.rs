//! Figure 7: how many of its counters the Generalized Majority algorithm puts to use.
//!
//! Items of rank 1 to 1,000 occur about 100,000 times together, the one of rank r in proportion to 1/r^x, rounded (so
//! that for x above 1.5 or so the last ranks do not occur at all). The efficiency is the largest k for which the k
//! highest counters are those of ranks 1 to k, divided by the number of counters (Kaser & Lemire, section 3.3.5).
//! Where all items are equally frequent (x = 0) no rank is more right than another; the query names its items all the
//! same, and nothing is found.

use anyhow::Result;
use endpaper::frequency::{Counts, Keyed, Structure};
use endpaper::line::Key;
use endpaper::scan::Window;

use crate::build::FromMemory;
use crate::random::{Random, mix};
use crate::table::Table;

const ITEMS: u64 = 1_000;
const LENGTH: f64 = 100_000.0;
const COUNTERS: [usize; 3] = [10, 30, 100];
const ORDERS: u64 = 30;

/// Mean efficiency over random orders, by exponent and number of counters.
pub fn print() -> Result<()> {
    println!(
        "Efficiency of hot items: mean of {ORDERS} random orders of {ITEMS} items, n = 100,000"
    );
    println!();
    let mut table = Table::new(["x", "n", "c = 10", "c = 30 (the paper's)", "c = 100"]);
    for step in 0..=6 {
        let x = f64::from(step) / 2.0;
        let stream = stream(x);
        let mut cells = vec![format!("{x:.1}"), stream.len().to_string()];
        for counters in COUNTERS {
            cells.push(format!("{:.3}", mean(&stream, counters)?));
        }
        table.row(cells);
    }
    table.print();
    Ok(())
}

/// Every occurrence of every item, by rank.
fn stream(x: f64) -> Vec<u64> {
    let weight = |rank: u64| (rank as f64).powf(-x);
    let all: f64 = (1..=ITEMS).map(weight).sum();
    let occurrences = |rank: u64| {
        let times = (LENGTH * weight(rank) / all).round();
        std::iter::repeat_n(rank, times as usize)
    };
    (1..=ITEMS).flat_map(occurrences).collect()
}

fn mean(stream: &[u64], counters: usize) -> Result<f64> {
    let structure: Structure = format!("hot-items:counters={counters}").parse()?;
    let mut total = 0;
    for order in 0..ORDERS {
        let mut stream = stream.to_vec();
        Random::new(order).shuffle(&mut stream);
        let mut batch = Keyed::default();
        for rank in stream {
            batch.push(key(rank), Window::Head, None);
        }
        let batches = [batch];
        let counts = structure.dispatch(1, FromMemory { batches: &batches })?;
        total += largest_exact(&counts);
    }
    Ok(total as f64 / (ORDERS * counters as u64) as f64)
}

/// Keys of lines are scattered, and so must those of ranks be.
fn key(rank: u64) -> Key {
    Key(mix(rank))
}

/// The largest k for which the k highest counters are those of ranks 1 to k.
fn largest_exact(counts: &Counts) -> u64 {
    let ranks = |key| (1..=ITEMS).find(|&rank| self::key(rank) == key);
    let mut found: Vec<(u64, u64)> = counts
        .iter()
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
