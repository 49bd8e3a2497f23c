//! Figure 7: the share of its counters that the Generalized Majority algorithm puts to use.

use lab::experiments::{ITEMS, efficiency, zipfian};

use crate::table::AlignedTable;

const COUNTERS: [u32; 3] = [10, 30, 100];
const ORDERS: u64 = 30;

/// Prints the mean efficiency over random orders, by exponent and number of counters.
pub fn print() {
    println!(
        "Efficiency of hot items: mean of {ORDERS} random orders of {ITEMS} items, n = 100,000"
    );
    println!();
    let mut table = AlignedTable::new(["x", "n", "c = 10", "c = 30 (the paper's)", "c = 100"]);
    for step in 0..=6 {
        let x = f64::from(step) / 2.0;
        let stream = zipfian(x);
        let mut cells = vec![format!("{x:.1}"), stream.len().to_string()];
        for counters in COUNTERS {
            cells.push(format!("{:.3}", efficiency(&stream, counters, ORDERS)));
        }
        table.row(cells);
    }
    table.print();
}
