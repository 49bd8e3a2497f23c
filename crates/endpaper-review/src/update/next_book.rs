//! The next undecided book, and what is reported when none is left.

use super::{blind, opening, replay};
use crate::message::Effect;
use crate::session::{BlindNotice, QueueNotice, Session, Tone};

/// Opens the next undecided book, or reports that none is left.
pub(super) fn next_open(session: &mut Session) -> Vec<Effect> {
    if let Some(effects) = replay::go_on(session) {
        return effects;
    }
    if let Some(book) = blind::next(session, session.current) {
        session.sitting.selection.remove(&book);
        return opening::open(session, book, None);
    }
    if session.modes.sampling.is_some() {
        return sample_done(session);
    }
    if session.options.re_review {
        return none_left(session);
    }
    // The current book may be the last undecided one.
    let this_is_open = session
        .queue
        .needs_decision(session.current, &session.entries);
    let (decided, readable) = session.decided_and_decidable();
    let saved = session.screen.notice.take();
    let saved = saved.filter(|notice| notice.tone() == Tone::Good);
    session.notify(QueueNotice::NoneLeft {
        saved: saved.map(Box::new),
        this_is_open,
        decided,
        readable,
    });
    opening::leave(session)
}

/// Reports that every book of the sample is reviewed.
fn sample_done(session: &mut Session) -> Vec<Effect> {
    let told = session.modes.sampling.as_ref();
    let told = told.map_or_else(String::new, |sampling| sampling.summary());
    session.notify(BlindNotice::SampleDone(told));
    opening::leave(session)
}

/// Reports that no book is left for a second look.
fn none_left(session: &mut Session) -> Vec<Effect> {
    let looked = session.sitting.tally.second_looks.len();
    let before = session.screen.notice.take().map(Box::new);
    session.notify(BlindNotice::NoneLeft { before, looked });
    let _ = opening::leave(session);
    Vec::new()
}
