//! Lists to choose from: actions, books, words.

use super::encodings::{self, EncodingScope};
use super::{heat_books, mark_all, marks, opening};
use crate::action::{ACTIONS, Action, HelpGroup};
use crate::editions;
use crate::entry::{QueueEntry, ReviewStatus};
use crate::flags::{flag_names, meaning_of};
use crate::message::Effect;
use crate::popup::{Picker, PickerPurpose, Popup};
use crate::queue::{QueueFilter, QueueOrder};
use crate::session::{QueueNotice, Session};
use crate::terms::QueueTerms;

/// Shows the actions with their keys, by group; the filter matches names, descriptions and keys.
pub(super) fn help(session: &mut Session) {
    let mut items = Vec::new();
    for group in HelpGroup::ALL {
        let of_group = ACTIONS.iter().filter(|facts| facts.group == group);
        // Actions that do not work on the map are not listed there.
        let usable = |action: Action| !session.background.heat.shown || action.works_on_map();
        for facts in of_group.filter(|facts| usable(facts.action)) {
            let keys = session.keymap.notation(facts.action).join(" ");
            items.push((
                format!("{keys} {} {} {}", facts.id, facts.doc, group.title()),
                facts.action,
            ));
        }
    }
    session.screen.popups.push(Popup::Help(Picker::new(items)));
}

/// Opens a list of books: the queue, or books related to the open one.
pub(super) fn books(session: &mut Session, action: Action) {
    let (title, books) = match action {
        Action::Queue => {
            queue(session);
            return;
        }
        Action::Siblings => (
            "books of this template",
            related_books(session, same_template),
        ),
        Action::Editions => (
            "editions of this work",
            editions::related_editions(&session.entries, session.current),
        ),
        _ => (
            "books and records that cannot be read",
            related_books(session, |_, other| {
                matches!(
                    other.status,
                    ReviewStatus::Unreadable | ReviewStatus::Broken
                )
            }),
        ),
    };
    if books.is_empty() {
        session.notify(QueueNotice::NoOther(title));
        return;
    }
    let items: Vec<_> = books.iter().map(|&book| item(session, book)).collect();
    let title = match items.len() {
        1 => format!(
            "1 {}",
            title
                .replacen("books", "book", 1)
                .replacen("editions", "edition", 1)
        ),
        many => format!("{many} {title}"),
    };
    let how = match action {
        Action::Siblings => "siblings",
        Action::Editions => "editions",
        _ => "search",
    };
    session.screen.popups.push(Popup::Books {
        title,
        selection: how,
        picker: Picker::new(items),
    });
}

/// Shows the list of the queue, with the current filter to edit.
fn queue(session: &mut Session) {
    let mut wide = session.queue.clone();
    wide.terms = QueueTerms::default();
    wide.arrange(&session.entries);
    // The same order as the column, where visited books keep their places.
    let books = match session.queue.terms.is_empty() {
        true => &session.queue.books,
        false => &wide.books,
    };
    // Books are found by terms, and their labels created only when shown: there may be ten thousand.
    let items = books.iter().map(|&book| (String::new(), book)).collect();
    let mut picker = Picker::new(items);
    picker.filter.clone_from(&session.queue.terms.typed);
    picker.kept = true;
    session.screen.popups.push(Popup::Queue(picker));
    find(session);
    let here = session
        .background
        .heat
        .chosen_book()
        .filter(|_| session.background.heat.shown);
    let here = here.unwrap_or(session.current);
    if let Some(Popup::Queue(picker)) = session.screen.popups.last_mut() {
        let at = picker.shown().iter().position(|(_, book)| *book == here);
        picker.chosen = at.unwrap_or(0);
    }
}

