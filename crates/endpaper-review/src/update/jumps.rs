//! Remembering positions before jumps, and showing them again.

use super::moves;
use crate::jump_list::{JumpOrigin, JumpTarget, PanePosition};
use crate::rows::{PaneRow, row_of};
use crate::session::{PaneState, Session};
use endpaper_detect::Cuts;

/// Notes the present position, to return to it after a jump.
pub(super) fn remember_place(session: &mut Session) {
    if let Some(left) = origin(session) {
        session.sitting.jump_list.push(left);
    }
}

/// Goes to a position of the open book.
pub(super) fn go_to(session: &mut Session, spot: JumpTarget) {
    match spot {
        JumpTarget::Line(end, line) => {
            session.doc.end = end;
            moves::jump(session, line);
        }
        JumpTarget::Origin(left) => {
            restore_view(&left, session);
            moves::rebuild(session);
            restore_panes(&left, session);
            moves::keep_visible(session);
        }
    }
}

/// The current position; `None` without an open book.
fn origin(session: &Session) -> Option<JumpOrigin> {
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

/// Restores the view options and folds, before the rows are rebuilt.
fn restore_view(left: &JumpOrigin, session: &mut Session) {
    session.doc.end = left.end;
    session.screen.view_options.whole_text = left.whole_text;
    session.doc.folding = left.folding.clone();
}

/// Restores the panes, after the rows are rebuilt.
fn restore_panes(left: &JumpOrigin, session: &mut Session) {
    let rows = &session.doc.rows;
    let pane = |stand: PanePosition| PaneState {
        top: match stand.top {
            (line, true) => row_of(rows, line),
            (line, false) => first_at(rows, line),
        },
        cursor: row_of(rows, stand.cursor),
    };
    [session.doc.head, session.doc.tail, session.doc.whole] = left.panes.map(pane);
    let same = |cuts: Cuts| cuts == left.cuts;
    if session
        .doc
        .open
        .as_ref()
        .is_some_and(|open| same(open.decision.cuts))
    {
        session.doc.seen = left.seen;
    }
}

/// The index of the first of the rules directly before a line, or else of the line.
fn first_at(rows: &[PaneRow], line: u32) -> usize {
    let at = row_of(rows, line);
    let rules = rows[..at.min(rows.len())].iter().rev();
    at - rules
        .take_while(|row| !row.is_text() && row.first() == line)
        .count()
}
