//! Updates of the list of books. The queue adopts them without moving a curator who has started to work.

use std::collections::{BTreeMap, HashMap};

use super::{blind, bulk, copies, heat_books, learning, occurrences, opening};
use crate::action::Action;
use crate::cold_start;
use crate::entry::{BookCopies, EntryOpinions, QueueEntry, ReviewStatus};
use crate::message::Effect;
use crate::popup::Popup;
use crate::queue::QueueOrder;
use crate::session::{Notice, QueueNotice, Session, Waiting};
use endpaper_text::corpus::BookId;

/// Adopts the current state of the corpus.
pub(super) fn on_entries(
    session: &mut Session,
    mut new: Vec<QueueEntry>,
    counts_changed: bool,
) -> Vec<Effect> {
    keep_statuses(&session.entries, &mut new);
    learning::on_entries(session, &mut new, counts_changed);
    let known = session.entries.iter().map(QueueEntry::id);
    if !known.eq(new.iter().map(QueueEntry::id)) {
        // Books are identified by index.
        session.background.propagation.clear();
        bulk::forget_books(session);
        copies::clear(session);
        session.sitting.by_name.clear();
        keep_of_sitting(session, &new);
    }
    let first = session.entries.is_empty();
    let current = session
        .entries
        .get(session.current)
        .and_then(|entry| entry.id.clone());
    let knew_kinds = session.entries.iter().any(|entry| entry.exemplar > 0);
    let was_unread = session.queue.has_only_names;
    session.queue.has_only_names = new.iter().all(|entry| entry.doubt.is_none());
    // The order is new only if it depends on more than names.
    let read = was_unread
        && !session.queue.has_only_names
        && !matches!(session.queue.order, QueueOrder::Name | QueueOrder::Random);
    let (gone, upcoming) = (passed_books(session, read), upcoming(session));
    session.entries = new;
    if !knew_kinds {
        notify_unknown_collection(session);
    }
    session.queue.arrange(&session.entries);
    heat_books::on_entries(session, counts_changed);
    occurrences::on_entries(session, counts_changed);
    if first {
        return open_first(session);
    }
    let Some(at) = current.and_then(|id| {
        session
            .entries
            .iter()
            .position(|entry| entry.id.as_ref() == Some(&id))
    }) else {
        return open_first(session);
    };
    session.current = at;
    if counts_changed && !session.keys.has_started {
        // The curator has not started yet: begin with the first book of the new order.
        let before = session.current;
        let effects = open_first(session);
        let goes =
            |waiting: &Waiting| matches!(waiting, Waiting::Open { book, .. } if *book != before);
        if session.waits.waiting.as_ref().is_some_and(goes) {
            session.keys.auto_advanced_at = Some(session.now);
        }
        return effects;
    }
    keep_in_place(session, &gone, &upcoming, read);
    if counts_changed && can_be_read_again(session) {
        session.notify(QueueNotice::ProposedAgain);
        session.ask_for(at, None)
    } else {
        Vec::new()
    }
}

/// Says so if no profile knows the collection and little of it is decided. A warning matters more.
fn notify_unknown_collection(session: &mut Session) {
    let is_plain = |notice: &Notice| !notice.is_warning();
    let is_free = session.screen.notice.as_ref().is_none_or(is_plain);
    let is_wanted = session.is_learning_on() && session.modes.sampling.is_none();
    if let Some(decided) = cold_start::decided_so_far(&session.entries)
        && is_free
        && is_wanted
    {
        session.notify(QueueNotice::UnknownCollection { decided });
    }
}

/// Adopts second opinions; the order of the queue may change. Proposals that were learned without them are learned again.
pub(super) fn on_opinions(session: &mut Session, opinions: &[EntryOpinions]) -> Vec<Effect> {
    if opinions.len() != session.entries.len() {
        return Vec::new();
    }
    let learning = &mut session.background.learning;
    learning.knows_opinions = true;
    // A round that is under way says itself whether it had them.
    learning.is_outdated |= learning.is_active && !learning.is_underway;
    let learned = &learning.original_proposals;
    for ((at, entry), opinion) in session.entries.iter_mut().enumerate().zip(opinions) {
        (entry.copies, entry.is_contested) = (opinion.copies, opinion.is_contested);
        if opinion.doubt.is_some() && !learned.contains_key(&at) {
            (entry.doubt, entry.reason) = (opinion.doubt, opinion.reason);
        }
    }
    let entries = session.entries.clone();
    let mut effects = self::on_entries(session, entries, false);
    if effects.is_empty() && can_be_read_again(session) {
        effects = session.ask_for(session.current, None);
    }
    effects
}

/// Whether the open page may be replaced by one with the present proposal: it has no edit and no record, nothing is awaited, and
/// no popup edits it. (Texts and the list of occurrences may cover a page that is read again.)
pub(super) fn can_be_read_again(session: &Session) -> bool {
    let features = |popup: &Popup| {
        use Popup::{Bytes, Evidence, Guidelines, Occurrences};
        matches!(popup, Bytes(_) | Evidence(_) | Guidelines(_) | Occurrences)
    };
    let open = session.doc.open.as_ref();
    open.is_some_and(|open| !open.has_unsaved_changes() && open.record.is_none())
        && session.waits.waiting.is_none()
        && session.saves.deferred().is_none()
        && session.saves.has_no_saves(session.current)
        && session.bulk.is_none()
        && session.screen.popups.iter().all(features)
}

