//! Runs: looking for other books in which the cuts of a decision would be right, bringing them up, and what is shown of it.
//!
//! A run only proposes. Its books come next in the queue, copies of the decided book first, each with the same change to
//! its own cuts, and each is decided by itself.

use super::{learning, opening};
use crate::decision::{BookState, Decision};
use crate::entry::{QueueEntry, ReviewStatus};
use crate::message::Effect;
use crate::page::BookPage;
use crate::queue::QueueOrder;
use crate::runs::{
    PropagationBook, PropagationOffer, PropagationPreview, PropagationSource, PropagationTarget,
};
use crate::session::{News, QueueNotice, Session};
use endpaper_detect::End;
use endpaper_truth::{Record, RecordKind, Verdict};

/// Books of another template and hand are looked through from this doubt on.
const DOUBTFUL: f32 = 0.05;

/// A decision on the open book is on disk: it is looked for in its copies, and a correction in other books, unless it is
/// the one that its run proposed.
pub(super) fn decided(session: &mut Session, book: usize, decision: &Decision) -> Vec<Effect> {
    let Some(open) = session
        .doc
        .open
        .as_ref()
        .filter(|_| session.current == book)
    else {
        return Vec::new();
    };
    let (detected, shown) = (open.page.detection.cuts, open.run.clone());
    let quiet = open.blind.is_some() || session.modes.replay.is_some() || !session.has_runs();
    if !decision.verdict.has_cuts() || decision.kind != RecordKind::Book || quiet {
        return Vec::new();
    }
    if let Some(shown) = shown {
        if decision.cuts == shown.cuts || decision.verdict != Verdict::Corrected {
            return Vec::new();
        }
        // It is another change after all: what was proposed for the rest of the run is not.
        let stays =
            |other: &usize, member: &PropagationBook| member.run != shown.run || *other == book;
        let members = &mut session.background.runs.members;
        members.retain(|other, member| stays(other, member));
    }
    let decided = PropagationSource {
        book,
        detected,
        cuts: decision.cuts,
    };
    let mut books = copies(session, book);
    if decision.verdict == Verdict::Corrected {
        books.extend(candidates(session, book));
    }
    if books.is_empty() {
        return Vec::new();
    }
    session.background.runs.epoch += 1;
    session.background.runs.awaited = Some(decided);
    vec![Effect::Alike {
        epoch: session.background.runs.epoch,
        decided,
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
    let free = others.filter(|&book| is_free(session, book));
    free.filter_map(|book| known(entries, book, true)).collect()
}

/// A book to be looked through, if its cuts are known.
fn known(entries: &[QueueEntry], book: usize, copy: bool) -> Option<PropagationTarget> {
    let cuts = entries[book].cuts?;
    Some(PropagationTarget {
        book,
        detected: cuts,
        cuts,
        copy,
    })
}

/// Undecided books of the queue with their cuts: first those of the same template or hand, then the others with doubt,
/// the most doubtful first.
fn candidates(session: &Session, from: usize) -> Vec<PropagationTarget> {
    let entries = &session.entries;
    let Some(of) = entries.get(from) else {
        return Vec::new();
    };
    let doubt = |book: usize| entries[book].doubted().unwrap_or(0.0);
    let is_kin = |book: usize| {
        let entry = &entries[book];
        let template = of.template_rank != 0 && entry.template_rank == of.template_rank;
        template || (!of.hand.is_empty() && entry.hand == of.hand)
    };
    let wanted = |&book: &usize| {
        let other = book != from && !entries[book].is_copy_of(of);
        other && is_free(session, book) && (is_kin(book) || doubt(book) >= DOUBTFUL)
    };
    let mut books: Vec<usize> = session.queue.books.iter().copied().filter(wanted).collect();
    books.sort_by(|&a, &b| {
        let kin = is_kin(b).cmp(&is_kin(a));
        kin.then(doubt(b).total_cmp(&doubt(a))).then(a.cmp(&b))
    });
    let known = |book| known(entries, book, false);
    books.into_iter().filter_map(known).collect()
}

/// Nobody has said anything of the book yet, on the screen or elsewhere.
fn is_free(session: &Session, book: usize) -> bool {
    let untouched = |open: &BookState| {
        open.record.is_none() && !open.touched() && open.read_only.is_none() && open.blind.is_none()
    };
    match (&session.doc.open, book == session.current) {
        (Some(open), true) => {
            untouched(open) && session.entries[book].standing == ReviewStatus::Undecided
        }
        _ => learning::is_free(session, book),
    }
}

/// Other books were looked through.
pub(super) fn found(session: &mut Session, epoch: u64, books: Vec<PropagationTarget>) {
    let Some(decided) = session
        .background
        .runs
        .awaited
        .filter(|_| epoch == session.background.runs.epoch)
    else {
        return;
    };
    session.background.runs.awaited = None;
    let from = decided.book;
    let open = |alike: &PropagationTarget| alike.book != from && may_come(session, alike.book);
    let books: Vec<PropagationTarget> = books.into_iter().filter(open).collect();
    if books.is_empty() || !session.has_runs() {
        return;
    }
    let (copies, others) = counted(&books);
    session.background.runs.offer = Some(PropagationOffer { from, books });
    let entry = &session.entries[from];
    let news = News::Propagates {
        name: entry.name().to_owned(),
        standing: entry.standing,
        copies,
        others,
    };
    learning::tell(session, news);
}

/// How many copies and how many other books are among those of an offer.
fn counted(books: &[PropagationTarget]) -> (usize, usize) {
    let copies = books.iter().filter(|alike| alike.copy).count();
    (copies, books.len() - copies)
}

/// The book may still come up in a run: it is undecided, also while it is on its way to the screen.
fn may_come(session: &Session, book: usize) -> bool {
    let undecided = |book: usize| session.entries[book].standing == ReviewStatus::Undecided;
    let listed = book < session.entries.len() && undecided(book);
    match book == session.current && session.doc.open.is_some() {
        true => is_free(session, book),
        false => listed && !session.saves.is_unsaved(book),
    }
}

/// Puts the books that were found next into the queue, and opens the first.
pub(super) fn bring_up(session: &mut Session) -> Vec<Effect> {
    let offer = session.background.runs.offer.take();
    let awaited = session.background.runs.awaited.is_some();
    let Some(PropagationOffer { from, books }) = offer else {
        session.notify(match awaited {
            true => QueueNotice::StillLookingForCopies,
            false => QueueNotice::NothingToBringUp,
        });
        return Vec::new();
    };
    let come = |alike: &PropagationTarget| may_come(session, alike.book);
    let books: Vec<PropagationTarget> = books.into_iter().filter(come).collect();
    let Some(first) = books.first().map(|alike| alike.book) else {
        session.notify(QueueNotice::DecidedMeanwhile);
        return Vec::new();
    };
    session.background.runs.last += 1;
    let (run, of) = (session.background.runs.last, books.len());
    for (place, alike) in books.iter().enumerate() {
        let member = PropagationBook {
            run,
            from,
            alike: *alike,
            at: place + 1,
            of,
        };
        session.background.runs.members.insert(alike.book, member);
        session.sitting.drawn.remove(&alike.book);
    }
    let places: Vec<usize> = books.iter().map(|alike| alike.book).collect();
    session.queue.put_before(session.current, &places);
    let (copies, others) = counted(&books);
    session.notify(QueueNotice::BroughtUp { copies, others });
    match first == session.current {
        true => session.ask_for(first, None),
        false => opening::open(session, first, None),
    }
}

/// What is shown of a run in a book that comes on screen: the cuts with the change, where it has no record yet, and
/// otherwise only where it comes from.
pub(super) fn shown(
    session: &Session,
    page: &BookPage,
    record: Option<&Record>,
) -> Option<PropagationPreview> {
    let member = session.background.runs.members.get(&session.current)?;
    if session.modes.replay.is_some() || !session.has_runs() {
        return None;
    }
    let judged = |record: &Record| !record.reviews.is_empty() || record.verdict.is_decided();
    if record.is_some_and(judged) {
        return None;
    }
    let cuts = page.fitted(member.alike.change(page.detection.cuts)?);
    let first = page.body_first(cuts)?;
    let has_body = first < page.place_of(cuts, End::End);
    let from = session.entries.get(member.from)?;
    has_body.then(|| PropagationPreview {
        run: member.run,
        from: from.id().to_owned(),
        name: from.name().to_owned(),
        at: member.at,
        of: member.of,
        cuts,
    })
}

/// Nothing is proposed from other books any more once the queue is a sample.
pub(super) fn follow(session: &mut Session) {
    let runs = &session.background.runs;
    let any = runs.awaited.is_some() || runs.offer.is_some() || !runs.members.is_empty();
    if any && session.queue.order == QueueOrder::Random {
        session.background.runs.clear();
    }
}
