//! The open document: its book, its rows, where its panes are and what of it was seen.

use crate::decision::BookState;
use crate::rows::{Folding, PaneRow};
use crate::search::PageSearch;
use endpaper_detect::End;

/// Top row and cursor row of a pane, indices into [`OpenDocument::rows`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaneState {
    /// First row shown.
    pub top: usize,
    /// Row of the cursor.
    pub cursor: usize,
}

/// What is on the page.
#[derive(Clone, Debug)]
pub struct OpenDocument {
    /// The open book; `None` while it is read, or if it cannot be.
    pub open: Option<BookState>,
    /// Why the current book cannot be shown.
    pub(crate) trouble: Option<String>,
    /// The active end.
    pub end: End,
    /// Rows of the open book; both panes look at them.
    pub rows: Vec<PaneRow>,
    /// Which blocks are folded.
    pub folding: Folding,
    /// The head pane.
    pub(crate) head: PaneState,
    /// The tail pane.
    pub(crate) tail: PaneState,
    /// The only pane of the whole-text view.
    pub(crate) whole: PaneState,
    /// Whether each cut of the open book has been on screen: start, end.
    pub(crate) seen: [bool; 2],
    /// The search in force.
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
            search: None,
        }
    }
}

impl OpenDocument {
    /// Lines before which the digits 1 to 9 would put the cut of the active end.
    pub fn digit_positions(&self) -> Vec<u32> {
        let places = |book: &BookState| book.digit_positions(self.end);
        self.open.as_ref().map_or_else(Vec::new, places)
    }

    /// The open book has changes that are not on disk.
    pub(crate) fn has_unsaved_changes(&self) -> bool {
        self.open
            .as_ref()
            .is_some_and(BookState::has_unsaved_changes)
    }

    /// Shows nothing, and the reason in its place.
    pub(crate) fn close(&mut self, reason: String) {
        self.open = None;
        self.rows.clear();
        self.trouble = Some(reason);
    }
}
