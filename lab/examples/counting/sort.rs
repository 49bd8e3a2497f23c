//! Comparison with the paper's pipeline (section 3.3.2): `sort -S 512M F | uniq -c`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use endpaper_detect::frequency::{Counts, Structure};
use endpaper_text::line::Key;

use crate::arguments::CountingArguments;
use crate::build::{FromFile, timed};
use crate::child::{children_processor, measure};
use crate::lines::LineFile;
use crate::table::AlignedTable;
use endpaper_text::wording::thousands;

/// The pipeline; `$1` is F.
const SORT: &str = "LC_ALL=C sort -S 512M \"$1\" | uniq -c";

/// Prints total times, reading included, and ratios; both must find the same lines.
///
/// Processor time is printed next to wall-clock time, since other load on the machine affects it less.
pub fn print(arguments: &mut CountingArguments) -> Result<()> {
    let file = LineFile::open(&arguments.path("F")?)?;
    let structures = arguments.structures(&["crc64", "exact", "external:memory=512M"])?;
    same_lines(&structures, &file)?;
    let mut sorting = Times::default();
    let mut counting = vec![[Times::default(), Times::default()]; structures.len()];
    for _ in 0..arguments.rounds {
        sorting.take(|| sort(&file.path))?;
        for (structure, times) in structures.iter().zip(&mut counting) {
            for (threads, times) in (1..).zip(times) {
                times.take(|| measure(&structure.to_string(), &file, threads).map(drop))?;
            }
        }
    }
    println!(
        "{} lines, {} bytes; best of {} rounds",
        thousands(file.lines),
        thousands(file.bytes),
        arguments.rounds
    );
    println!();
    let mut table = AlignedTable::new(["", "threads", "seconds", "faster", "processor", "less"]);
    table.row([
        "sort -S 512M | uniq -c".to_owned(),
        "its own".to_owned(),
        format!("{:.2}", sorting.wall),
        String::new(),
        format!("{:.2}", sorting.processor),
    ]);
    for (structure, times) in structures.iter().zip(&counting) {
        for (threads, times) in (1..).zip(times) {
            table.row([
                structure.to_string(),
                threads.to_string(),
                format!("{:.2}", times.wall),
                format!("{:.1}x", sorting.wall / times.wall),
                format!("{:.2}", times.processor),
                format!("{:.1}x", sorting.processor / times.processor),
            ]);
        }
    }
    table.print();
    Ok(())
}

/// The shortest of several rounds, in seconds.
#[derive(Clone, Copy)]
struct Times {
    wall: f64,
    /// Processor time of the child processes; infinite if the system does not report it.
    processor: f64,
}

impl Default for Times {
    fn default() -> Self {
        Times {
            wall: f64::INFINITY,
            processor: f64::INFINITY,
        }
    }
}

impl Times {
    fn take(&mut self, job: impl FnOnce() -> Result<()>) -> Result<()> {
        let before = children_processor();
        let (_, wall) = timed(job)?;
        self.wall = self.wall.min(wall.as_secs_f64());
        if let (Some(before), Some(after)) = (before, children_processor()) {
            self.processor = self.processor.min(after - before);
        }
        Ok(())
    }
}

fn sort(path: &Path) -> Result<()> {
    let status = Command::new("sh")
        .args(["-c", SORT, "sh"])
        .arg(path)
        .stdout(Stdio::null())
        .status()?;
    ensure!(status.success(), "sort failed");
    Ok(())
}

/// Compares the counts of every structure with every line of the pipeline, and prints the result.
fn same_lines(structures: &[Structure], file: &LineFile) -> Result<()> {
    let count = |structure: &Structure| {
        let job = FromFile {
            file,
            threads: 2,
            below: 0,
        };
        Ok(SortResult {
            counts: structure.dispatch(2, job)?,
            other: 0,
            outside: 0,
        })
    };
    let mut found: Vec<SortResult> = structures.iter().map(count).collect::<Result<_>>()?;
    let mut child = Command::new("sh")
        .args(["-c", SORT, "sh"])
        .arg(&file.path)
        .stdout(Stdio::piped())
        .spawn()?;
    let output = child.stdout.take().context("sort has no output")?;
    let (mut lines, mut frequent) = (0, 0);
    for line in BufReader::new(output).lines() {
        let line = line?;
        let (count, text) = line.trim_start().split_once(' ').context("uniq -c")?;
        let (count, key) = (count.parse()?, Key::of(text));
        lines += 1;
        frequent += u64::from(count > 10);
        for found in &mut found {
            let bounds = found.counts.bounds(key);
            found.other += u64::from(found.counts.frequency(key) != count);
            found.outside += u64::from(count < bounds.at_least || bounds.at_most < count);
        }
    }
    ensure!(child.wait()?.success(), "sort failed");
    println!(
        "{} distinct lines, {} of them more than 10 times",
        thousands(lines),
        thousands(frequent)
    );
    println!();
    let mut table =
        AlignedTable::new(["", "keys", "lines with another count", "outside its bounds"]);
    for (structure, found) in structures.iter().zip(found) {
        table.row([
            structure.to_string(),
            thousands(found.counts.len() as u64),
            thousands(found.other),
            thousands(found.outside),
        ]);
    }
    table.print();
    Ok(())
}

/// Differences between a structure's counts and the pipeline's.
struct SortResult {
    counts: Counts,
    other: u64,
    /// Lines whose right count is outside the bounds that the structure states; 0 for a correct structure.
    outside: u64,
}
