//! Turns messages into effects; only these files write to a session.
//!
//! - [`keys`] maps keys to actions and runs them if [`admit`] allows it, as for the mouse; [`popups`] and [`lists`] handle
//!   what covers the page.
//! - [`moves`] moves the cursor and the panes, [`display`] switches panels, [`jumps`] and [`jump_list`] go back after jumps,
//!   [`cuts`] moves cuts, [`marks`] sets everything else a curator records, [`sitting_marks`] lists it, [`inside`] marks
//!   boilerplate between the cuts.
//! - [`drafts`] sends records to the disk, [`saving`] saves decisions, also when [`quitting`], [`answers`] handles the
//!   answers; [`undo`] reverts them. [`mark_all`] offers marks for all books of a filtered queue, [`bulk`], [`bulk_saved`]
//!   and [`bulk_undo`] set them and take them back. [`anchored`] shows the cuts of a file that changed, [`versions`]
//!   resolves conflicts, [`dispute`] adjudicates between opinions.
//! - [`opening`] changes the book, [`next_book`] and [`most_doubtful`] choose it, [`showing`] puts it on screen; [`blind`]
//!   hides proposals, [`replay`] shows the last decisions again.
//! - [`entries`] adopts new data about all books, [`learning`] what the detector learned from verdicts, and [`propagation`]
//!   proposes a correction for other books.
//! - [`editions`] shows another edition next to the book, [`edition_evidence`] finds what it says without a key,
//!   [`occurrences`] finds lines in other books, [`heat`] and [`heat_books`] are the heat map.

mod admit;
mod anchored;
mod answers;
mod blind;
mod bulk;
mod bulk_saved;
mod bulk_undo;
mod copies;
mod corpus_search;
mod cuts;
mod display;
mod dispute;
mod drafts;
mod edition_evidence;
mod editions;
mod encodings;
mod entries;
mod heat;
mod heat_books;
mod inside;
mod jump_list;
mod jumps;
mod keys;
mod learning;
mod lists;
mod mark_all;
mod marks;
mod most_doubtful;
mod mouse;
mod moves;
mod next_book;
mod occurrences;
mod opening;
mod outline;
mod popups;
mod propagation;
mod quitting;
mod record;
mod replay;
mod saving;
mod showing;
mod sitting_marks;
#[cfg(test)]
mod tests;
mod undo;
mod versions;

pub use drafts::deadline;

pub(crate) use copies::is_cut_differently;

use super::alerts;
use super::message::{Effect, Message};
use super::presenter;
use super::session::{Notice, Session};

/// Handles a message; returns what to do outside the session. Set [`Session::now`] before.
pub fn update(session: &mut Session, message: Message) -> Vec<Effect> {
    if matches!(message, Message::Saved { .. } | Message::Opened(_)) {
        session.background.heat.repaint();
    }
    let tells = matches!(message, Message::Saved { .. } | Message::Learned { .. });
    let decided = session.sitting.tally.decided.len();
    let mut effects = dispatch(session, message);
    // A curator who has decided a book no longer needs the tour.
    if session.sitting.tally.decided.len() > decided {
        moves::show_tour(session, false);
    }
    sitting_marks::refresh(session);
    notice_seen(session);
    propagation::clear_if_random(session);
    if tells {
        occurrences::refresh_labels(session);
    }
    effects.extend(learning::request_or_forget(session));
    effects.extend(heat_books::request_missing(session));
    effects.extend(occurrences::request_missing(session));
    effects.extend(copies::request_missing(session));
    effects
}

fn dispatch(session: &mut Session, message: Message) -> Vec<Effect> {
    // Scrolling and clicking count as starting to work, like pressing keys.
    if matches!(
        message,
        Message::Key(_) | Message::Paste(_) | Message::Mouse(_)
    ) {
        session.keys.has_started = true;
        session.keys.has_pressed = true;
        session.note_time();
    }
    match message {
        Message::Key(chord) => keys::key(session, chord),
        Message::Paste(text) => popups::paste(session, &text),
        Message::Mouse(mouse) => mouse::mouse(session, mouse),
        Message::Resize(width, height) => {
            moves::resize(session, width, height);
            editions::resized(session);
            Vec::new()
        }
        Message::Tick => saving::tick(session),
        Message::Opened(opened) => answers::on_opened(session, *opened),
        Message::Saved { ticket, result } => answers::on_saved(session, ticket, result),
        Message::Progress(progress) => {
            session.background.progress = progress;
            Vec::new()
        }
        Message::Entries {
            entries,
            counts_changed,
            model,
        } => {
            if let Some(model) = model {
                session.options.model = model;
            }
            entries::on_entries(session, entries, counts_changed)
        }
        Message::Opinions(opinions) => entries::on_opinions(session, &opinions),
        Message::Heat { epoch, books } => {
            heat_books::on_shades(session, epoch, books);
            Vec::new()
        }
        Message::FoundBooks { epoch, result } => {
            corpus_search::on_found(session, epoch, result);
            Vec::new()
        }
        Message::Hits(batch) => {
            occurrences::on_batch(session, batch);
            Vec::new()
        }
        Message::Aligned { ticket, result } => {
            editions::on_aligned(session, ticket, result);
            Vec::new()
        }
        Message::Learned { epoch, result } => learning::on_learned(session, epoch, result),
        Message::PropagationTargets { epoch, books } => {
            propagation::on_targets_found(session, epoch, books);
            Vec::new()
        }
        Message::CopiesCompared(found) => {
            copies::on_compared(session, found);
            Vec::new()
        }
        Message::Notice(text) => {
            session.notify(Notice::External(text));
            Vec::new()
        }
        Message::Returned => opening::returned(session),
        Message::HangUp => quitting::hang_up(session),
    }
}

/// Marks a cut as seen once its rule is on screen with nothing covering it.
fn notice_seen(session: &mut Session) {
    if session.doc.open.is_some()
        && session.screen.popups.is_empty()
        && !session.background.heat.shown
    {
        let on_screen = presenter::rules_on_screen(session);
        session.doc.seen = [
            session.doc.seen[0] || on_screen[0],
            session.doc.seen[1] || on_screen[1],
        ];
        let shown = alerts::on_screen(session);
        session.doc.seen_alerts.extend(shown);
    }
}
