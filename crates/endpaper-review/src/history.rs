//! Undo and redo across the books of a sitting.
//!
//! Every change of a decision is an [`Edit`] with the decisions before and after. A verdict also keeps the contents of the record's
//! file before it was saved, so that undo restores the same bytes; so does a mark set on many books, a [`BulkEdit`], which is one
//! step. Moving, scrolling and searching are not edits. The history ends with the sitting, and of a very long one it keeps the
//! newest steps.

use super::bulk::{BulkChange, BulkEdit, BulkMark};
use super::decision::Decision;
use endpaper_detect::End;
use endpaper_truth::Snapshot;

/// Small moves of one cut, each within this many milliseconds of the last, are merged into one edit.
const MERGE_WITHIN: u64 = 1000;

/// Most memory of the steps that can be undone, in bytes: some thousand verdicts. The oldest are forgotten beyond it.
const MOST_MEMORY: usize = 8 << 20;

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

/// What one undo takes back.
#[derive(Clone, Debug)]
pub enum HistoryStep {
    /// A change of one book.
    Edit(Box<Edit>),
    /// A mark set on many books.
    Bulk(BulkEdit),
}

impl HistoryStep {
    /// Its memory in bytes, nearly: contents of files, and what is around them.
    fn memory(&self) -> usize {
        let of = |snapshot: &Snapshot| snapshot.0.as_ref().map_or(0, Vec::len);
        match self {
            HistoryStep::Edit(edit) => {
                let files = edit.disk.as_ref();
                size_of::<Edit>() + files.map_or(0, |(before, after)| of(before) + of(after))
            }
            HistoryStep::Bulk(bulk) => {
                let changes = bulk.changes.iter();
                let files: usize = changes.map(|it| of(&it.before) + of(&it.after)).sum();
                files + size_of::<BulkEdit>() + bulk.changes.len() * size_of::<BulkChange>()
            }
        }
    }
}

/// The steps done and undone.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<HistoryStep>,
    undone: Vec<HistoryStep>,
}

impl History {
    /// Adds a change and drops the undone ones.
    pub fn push(&mut self, edit: Edit) {
        self.undone.clear();
        if let Some(HistoryStep::Edit(last)) = self.done.last_mut() {
            let soon = edit.at.saturating_sub(last.at) <= MERGE_WITHIN;
            if edit.nudge.is_some() && last.nudge == edit.nudge && last.book == edit.book && soon {
                last.after = edit.after;
                last.at = edit.at;
                return;
            }
        }
        self.done.push(HistoryStep::Edit(Box::new(edit)));
        self.forget_oldest();
    }

    /// Forgets steps beyond [`MOST_MEMORY`], never the newest.
    fn forget_oldest(&mut self) {
        let mut memory = 0;
        let kept = self.done.iter().rev().take_while(|step| {
            let before = memory;
            memory += step.memory();
            before == 0 || memory <= MOST_MEMORY
        });
        let forgotten = self.done.len() - kept.count();
        self.done.drain(..forgotten);
    }

    /// Stores what the save of a book's newest verdict replaced.
    pub fn saved(&mut self, book: usize, before: Snapshot, after: Snapshot) {
        let mut edits = self.done.iter_mut().rev().filter_map(|step| match step {
            HistoryStep::Edit(edit) => Some(edit.as_mut()),
            HistoryStep::Bulk(_) => None,
        });
        let verdict = |edit: &&mut Edit| {
            edit.book == book && edit.disk.is_none() && edit.after.verdict.is_decided()
        };
        if let Some(edit) = edits.find(verdict) {
            edit.disk = Some((before, after));
        }
    }

    /// Notes that a draft replaced a record: undoing an earlier mark of this sitting then expects the draft.
    pub fn follow_draft(&mut self, book: usize, before: &Snapshot, after: &Snapshot) {
        let changes = self.done.iter_mut().filter_map(|step| match step {
            HistoryStep::Bulk(bulk) => bulk.changes.iter_mut().find(|change| change.book == book),
            HistoryStep::Edit(_) => None,
        });
        for change in changes.filter(|change| change.after == *before) {
            change.after = after.clone();
        }
    }

