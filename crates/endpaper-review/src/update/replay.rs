//! Replay of the last decisions, one screen each, read-only until a key picks one up for correction.

use super::opening;
use super::record::body;
use crate::action::{Action, HelpGroup};
use crate::message::Effect;
use crate::session::{PendingJump, Replay, ReplayNotice, Session};

const LAST: usize = 10;

/// Begins a replay of the last decisions.
pub(super) fn begin(session: &mut Session) -> Vec<Effect> {
    let recent = &session.sitting.tally.recent;
    let books = recent[recent.len().saturating_sub(LAST)..].to_vec();
    if books.is_empty() {
        session.notify(ReplayNotice::NothingDecided);
        return Vec::new();
    }
    session.modes.replay = Some(Replay {
        books,
        at: 0,
        back: session.current,
        is_correcting: false,
    });
    show(session)
}

/// The effects of an admitted action during a replay; `None`: the action has its usual meaning. An action that opens another
/// book ends the replay.
pub(super) fn replay_action(session: &mut Session, action: Action) -> Option<Vec<Effect>> {
    let replay = session.modes.replay.as_ref()?;
    if action == Action::Replay {
        return Some(leave(session));
    }
    match action {
        Action::Keep | Action::NextBook if !replay.is_correcting => {
            return Some(step(session, true));
        }
        Action::PreviousBook if !replay.is_correcting => return Some(step(session, false)),
        Action::Undo if !replay.is_correcting => return Some(correct(session)),
        _ => {}
    }
    if matches!(action.info().group, HelpGroup::Books | HelpGroup::Heat) {
        session.modes.replay = None;
    }
    None
}

/// Continues the replay after a correction; `None`: no replay is active.
pub(super) fn go_on(session: &mut Session) -> Option<Vec<Effect>> {
    session.modes.replay.as_mut()?.is_correcting = false;
    Some(step(session, true))
}

/// Goes to the next or previous decision of the replay.
fn step(session: &mut Session, forward: bool) -> Vec<Effect> {
    let Some(replay) = &mut session.modes.replay else {
        return Vec::new();
    };
    match forward {
        true if replay.at + 1 == replay.books.len() => return leave(session),
        true => replay.at += 1,
        false if replay.at == 0 => {
            session.notify(ReplayNotice::First);
            return Vec::new();
        }
        false => replay.at -= 1,
    }
    show(session)
}

/// Goes back to the book where the replay was started.
pub(super) fn leave(session: &mut Session) -> Vec<Effect> {
    let Some(replay) = session.modes.replay.take() else {
        return Vec::new();
    };
    let goto = PendingJump {
        decision: None,
        notice: Some(ReplayNotice::Over.into()),
        target: None,
    };
    opening::open(session, replay.back, Some(goto))
}

/// Lets the curator correct the decision on screen.
fn correct(session: &mut Session) -> Vec<Effect> {
    if let Some(replay) = &mut session.modes.replay {
        replay.is_correcting = true;
    }
    session.notify(ReplayNotice::PutRight);
    Vec::new()
}

/// Opens the book of the current decision.
fn show(session: &mut Session) -> Vec<Effect> {
    let Some(book) = session
        .modes
        .replay
        .as_ref()
        .and_then(|replay| replay.books.get(replay.at))
    else {
        return Vec::new();
    };
    let goto = PendingJump {
        decision: None,
        notice: None,
        target: None,
    };
    let book = *book;
    opening::open(session, book, Some(goto))
}

/// Shows the replayed decision in the message line once its book is on screen.
pub(super) fn notify_decision(session: &mut Session) {
    let (Some(replay), Some(open)) = (&session.modes.replay, &session.doc.open) else {
        return;
    };
    let verdict = open.decision.verdict;
    let notice = ReplayNotice::Shown {
        at: replay.at + 1,
        of: replay.books.len(),
        verdict,
        body: verdict.has_cuts().then(|| body(open)),
    };
    session.notify(notice);
}
