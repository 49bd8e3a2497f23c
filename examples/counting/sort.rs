//! Against the paper's pipeline (section 3.3.2): `sort -S 512M F | uniq -c`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use endpaper::frequency::{Certainty, Counts, Structure};
use endpaper::line::Key;

use crate::arguments::Arguments;
use crate::build::{FromFile, timed};
use crate::child::measure;
use crate::lines::File;
use crate::table::{Table, grouped};

/// The pipeline; `$1` is F.
const SORT: &str = "LC_ALL=C sort -S 512M \"$1\" | uniq -c";

/// Times of the whole of it, reading included, and ratios. Both must find the same lines.
pub fn print(arguments: &mut Arguments) -> Result<()> {
    let file = File::open(&arguments.path("F")?)?;
    let structures = arguments.structures(&["crc64", "exact"])?;
    for structure in &structures {
        same_lines(structure, &file)?;
    }
    let mut sorting = Vec::new();
    let mut counting = vec![[Vec::new(), Vec::new()]; structures.len()];
    for _ in 0..arguments.rounds {
        sorting.push(timed(|| sort(&file.path))?.1);
        for (structure, times) in structures.iter().zip(&mut counting) {
            for (threads, times) in times.iter_mut().enumerate() {
                let name = structure.to_string();
                let (_, time) = timed(|| measure(&name, &file, threads + 1))?;
                times.push(time);
            }
        }
    }
    let best = |times: &[Duration]| {
        times
            .iter()
            .min()
            .copied()
            .unwrap_or_default()
            .as_secs_f64()
    };
    let sorting = best(&sorting);
    println!(
        "{} lines, {} bytes; best of {} rounds",
        grouped(file.lines),
        grouped(file.bytes),
        arguments.rounds
    );
    println!();
    let mut table = Table::new(["", "1 thread", "faster", "2 threads", "faster"]);
    table.row([
        "sort -S 512M | uniq -c".into(),
        "-".into(),
        "-".into(),
        format!("{sorting:.2} s"),
    ]);
    for (structure, [one, two]) in structures.iter().zip(&counting) {
        let cells = [one, two].map(|times| {
            let time = best(times);
            [format!("{time:.2} s"), format!("{:.1}x", sorting / time)]
        });
        table.row(std::iter::once(structure.to_string()).chain(cells.into_iter().flatten()));
    }
    table.print();
    Ok(())
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

/// Holds every line of the pipeline against the counts of a structure, and says what it found.
fn same_lines(structure: &Structure, file: &File) -> Result<()> {
    let job = FromFile {
        file,
        threads: 2,
        below: 0,
    };
    let counts: Counts = structure.dispatch(2, job)?;
    let mut child = Command::new("sh")
        .args(["-c", SORT, "sh"])
        .arg(&file.path)
        .stdout(Stdio::piped())
        .spawn()?;
    let output = child.stdout.take().context("sort has no output")?;
    let (mut lines, mut frequent, mut other, mut below) = (0u64, 0u64, 0u64, 0u64);
    for line in BufReader::new(output).lines() {
        let line = line?;
        let (count, text) = line.trim_start().split_once(' ').context("uniq -c")?;
        let count: u64 = count.parse()?;
        let found = counts.frequency(Key::of(text));
        lines += 1;
        frequent += u64::from(count > 10);
        other += u64::from(found != count);
        below += u64::from(found < count);
    }
    ensure!(child.wait()?.success(), "sort failed");
    println!(
        "{structure}: {} distinct lines ({} by sort), {} of them more than 10 times; {other} with another count, {below} too low",
        grouped(counts.len() as u64),
        grouped(lines),
        grouped(frequent),
    );
    if counts.certainty() == Certainty::Exact {
        ensure!(other == 0, "{structure} says it is exact");
    }
    Ok(())
}