/// Applies a changed filter, for lists that do more than match words.
pub(super) fn find(session: &mut Session) {
    if let (Some(Popup::Occurrences), Some(list)) = (
        session.screen.popups.last(),
        &mut session.background.occurrences.list,
    ) {
        list.apply_filter();
        return;
    }
    let entries = &session.entries;
    let Some(Popup::Queue(picker)) = session.screen.popups.last_mut() else {
        return;
    };
    let (terms, problem) = QueueTerms::read(&picker.filter, entries);
    picker.problem = problem;
    picker.found = match terms.is_empty() {
        true => None,
        false => Some(terms.find(entries, picker.items.iter().map(|&(_, book)| book))),
    };
}

/// Keeps what the list on top says for more than the open book: the filter for the queue, an encoding for all books.
pub(super) fn keep(session: &mut Session) -> Vec<Effect> {
    match session.screen.popups.last() {
        Some(Popup::Queue(_)) => keep_filter(session),
        Some(Popup::Words {
            purpose: PickerPurpose::Encoding,
            picker,
            ..
        }) => {
            let name = picker.choice().map(|(name, _)| name.clone());
            session.screen.popups.pop();
            let keep = |name: String| encodings::choose(session, &name, EncodingScope::AllBooks);
            name.map_or_else(Vec::new, keep)
        }
        _ => Vec::new(),
    }
}

/// Keeps the filter of the queue's list for the queue, and opens the chosen book.
fn keep_filter(session: &mut Session) -> Vec<Effect> {
    let Some(Popup::Queue(picker)) = session.screen.popups.last() else {
        return Vec::new();
    };
    if picker.problem.is_some() {
        // The list shows the problem; a filter is not kept if it differs from what it seems to say.
        return Vec::new();
    }
    let Some(book) = picker.choice().copied() else {
        return Vec::new();
    };
    session.queue.terms = QueueTerms::read(&picker.filter, &session.entries).0;
    session.screen.popups.pop();
    session.queue.arrange(&session.entries);
    let by_terms = !session.queue.terms.is_empty();
    notify_arranged(session, by_terms);
    if session.background.heat.shown {
        heat_books::arrange(session);
        return heat_books::choose(session, book);
    }
    match book == session.current {
        true => Vec::new(),
        false => opening::open_picked(session, book, "search"),
    }
}

/// Shows which books the queue now contains, and in what order.
fn notify_arranged(session: &mut Session, by_terms: bool) {
    let queue = &session.queue;
    let notice = QueueNotice::Arranged {
        count: queue.books.len(),
        what: queue.what(),
        order: queue.active_order(),
        by_terms,
    };
    session.notify(notice);
}

/// An item of a list that is filtered by its labels.
fn item(session: &Session, book: usize) -> (String, usize) {
    (session.list_label(book), book)
}

/// The other books for which `alike` holds.
fn related_books(session: &Session, alike: fn(&QueueEntry, &QueueEntry) -> bool) -> Vec<usize> {
    let Some(entry) = session.entry() else {
        return Vec::new();
    };
    (0..session.entries.len())
        .filter(|&i| i != session.current && alike(entry, &session.entries[i]))
        .collect()
}

/// Whether two books have one template.
fn same_template(a: &QueueEntry, b: &QueueEntry) -> bool {
    a.template_rank > 0 && a.template == b.template
}

/// Opens a list of words: filters, orders, flags or reasons.
pub(super) fn words(session: &mut Session, action: Action) {
    let marked = |word: String, on: bool| (word.clone(), (word, on));
    let (title, purpose, items): (_, _, Vec<_>) = match action {
        Action::Filter => {
            let now = session.queue.filter;
            let count = |filter: &QueueFilter| {
                session
                    .entries
                    .iter()
                    .filter(|entry| filter.passes(entry))
                    .count()
            };
            let line = |filter: &QueueFilter| {
                (
                    format!("{filter} ({})", count(filter)),
                    (filter.to_string(), *filter == now),
                )
            };
            (
                "show books that are",
                PickerPurpose::Filter,
                QueueFilter::ALL.iter().map(line).collect(),
            )
        }
        Action::Order => {
            let now = session.queue.order;
            let line = |order: &QueueOrder| marked(order.to_string(), *order == now);
            (
                "order of the queue",
                PickerPurpose::Order,
                QueueOrder::ALL.iter().map(line).collect(),
            )
        }
        _ => match flags(session) {
            Some(items) => ("flags: what is unusual", PickerPurpose::Flag, items),
            None => return,
        },
    };
    let chosen = items.iter().position(|(_, (_, on))| *on).unwrap_or(0);
    let picker = Picker {
        chosen,
        ..Picker::new(items)
    };
    session.screen.popups.push(Popup::Words {
        title: title.to_owned(),
        purpose,
        picker,
    });
}

