//! Going to the most doubtful undecided book, whatever the order of the queue.

use super::opening;
use crate::message::Effect;
use crate::outlook::{DOUBTFUL, outlook};
use crate::queue::QueueOrder;
use crate::session::{QueueNotice, Session};

/// Opens the undecided book of the queue with the highest doubt, other than the one on screen.
pub(super) fn open(session: &mut Session) -> Vec<Effect> {
    let entries = &session.entries;
    let doubt = |book: usize| entries.get(book).and_then(|entry| entry.doubt);
    let open = session.queue.books.iter().copied();
    let undecided = open.filter(|&book| session.queue.needs_decision(book, entries));
    let others = undecided.filter(|&book| book != session.current);
    // Of equally doubtful books the first in the queue.
    let most = others
        .filter_map(|book| Some((doubt(book)?, book)))
        .reduce(|most, other| if other.0 > most.0 { other } else { most });
    let Some((doubt, book)) = most else {
        session.notify(QueueNotice::NoDoubtKnown);
        return Vec::new();
    };
    if doubt < DOUBTFUL
        && let Some(outlook) = outlook(session)
    {
        session.notify(QueueNotice::NoneDoubtful(outlook));
    } else {
        session.notify(QueueNotice::MostDoubtful {
            doubt,
            outlook: outlook(session),
        });
    }
    let how = match session.queue.is_narrowed() {
        true => "filtered:doubt",
        false => QueueOrder::Doubt.name(),
    };
    opening::open_picked(session, book, how)
}
