//! Near copies: comparing their present cuts by the words around them, and telling where two decisions contradict each other.

use std::collections::BTreeSet;

use super::learning;
use crate::cold_start;
use crate::copies::{CopyComparison, CopyPair, CopyPlaces, LearningRound};
use crate::decision::BookState;
use crate::entry::{QueueEntry, ReviewStatus};
use crate::message::Effect;
use crate::queue::QueueOrder;
use crate::session::{News, Notice, QueueNotice, Session, Tone};
use endpaper_detect::Cuts;
use endpaper_detect::pipeline::MAX_COPIES;

/// Number of pairs that are compared after a round of learning.
const MAX_MOVED: usize = 200;

/// Requests the comparison of the open book with its copies wherever one of them is cut elsewhere than in the last one.
pub(super) fn request_missing(session: &mut Session) -> Vec<Effect> {
    if !may_compare(session) {
        return Vec::new();
    }
    tell_known(session);
    let pairs = pairs_of(session, session.current);
    request(session, &pairs)
}

/// Whether the open book may be compared: never where reviews must be independent of each other.
fn may_compare(session: &Session) -> bool {
    let is_open = session.doc.open.is_some();
    is_open && session.modes.replay.is_none() && !are_reviews_independent(session)
}

/// Whether reviews must be independent of each other, so that nothing may be said of other decisions.
fn are_reviews_independent(session: &Session) -> bool {
    let (options, modes) = (&session.options, &session.modes);
    let alone = options.adjudicates || options.re_review || modes.blind;
    let sample = modes.sampling.is_some() || session.queue.order == QueueOrder::Random;
    let open = session.doc.open.as_ref();
    alone || sample || open.is_some_and(BookState::hides_proposal)
}

fn request(session: &mut Session, pairs: &[CopyPlaces]) -> Vec<Effect> {
    let wanted = pairs.iter().filter_map(|&books| present(session, books));
    let wanted: Vec<CopyPair> = wanted
        .filter(|pair| comparison(session, pair.books).is_none())
        .collect();
    let pending = &mut session.background.copies.pending;
    let before = pending.len();
    for pair in wanted {
        if !pending.contains(&pair) {
            pending.push(pair);
        }
    }
    match pending.len() > before {
        true => vec![Effect::CompareCopies(pending.clone())],
        false => Vec::new(),
    }
}

/// The cuts to compare of a book, if it has any: those of its record, else the proposed ones.
fn cuts(entry: &QueueEntry) -> Option<Cuts> {
    let has_body = match entry.status {
        ReviewStatus::Decided(verdict) => verdict.has_cuts(),
        ReviewStatus::Broken | ReviewStatus::Unreadable => false,
        _ => true,
    };
    entry.cuts.filter(|_| has_body)
}

/// Two books with their present cuts.
fn present(session: &Session, books: CopyPlaces) -> Option<CopyPair> {
    let [a, b] = books.map(|book| cuts(session.entries.get(book)?));
    Some(CopyPair {
        books,
        cuts: [a?, b?],
    })
}

/// The pairs of a book with its copies.
fn pairs_of(session: &Session, book: usize) -> Vec<CopyPlaces> {
    let entries = &session.entries;
    let Some(entry) = entries.get(book).filter(|entry| entry.copies.cluster != 0) else {
        return Vec::new();
    };
    let others = (0..entries.len()).filter(|&other| other != book);
    let mut copies: Vec<usize> = others
        .filter(|&other| entries[other].is_copy_of(entry))
        .collect();
    copies.sort_by_key(|&copy| !entries[copy].status.is_decided());
    let pair = |&copy: &usize| [book.min(copy), book.max(copy)];
    copies.iter().take(MAX_COPIES).map(pair).collect()
}

/// The comparison of two books with their present cuts, if it is known.
fn comparison(session: &Session, books: CopyPlaces) -> Option<&CopyComparison> {
    let known = session.background.copies.known.get(&books)?;
    (Some(known.pair) == present(session, books)).then_some(known)
}

/// Whether two copies are cut at other words by their present cuts; `None` if these were not compared.
pub(crate) fn differ(session: &Session, a: usize, b: usize) -> Option<bool> {
    let found = comparison(session, [a.min(b), a.max(b)]);
    found.map(CopyComparison::is_cut_differently)
}

/// Whether the current book is cut at other words than a copy; `None` if it was not compared with all of them.
pub(crate) fn is_cut_differently(session: &Session) -> Option<bool> {
    let entry = session.entry()?;
    let entries = session.entries.iter();
    let copies = entries.filter(|other| other.is_copy_of(entry)).count();
    let pairs = pairs_of(session, session.current);
    let known = |&books: &CopyPlaces| comparison(session, books);
    let found: Vec<&CopyComparison> = pairs.iter().filter_map(known).collect();
    let any = found.iter().any(|found| found.is_cut_differently());
    (any || (copies > 1 && found.len() + 1 == copies)).then_some(any)
}

