//! A sitting of many hours: keys of all kinds on many books, the heat map opened and closed, learning on. Memory, open files and
//! threads do not grow with it.
//!
//! With `ENDPAPER_LONG` 100,000 keys on 5,000 books, else a few thousand on some; the curves are printed.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::review::sitting::{Desk, SIZE, quit};
use crate::support::Terminal;

/// What a curator types, over and over. Counted: every character or name in angle brackets is a key.
const KEYS: &[&str] = &[
    "<Enter>",
    "jjkk",
    "<Enter>",
    "J<Enter>",
    "<Tab>j<Tab>",
    "gm<Right><Right>",
    "<Esc>",
    "<Enter>",
    "h<Enter>",
    "u",
    "<Left><Enter>",
    "w<Esc>",
    "?<Down><Esc>",
    "<Enter>",
    "1<Enter>",
    "gm<Tab>",
    "<Esc>",
    "nN",
    "<Enter>",
    "<Right>",
    "<Enter>",
];

/// How often the process is measured.
const SAMPLES: usize = 20;

/// Memory that may come and go, in KiB.
const SLACK: u64 = 16 << 10;

/// Resources of a process.
#[derive(Clone, Copy, Debug)]
struct Usage {
    keys: usize,
    /// Resident memory in KiB.
    memory: u64,
    files: usize,
    threads: usize,
}

fn usage(terminal: &Terminal, keys: usize) -> Usage {
    let process = PathBuf::from(format!("/proc/{}", terminal.process()));
    let count = |name: &str| fs::read_dir(process.join(name)).map_or(0, Iterator::count);
    let status = fs::read_to_string(process.join("status")).expect("the program runs");
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let memory = memory.and_then(|rest| rest.trim().split(' ').next()?.parse().ok());
    Usage {
        keys,
        memory: memory.expect("a size in KiB"),
        files: count("fd"),
        threads: count("task"),
    }
}

/// Number of keys in a text of keys: a name in angle brackets is one.
fn count_keys(keys: &str) -> usize {
    let names = keys.split('<').skip(1).filter_map(|rest| rest.find('>'));
    keys.chars().count() - names.map(|end| end + 1).sum::<usize>()
}

#[test]
fn memory_files_and_threads_do_not_grow_with_the_sitting() {
    let (books, keys) = match std::env::var_os("ENDPAPER_LONG") {
        Some(_) => (5_000, 100_000),
        None => (100, 3_000),
    };
    let desk = Desk::with_books(books);
    desk.survey();
    let terminal = desk.home.terminal(&desk.arguments(&[]), SIZE, &[]);
    terminal.wait_for_text("body starts");
    terminal.wait_quiet(Duration::from_secs(1));
    let mut all: Vec<Usage> = Vec::new();
    let mut typed = 0;
    for pattern in KEYS.iter().cycle() {
        if typed >= keys {
            break;
        }
        terminal.send(pattern);
        typed += count_keys(pattern);
        // Keys that arrive while a book is not shown yet are refused, and an Escape directly before a key would be Alt.
        terminal.wait_quiet(Duration::from_millis(10));
        if typed >= keys * all.len() / SAMPLES {
            all.push(usage(&terminal, typed));
        }
    }
    println!("keys\tmemory\tfiles\tthreads");
    for Usage {
        keys,
        memory,
        files,
        threads,
    } in &all
    {
        println!("{keys}\t{memory}\t{files}\t{threads}");
    }
    // The first third is needed to fill caches and buffers.
    let (before, after) = all.split_at(all.len() / 2);
    let most = |part: &[Usage], of: fn(&Usage) -> u64| part.iter().map(of).max().unwrap_or(0);
    let grown = |of: fn(&Usage) -> u64| most(after, of).saturating_sub(most(before, of));
    assert!(
        grown(|usage| usage.memory) <= SLACK + most(before, |usage| usage.memory) / 8,
        "{all:?}"
    );
    assert!(grown(|usage| usage.files as u64) <= 2, "{all:?}");
    assert!(grown(|usage| usage.threads as u64) <= 2, "{all:?}");
    terminal.send("<Esc><Esc>");
    terminal.wait_quiet(Duration::from_millis(100));
    quit(&terminal);
    assert!(
        desk.records().len() * 2 > books.min(typed / 10),
        "{}",
        desk.records().len()
    );
}
