//! Leaving a place with a jump, and coming back to it.

use super::{moves, opening};
use crate::jump_list::{JumpOrigin, JumpTarget};
use crate::message::Effect;
use crate::session::{PageNotice, PendingJump, Session};

/// Remembers where the curator is, before a jump.
pub(super) fn remember_place(session: &mut Session) {
    if let Some(left) = JumpOrigin::now(session) {
        session.sitting.jump_list.push(left);
    }
}

/// Goes to a place of the open book.
pub(super) fn go_to(session: &mut Session, spot: JumpTarget) {
    match spot {
        JumpTarget::Line(end, line) => {
            session.doc.end = end;
            moves::jump(session, line);
        }
        JumpTarget::Origin(left) => {
            left.restore_view(session);
            moves::rebuild(session);
            left.restore_panes(session);
            moves::keep_visible(session);
        }
    }
}

/// Back to where the curator was before the last jump.
pub(super) fn back(session: &mut Session) -> Vec<Effect> {
    let Some((book, left)) = last(session) else {
        session.notify(PageNotice::NoJump);
        return Vec::new();
    };
    let spot = JumpTarget::Origin(Box::new(left));
    if book == session.current && session.doc.open.is_some() {
        go_to(session, spot);
        return Vec::new();
    }
    let goto = PendingJump {
        decision: None,
        notice: Some(PageNotice::CameBack.into()),
        target: Some(spot),
    };
    opening::open(session, book, Some(goto))
}

/// The last place that was left, in a book that still is in the corpus.
fn last(session: &mut Session) -> Option<(usize, JumpOrigin)> {
    loop {
        let left = session.sitting.jump_list.pop()?;
        let mut entries = session.entries.iter();
        if let Some(book) = entries.position(|entry| entry.id.as_ref() == Some(&left.book)) {
            return Some((book, left));
        }
    }
}
