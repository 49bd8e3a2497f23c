//! Figure 6: lines falsely assessed as frequent by hashing to c counters.

use anyhow::Result;
use endpaper_text::wording::thousands;
use lab::experiments::{THRESHOLDS, collisions, count};

use crate::arguments::CountingArguments;
use crate::lines::LineFile;
use crate::table::AlignedTable;

/// Prints them as a proportion of all lines processed, next to both bounds of the paper.
pub fn print(arguments: &mut CountingArguments) -> Result<()> {
    let file = LineFile::open(&arguments.path("F")?)?;
    let batches = file.batches()?;
    let exact = count("exact".parse()?, &batches)?;
    println!(
        "{} lines, {} distinct: proportion falsely assessed as frequent",
        thousands(file.lines),
        thousands(exact.len() as u64)
    );
    println!();
    let mut head = vec!["counters".to_owned(), "1 - e^-((n-1)/c)".to_owned()];
    head.push("p (n-1)/c".to_owned());
    head.extend(THRESHOLDS.map(|threshold| format!("K = {threshold}")));
    let mut table = AlignedTable::with(head);
    let mut above = Vec::new();
    for bits in 16..=26 {
        let hashed = collisions(&exact, &batches, bits)?;
        let mut cells = vec![format!("2^{bits}"), format!("{:.2e}", hashed.bound)];
        cells.push(format!("{:.2e}", hashed.skewed));
        for (threshold, found) in THRESHOLDS.into_iter().zip(hashed.found) {
            cells.push(format!("{found:.2e}"));
            if found > hashed.bound {
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
