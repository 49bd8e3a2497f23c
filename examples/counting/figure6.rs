//! Figure 6: lines falsely assessed as frequent by hashing to c counters.

use anyhow::Result;
use endpaper::frequency::{Counts, Keyed, Structure};

use crate::arguments::Arguments;
use crate::build::FromMemory;
use crate::lines::File;
use crate::table::Table;
use endpaper::words::thousands;

/// Thresholds: a line is frequent if it occurs more than so often.
const THRESHOLDS: [u64; 6] = [2, 5, 10, 20, 50, 100];

/// The paper's estimate of how likely a line is to be frequent.
const SKEW: f64 = 0.001;

/// Lines falsely assessed as frequent, as a proportion of all lines processed, beside both bounds of the paper.
pub fn print(arguments: &mut Arguments) -> Result<()> {
    let file = File::open(&arguments.path("F")?)?;
    let batches = file.batches()?;
    let exact = count("exact", &batches)?;
    let distinct = exact.len() as f64;
    println!(
        "{} lines, {} distinct: proportion falsely assessed as frequent",
        thousands(file.lines),
        thousands(exact.len() as u64)
    );
    println!();
    let mut head = vec!["counters".to_owned(), "1 - e^-((n-1)/c)".to_owned()];
    head.push("p (n-1)/c".to_owned());
    head.extend(THRESHOLDS.map(|threshold| format!("K = {threshold}")));
    let mut table = Table::with(head);
    let mut above = Vec::new();
    for bits in 16..=26 {
        let hashed = count(&format!("hashed:bits={bits}"), &batches)?;
        let load = (distinct - 1.0) / f64::from(1u32 << bits);
        let bound = 1.0 - (-load).exp();
        let mut cells = vec![format!("2^{bits}"), format!("{bound:.2e}")];
        cells.push(format!("{:.2e}", SKEW * load));
        for threshold in THRESHOLDS {
            let found = falsely_frequent(&exact, &hashed, threshold) as f64 / file.lines as f64;
            cells.push(format!("{found:.2e}"));
            if found > bound {
                above.push(format!("2^{bits} counters, K = {threshold}"));
            }
        }
        table.row(cells);
    }
    table.print();
    match above.as_slice() {
        [] => println!("every one of them lies below 1 - e^-((n-1)/c): holds"),
        above => println!("above 1 - e^-((n-1)/c): {}: MISSED", above.join("; ")),
    }
    Ok(())
}

fn count(structure: &str, batches: &[Keyed]) -> Result<Counts> {
    let structure: Structure = structure.parse()?;
    structure.dispatch(1, FromMemory { batches })
}

/// Occurrences of infrequent lines that hashing takes for frequent.
fn falsely_frequent(exact: &Counts, hashed: &Counts, threshold: u64) -> u64 {
    let rare = exact.iter().filter(|&(_, count)| count <= threshold);
    let wrong = rare.filter(|&(key, _)| hashed.frequency(key) > threshold);
    wrong.map(|(_, count)| count).sum()
}
