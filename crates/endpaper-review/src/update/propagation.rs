//! Propagation: finding other books in which the cuts of a decision would also be right, and proposing them there.
//!
//! Propagation only proposes. Its books come next in the queue, copies of the decided book first, each with the same change
//! to its cuts, and each needs a separate verdict.

use super::{learning, opening};
use crate::decision::{BookState, Decision};
use crate::entry::{QueueEntry, ReviewStatus};
use crate::message::Effect;
use crate::propagation::{PropagationBook, PropagationOffer, PropagationSource, PropagationTarget};
use crate::queue::QueueOrder;
use crate::session::{News, QueueNotice, Session};
use endpaper_detect::End;
use endpaper_truth::{RecordKind, Verdict};

/// Minimum doubt of books of another template and producer to be searched.
const MIN_DOUBT: f32 = 0.05;

/// Searches for books to propagate to after a decision on the open book was saved: its copies, and after a correction also
/// other books. A decision that accepts a propagated proposal is not propagated again.
pub(super) fn on_decided(session: &mut Session, book: usize, decision: &Decision) -> Vec<Effect> {
    let Some(open) = session
        .doc
        .open
        .as_ref()
        .filter(|_| session.current == book)
    else {
        return Vec::new();
    };
    let (detected, shown) = (open.page.detection.cuts, open.propagation.clone());
    let quiet =
        open.blind.is_some() || session.modes.replay.is_some() || !session.is_propagation_on();
    if !decision.verdict.has_cuts() || decision.kind != RecordKind::Book || quiet {
        return Vec::new();
    }
    if let Some(shown) = shown {
        if decision.cuts == shown.cuts || decision.verdict != Verdict::Corrected {
            return Vec::new();
        }
        // The curator made another change: drop the proposals for the rest of the batch.
        let stays =
            |other: &usize, member: &PropagationBook| member.batch != shown.batch || *other == book;
        let members = &mut session.background.propagation.proposed;
        members.retain(|other, member| stays(other, member));
    }
    let decided = PropagationSource {
        book,
        detected,
        cuts: decision.cuts,
        inside: decision.inside.clone(),
    };
    let mut books = copies(session, book);
    if decision.verdict == Verdict::Corrected {
        books.extend(candidates(session, book));
    }
    if books.is_empty() {
        return Vec::new();
    }
    session.background.propagation.epoch += 1;
    session.background.propagation.pending_source = Some(decided.clone());
    vec![Effect::FindPropagationTargets {
        epoch: session.background.propagation.epoch,
        source: decided,
        books,
    }]
}

/// Undecided copies of a book with their cuts, whether or not the queue shows them.
fn copies(session: &Session, from: usize) -> Vec<PropagationTarget> {
    let entries = &session.entries;
    let Some(of) = entries.get(from) else {
        return Vec::new();
    };
    let others = (0..entries.len()).filter(|&book| book != from && entries[book].is_copy_of(of));
    let free = others.filter(|&book| is_untouched(session, book));
    free.filter_map(|book| target(entries, book, true))
        .collect()
}

/// A book to search, if its cuts are known.
fn target(entries: &[QueueEntry], book: usize, copy: bool) -> Option<PropagationTarget> {
    let cuts = entries[book].cuts?;
    Some(PropagationTarget {
        book,
        detected: cuts,
        cuts,
        is_copy: copy,
        inside: Vec::new(),
    })
}

/// Undecided books of the queue with their cuts: first those of the same template or producer, then the others in order of
/// decreasing doubt, if it is high enough.
fn candidates(session: &Session, from: usize) -> Vec<PropagationTarget> {
    let entries = &session.entries;
    let Some(of) = entries.get(from) else {
        return Vec::new();
    };
    let doubt = |book: usize| entries[book].doubt.unwrap_or(0.0);
    let is_related = |book: usize| {
        let entry = &entries[book];
        let template = of.template_rank != 0 && entry.template_rank == of.template_rank;
        template || (!of.producer.is_empty() && entry.producer == of.producer)
    };
    let wanted = |&book: &usize| {
        let other = book != from && !entries[book].is_copy_of(of);
        other && is_untouched(session, book) && (is_related(book) || doubt(book) >= MIN_DOUBT)
    };
    let mut books: Vec<usize> = session.queue.books.iter().copied().filter(wanted).collect();
    books.sort_by(|&a, &b| {
        let related = is_related(b).cmp(&is_related(a));
        related.then(doubt(b).total_cmp(&doubt(a))).then(a.cmp(&b))
    });
    let known = |book| target(entries, book, false);
    books.into_iter().filter_map(known).collect()
}