/// Adopts the result of a comparison.
pub(super) fn on_compared(session: &mut Session, found: CopyComparison) {
    let copies = &mut session.background.copies;
    let before = copies.pending.len();
    copies.pending.retain(|pair| *pair != found.pair);
    if copies.pending.len() == before {
        return;
    }
    copies.known.insert(found.pair.books, found);
    tell(session, &found);
    settle_round(session);
}

/// Tells what is known of the open book, once each time it is opened or decided.
fn tell_known(session: &mut Session) {
    for books in pairs_of(session, session.current) {
        if let Some(found) = comparison(session, books).copied() {
            tell(session, &found);
        }
    }
}

/// Tells that two decided copies are cut at other words.
fn tell(session: &mut Session, found: &CopyComparison) {
    let books = found.pair.books;
    let decided = books.iter().all(|&book| {
        let entry = session.entries.get(book);
        entry.is_some_and(|entry| entry.status.is_decided())
    });
    let present = present(session, books) == Some(found.pair);
    let fails = |notice: &Notice| notice.tone() == Tone::Error;
    let hidden = session.screen.notice.as_ref().is_some_and(fails);
    if !found.is_cut_differently() || !decided || !present || hidden || !may_compare(session) {
        return;
    }
    if session.background.copies.told.insert(books) {
        let at_end = !found.differ[0];
        let line = |place: usize| match (at_end, found.bodies[place]) {
            (false, (first, _)) => first,
            (true, (_, last)) => last,
        };
        let notice = QueueNotice::CopiesDisagree {
            names: names(session, books),
            at_end,
            lines: [line(0), line(1)],
        };
        session.notify(notice);
    }
}

/// The short names of two books, or their ids if these are the same.
fn names(session: &Session, books: CopyPlaces) -> [String; 2] {
    let [a, b] = books.map(|book| &session.entries[book]);
    match a.name() == b.name() {
        true => [a.id().to_owned(), b.id().to_owned()],
        false => [a.name().to_owned(), b.name().to_owned()],
    }
}

/// Shows the contradictions of the open book again: it was opened.
pub(super) fn forget_told(session: &mut Session) {
    session.background.copies.told.clear();
}

/// Drops everything: books are identified by index.
pub(super) fn clear(session: &mut Session) {
    session.background.copies = Default::default();
}

/// Compares the copies of books whose proposals a round of learning moved, then tells of the round. Where reviews must be
/// independent, nothing is compared.
pub(super) fn after_learning(
    session: &mut Session,
    moved: &[usize],
    round: LearningRound,
) -> Vec<Effect> {
    let moved: &[usize] = match are_reviews_independent(session) {
        true => &[],
        false => moved,
    };
    let pairs = moved.iter().flat_map(|&book| pairs_of(session, book));
    let pairs: BTreeSet<CopyPlaces> = pairs.take(MAX_MOVED).collect();
    let wanted: Vec<CopyPlaces> = pairs.iter().copied().collect();
    session.background.copies.round = Some(LearningRound {
        pending: pairs,
        ..round
    });
    let effects = request(session, &wanted);
    settle_round(session);
    effects
}

/// Tells of the last round of learning as soon as all copies that it moved are compared.
fn settle_round(session: &mut Session) {
    let Some(mut round) = session.background.copies.round.take() else {
        return;
    };
    // The curator may have begun a blind review since the pairs were requested.
    let is_told = !are_reviews_independent(session);
    if !is_told {
        round.pending.clear();
        round.apart.clear();
    }
    for books in std::mem::take(&mut round.pending) {
        let awaited = &session.background.copies.pending;
        if awaited.iter().any(|pair| pair.books == books) {
            round.pending.insert(books);
            continue;
        }
        let found = session.background.copies.known.get(&books);
        if found.is_some_and(CopyComparison::is_cut_differently) {
            round.apart.insert(books);
        }
    }
    if !round.pending.is_empty() {
        session.background.copies.round = Some(round);
        return;
    }
    let first = round.apart.first().map(|&books| names(session, books));
    let news = News::Learned {
        cuts: round.cuts,
        verdicts: round.verdicts,
        apart: first.map(|names| (names, round.apart.len())),
        kept: is_told.then(|| cold_start::kept_of_last(session)).flatten(),
        is_open_book_behind: is_told && round.is_open_book_behind,
    };
    learning::notify_news(session, news);
}
