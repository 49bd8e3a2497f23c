//! Learning from verdicts: requesting it, adopting the result, and reverting it.
//!
//! Only books change that have no record and are neither open nor being opened. The next three books and the rest of a
//! sequence of books with one template keep their positions in the queue.

use super::{copies, entries, heat_books, opening};
use crate::copies::LearningRound;
use crate::entry::{QueueEntry, ReviewStatus};
use crate::learning::BookProposal;
use crate::message::{Effect, LearningSummary};
use crate::queue::QueueOrder;
use crate::session::{News, Notice, Session, Waiting};
use endpaper_detect::Cuts;
use endpaper_detect::pipeline::{self, MIN_LESSONS};
use endpaper_truth::{RecordKind, Verdict};

/// Number of undecided books ahead that keep their positions.
const FIXED_AHEAD: usize = 3;

/// Requests learning after enough verdicts, and reverts it when the queue becomes a random sample.
pub(super) fn request_or_forget(session: &mut Session) -> Vec<Effect> {
    let learning = &session.background.learning;
    if session.queue.order == QueueOrder::Random && (learning.is_active || learning.is_underway) {
        return forget(session);
    }
    // A running analysis changes the line frequencies.
    let busy = learning.is_underway
        || session.background.progress.is_some()
        || session.saves.is_quitting();
    if busy || !session.is_learning_on() {
        return Vec::new();
    }
    let decided = decided(session);
    // What was learned from a verdict that is no longer given must go.
    let cuts = |book: usize| session.entries.get(book).and_then(|entry| entry.cuts);
    let stands = |(&book, &taught): (&usize, &Option<Cuts>)| {
        is_decided_with_cuts(session, book) && cuts(book) == taught
    };
    let is_amended = learning.is_outdated || !learning.taught.iter().all(stands);
    if is_amended && decided.len() < next_round(0) {
        return forget(session);
    }
    if decided.len() < next_round(learning.asked_at) && !is_amended {
        return Vec::new();
    }
    let undecided = undecided(session);
    let count = decided.len();
    let id = |book: &usize| {
        session
            .entries
            .get(*book)
            .map_or_else(String::new, |entry| entry.id().to_owned())
    };
    let decided = pipeline::choose_lessons(decided, id);
    let taught = decided.iter().map(|&book| (book, cuts(book))).collect();
    let learning = &mut session.background.learning;
    (learning.asked_at, learning.taught) = (count, taught);
    learning.is_outdated = false;
    if decided.is_empty() || undecided.is_empty() {
        return Vec::new();
    }
    session.background.learning.epoch += 1;
    session.background.learning.is_underway = true;
    vec![Effect::Learn {
        epoch: session.background.learning.epoch,
        decided,
        undecided,
    }]
}

/// The number of decided books that the next round of learning waits for: a new collection is learned from its first ones.
fn next_round(asked_at: usize) -> usize {
    match asked_at {
        0..MIN_LESSONS => MIN_LESSONS,
        MIN_LESSONS..5 => 5,
        more => (more / 10 + 1) * 10,
    }
}

/// Whether the verdict on a book has cuts.
fn is_decided_with_cuts(session: &Session, book: usize) -> bool {
    session.entries.get(book).is_some_and(|entry| {
        let cut = [Verdict::Confirmed, Verdict::Corrected].map(ReviewStatus::Decided);
        cut.contains(&entry.status) && entry.kind == RecordKind::Book
    })
}

/// Books whose verdict has cuts.
fn decided(session: &Session) -> Vec<usize> {
    let books = 0..session.entries.len();
    books
        .filter(|&book| is_decided_with_cuts(session, book))
        .collect()
}

/// The books that may get new proposals, and the one that is open or being opened, whose curator is told.
fn undecided(session: &Session) -> Vec<usize> {
    let books = 0..session.entries.len();
    books
        .filter(|&book| can_be_proposed_anew(session, book) || is_held(session, book))
        .collect()
}

/// Whether this undecided book is open or being opened: it keeps its proposal.
fn is_held(session: &Session, book: usize) -> bool {
    session.entries[book].status == ReviewStatus::Undecided
        && (book == session.current || is_awaited(session, book))
}

/// Whether the book is being opened.
fn is_awaited(session: &Session, book: usize) -> bool {
    matches!(session.waits.waiting, Some(Waiting::Open { book: wanted, .. }) if wanted == book)
}

/// Whether the proposal for a book may change: it is undecided, and neither being opened or saved nor on screen, unless the
/// curator has not started yet.
pub(super) fn can_be_proposed_anew(session: &Session, book: usize) -> bool {
    let entry = session.entries.get(book);
    entry.is_some_and(|entry| entry.status == ReviewStatus::Undecided)
        && (book != session.current || !session.keys.has_pressed)
        && !is_awaited(session, book)
        && session.saves.has_no_saves(book)
}

