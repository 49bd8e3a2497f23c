//! Undo and redo across the books of a sitting.
//!
//! Every change of a decision is an [`Edit`] with the decisions before and after. A verdict also keeps the contents of the record's
//! file before it was saved, so that undo restores the same bytes. Moving, scrolling and searching are not edits. The history ends
//! with the sitting.

use super::decision::Decision;
use endpaper_detect::End;
use endpaper_truth::Snapshot;

/// Small moves of one cut, each within this many milliseconds of the last, are merged into one edit.
const MERGE_WITHIN: u64 = 1000;

/// One change.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Index of the book.
    pub book: usize,
    /// Before.
    pub before: Decision,
    /// After.
    pub after: Decision,
    /// The cut that was moved, if the edit may merge with the next one.
    pub nudge: Option<End>,
    /// Time of the edit, milliseconds since 1970.
    pub at: u64,
    /// For a saved verdict: contents of the record's file before and after.
    pub disk: Option<(Snapshot, Snapshot)>,
}

impl Edit {
    /// Describes the change as made, or redone: `preamble cut 41 → 38`.
    pub fn description(&self) -> String {
        self.describe(&self.before, &self.after)
    }

    /// Describes what undoing it changes: `preamble cut 38 → 41`. For a verdict, names the verdict that is undone.
    pub fn undo_description(&self) -> String {
        self.describe(&self.after, &self.before)
    }

    /// What differs between two decisions, in words.
    fn describe(&self, a: &Decision, b: &Decision) -> String {
        let mut words = Vec::new();
        let verdict = self.after.verdict;
        if self.before.verdict != verdict && verdict.is_decided() {
            words.push(format!("verdict {verdict}"));
        }
        if a.cuts.preamble_end != b.cuts.preamble_end {
            words.push(format!(
                "preamble cut {} → {}",
                a.cuts.preamble_end, b.cuts.preamble_end
            ));
        }
        if a.cuts.epilogue_start != b.cuts.epilogue_start {
            let name = |line: Option<u32>| line.map_or("none".to_owned(), |line| line.to_string());
            let (from, to) = (name(a.cuts.epilogue_start), name(b.cuts.epilogue_start));
            words.push(format!("epilogue cut {from} → {to}"));
        }
        let others = [
            (a.kind != b.kind, "kind"),
            (a.hard != b.hard, "hard"),
            (a.flags != b.flags, "flags"),
            (a.note != b.note, "note"),
            (a.alternatives != b.alternatives, "alternative"),
            (a.inside != b.inside, "boilerplate inside"),
        ];
        words.extend(
            others
                .iter()
                .filter(|(changed, _)| *changed)
                .map(|(_, word)| (*word).to_owned()),
        );
        words.join(", ")
    }
}

/// The edits done and undone.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<Edit>,
    undone: Vec<Edit>,
}

impl History {
    /// Adds a change and drops the undone ones.
    pub fn push(&mut self, edit: Edit) {
        self.undone.clear();
        if let Some(last) = self.done.last_mut() {
            let soon = edit.at.saturating_sub(last.at) <= MERGE_WITHIN;
            if edit.nudge.is_some() && last.nudge == edit.nudge && last.book == edit.book && soon {
                last.after = edit.after;
                last.at = edit.at;
                return;
            }
        }
        self.done.push(edit);
    }

    /// Stores what the save of a book's newest verdict replaced.
    pub fn saved(&mut self, book: usize, before: Snapshot, after: Snapshot) {
        let verdict = |edit: &&mut Edit| {
            edit.book == book && edit.disk.is_none() && edit.after.verdict.is_decided()
        };
        if let Some(edit) = self.done.iter_mut().rev().find(verdict) {
            edit.disk = Some((before, after));
        }
    }

    /// Drops all changes of a book: its record now comes from another process or user, and undo must not overwrite it.
    pub fn forget(&mut self, book: usize) {
        self.done.retain(|edit| edit.book != book);
        self.undone.retain(|edit| edit.book != book);
    }

    /// The change that undo would revert.
    pub fn last(&self) -> Option<&Edit> {
        self.done.last()
    }

    /// The change that redo would repeat.
    pub fn next(&self) -> Option<&Edit> {
        self.undone.last()
    }

    /// Moves the newest change to the undone ones and returns it.
    pub fn undo(&mut self) -> Option<Edit> {
        let edit = self.done.pop()?;
        self.undone.push(edit.clone());
        Some(edit)
    }

    /// Moves the newest undone change back and returns it, without its save, which is no longer on disk.
    pub fn redo(&mut self) -> Option<Edit> {
        let edit = Edit {
            disk: None,
            ..self.undone.pop()?
        };
        self.done.push(edit.clone());
        Some(edit)
    }
}
