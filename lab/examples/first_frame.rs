//! Time until `endpaper review` shows a book, and the memory it needs.
//!
//! ```text
//! cargo build --release && cargo run --release -p lab --example first_frame -- target/release/endpaper CORPUS [ROUNDS]
//! ```
//!
//! The program runs in a pseudo-terminal, in an empty home whose cache is warmed by `endpaper detect`. The time is from before its start until the
//! rule of a cut is on the screen.

#[path = "../../tests/it/support/keys.rs"]
#[allow(dead_code)]
mod keys;
#[path = "../../tests/it/support/pty.rs"]
#[allow(dead_code)]
mod pty;
#[path = "../../tests/it/support/screen.rs"]
#[allow(dead_code)]
mod screen;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use portable_pty::CommandBuilder;

/// Text of the rule of the first cut.
const RULES: [&str; 2] = ["preamble ends", "no preamble"];
/// Memory is measured after this long without a key.
const IDLE: Duration = Duration::from_secs(5);

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: first_frame PROGRAM CORPUS [ROUNDS]";
    let program = std::path::absolute(arguments.next().context(usage)?)?;
    let corpus = std::path::absolute(arguments.next().context(usage)?)?;
    let rounds: usize = arguments.next().map_or(Ok(5), |rounds| rounds.parse())?;
    let home = tempfile::tempdir()?;
    let bench = FrameBench {
        program,
        corpus,
        home: home.path(),
    };
    let cold = bench.first_frame()?.0;
    println!("nothing cached      {:>9.1?}", cold);
    bench.warm()?;
    let runs = (0..rounds.max(1)).map(|_| bench.first_frame());
    let mut runs: Vec<(Duration, ProcessMemory)> = runs.collect::<Result<_>>()?;
    runs.sort_unstable_by_key(|run| run.0);
    let (fastest, slowest) = (runs[0].0, runs[runs.len() - 1].0);
    let (median, memory) = &runs[runs.len() / 2];
    println!(
        "cached, median of {:<2} {median:>8.1?} ({fastest:.1?} to {slowest:.1?})",
        runs.len()
    );
    println!(
        "after {IDLE:?}: peak {}, resident {}",
        memory.peak, memory.resident
    );
    Ok(())
}

struct FrameBench<'a> {
    program: PathBuf,
    corpus: PathBuf,
    home: &'a Path,
}

struct ProcessMemory {
    peak: String,
    resident: String,
}

impl FrameBench<'_> {
    fn variables(&self) -> Vec<(String, PathBuf)> {
        let parts = ["CONFIG", "CACHE", "DATA", "STATE"].iter();
        let folders = parts.map(|part| (format!("ENDPAPER_{part}_DIR"), self.home.join(part)));
        folders
            .chain([("HOME".to_owned(), self.home.to_owned())])
            .collect()
    }

    fn warm(&self) -> Result<()> {
        let status = Command::new(&self.program)
            .arg("detect")
            .arg(&self.corpus)
            .args(["--quiet", "--format", "tsv"])
            .envs(self.variables())
            .current_dir(self.home)
            .stdout(Stdio::null())
            .status()?;
        ensure!(status.success(), "detect failed: {status}");
        Ok(())
    }

    fn first_frame(&self) -> Result<(Duration, ProcessMemory)> {
        let mut command = CommandBuilder::new(&self.program);
        command.arg("review");
        command.arg(&self.corpus);
        command.cwd(self.home);
        command.env("TERM", "xterm-256color");
        for (name, value) in self.variables() {
            command.env(name, value);
        }
        let start = Instant::now();
        let terminal = pty::Terminal::spawn(pty::TerminalSetup {
            command,
            size: (160, 48),
            answers: true,
        });
        terminal.wait_for("a cut", |screen| {
            RULES.iter().any(|rule| screen.contains(rule))
        });
        let time = start.elapsed();
        std::thread::sleep(IDLE);
        let status = std::fs::read_to_string(format!("/proc/{}/status", terminal.process()))?;
        terminal.send("q");
        terminal.exit_status();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.map_or("unknown", str::trim).to_owned()
        };
        let memory = ProcessMemory {
            peak: field("VmHWM:"),
            resident: field("VmRSS:"),
        };
        Ok((time, memory))
    }
}
