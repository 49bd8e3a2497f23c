//! Against the paper's pipeline (section 3.3.2): `sort -S 512M F | uniq -c`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use endpaper::frequency::{Counts, Structure};
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
    let structures = arguments.structures(&["crc64", "exact", "external:memory=512M"])?;
    same_lines(&structures, &file)?;
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

/// Holds the counts of every structure against every line of the pipeline, and says what it found.
fn same_lines(structures: &[Structure], file: &File) -> Result<()> {
    let count = |structure: &Structure| {
        let job = FromFile {
            file,
            threads: 2,
            below: 0,
        };
        Ok(Found {
            counts: structure.dispatch(2, job)?,
            other: 0,
            outside: 0,
        })
    };
    let mut found: Vec<Found> = structures.iter().map(count).collect::<Result<_>>()?;
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
        grouped(lines),
        grouped(frequent)
    );
    println!();
    let mut table = Table::new(["", "keys", "lines with another count", "outside its bounds"]);
    for (structure, found) in structures.iter().zip(found) {
        table.row([
            structure.to_string(),
            grouped(found.counts.len() as u64),
            grouped(found.other),
            grouped(found.outside),
        ]);
    }
    table.print();
    Ok(())
}

/// What a structure counted, held against the pipeline.
struct Found {
    counts: Counts,
    /// Lines with another count.
    other: u64,
    /// Lines whose right count is not within the bounds that the structure states: none, if it is right.
    outside: u64,
}
