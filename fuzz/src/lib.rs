//! Fuzz targets: every reader of foreign bytes, and three promises.
//!
//! A target is a function that panics where something is wrong. libFuzzer drives the functions (`fuzz_targets/`, see
//! `lab/fuzz-all`); `tests/corpus.rs` calls them with everything that was ever found, and with the first words of a corpus.

mod binary;
mod books;
mod damaged;
mod records;
#[cfg(feature = "search")]
mod search;
mod small;
mod terminal;

pub use terminal::program;

/// A target: its name, which is that of its folder in `corpus/`, and its function.
pub type FuzzTarget = (&'static str, fn(&[u8]));

/// All targets, in the order in which `lab/fuzz-all` runs them.
pub const TARGETS: &[FuzzTarget] = &[
    ("text", books::text),
    ("zip", books::zip),
    ("gzip", books::gzip),
    #[cfg(feature = "documents")]
    ("pdf", books::pdf),
    #[cfg(feature = "documents")]
    ("epub", books::epub),
    ("yaml_record", records::yaml),
    ("table", records::table),
    ("jsonl", records::jsonl),
    ("annotations", records::annotations),
    ("model", binary::model),
    ("part", binary::part),
    ("profile", binary::profile),
    ("cache", binary::cache),
    #[cfg(feature = "search")]
    ("search_index", search::index),
    #[cfg(feature = "search")]
    ("query", search::query),
    ("settings", small::settings),
    ("theme", small::theme),
    ("keys", small::keys),
    ("record_round_trip", records::round_trip),
    ("reanchor", records::reanchor),
    ("terminal_output", terminal::output),
];

/// Runs the target of this name, for a program that libFuzzer drives.
///
/// # Panics
///
/// If there is no such target, or if it finds something.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|(target, _)| *target == name);
    let (_, target) = target.unwrap_or_else(|| panic!("no target '{name}'"));
    target(bytes);
}
