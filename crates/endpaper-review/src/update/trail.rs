//! Leaving a place with a jump, and coming back to it.

use super::{moves, opening};
use crate::message::Effect;
use crate::session::{PageNotice, PendingJump, Session};
use crate::trail::{JumpOrigin, JumpTarget};

/// Remembers where the curator is, before a jump.
pub(super) fn leave(session: &mut Session) {
    if let Some(left) = JumpOrigin::now(session) {
        session.sitting.trail.push(left);
    }
}

/// Goes to a place of the open book.
pub(super) fn arrive(session: &mut Session, spot: JumpTarget) {
    match spot {
        JumpTarget::Line(end, line) => {
            session.doc.end = end;
            moves::jump(session, line);
        }
        JumpTarget::Left(left) => {
            left.unfold(session);
            moves::rebuild(session);
            left.place(session);
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
    let spot = JumpTarget::Left(Box::new(left));
    if book == session.current && session.doc.open.is_some() {
        arrive(session, spot);
        return Vec::new();
    }
    let goto = PendingJump {
        decision: None,
        say: Some(PageNotice::CameBack.into()),
        spot: Some(spot),
    };
    opening::open(session, book, Some(goto))
}

/// The last place that was left, in a book that still is in the corpus.
fn last(session: &mut Session) -> Option<(usize, JumpOrigin)> {
    loop {
        let left = session.sitting.trail.pop()?;
        let mut entries = session.entries.iter();
        if let Some(book) = entries.position(|entry| entry.id.as_ref() == Some(&left.book)) {
            return Some((book, left));
        }
    }
}
