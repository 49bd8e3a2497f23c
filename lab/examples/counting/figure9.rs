//! Figure 9: time to build the structures from lines in memory, by number of counters.

use std::time::Duration;

use anyhow::Result;
use endpaper_detect::frequency::{BookLines, Structure};
use lab::experiments::count;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::arguments::CountingArguments;
use crate::build::timed;
use crate::lines::LineFile;
use crate::table::AlignedTable;
use endpaper_text::wording::thousands;

/// Structures without a number of counters to choose: horizontal lines in the figure.
const LEVEL: [&str; 3] = ["exact", "crc64", "hashed:bits=23"];

/// Prints the times; those of the level structures do not depend on the number of counters.
pub fn print(arguments: &mut CountingArguments) -> Result<()> {
    let file = LineFile::open(&arguments.path("F")?)?;
    let level = arguments.structures(&LEVEL)?;
    let batches = file.batches()?;
    println!(
        "{} lines in memory, with keys; one thread, best of {} rounds",
        thousands(file.lines),
        arguments.rounds
    );
    println!();
    let mut table = AlignedTable::new(["structure", "counters", "seconds", "ns/line", "kept"]);
    let mut all: Vec<(Structure, String)> = Vec::new();
    for structure in level {
        all.push((structure, "-".to_owned()));
    }
    for power in 6..=14 {
        // Half powers of ten: 1,000, 3,162, 10,000 and so on.
        let counters = 10f64.powf(f64::from(power) / 2.0).round() as u64;
        let structure = format!("hot-items:counters={counters}").parse()?;
        all.push((structure, thousands(counters)));
    }
    let one = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut best = vec![(Duration::MAX, 0); all.len()];
    for _ in 0..arguments.rounds {
        for ((structure, _), best) in all.iter().zip(&mut best) {
            *best = (*best).min(build(&one, *structure, &batches)?);
        }
    }
    for ((structure, counters), (time, keys)) in all.into_iter().zip(best) {
        table.row([
            structure.to_string(),
            counters,
            format!("{:.2}", time.as_secs_f64()),
            format!("{:.0}", time.as_nanos() as f64 / file.lines as f64),
            thousands(keys),
        ]);
    }
    table.print();
    Ok(())
}

/// Returns the time of one build and the number of keys. `one` is a pool of one thread, since some structures sort in parallel.
fn build(one: &ThreadPool, structure: Structure, batches: &[BookLines]) -> Result<(Duration, u64)> {
    let (counts, time) = one.install(|| timed(|| count(structure, batches)))?;
    Ok((time, counts.len() as u64))
}
