//! Undo and redo over the whole sitting, across books.
//!
//! Every change of a decision is an [`Edit`] with what was before and after. A verdict also remembers what was in
//! the record's file before it was saved, so that undo restores the very bytes. Moving, scrolling and searching are no
//! edits. Nothing of this outlives the sitting.

use super::decision::Decision;
use endpaper_detect::End;
use endpaper_truth::Snapshot;

/// Nudges of one cut within this many milliseconds are one edit.
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
    /// A nudge of this cut, that may merge with the next one.
    pub nudge: Option<End>,
    /// When, milliseconds since 1970.
    pub at: u64,
    /// For a saved verdict: the record's file before and after.
    pub disk: Option<(Snapshot, Snapshot)>,
}

impl Edit {
    /// What was changed, in words: `preamble cut 41 → 38`.
    pub fn description(&self) -> String {
        self.describe(&self.before, &self.after)
    }

    /// What undoing it changed: `preamble cut 38 → 41`. A verdict is named, not its absence.
    pub fn undo_description(&self) -> String {
        self.describe(&self.after, &self.before)
    }

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

/// What was done and what was undone.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<Edit>,
    undone: Vec<Edit>,
}

impl History {
    /// Adds a change; drops what could have been redone.
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

    /// Remembers what the save of the newest verdict of a book replaced.
    pub fn saved(&mut self, book: usize, before: Snapshot, after: Snapshot) {
        let verdict = |edit: &&mut Edit| {
            edit.book == book && edit.disk.is_none() && edit.after.verdict.is_decided()
        };
        if let Some(edit) = self.done.iter_mut().rev().find(verdict) {
            edit.disk = Some((before, after));
        }
    }

    /// Drops every change of a book: another process or user's record is current, and undoing ours would speak against it.
    pub fn forget(&mut self, book: usize) {
        self.done.retain(|edit| edit.book != book);
        self.undone.retain(|edit| edit.book != book);
    }

    /// The change that undo would take back.
    pub fn last(&self) -> Option<&Edit> {
        self.done.last()
    }

    /// The change that redo would do again.
    pub fn next(&self) -> Option<&Edit> {
        self.undone.last()
    }

    /// Moves the newest change to the undone ones.
    pub fn undo(&mut self) -> Option<Edit> {
        let edit = self.done.pop()?;
        self.undone.push(edit.clone());
        Some(edit)
    }

    /// Moves the newest undone change back. Its save, if it had one, is not on disk any longer.
    pub fn redo(&mut self) -> Option<Edit> {
        let edit = Edit {
            disk: None,
            ..self.undone.pop()?
        };
        self.done.push(edit.clone());
        Some(edit)
    }
}
