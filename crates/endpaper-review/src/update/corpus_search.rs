//! Searching all books: from the prompt to the list of books, and to a line of one of them.

use std::collections::HashMap;

use super::{jumps, moves, opening};
use crate::corpus_search::FoundBooks;
use crate::jump_list::JumpTarget;
use crate::message::Effect;
use crate::popup::{Picker, Popup};
use crate::session::{PageNotice, PendingJump, QueueNotice, Session};
use endpaper_detect::End;

/// Searches for books with these words; without words, shows the last result again.
pub(super) fn ask(session: &mut Session, text: &str) -> Vec<Effect> {
    let text = text.trim();
    if text.is_empty() {
        show(session);
        return Vec::new();
    }
    session.background.corpus_search.epoch += 1;
    session.notify(QueueNotice::Searching(text.to_owned()));
    vec![Effect::SearchCorpus {
        epoch: session.background.corpus_search.epoch,
        text: text.to_owned(),
    }]
}

/// Handles an answer. It opens the list unless the curator is doing something else by now.
pub(super) fn on_found(session: &mut Session, epoch: u64, result: Result<FoundBooks, String>) {
    if epoch != session.background.corpus_search.epoch {
        return;
    }
    match result {
        Err(why) => session.notify(QueueNotice::SearchFailed(why)),
        Ok(found) if found.books.is_empty() => {
            session.notify(QueueNotice::NotFound(found.query));
        }
        Ok(found) => {
            session.notify(QueueNotice::Found(found.heading()));
            session.background.corpus_search.last = Some(found);
            if session.screen.popups.is_empty() && session.keys.pending.is_empty() {
                show(session);
            }
        }
    }
}

/// Lists the last result, without books that are not part of this sitting.
fn show(session: &mut Session) {
    let Some(found) = &session.background.corpus_search.last else {
        return;
    };
    let entries = session.entries.iter().enumerate();
    let places: HashMap<&str, usize> = entries
        .filter_map(|(at, entry)| Some((entry.id.as_ref()?.as_str(), at)))
        .collect();
    let rows = found.books.iter().filter_map(|book| {
        let at = *places.get(book.id.as_str())?;
        Some((book.row(), (at, book.line)))
    });
    let picker = Picker::new(rows.collect());
    let title = found.heading();
    session.screen.popups.push(Popup::Found { title, picker });
}

/// Opens the selected book at its first match.
pub(super) fn choose(session: &mut Session) -> Vec<Effect> {
    let choice = match session.screen.popups.last() {
        Some(Popup::Found { picker, .. }) => picker.choice().copied(),
        _ => None,
    };
    session.screen.popups.pop();
    let Some((book, line)) = choice else {
        return Vec::new();
    };
    jumps::remember_place(session);
    if book == session.current && session.doc.open.is_some() {
        if let Some(line) = line {
            moves::jump(session, line);
        }
        return Vec::new();
    }
    // Opening another book ends the replay.
    session.modes.replay = None;
    session.sitting.selection.insert(book, "search");
    let goto = PendingJump {
        decision: None,
        notice: Some(PageNotice::Jumped(line).into()),
        // Most hits are in the body; either pane can show any line, so the head pane is used.
        target: line.map(|line| JumpTarget::Line(End::Start, line)),
    };
    opening::open(session, book, Some(goto))
}
