//! The results of a sitting, and what it remembers until it ends.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::history::History;
use crate::jump_list::JumpList;

/// The most of a pause between two inputs that counts as time spent on a book, in milliseconds: who is away longer is not
/// reading.
pub(crate) const IDLE_LIMIT: u64 = 120_000;

/// Results of a sitting.
#[derive(Clone, Debug, Default)]
pub struct SittingTally {
    /// Books with a verdict given in this sitting.
    pub decided: BTreeSet<usize>,
    /// Corrected books.
    pub corrected: BTreeSet<usize>,
    /// Books marked hard.
    pub hard: BTreeSet<usize>,
    /// Decided books that came from a propagation.
    pub propagated: BTreeSet<usize>,
    /// Files written, relative to the truth folder.
    pub files: BTreeSet<PathBuf>,
    /// Decided books without repetition, the newest last.
    pub recent: Vec<usize>,
    /// Second looks: number of lines by which each differs from the earlier decision; `None` if the kind differs.
    pub second_looks: BTreeMap<usize, Option<u32>>,
}

/// What a sitting did so far: its results, its undo history, the jumps, and the time spent on each book.
#[derive(Clone, Debug, Default)]
pub(crate) struct SittingLog {
    /// Its results.
    pub tally: SittingTally,
    pub(crate) history: History,
    /// Positions before jumps.
    pub(crate) jump_list: JumpList,
    /// How each book that did not come in queue order was selected.
    pub(crate) selection: BTreeMap<usize, &'static str>,
    /// Books shown, or about to be, in order of name because the corpus was not read yet.
    pub(crate) by_name: BTreeSet<usize>,
    /// Books changed in this sitting, with their hard mark, flags, alternatives and note in words.
    pub(crate) marks: BTreeMap<usize, String>,
    /// How long each book was on screen up to the last input on it, without long pauses, in milliseconds.
    pub(crate) time_on_screen: BTreeMap<usize, u64>,
}
