//! What this sitting brought, and how its books came up.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::history::History;
use crate::jump_list::JumpList;

/// What this sitting brought.
#[derive(Clone, Debug, Default)]
pub struct SittingTally {
    /// Books with a verdict given in this sitting.
    pub decided: BTreeSet<usize>,
    /// Those corrected.
    pub corrected: BTreeSet<usize>,
    /// Those marked hard.
    pub hard: BTreeSet<usize>,
    /// Those that came up with the change of another book's correction.
    pub propagated: BTreeSet<usize>,
    /// Files written, relative to the truth folder.
    pub files: BTreeSet<PathBuf>,
    /// Books that were decided, each once, the newest last.
    pub recent: Vec<usize>,
    /// Second looks: by how many lines they differ from the decision before; `None`: in what the file is.
    pub second_looks: BTreeMap<usize, Option<u32>>,
}

/// What is remembered of a sitting until it ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct SittingLog {
    /// What it brought.
    pub tally: SittingTally,
    /// Undo and redo.
    pub(crate) history: History,
    /// Where the curator was before jumps to other places.
    pub(crate) jump_list: JumpList,
    /// How books were drawn that did not come up in the order of the queue.
    pub(crate) selection: BTreeMap<usize, &'static str>,
    /// Books that came up in the order of names, or are about to, because the corpus was not read yet.
    pub(crate) by_name: BTreeSet<usize>,
    /// How long books were on screen that were left or read again, in milliseconds.
    pub(crate) time_on_screen: BTreeMap<usize, u64>,
}