/// The flags of the guide and any other flags of the open book, each with whether it is set.
fn flags(session: &Session) -> Option<Vec<(String, (String, bool))>> {
    let book = session.doc.open.as_ref()?;
    let own = &book.decision.flags;
    let unknown = own
        .iter()
        .map(String::as_str)
        .filter(|flag| flag_names().all(|known| known != *flag));
    let line = |flag: &str| {
        (
            format!("{flag:20} {}", meaning_of(flag)),
            (flag.to_owned(), own.iter().any(|f| f == flag)),
        )
    };
    let known: Vec<&str> = flag_names().collect();
    Some(known.into_iter().chain(unknown).map(line).collect())
}

/// Whether the list of flags is open.
pub(super) fn is_flags(session: &Session) -> bool {
    matches!(
        session.screen.popups.last(),
        Some(Popup::Words {
            purpose: PickerPurpose::Flag,
            ..
        })
    )
}

/// Whether the selected word is marked.
fn is_marked(session: &Session) -> bool {
    match session.screen.popups.last() {
        Some(Popup::Words { picker, .. }) => picker.choice().is_some_and(|(_, on)| *on),
        _ => false,
    }
}

/// Sets or clears the selected flag.
pub(super) fn toggle_flag(session: &mut Session) {
    let Some(Popup::Words { picker, .. }) = session.screen.popups.last_mut() else {
        return;
    };
    let Some(flag) = picker.choice().map(|(flag, _)| flag.clone()) else {
        return;
    };
    for (_, (word, on)) in &mut picker.items {
        if *word == flag {
            *on = !*on;
        }
    }
    marks::flag(session, &flag);
}

/// Applies the selected word and closes the list.
pub(super) fn word(session: &mut Session) -> Vec<Effect> {
    if is_flags(session) {
        // A flag that Space set stays set: this key never clears one.
        if !is_marked(session) {
            toggle_flag(session);
        }
        session.screen.popups.pop();
        return Vec::new();
    }
    let Some(Popup::Words {
        purpose, picker, ..
    }) = session.screen.popups.pop()
    else {
        return Vec::new();
    };
    let Some((word, _)) = picker.choice() else {
        return Vec::new();
    };
    match purpose {
        PickerPurpose::Filter => {
            session.queue.filter = word.parse().unwrap_or_default();
            // Choosing "all" also clears the terms.
            if session.queue.filter == QueueFilter::All {
                session.queue.terms = QueueTerms::default();
            }
        }
        PickerPurpose::Order => {
            session.queue.order = word.parse().unwrap_or_default();
            // Only the book on screen was shown in the previous order.
            let current = session.current;
            session.sitting.by_name.retain(|&book| book == current);
        }
        PickerPurpose::Encoding => {
            let name = word.clone();
            return encodings::choose(session, &name, EncodingScope::Book);
        }
        PickerPurpose::MarkAll => {
            let word = word.clone();
            mark_all::choose(session, &word);
            return Vec::new();
        }
        PickerPurpose::Flag => {}
    }
    session.queue.arrange(&session.entries);
    notify_arranged(session, false);
    if session.background.heat.shown {
        heat_books::arrange(session);
        return Vec::new();
    }
    let hidden = session.queue.position(session.current).is_none();
    match session.queue.books.first().copied().filter(|_| hidden) {
        Some(book) => opening::open(session, book, None),
        None => Vec::new(),
    }
}
