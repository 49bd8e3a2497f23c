//! Where a curator was before a jump to another place, to come back with one key.

use super::rows::{Folding, PaneRow, row_of};
use super::session::{PaneState, Session};
use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::BookId;

/// Places that are remembered.
const MAX_JUMPS: usize = 100;

/// Where to go in a book.
#[derive(Clone, Debug, PartialEq)]
pub enum JumpTarget {
    /// To a line, in the pane of an end.
    Line(End, u32),
    /// To where one was.
    Origin(Box<JumpOrigin>),
}

/// A place that was left.
#[derive(Clone, Debug, PartialEq)]
pub struct JumpOrigin {
    /// The book.
    pub book: BookId,
    end: End,
    whole_text: bool,
    folding: Folding,
    /// Head, tail and whole text.
    panes: [PanePosition; 3],
    seen: [bool; 2],
    cuts: Cuts,
}

/// Where a pane is in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PanePosition {
    /// The line of its top row, and whether that row is text and no rule.
    top: (u32, bool),
    /// The line of its cursor.
    cursor: u32,
}

/// The places that were left, the last one last.
#[derive(Clone, Debug, Default)]
pub struct JumpList(Vec<JumpOrigin>);

impl JumpList {
    /// Remembers a place.
    pub fn push(&mut self, left: JumpOrigin) {
        if self.0.len() >= MAX_JUMPS {
            self.0.remove(0);
        }
        self.0.push(left);
    }

    /// The last place, which is forgotten.
    pub fn pop(&mut self) -> Option<JumpOrigin> {
        self.0.pop()
    }
}

impl JumpOrigin {
    /// Where the curator is; nowhere without an open book.
    pub fn now(session: &Session) -> Option<JumpOrigin> {
        let open = session.doc.open.as_ref()?;
        let line = |row: usize| {
            let row = session.doc.rows.get(row);
            row.map_or((1, true), |row| (row.first(), row.is_text()))
        };
        let stand = |pane: PaneState| PanePosition {
            top: line(pane.top),
            cursor: line(pane.cursor).0,
        };
        Some(JumpOrigin {
            book: session.entry()?.id.clone()?,
            end: session.doc.end,
            whole_text: session.screen.view_options.whole_text,
            folding: session.doc.folding.clone(),
            panes: [session.doc.head, session.doc.tail, session.doc.whole].map(stand),
            seen: session.doc.seen,
            cuts: open.decision.cuts,
        })
    }

    /// How the text was shown: to be applied before the rows are made.
    pub(super) fn restore_view(&self, session: &mut Session) {
        session.doc.end = self.end;
        session.screen.view_options.whole_text = self.whole_text;
        session.doc.folding = self.folding.clone();
    }

    /// The panes, over the rows that were made.
    pub(super) fn restore_panes(&self, session: &mut Session) {
        let rows = &session.doc.rows;
        let pane = |stand: PanePosition| PaneState {
            top: match stand.top {
                (line, true) => row_of(rows, line),
                (line, false) => first_at(rows, line),
            },
            cursor: row_of(rows, stand.cursor),
        };
        [session.doc.head, session.doc.tail, session.doc.whole] = self.panes.map(pane);
        let same = |cuts: Cuts| cuts == self.cuts;
        if session
            .doc
            .open
            .as_ref()
            .is_some_and(|open| same(open.decision.cuts))
        {
            session.doc.seen = self.seen;
        }
    }
}

/// The first rule of those that are before a line and have its number, or else the line.
fn first_at(rows: &[PaneRow], line: u32) -> usize {
    let at = row_of(rows, line);
    let rules = rows[..at.min(rows.len())].iter().rev();
    at - rules
        .take_while(|row| !row.is_text() && row.first() == line)
        .count()
}
