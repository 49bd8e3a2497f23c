//! Remembering positions before jumps, and going back to them.

use super::{moves, opening};
use crate::jump_list::{JumpOrigin, JumpTarget};
use crate::message::Effect;
use crate::session::{PageNotice, PendingJump, Session};

pub(super) fn remember_place(session: &mut Session) {
    if let Some(left) = JumpOrigin::now(session) {
        session.sitting.jump_list.push(left);
    }
}

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

/// Goes back to the position before the last jump.
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

/// Removes and returns the last remembered position whose book is still in the corpus.
fn last(session: &mut Session) -> Option<(usize, JumpOrigin)> {
    loop {
        let left = session.sitting.jump_list.pop()?;
        let mut entries = session.entries.iter();
        if let Some(book) = entries.position(|entry| entry.id.as_ref() == Some(&left.book)) {
            return Some((book, left));
        }
    }
}