/// Keeps statuses that are newer in this sitting than in an analysis that started earlier.
fn keep_statuses(old: &[QueueEntry], new: &mut [QueueEntry]) {
    let known: HashMap<&str, &QueueEntry> = old.iter().map(|entry| (entry.id(), entry)).collect();
    for entry in new {
        let Some(old) = known.get(entry.id()) else {
            continue;
        };
        if entry.copies == BookCopies::default() {
            entry.copies = old.copies;
        }
        entry.is_contested |= old.is_contested;
        if !matches!(
            old.status,
            ReviewStatus::Undecided | ReviewStatus::Recorded | ReviewStatus::Unreadable
        ) {
            (entry.status, entry.hard, entry.kind) = (old.status, old.hard, old.kind);
            entry.labelling_signature = old.labelling_signature;
            entry.flags.clone_from(&old.flags);
            (entry.cuts, entry.lines) = (old.cuts, old.lines);
        }
    }
}

/// Ids of the next three books and of propagated ones, which a new order leaves in place.
fn upcoming(session: &Session) -> Vec<BookId> {
    let at = session
        .queue
        .position(session.current)
        .map_or(0, |at| at + 1);
    let ahead = session.queue.books.iter().skip(at).enumerate();
    let next = ahead.take_while(|(place, book)| *place < 3 || session.is_propagated(**book));
    next.map(|(_, book)| book)
        .filter_map(|&book| session.entries.get(book)?.id.clone())
        .collect()
}

/// Moves the time spent on books, and what was marked in them, to their new indices.
fn keep_of_sitting(session: &mut Session, new: &[QueueEntry]) {
    let (old, sitting) = (&session.entries, &mut session.sitting);
    let times = std::mem::take(&mut sitting.time_on_screen);
    sitting.time_on_screen = at_new_indices(old, new, times);
    let marks = std::mem::take(&mut sitting.marks);
    sitting.marks = at_new_indices(old, new, marks);
}

/// Values of books by their indices in `new`; those of books that are not there are dropped.
fn at_new_indices<T>(
    old: &[QueueEntry],
    new: &[QueueEntry],
    values: BTreeMap<usize, T>,
) -> BTreeMap<usize, T> {
    let values = values.into_iter();
    let mut by_id: HashMap<&BookId, T> = values
        .filter_map(|(book, value)| Some((old.get(book)?.id.as_ref()?, value)))
        .collect();
    let books = new.iter().enumerate();
    let kept = books.filter_map(|(at, entry)| Some((at, by_id.remove(entry.id.as_ref()?)?)));
    kept.collect()
}

/// Ids of the books already passed, the current one last. With `read`, when the whole order is new, only books that were on
/// screen count, because the others before the current one were never reached.
fn passed_books(session: &Session, read: bool) -> Vec<BookId> {
    let at = session
        .queue
        .position(session.current)
        .filter(|_| session.keys.has_started)
        .map_or(0, |at| at + 1);
    let was_shown = |book: &usize| {
        *book == session.current || session.sitting.time_on_screen.contains_key(book)
    };
    let before = session.queue.books.iter().take(at);
    before
        .filter(|book| !read || was_shown(book))
        .filter_map(|&book| session.entries.get(book)?.id.clone())
        .collect()
}

/// Keeps passed books before the current one and upcoming books directly after it, so that a new order skips no book.
/// `read`: they came in order of name, and the requested order has become known only now.
fn keep_in_place(session: &mut Session, gone: &[BookId], upcoming: &[BookId], read: bool) {
    let places: HashMap<&str, usize> = session
        .entries
        .iter()
        .map(QueueEntry::id)
        .zip(0..)
        .collect();
    let find = |ids: &[BookId]| -> Vec<usize> {
        let places = ids.iter().filter_map(|id| places.get(id.as_str()));
        places.copied().collect()
    };
    let (mut gone, next) = (find(gone), find(upcoming));
    let ahead = next.iter().copied().filter(|&book| book != session.current);
    let ahead: Vec<usize> = ahead.collect();
    if read && session.keys.has_started {
        session.sitting.by_name.extend(&ahead);
        session.sitting.by_name.insert(session.current);
    }
    if gone.is_empty() {
        // The curator has not started: keep the new order up to the current book.
        let queue = &session.queue;
        let at = queue.position(session.current).map_or(0, |at| at + 1);
        gone = queue.books[..at].to_vec();
        gone.retain(|book| !ahead.contains(book));
    }
    session.queue.keep_in_place(&gone, &ahead);
}

/// Opens the first book of a sitting: the one where the last sitting ended, or the first undecided one.
fn open_first(session: &mut Session) -> Vec<Effect> {
    let resume = session.options.resume.clone();
    let resumed = resume.and_then(|id| session.entries.iter().position(|entry| entry.id() == id));
    let first = session.queue.books.first().copied();
    let undecided = |book: &usize| session.entries[*book].status == ReviewStatus::Undecided;
    let next = match session.options.re_review || session.modes.sampling.is_some() {
        true => blind::next(session, usize::MAX),
        false => session.queue.books.iter().copied().find(undecided),
    };
    // A curator who resumes a book has started: an analysis that ends later must not change the book.
    session.keys.has_started |= resumed.is_some();
    let wanted = match resumed {
        Some(book) if !session.entries[book].status.is_decided() => Some(book),
        Some(book) => session
            .queue
            .next_to_decide(book, &session.entries)
            .or(Some(book)),
        None => next.or(first),
    };
    match wanted {
        Some(book) => opening::read(session, book, None),
        None => {
            let filter = session.keymap.label(Action::Filter);
            session.doc.trouble = Some(format!("the queue is empty; {filter} shows other books"));
            Vec::new()
        }
    }
}
