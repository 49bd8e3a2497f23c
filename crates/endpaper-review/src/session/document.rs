//! The open document: its book, rows and panes.

use std::collections::BTreeSet;

use crate::decision::BookState;
use crate::rows::{Folding, PaneRow};
use crate::search::PageSearch;
use endpaper_detect::End;

/// Top row and cursor row of a pane, as indices into [`OpenDocument::rows`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaneState {
    /// First row shown.
    pub top: usize,
    /// Row of the cursor.
    pub cursor: usize,
}

/// The document on the page.
#[derive(Clone, Debug)]
pub struct OpenDocument {
    /// The open book; `None` while it is being read, or if reading failed.
    pub open: Option<BookState>,
    pub(crate) trouble: Option<String>,
    /// The active end.
    pub end: End,
    /// Rows of the open book, shared by both panes.
    pub rows: Vec<PaneRow>,
    /// The folded blocks.
    pub folding: Folding,
    pub(crate) head: PaneState,
    pub(crate) tail: PaneState,
    /// The single pane of the whole-text view.
    pub(crate) whole: PaneState,
    /// Whether each cut of the open book has been on screen: start, end.
    pub(crate) seen: [bool; 2],
    /// Lines that contradict a cut and have been on screen ([`crate::alerts`]).
    pub(crate) seen_alerts: BTreeSet<u32>,
    pub(crate) search: Option<PageSearch>,
}

impl Default for OpenDocument {
    fn default() -> OpenDocument {
        OpenDocument {
            open: None,
            trouble: None,
            end: End::Start,
            rows: Vec::new(),
            folding: Folding::default(),
            head: PaneState::default(),
            tail: PaneState::default(),
            whole: PaneState::default(),
            seen: [false; 2],
            seen_alerts: BTreeSet::new(),
            search: None,
        }
    }
}

impl OpenDocument {
    /// Positions to which the digits 1 to 9 move the cut of the active end.
    pub fn digit_positions(&self) -> Vec<u32> {
        let places = |book: &BookState| book.digit_positions(self.end);
        self.open.as_ref().map_or_else(Vec::new, places)
    }

    /// Whether the open book has changes that are not saved.
    pub(crate) fn has_unsaved_changes(&self) -> bool {
        self.open
            .as_ref()
            .is_some_and(BookState::has_unsaved_changes)
    }

    /// Closes the book and shows `reason` instead.
    pub(crate) fn close(&mut self, reason: String) {
        self.open = None;
        self.rows.clear();
        self.trouble = Some(reason);
    }
}
