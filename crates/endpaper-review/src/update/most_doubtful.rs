//! Going to the most doubtful undecided book, whatever the order of the queue.

use std::cmp::Ordering;

use super::opening;
use crate::message::Effect;
use crate::outlook::{DOUBTFUL, outlook};
use crate::queue::QueueOrder;
use crate::session::{QueueNotice, Session};

/// Opens the undecided book of the queue with the highest doubt; stays if it is the one on screen.
pub(super) fn open(session: &mut Session) -> Vec<Effect> {
    let entries = &session.entries;
    let doubt = |book: usize| entries.get(book).and_then(|entry| entry.doubt);
    let open = session.queue.books.iter().copied();
    let undecided = open.filter(|&book| session.queue.needs_decision(book, entries));
    // Of equally doubtful books the one on screen, then the first in the queue.
    let on_screen = |book: usize| book == session.current;
    let most = undecided
        .filter_map(|book| Some((doubt(book)?, book)))
        .reduce(|most, other| match other.0.total_cmp(&most.0) {
            Ordering::Greater => other,
            Ordering::Equal if on_screen(other.1) => other,
            _ => most,
        });
    let Some((doubt, book)) = most else {
        session.notify(QueueNotice::NoDoubtKnown);
        return Vec::new();
    };
    let (is_open, left) = (on_screen(book), outlook(session));
    session.notify(match left {
        Some(outlook) if doubt < DOUBTFUL => QueueNotice::NoneDoubtful(outlook),
        outlook => QueueNotice::MostDoubtful { is_open, outlook },
    });
    if is_open {
        return Vec::new();
    }
    let how = match session.queue.is_narrowed() {
        true => "filtered:doubt",
        false => QueueOrder::Doubt.name(),
    };
    opening::open_picked(session, book, how)
}
