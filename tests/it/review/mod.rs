//! The review screen as users get it: the real program in a real pseudo-terminal.
//!
//! Every test has a home, books and a truth folder of its own, and waits for what it wants to see; nothing sleeps.
#![cfg(unix)]

mod adjudicate;
mod blind;
mod copies;
#[cfg(feature = "search")]
mod corpus_search;
mod decide;
mod disks;
mod editions;
mod failures;
mod heat;
mod kills;
mod learning;
mod looks;
mod occurrences;
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
