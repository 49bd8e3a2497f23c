//! Measures one structure in a separate process: the peak memory of a process never falls, and structures must not reuse each other's pages. The
//! example runs itself for this.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use endpaper_detect::frequency::{Structure, StructureVisitor};

use crate::arguments::CountingArguments;
use crate::build::{FromFile, Nothing, WantsText, timed};
use crate::lines::LineFile;

pub const COMMAND: &str = "child";

/// Given instead of a structure to measure reading alone.
const NOTHING: &str = "nothing";
const NOTHING_WITH_TEXT: &str = "nothing-with-text";

#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// From the first line read to the finished counts.
    pub time: Duration,
    /// Processor time of the whole process in seconds, to a hundredth; `None` if the system does not report it.
    pub processor: Option<f64>,
    /// Peak memory of the process in bytes; `None` if the system does not report it.
    pub peak: Option<u64>,
    pub keys: u64,
}

pub fn measure(structure: &str, file: &LineFile, threads: usize) -> Result<Measured> {
    let before = children_processor();
    let output = Command::new(std::env::current_exe()?)
        .args([COMMAND, structure])
        .arg(&file.path)
        .args([file.bytes.to_string(), threads.to_string()])
        // Limits structures that work in parallel themselves.
        .env("RAYON_NUM_THREADS", threads.to_string())
        .output()?;
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{structure}: {}", error.trim());
    let output = String::from_utf8(output.stdout)?;
    let mut numbers = output.split_whitespace().map(str::parse::<u64>);
    let mut number = || {
        numbers
            .next()
            .context("a child said nothing")?
            .context(COMMAND)
    };
    Ok(Measured {
        time: Duration::from_nanos(number()?),
        processor: before
            .zip(children_processor())
            .map(|(before, after)| after - before),
        peak: Some(number()?).filter(|&peak| peak > 0),
        keys: number()?,
    })
}

pub fn measure_reading(structure: &Structure, file: &LineFile, threads: usize) -> Result<Measured> {
    let nothing = if structure.dispatch(1, WantsText) {
        NOTHING_WITH_TEXT
    } else {
        NOTHING
    };
    measure(nothing, file, threads)
}

pub fn run(arguments: &mut CountingArguments) -> Result<()> {
    let structure = arguments.next("a structure")?;
    let file = LineFile {
        path: PathBuf::from(arguments.next("F")?),
        bytes: arguments.next("a size")?.parse()?,
        lines: 0,
    };
    let threads = arguments.next("a number of threads")?.parse()?;
    let job = FromFile {
        file: &file,
        threads,
        below: 0,
    };
    let (counts, time) = timed(|| match structure.as_str() {
        NOTHING => job.build(|_| Ok(Nothing::<false>)),
        NOTHING_WITH_TEXT => job.build(|_| Ok(Nothing::<true>)),
        name => name.parse::<Structure>()?.dispatch(threads, job),
    })?;
    let mut line = String::new();
    let peak = peak().unwrap_or(0);
    write!(line, "{} {peak} {}", time.as_nanos(), counts.len())?;
    println!("{line}");
    Ok(())
}

/// Peak memory of this process in bytes; `None` if the system does not report it.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}

/// Processor time (user and system) of all ended child processes in seconds; `None` if the system does not report it.
pub fn children_processor() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in brackets, may contain spaces; the times are the 14th and 15th field after the first two, in hundredths.
    let (_, fields) = stat.rsplit_once(") ")?;
    let times = fields.split(' ').skip(13).take(2);
    let times: Option<Vec<u64>> = times.map(|time| time.parse().ok()).collect();
    Some(times?.iter().sum::<u64>() as f64 / 100.0)
}
