//! The texts of messages about marks for many books.

use crate::action::Action;
use crate::bulk::BulkMark;
use crate::session::{BulkNotice, BulkTally, LeftOut};
use endpaper_text::wording::{plural, thousands};

/// Maximum number of books that a message names.
const NAMED: usize = 3;

/// The text of a message about marks for many books.
pub(super) fn of_bulk(notice: &BulkNotice, key: impl Fn(Action) -> String) -> String {
    match notice {
        BulkNotice::NotFiltered(count) => format!(
            "the queue is not filtered ({}): filter it first, with {} or {}",
            books(*count),
            key(Action::Filter),
            key(Action::Queue)
        ),
        BulkNotice::Marking { mark, done, total } => {
            format!("{mark}: {done} of {}; Esc stops", books(*total))
        }
        BulkNotice::Marked { mark, tally } => {
            let undo = match tally.changed {
                0 => String::new(),
                _ => format!("; {} takes it back", key(Action::Undo)),
            };
            let tail = rest(mark, tally);
            format!("{mark}: {} changed{tail}{undo}", books(tally.changed))
        }
        BulkNotice::Undone { mark, tally } => {
            let again = match tally.unsaved {
                0 => String::new(),
                _ => format!("; {} tries again", key(Action::Undo)),
            };
            let tail = rest(mark, tally);
            format!("undone: {mark} on {}{tail}{again}", books(tally.changed))
        }
    }
}

/// `1,204 books`.
fn books(count: usize) -> String {
    format!("{} {}", thousands(count), plural(count, "book"))
}

/// What became of the other books, each part after a semicolon.
fn rest(mark: &BulkMark, tally: &BulkTally) -> String {
    let mut parts = Vec::new();
    if !tally.left_out.is_empty() {
        parts.push(left_out(&tally.left_out));
    }
    if tally.unsaved > 0 {
        parts.push(format!("{} not saved: {}", tally.unsaved, tally.why));
    }
    match (tally.unchanged, mark) {
        (0, _) => {}
        (count, BulkMark::NoFlag(_) | BulkMark::Hard(false)) => {
            parts.push(format!("{count} had none"));
        }
        (count, _) => parts.push(format!("{count} had it")),
    }
    if tally.stopped > 0 {
        parts.push(format!("stopped before {}", books(tally.stopped)));
    }
    parts.iter().map(|part| format!("; {part}")).collect()
}

/// The books that were left out, each with the reason.
fn left_out(all: &[(String, LeftOut)]) -> String {
    let named = all.iter().take(NAMED);
    let names: Vec<String> = named
        .map(|(name, why)| format!("{name} ({})", reason(*why)))
        .collect();
    let more = match all.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("not on {}{more}", names.join(", "))
}

/// Why a book was left out.
fn reason(why: LeftOut) -> &'static str {
    match why {
        LeftOut::Unreadable => "cannot be read",
        LeftOut::BrokenRecord => "its record does not parse",
        LeftOut::NoRecord => "its record cannot be read or written",
        LeftOut::Unsaved => "an earlier change is not saved yet",
        LeftOut::Changed => "someone else changed it",
    }
}
