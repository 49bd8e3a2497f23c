//! The notes, flags and alternatives given in this sitting, as a list.

use crate::decision::Decision;
use crate::popup::{Picker, Popup};
use crate::session::{QueueNotice, Session};
use endpaper_detect::End;

/// Notes that the open book was changed in this sitting.
pub(super) fn touch(session: &mut Session) {
    session.sitting.marks.entry(session.current).or_default();
}

/// Keeps what is recorded about the open book, if it was changed in this sitting.
pub(super) fn refresh(session: &mut Session) {
    if let Some(open) = &session.doc.open
        && let Some(marks) = session.sitting.marks.get_mut(&session.current)
    {
        *marks = describe(&open.decision);
    }
}

/// `hard · flags ads · alternative start 275: title · note: odd`; empty without any.
pub(super) fn describe(decision: &Decision) -> String {
    let mut words = Vec::new();
    if decision.hard {
        words.push("hard".to_owned());
    }
    if !decision.flags.is_empty() {
        words.push(format!("flags {}", decision.flags.join(", ")));
    }
    for other in &decision.alternatives {
        let end = match other.end {
            End::Start => "start",
            End::End => "end",
        };
        let why = match other.why.is_empty() {
            true => String::new(),
            false => format!(": {}", other.why),
        };
        words.push(format!("alternative {end} {}{why}", other.line));
    }
    if !decision.note.is_empty() {
        words.push(format!("note: {}", decision.note));
    }
    words.join(" · ")
}

/// Shows the list; a choice opens the book.
pub(super) fn show(session: &mut Session) {
    refresh(session);
    let marks = session.sitting.marks.iter();
    let marked = marks.filter(|(_, words)| !words.is_empty());
    let items: Vec<(String, usize)> = marked
        .filter_map(|(&book, words)| {
            let name = session.entries.get(book)?.name();
            Some((format!("{name}  {words}"), book))
        })
        .collect();
    if items.is_empty() {
        session.notify(QueueNotice::NothingMarked);
        return;
    }
    session.screen.popups.push(Popup::Books {
        title: format!("marked in this sitting: {}", items.len()),
        selection: "search",
        picker: Picker::new(items),
    });
}