/// Adopts the learned proposals, if they answer the last request.
pub(super) fn on_learned(
    session: &mut Session,
    epoch: u64,
    result: Result<Box<LearningSummary>, String>,
) -> Vec<Effect> {
    if epoch != session.background.learning.epoch || !session.background.learning.is_underway {
        return Vec::new();
    }
    session.background.learning.is_underway = false;
    let learned = match result {
        Ok(learned) => learned,
        Err(why) => {
            notify_news(session, News::NotLearned(why));
            return Vec::new();
        }
    };
    let learning = &mut session.background.learning;
    learning.is_active = true;
    learning.is_outdated |= learning.knows_opinions && !learned.has_opinions;
    let (mut changed, mut moved, mut is_open_book_behind) = (0, Vec::new(), false);
    for (book, proposal) in learned.proposals {
        if can_be_proposed_anew(session, book) {
            let cuts = propose(session, book, proposal);
            changed += cuts;
            moved.extend((cuts > 0).then_some(book));
        } else if book == session.current && is_held(session, book) {
            is_open_book_behind = session.entries[book].cuts != proposal.cuts;
        }
    }
    let held = held_count(session);
    session.queue.arrange_behind(held, &session.entries);
    heat_books::on_entries(session, false);
    let round = LearningRound {
        cuts: changed,
        verdicts: learned.verdicts,
        is_open_book_behind,
        ..LearningRound::default()
    };
    let mut effects = copies::after_learning(session, &moved, round);
    if !session.keys.has_pressed && entries::can_be_read_again(session) {
        effects.extend(session.ask_for(session.current, None));
    }
    effects.push(Effect::Preload(opening::neighbours(session)));
    effects
}

/// Updates the proposal for a book in the queue; returns how many cuts moved.
fn propose(session: &mut Session, book: usize, proposal: BookProposal) -> usize {
    let entry = &mut session.entries[book];
    let before = proposal_of(entry);
    session
        .background
        .learning
        .original_proposals
        .entry(book)
        .or_insert(before);
    apply_proposal(entry, proposal);
    match (before.cuts, proposal.cuts) {
        (Some(old), Some(new)) => count_moved_cuts(old, new),
        _ => 0,
    }
}

/// How many of the two cuts differ.
fn count_moved_cuts(old: Cuts, new: Cuts) -> usize {
    usize::from(old.preamble_end != new.preamble_end)
        + usize::from(old.epilogue_start != new.epilogue_start)
}

/// The proposal of an entry, to be restored later.
fn proposal_of(entry: &QueueEntry) -> BookProposal {
    BookProposal {
        cuts: entry.cuts,
        doubt: entry.doubt,
        reason: entry.reason,
    }
}

/// Gives an entry another proposal.
fn apply_proposal(entry: &mut QueueEntry, proposal: BookProposal) {
    (entry.cuts, entry.doubt, entry.reason) = (proposal.cuts, proposal.doubt, proposal.reason);
}

/// Number of books at the front of the queue that keep their positions: all up to the current one, the next three
/// undecided ones, the rest of a sequence with its template, and propagated ones.
fn held_count(session: &Session) -> usize {
    let (books, entries) = (&session.queue.books, &session.entries);
    let from = session
        .queue
        .position(session.current)
        .map_or(0, |at| at + 1);
    let ahead = &books[from..];
    let open = |book: &usize| !entries[*book].status.is_decided();
    let mut next = ahead.iter().enumerate().filter(|(_, book)| open(book));
    let three = next
        .nth(FIXED_AHEAD - 1)
        .map_or(ahead.len(), |(at, _)| at + 1);
    let rank = session.entry().map_or(0, |entry| entry.template_rank);
    let same = |book: &&usize| rank != 0 && entries[**book].template_rank == rank;
    let run = ahead.iter().take_while(same).count();
    let members = ahead
        .iter()
        .take_while(|book| session.is_propagated(**book));
    from + three.max(run).max(members.count())
}

/// Shows news after the current notice. A warning is kept instead.
pub(super) fn notify_news(session: &mut Session, news: News) {
    let before = session.screen.notice.take();
    session.screen.notice = match before {
        Some(notice) if notice.is_warning() => Some(notice),
        before => Some(Notice::WithNews(before.map(Box::new), news)),
    };
}

/// Reverts to the original proposals.
fn forget(session: &mut Session) -> Vec<Effect> {
    for (book, before) in std::mem::take(&mut session.background.learning.original_proposals) {
        if can_be_proposed_anew(session, book) {
            apply_proposal(&mut session.entries[book], before);
        }
    }
    stop(session);
    heat_books::on_entries(session, false);
    vec![
        Effect::Forget,
        Effect::Preload(opening::neighbours(session)),
    ]
}

/// Cancels a pending request and deactivates what was learned.
fn stop(session: &mut Session) {
    let learning = &mut session.background.learning;
    learning.epoch += 1;
    (learning.is_underway, learning.is_active, learning.asked_at) = (false, false, 0);
    learning.original_proposals.clear();
    learning.taught.clear();
    learning.is_outdated = false;
}

/// Handles new entries: if the counts changed, learning starts again; otherwise learned proposals are kept.
pub(super) fn on_entries(session: &mut Session, new: &mut [QueueEntry], counts_changed: bool) {
    if counts_changed || new.len() != session.entries.len() {
        stop(session);
        return;
    }
    for &book in session.background.learning.original_proposals.keys() {
        if new[book].status == ReviewStatus::Undecided {
            apply_proposal(&mut new[book], proposal_of(&session.entries[book]));
        }
    }
}
