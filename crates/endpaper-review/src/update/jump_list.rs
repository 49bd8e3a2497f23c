//! Going back to the position before a jump.

use super::{jumps, opening};
use crate::jump_list::{JumpOrigin, JumpTarget};
use crate::message::Effect;
use crate::session::{PageNotice, PendingJump, Session};

/// Goes back to the position before the last jump.
pub(super) fn back(session: &mut Session) -> Vec<Effect> {
    let Some((book, left)) = last(session) else {
        session.notify(PageNotice::NoJump);
        return Vec::new();
    };
    let spot = JumpTarget::Origin(Box::new(left));
    if book == session.current && session.doc.open.is_some() {
        jumps::go_to(session, spot);
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
