//! The last decisions once more, one screen each: a pass that only looks, until a key takes one up to correct it.

use super::opening::{self, Goto};
use super::record::in_words;
use crate::action::{Action, Group};
use crate::message::Effect;
use crate::session::{Session, Tone};

/// How many decisions are replayed.
const LAST: usize = 10;

/// A replay under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The books, the one decided first in front.
    pub books: Vec<usize>,
    /// Which one is on screen.
    pub at: usize,
    /// The book to go back to.
    pub back: usize,
    /// The one on screen was taken up, to be corrected.
    pub corrects: bool,
}

/// Begins a replay.
pub(super) fn begin(session: &mut Session) -> Vec<Effect> {
    let recent = &session.sitting.tally.recent;
    let books = recent[recent.len().saturating_sub(LAST)..].to_vec();
    if books.is_empty() {
        session.say(Tone::Plain, "nothing was decided in this sitting yet");
        return Vec::new();
    }
    session.modes.replay = Some(Replay {
        books,
        at: 0,
        back: session.current,
        corrects: false,
    });
    show(session)
}

/// What an admitted action means during a replay; `None`: what it always means. What leads to another book ends the
/// replay.
pub(super) fn meaning(session: &mut Session, action: Action) -> Option<Vec<Effect>> {
    let replay = session.modes.replay.as_ref()?;
    if action == Action::Replay {
        return Some(leave(session));
    }
    match action {
        Action::Keep | Action::NextBook if !replay.corrects => return Some(step(session, true)),
        Action::PreviousBook if !replay.corrects => return Some(step(session, false)),
        Action::Undo if !replay.corrects => return Some(correct(session)),
        _ => {}
    }
    if matches!(action.facts().group, Group::Books | Group::Heat) {
        session.modes.replay = None;
    }
    None
}

/// After a verdict that corrected one: the next of the replay. `None`: there is no replay.
pub(super) fn go_on(session: &mut Session) -> Option<Vec<Effect>> {
    session.modes.replay.as_mut()?.corrects = false;
    Some(step(session, true))
}

fn step(session: &mut Session, forward: bool) -> Vec<Effect> {
    let Some(replay) = &mut session.modes.replay else {
        return Vec::new();
    };
    match forward {
        true if replay.at + 1 == replay.books.len() => return leave(session),
        true => replay.at += 1,
        false if replay.at == 0 => {
            session.say(Tone::Plain, "this is the first decision of the replay");
            return Vec::new();
        }
        false => replay.at -= 1,
    }
    show(session)
}

/// Back to the book where the curator was.
pub(super) fn leave(session: &mut Session) -> Vec<Effect> {
    let Some(replay) = session.modes.replay.take() else {
        return Vec::new();
    };
    let say = "the replay is over".to_owned();
    let goto = Goto {
        decision: None,
        say,
        spot: None,
    };
    opening::open(session, replay.back, Some(goto))
}

fn correct(session: &mut Session) -> Vec<Effect> {
    let keep = session.keymap.label(Action::Keep);
    if let Some(replay) = &mut session.modes.replay {
        replay.corrects = true;
    }
    let text = format!("put it right; {keep} saves it and goes on with the replay");
    session.say(Tone::Plain, text);
    Vec::new()
}

fn show(session: &mut Session) -> Vec<Effect> {
    let Some(book) = session
        .modes
        .replay
        .as_ref()
        .and_then(|replay| replay.books.get(replay.at))
    else {
        return Vec::new();
    };
    let goto = Goto {
        decision: None,
        say: String::new(),
        spot: None,
    };
    let book = *book;
    opening::open(session, book, Some(goto))
}

/// What the replayed decision was, once its book is on screen.
pub(super) fn tell(session: &mut Session) {
    let (Some(replay), Some(open)) = (&session.modes.replay, &session.doc.open) else {
        return;
    };
    let verdict = open.decision.verdict;
    let body = match verdict.has_cuts() {
        true => format!(", {}", in_words(open)),
        false => String::new(),
    };
    // The keys stand below, in the line of hints.
    let (at, count) = (replay.at + 1, replay.books.len());
    let text = format!("replay {at} of {count}: {verdict}{body}");
    session.say(Tone::Plain, text);
}