/// Whether the book has neither a record nor unsaved changes, a pending save or a blind review.
fn is_untouched(session: &Session, book: usize) -> bool {
    let untouched = |open: &BookState| {
        open.record.is_none()
            && !open.has_unsaved_changes()
            && open.read_only.is_none()
            && open.blind.is_none()
    };
    match (&session.doc.open, book == session.current) {
        (Some(open), true) => {
            untouched(open) && session.entries[book].status == ReviewStatus::Undecided
        }
        _ => learning::can_be_proposed_anew(session, book),
    }
}

/// Offers the found books, if they answer the last request.
pub(super) fn on_targets_found(session: &mut Session, epoch: u64, books: Vec<PropagationTarget>) {
    let propagation = &mut session.background.propagation;
    let awaited = epoch == propagation.epoch;
    let Some(decided) = propagation.pending_source.take_if(|_| awaited) else {
        return;
    };
    let from = decided.book;
    let open =
        |alike: &PropagationTarget| alike.book != from && can_be_proposed(session, alike.book);
    let books: Vec<PropagationTarget> = books.into_iter().filter(open).collect();
    if books.is_empty() || !session.is_propagation_on() {
        return;
    }
    let (copies, others) = count_targets(&books);
    let moved = moved_ends(&books);
    session.background.propagation.offer = Some(PropagationOffer { from, books });
    let entry = &session.entries[from];
    let news = News::Propagates {
        name: entry.name().to_owned(),
        status: entry.status,
        copies,
        others,
        moved,
    };
    learning::notify_news(session, news);
}

/// Number of copies and number of other books in an offer.
fn count_targets(books: &[PropagationTarget]) -> (usize, usize) {
    let copies = books.iter().filter(|alike| alike.is_copy).count();
    (copies, books.len() - copies)
}

/// Whether the start and the end move in any of the books.
fn moved_ends(books: &[PropagationTarget]) -> [bool; 2] {
    let moves = |end: End| books.iter().any(|alike| alike.moves(end));
    [moves(End::Start), moves(End::End)]
}

/// Whether a book can still be proposed to: it is undecided, also while it is being opened.
fn can_be_proposed(session: &Session, book: usize) -> bool {
    let undecided = |book: usize| session.entries[book].status == ReviewStatus::Undecided;
    let listed = book < session.entries.len() && undecided(book);
    match book == session.current && session.doc.open.is_some() {
        true => is_untouched(session, book),
        false => listed && !session.saves.is_unsaved(book),
    }
}

/// Puts the offered books next in the queue and opens the first.
pub(super) fn put_targets_next(session: &mut Session) -> Vec<Effect> {
    let offer = session.background.propagation.offer.take();
    let awaited = session.background.propagation.pending_source.is_some();
    let Some(PropagationOffer { from, books }) = offer else {
        session.notify(match awaited {
            true => QueueNotice::StillLookingForCopies,
            false => QueueNotice::NothingToBringUp,
        });
        return Vec::new();
    };
    let come = |alike: &PropagationTarget| can_be_proposed(session, alike.book);
    let books: Vec<PropagationTarget> = books.into_iter().filter(come).collect();
    let Some(first) = books.first().map(|alike| alike.book) else {
        session.notify(QueueNotice::DecidedMeanwhile);
        return Vec::new();
    };
    session.background.propagation.last_batch += 1;
    let (run, of) = (session.background.propagation.last_batch, books.len());
    for (place, alike) in books.iter().enumerate() {
        let member = PropagationBook {
            batch: run,
            from,
            target: alike.clone(),
            at: place + 1,
            of,
        };
        session
            .background
            .propagation
            .proposed
            .insert(alike.book, member);
        session.sitting.selection.remove(&alike.book);
    }
    let places: Vec<usize> = books.iter().map(|alike| alike.book).collect();
    session.queue.put_before(session.current, &places);
    let (copies, others) = count_targets(&books);
    let marks = books.iter().map(|alike| alike.inside.len()).sum();
    session.notify(QueueNotice::BroughtUp {
        copies,
        others,
        marks,
        moved: moved_ends(&books),
    });
    match first == session.current {
        true => session.ask_for(first, None),
        false => opening::open(session, first, None),
    }
}

/// Clears all propagation once the queue is a random sample.
pub(super) fn clear_if_random(session: &mut Session) {
    let runs = &session.background.propagation;
    let any = runs.pending_source.is_some() || runs.offer.is_some() || !runs.proposed.is_empty();
    if any && session.queue.order == QueueOrder::Random {
        session.background.propagation.clear();
    }
}
