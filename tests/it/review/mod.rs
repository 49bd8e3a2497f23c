//! The review screen: the real program in a real pseudo-terminal.
//!
//! Every test has a separate home, books and a truth folder, and waits for conditions instead of fixed times.
#![cfg(unix)]

mod adjudicate;
mod blind;
mod bulk;
mod copies;
#[cfg(feature = "search")]
mod corpus_search;
mod crash_points;
mod decide;
mod disks;
mod editions;
mod failures;
mod heat;
mod kills;
mod learning;
mod log;
mod long_sitting;
mod looks;
mod occurrences;
mod opinions;
mod others;
mod refusals;
mod runs;
mod sample;
mod settings;
mod sitting;
mod slow;
mod start;
mod story;
mod survive;
mod terminal;
mod yaml;
