//! Time and memory of every structure as the corpus grows.
//!
//! The cost of reading is measured separately and subtracted. Processor time is that of one thread; other load on the machine affects it less than
//! wall-clock time.

use std::time::Duration;

use anyhow::Result;
use endpaper_detect::frequency::Structure;

use crate::arguments::CountingArguments;
use crate::child::{Measured, measure, measure_reading};
use crate::lines::{BOOK, LineFile};
use crate::table::{AlignedTable, mib};
use endpaper_text::wording::thousands;

const STRUCTURES: [&str; 5] = [
    "exact",
    "external:memory=64M",
    "crc64",
    "hashed:bits=23",
    "hot-items:counters=100000",
];

/// Limit for CRC-64: bytes per distinct line, and bytes in addition.
const BAR: (u64, u64) = (24, 64 << 20);

/// Prints the results for parts of the file, by number of books.
pub fn print(arguments: &mut CountingArguments) -> Result<()> {
    let path = arguments.path("F")?;
    let structures = arguments.structures(&STRUCTURES)?;
    let file = LineFile::open(&path)?;
    println!(
        "Build times without reading (best of {} rounds); memory without the reader's",
        arguments.rounds
    );
    println!();
    let mut table = AlignedTable::new([
        "structure",
        "books",
        "lines",
        "1 thread",
        "ns/line",
        "2 threads",
        "ns/line",
        "processor ns/line",
        "peak MiB",
        "bytes/distinct",
    ]);
    let mut bar = None;
    for part in [8, 4, 2, 1] {
        let file = LineFile::first(&file.path, file.lines / part)?;
        let distinct = measure("crc64", &file, 2)?.keys;
        for structure in &structures {
            let one = compare(structure, &file, 1, arguments.rounds)?;
            let two = compare(structure, &file, 2, arguments.rounds)?;
            let each =
                |time: Duration| format!("{:.0}", time.as_nanos() as f64 / file.lines as f64);
            let memory = |text: &dyn Fn(u64) -> String| one.peak.map_or("-".to_owned(), text);
            table.row([
                structure.to_string(),
                thousands(file.lines / BOOK as u64),
                thousands(file.lines),
                format!("{:.2} s", one.time.as_secs_f64()),
                each(one.time),
                format!("{:.2} s", two.time.as_secs_f64()),
                each(two.time),
                one.processor.map_or("-".to_owned(), |seconds| {
                    format!("{:.0}", seconds * 1e9 / file.lines as f64)
                }),
                memory(&mib),
                memory(&|bytes| format!("{:.1}", bytes as f64 / distinct as f64)),
            ]);
            if structure.to_string() == "crc64" {
                let limit = BAR.0 * distinct + BAR.1;
                let most = one.peak.max(two.peak);
                bar = most.map(|peak| (peak, limit));
            }
        }
    }
    table.print();
    if let Some((peak, limit)) = bar {
        let verdict = if peak <= limit { "holds" } else { "MISSED" };
        println!(
            "crc64 within {} bytes a distinct line + {} MiB: {} of {} MiB, {verdict}",
            BAR.0,
            BAR.1 >> 20,
            mib(peak),
            mib(limit)
        );
    }
    Ok(())
}

/// Returns the best of several rounds, in which the structure and reading alone take turns; reading is subtracted. The larger memory counts.
fn compare(
    structure: &Structure,
    file: &LineFile,
    threads: usize,
    rounds: usize,
) -> Result<Measured> {
    let name = structure.to_string();
    let (mut counting, mut reading) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        counting.push(measure(&name, file, threads)?);
        reading.push(measure_reading(structure, file, threads)?);
    }
    let shortest = |all: &[Measured]| all.iter().map(|one| one.time).min().unwrap_or_default();
    let least = |all: &[Measured]| all.iter().filter_map(|one| one.processor).reduce(f64::min);
    let highest = |all: &[Measured]| all.iter().filter_map(|one| one.peak).max();
    Ok(Measured {
        time: shortest(&counting).saturating_sub(shortest(&reading)),
        processor: least(&counting)
            .zip(least(&reading))
            .map(|(with, without)| with - without),
        peak: highest(&counting)
            .zip(highest(&reading))
            .map(|(with, without)| with.saturating_sub(without)),
        keys: counting.iter().map(|one| one.keys).max().unwrap_or(0),
    })
}