    /// Drops all changes of a book: its record now comes from another process or user, and undo must not overwrite it.
    pub fn forget(&mut self, book: usize) {
        for steps in [&mut self.done, &mut self.undone] {
            steps.retain_mut(|step| match step {
                HistoryStep::Edit(edit) => edit.book != book,
                HistoryStep::Bulk(bulk) => {
                    bulk.changes.retain(|change| change.book != book);
                    bulk.books.retain(|&other| other != book);
                    true
                }
            });
        }
    }

    /// The first change of a book alone that can be undone.
    pub fn first_of(&self, book: usize) -> Option<&Edit> {
        self.done.iter().find_map(|step| match step {
            HistoryStep::Edit(edit) if edit.book == book => Some(&**edit),
            _ => None,
        })
    }

    /// The step that undo would revert.
    pub fn last(&self) -> Option<&HistoryStep> {
        self.done.last()
    }

    /// The step that redo would repeat.
    pub fn next(&self) -> Option<&HistoryStep> {
        self.undone.last()
    }

    /// Moves the newest step to the undone ones and returns it.
    pub fn undo(&mut self) -> Option<HistoryStep> {
        let step = self.done.pop()?;
        self.undone.push(step.clone());
        Some(step)
    }

    /// Moves the newest undone step back and returns it, without its saves, which are no longer on disk.
    pub fn redo(&mut self) -> Option<HistoryStep> {
        let step = match self.undone.pop()? {
            HistoryStep::Edit(edit) => HistoryStep::Edit(Box::new(Edit {
                disk: None,
                ..*edit
            })),
            HistoryStep::Bulk(bulk) => HistoryStep::Bulk(BulkEdit {
                changes: Vec::new(),
                ..bulk
            }),
        };
        self.done.push(step.clone());
        Some(step)
    }

    /// Adds the step of a mark on many books, unless it is there.
    pub fn begin_bulk(&mut self, id: u64, mark: &BulkMark) {
        if self.bulk_mut(id).is_none() {
            self.undone.clear();
            self.done.push(HistoryStep::Bulk(BulkEdit {
                id,
                mark: mark.clone(),
                changes: Vec::new(),
                books: Vec::new(),
            }));
            self.forget_oldest();
        }
    }

    /// The step of a mark on many books.
    pub fn bulk_mut(&mut self, id: u64) -> Option<&mut BulkEdit> {
        self.done.iter_mut().rev().find_map(|step| match step {
            HistoryStep::Bulk(bulk) => Some(bulk).filter(|bulk| bulk.id == id),
            HistoryStep::Edit(_) => None,
        })
    }

    /// Adds a marked book to its step.
    pub fn add_to_bulk(&mut self, id: u64, change: BulkChange) {
        if let Some(bulk) = self.bulk_mut(id) {
            bulk.books.push(change.book);
            bulk.changes.push(change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_steps_stay_within_the_memory() {
        let file = |size| Snapshot(Some(vec![b'x'; size]));
        let mut history = History::default();
        for at in 0..100 {
            history.push(Edit {
                book: at,
                before: Decision::default(),
                after: Decision {
                    verdict: endpaper_truth::Verdict::Confirmed,
                    ..Decision::default()
                },
                nudge: None,
                at: at as u64,
                disk: None,
            });
            history.saved(at, file(1 << 19), file(1 << 19));
        }
        // The step that was pushed last got its files after it.
        assert_eq!(history.done.len(), 8, "7 with files and the newest");
        assert_eq!(history.first_of(99).map(|edit| edit.book), Some(99));
        assert!(history.first_of(60).is_none());
        history.saved(99, file(0), file(0));
        assert!(history.undo().is_some(), "the newest is never forgotten");
    }
}
