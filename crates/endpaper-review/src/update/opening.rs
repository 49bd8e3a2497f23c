//! Changing the book on screen, and the queue.

use std::collections::HashMap;

use super::saving;
use super::{
    anchored, blind, editions, heat, keys, learning, moves, occurrences, replay, runs, trail, undo,
    versions,
};
use crate::action::Action;
use crate::decision::{BookState, Decision, SaveState};
use crate::entry::{Copies, Entry, Standing, manner};
use crate::message::{Effect, Opened};
use crate::page::{Page, Shared};
use crate::popup::Popup;
use crate::queue::Order;
use crate::rows::Folding;
use crate::session::{
    Deferred, Notice, QueueNotice, RecordNotice, SaveNotice, Session, Tone, Waiting,
};
use crate::trail::Spot;
use endpaper_detect::End;
use endpaper_text::corpus::BookId;
use endpaper_truth::{Found, Record, Verdict};

/// What to do with a book when it is there (undo).
#[derive(Clone, Debug, PartialEq)]
pub struct Goto {
    /// The decision to show.
    pub decision: Option<Decision>,
    /// What to say.
    pub say: Option<Box<Notice>>,
    /// Where to go in it.
    pub spot: Option<Spot>,
}

/// Opens a book; what was changed in the current one is saved first.
pub(super) fn open(session: &mut Session, book: usize, goto: Option<Goto>) -> Vec<Effect> {
    // What is on its way of the book that is left, or of the one that is wanted, comes first: a record that was read
    // before it was written would be shown, and then saved, as it was before.
    if session.saves.is_underway(session.current) || session.saves.is_underway(book) {
        session.saves.defer(Deferred::Open(book, goto));
        return Vec::new();
    }
    let mut effects = leave(session);
    effects.extend(read(session, book, goto));
    effects
}

/// What was changed in the open book is saved, or kept for the sitting where it is no draft.
pub(super) fn leave(session: &mut Session) -> Vec<Effect> {
    blind::shelve(session);
    saving::save_draft(session)
}

/// Opens a book that was picked, in a list or with the mouse, and did not come up in the order of the queue. A replay is
/// over then.
pub(super) fn pick(session: &mut Session, book: usize, how: &'static str) -> Vec<Effect> {
    session.modes.replay = None;
    session.sitting.drawn.insert(book, how);
    trail::leave(session);
    open(session, book, None)
}

/// Asks for a book, unless it is known that there is nothing to read.
fn read(session: &mut Session, book: usize, goto: Option<Goto>) -> Vec<Effect> {
    if let Some(reason) = session
        .entries
        .get(book)
        .and_then(|entry| entry.unreadable.clone())
    {
        // Known to be no readable text: there is nothing to ask for.
        session.waits.waiting = None;
        session.note_time();
        session.forget_slow();
        session.current = book;
        absent(session, reason);
        return Vec::new();
    }
    session.ask_for(book, goto)
}

/// Shows a sentence in place of the current book.
fn absent(session: &mut Session, reason: String) {
    session.doc.close(reason);
    session.saves.forget_warning();
    session.entries[session.current].standing = Standing::Unreadable;
}

/// Says that the book on its way takes long, and what works meanwhile.
pub(super) fn tell_slow(session: &mut Session) {
    let (Some(Waiting::Open { book, .. }), Some(slow)) =
        (&session.waits.waiting, &mut session.waits.slow)
    else {
        return;
    };
    slow.told = session.now;
    let seconds = session.now.saturating_sub(slow.since) / 1000;
    let name = session.entries.get(*book).map_or("", Entry::name);
    let notice = QueueNotice::Slow {
        name: name.to_owned(),
        seconds,
    };
    // What went wrong stays on screen.
    let shown = !session.screen.notice.as_ref().is_some_and(Notice::warns);
    if shown {
        session.notify(notice);
    }
    if let Some(slow) = &mut session.waits.slow {
        slow.shown = shown;
    }
}

/// The next or previous book of the queue, decided or not.
pub(super) fn step(session: &mut Session, step: isize) -> Vec<Effect> {
    let from = match (session.saves.deferred(), &session.waits.waiting) {
        (Some(Deferred::Open(book, _)), _) | (_, Some(Waiting::Open { book, .. })) => *book,
        _ => session.current,
    };
    match session.queue.step(from, step) {
        Some(book) if book != from => {
            session.sitting.drawn.remove(&book);
            open(session, book, None)
        }
        Some(_) => {
            session.notify(QueueNotice::OnlyBook);
            Vec::new()
        }
        None => {
            let what = session.queue.what();
            session.notify(QueueNotice::Empty { what });
            Vec::new()
        }
    }
}

/// The next book without a verdict, or a word that there is none.
pub(super) fn next_open(session: &mut Session) -> Vec<Effect> {
    if let Some(effects) = replay::go_on(session) {
        return effects;
    }
    if let Some(book) = blind::next(session, session.current) {
        session.sitting.drawn.remove(&book);
        return open(session, book, None);
    }
    if session.modes.sampling.is_some() {
        return blind::sample_done(session);
    }
    if session.options.again {
        return blind::none_left(session);
    }
    // The one on screen may be the last.
    let this_is_open = session.queue.is_open(session.current, &session.entries);
    let (decided, readable) = session.done();
    let saved = session.screen.notice.take();
    let saved = saved.filter(|notice| notice.tone() == Tone::Good);
    session.notify(QueueNotice::NoneLeft {
        saved: saved.map(Box::new),
        this_is_open,
        decided,
        readable,
    });
    leave(session)
}

/// A book was read.
pub(super) fn opened(session: &mut Session, opened: Opened) -> Vec<Effect> {
    let Some(Waiting::Open { ticket, book, goto }) = session.waits.waiting.clone() else {
        return Vec::new();
    };
    if (ticket, book) != (opened.ticket, opened.book) {
        return Vec::new();
    }
    session.waits.waiting = None;
    session.note_time();
    session.forget_slow();
    let again = session.current == book;
    session.current = book;
    session.saves.forget_warning();
    match opened.page.clone() {
        Ok(page) => {
            show(session, page, opened, again);
            if goto.as_ref().is_none_or(|goto| goto.spot.is_some()) {
                show_unsaved(session);
            }
            if let Some(goto) = goto {
                apply(session, goto);
            }
            replay::tell(session);
        }
        Err(reason) => absent(session, reason),
    }
    let mut effects = vec![Effect::Remember(book)];
    effects.push(Effect::Preload(neighbours(session)));
    effects.extend(keys::replay(session));
    effects
}

/// Books that are likely wanted next.
pub(super) fn neighbours(session: &Session) -> Vec<usize> {
    let next = blind::next(session, session.current);
    let mut books: Vec<usize> = next.into_iter().collect();
    books.extend(session.queue.step(session.current, 1));
    books.extend(next.and_then(|next| blind::next(session, next)));
    books.retain(|&book| book != session.current);
    books.dedup();
    books
}

fn apply(session: &mut Session, goto: Goto) {
    if let Some(decision) = goto.decision {
        undo::put(session, decision);
    }
    let said = session.screen.notice.as_ref();
    // What is wrong with the book matters more than how one came to it.
    let hidden = goto.spot.is_some() && said.is_some_and(Notice::warns);
    if let Some(say) = goto.say.filter(|_| !hidden) {
        session.notify(*say);
    }
    if let Some(spot) = goto.spot {
        trail::arrive(session, spot);
    }
}

/// What was decided of the book and could not be saved is shown again, unless its record is another one now.
fn show_unsaved(session: &mut Session) {
    let Some(open) = session
        .doc
        .open
        .as_ref()
        .filter(|open| open.read_only.is_none())
    else {
        return;
    };
    let Some(save) = session.saves.reclaim(session.current, &open.known) else {
        return;
    };
    undo::put(session, save.decision);
    session.notify(SaveNotice::ShownAsLeft);
}

/// Puts a page on screen. A page of the same text that was on screen already (other counts came, an editor was left)
/// stays where it was scrolled and folded to, as long as its cuts are the same.
fn show(session: &mut Session, page: Shared, opened: Opened, again: bool) {
    let said = session.screen.notice.take();
    let (decision, record, changed, read_only) = reading(session, &page, &opened);
    let anchored = opened.anchored.as_ref().filter(|_| changed);
    let anchored = anchored.and_then(|anchored| anchored.confidence());
    let veil = match read_only {
        None if !changed => blind::veil(session, record.as_deref()),
        _ => None,
    };
    let (read_only, decision) = match (&veil, session.options.again) {
        (None, true) if read_only.is_none() && session.modes.replay.is_none() => {
            let why = "no second look: the file changed since it was decided, or was never decided";
            (Some(why.to_owned()), decision)
        }
        (Some((fresh, _)), _) => (read_only, fresh.clone()),
        _ => (read_only, decision),
    };
    let elsewhere = opened
        .elsewhere
        .filter(|_| record.is_none() && read_only.is_none() && veil.is_none());
    let run = match (&veil, &elsewhere, &read_only) {
        (None, None, None) if !changed => runs::shown(session, &page, record.as_deref()),
        _ => None,
    };
    let shown = match (&elsewhere, &run) {
        (Some(other), _) => borrowed(&page, other),
        (None, Some(run)) if record.is_none() => Decision::proposed(run.cuts),
        _ => decision,
    };
    let same = |old: &&BookState| {
        again && old.page.sha256 == page.sha256 && old.decision.cuts == shown.cuts
    };
    let since = session
        .doc
        .open
        .as_ref()
        .filter(same)
        .map(|old| old.opened_at);
    let same_text = |old: &&BookState| again && old.page.sha256 == page.sha256;
    let offers = session.doc.open.as_ref().filter(same_text);
    let offers = offers.map(|old| old.offers.clone());
    if offers.is_none() {
        editions::close(session);
    }
    // Passing over a book says nothing: what is shown of another record is no change of this one.
    session.doc.open = Some(BookState {
        page,
        on_disk: shown.clone(),
        decision: shown,
        record,
        known: opened.known,
        save: SaveState::Clean,
        changed,
        anchored,
        asides: opened.asides,
        read_only,
        blind: veil.map(|(_, blind)| blind),
        run,
        offers: offers.unwrap_or_default(),
        opened_at: since.unwrap_or(session.now),
    });
    blind::resume(session);
    if let Some(other) = elsewhere {
        session.notify(RecordNotice::Elsewhere {
            book: other.book,
            verdict: other.verdict,
        });
    }
    versions::tell(session, said.as_ref());
    note_entry(session);
    session.doc.trouble = None;
    if since.is_none() {
        session.doc.end = End::Start;
        session.doc.folding = Folding::default();
        session.doc.seen = [false; 2];
        session.keys.pending.clear();
    }
    moves::rebuild(session);
    if since.is_none() {
        moves::show_cuts(session);
    }
    if let (Some(search), Some(open)) = (&session.doc.search, &session.doc.open) {
        session.doc.search = Some(search.again(&open.page));
    }
    // What was said of the book before (saved, undone) is still news; a warning of this one matters more.
    session.screen.notice = session.screen.notice.take().or(said);
}

/// What the record says of the page, and whether it may be written.
fn reading(
    session: &mut Session,
    page: &Shared,
    opened: &Opened,
) -> (Decision, Option<Box<Record>>, bool, Option<String>) {
    let proposed = Decision::proposed(page.detection.cuts);
    let mut read_only = session
        .options
        .read_only
        .then(|| "--read-only: nothing is saved".to_owned());
    if let Some(trouble) = &opened.trouble {
        session.notify(RecordNotice::Trouble(trouble.clone()));
        read_only = Some(trouble.clone());
    }
    match &opened.found {
        Found::Nothing => (proposed, None, false, read_only),
        Found::Broken { path, error } => {
            let why = format!(
                "'{}' does not parse ({error}): mend it; until then nothing is saved here",
                path.display()
            );
            session.notify(RecordNotice::Trouble(why.clone()));
            (proposed, None, false, Some(why))
        }
        Found::Record(record) if record.source.sha256 != page.sha256 => {
            let found = opened.anchored.as_deref();
            let (decision, anchoring) = anchored::decision(page, record, found);
            session.notify(RecordNotice::Changed(anchoring));
            (decision, Some(record.clone()), true, read_only)
        }
        Found::Record(record) => {
            let decision = fitted(page, Decision::of(record));
            (decision, Some(record.clone()), false, read_only)
        }
    }
}

/// A decision whose cuts stand on lines of the page, so that they can be shown.
fn fitted(page: &Page, decision: Decision) -> Decision {
    Decision {
        cuts: page.fitted(decision.cuts),
        ..decision
    }
}

/// The decision on the same text under another id, to be confirmed here.
fn borrowed(page: &Page, other: &Record) -> Decision {
    let decision = Decision {
        verdict: Verdict::Open,
        ..Decision::of(other)
    };
    fitted(page, decision)
}

/// The queue learns from the page and its record.
fn note_entry(session: &mut Session) {
    let (Some(open), Some(entry)) = (&session.doc.open, session.entries.get_mut(session.current))
    else {
        return;
    };
    entry.doubt = Some(open.page.detection.doubt);
    entry.reason = open.page.detection.reasons.first().copied();
    entry.lines = open.page.lines();
    if open.blind.is_none() {
        // What a run proposes is no cut of the detector's: the queue keeps that.
        let shown = open.run.is_some() && open.record.is_none();
        entry.cuts = Some(if shown {
            open.page.detection.cuts
        } else {
            open.on_disk.cuts
        });
    }
    let record = open.record.as_deref();
    entry.hard = record.is_some_and(|record| record.hard);
    entry.flags = record.map_or_else(Vec::new, |record| record.flags.clone());
    entry.kind = record.map_or_else(Default::default, |record| record.kind);
    entry.manner = open.record.as_deref().map_or(0, manner);
    entry.standing = match (&open.record, &open.read_only) {
        (Some(record), _) if open.is_again() => Standing::Decided(record.verdict),
        (None, Some(_)) if !session.options.read_only => Standing::Broken,
        (None, _) => Standing::Undecided,
        (Some(_), _) if open.changed || open.on_disk.verdict == Verdict::Open => Standing::Draft,
        (Some(_), _) => Standing::Decided(open.on_disk.verdict),
    };
}

/// The books of the corpus as known now.
pub(super) fn entries(session: &mut Session, mut new: Vec<Entry>, anew: bool) -> Vec<Effect> {
    keep_standings(&session.entries, &mut new);
    learning::entries(session, &mut new, anew);
    let known = session.entries.iter().map(Entry::id);
    if !known.eq(new.iter().map(Entry::id)) {
        // Books are known by their places.
        session.background.runs.clear();
        session.sitting.by_name.clear();
        session.sitting.shown.clear();
    }
    let first = session.entries.is_empty();
    let current = session
        .entries
        .get(session.current)
        .and_then(|entry| entry.id.clone());
    let was_unread = session.queue.unread;
    session.queue.unread = new.iter().all(|entry| entry.doubt.is_none());
    // Only the orders that need to know more than names are new then.
    let read = was_unread
        && !session.queue.unread
        && !matches!(session.queue.order, Order::Name | Order::Random);
    let (gone, upcoming) = (gone(session, read), upcoming(session));
    session.entries = new;
    session.queue.arrange(&session.entries);
    heat::entries(session, anew);
    occurrences::entries(session, anew);
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
    if anew && !session.keys.at_work {
        // Nobody has begun yet: begin with the right book of the new order.
        let before = session.current;
        let effects = open_first(session);
        let goes =
            |waiting: &Waiting| matches!(waiting, Waiting::Open { book, .. } if *book != before);
        if session.waits.waiting.as_ref().is_some_and(goes) {
            session.keys.went_at = Some(session.now);
        }
        return effects;
    }
    hold(session, &gone, &upcoming, read);
    let untouched = session
        .doc
        .open
        .as_ref()
        .is_some_and(|open| !open.touched() && open.record.is_none());
    // Texts and the list of a line may lie over a page that is read again; what changes the book may not.
    let looks = |popup: &Popup| {
        use Popup::{Bytes, Evidence, Guidelines, Occurrences};
        matches!(popup, Bytes(_) | Evidence(_) | Guidelines(_) | Occurrences)
    };
    let quiet = session.waits.waiting.is_none()
        && session.saves.deferred().is_none()
        && session.screen.popups.iter().all(looks);
    if anew && untouched && quiet {
        session.notify(QueueNotice::ProposedAgain);
        session.ask_for(at, None)
    } else {
        Vec::new()
    }
}

/// Near copies were found: the order of the queue may be another one.
pub(super) fn copies(session: &mut Session, copies: &[Copies]) -> Vec<Effect> {
    if copies.len() != session.entries.len() {
        // They are of another listing.
        return Vec::new();
    }
    for (entry, copies) in session.entries.iter_mut().zip(copies) {
        entry.copies = *copies;
    }
    let entries = session.entries.clone();
    self::entries(session, entries, false)
}

/// The alternation detector looked at the books: the order of the queue may be another one.
pub(super) fn contested(session: &mut Session, contested: &[bool]) -> Vec<Effect> {
    if contested.len() != session.entries.len() {
        // They are of another listing.
        return Vec::new();
    }
    for (entry, contested) in session.entries.iter_mut().zip(contested) {
        entry.contested = *contested;
    }
    let entries = session.entries.clone();
    self::entries(session, entries, false)
}

/// What this sitting knows better than a survey that began before it.
fn keep_standings(old: &[Entry], new: &mut [Entry]) {
    let known: HashMap<&str, &Entry> = old.iter().map(|entry| (entry.id(), entry)).collect();
    for entry in new {
        let Some(old) = known.get(entry.id()) else {
            continue;
        };
        (entry.copies, entry.contested) = (old.copies, old.contested);
        if !matches!(
            old.standing,
            Standing::Undecided | Standing::Recorded | Standing::Unreadable
        ) {
            (entry.standing, entry.hard, entry.kind) = (old.standing, old.hard, old.kind);
            entry.manner = old.manner;
            entry.flags.clone_from(&old.flags);
            (entry.cuts, entry.lines) = (old.cuts, old.lines);
        }
    }
}

/// Ids of the next three books, and of those that were brought up: a new order does not take them away.
fn upcoming(session: &Session) -> Vec<BookId> {
    let at = session
        .queue
        .position(session.current)
        .map_or(0, |at| at + 1);
    let ahead = session.queue.books.iter().skip(at).enumerate();
    let next = ahead.take_while(|(place, book)| *place < 3 || session.is_member(**book));
    next.map(|(_, book)| book)
        .filter_map(|&book| session.entries.get(book)?.id.clone())
        .collect()
}

/// Ids of the books that were gone through, the one on screen last. In an order that is new altogether only books that were
/// on screen count: the others before this one were never come to.
fn gone(session: &Session, read: bool) -> Vec<BookId> {
    let at = session
        .queue
        .position(session.current)
        .filter(|_| session.keys.at_work)
        .map_or(0, |at| at + 1);
    let was_shown =
        |book: &usize| *book == session.current || session.sitting.shown.contains_key(book);
    let before = session.queue.books.iter().take(at);
    before
        .filter(|book| !read || was_shown(book))
        .filter_map(|&book| session.entries.get(book)?.id.clone())
        .collect()
}

/// What was gone through keeps its place before the book on screen, and what comes next behind it, so that no other book
/// falls behind. `read`: these came in the order of names, and only now another one is known.
fn hold(session: &mut Session, gone: &[BookId], upcoming: &[BookId], read: bool) {
    let places: HashMap<&str, usize> = session.entries.iter().map(Entry::id).zip(0..).collect();
    let find = |ids: &[BookId]| -> Vec<usize> {
        let places = ids.iter().filter_map(|id| places.get(id.as_str()));
        places.copied().collect()
    };
    let (mut gone, next) = (find(gone), find(upcoming));
    let ahead = next.iter().copied().filter(|&book| book != session.current);
    let ahead: Vec<usize> = ahead.collect();
    if read && session.keys.at_work {
        session.sitting.by_name.extend(&ahead);
        session.sitting.by_name.insert(session.current);
    }
    if gone.is_empty() {
        // Nobody is at work: all stands as the order has it up to the book on screen.
        let queue = &session.queue;
        let at = queue.position(session.current).map_or(0, |at| at + 1);
        gone = queue.books[..at].to_vec();
        gone.retain(|book| !ahead.contains(book));
    }
    session.queue.hold(&gone, &ahead);
}

/// The book a sitting begins with: where the last one ended, or the first undecided.
fn open_first(session: &mut Session) -> Vec<Effect> {
    let resume = session.options.resume.clone();
    let resumed = resume.and_then(|id| session.entries.iter().position(|entry| entry.id() == id));
    let first = session.queue.books.first().copied();
    let undecided = |book: &usize| session.entries[*book].standing == Standing::Undecided;
    let next = match session.options.again || session.modes.sampling.is_some() {
        true => blind::next(session, usize::MAX),
        false => session.queue.books.iter().copied().find(undecided),
    };
    // Who comes back to a book is at work on it: a survey that ends later takes nobody away.
    session.keys.at_work |= resumed.is_some();
    let wanted = match resumed {
        Some(book) if !session.entries[book].standing.is_decided() => Some(book),
        Some(book) => session
            .queue
            .next_open(book, &session.entries)
            .or(Some(book)),
        None => next.or(first),
    };
    match wanted {
        Some(book) => read(session, book, None),
        None => {
            let filter = session.keymap.label(Action::Filter);
            session.doc.trouble = Some(format!("the queue is empty; {filter} shows other books"));
            Vec::new()
        }
    }
}

/// Back from the editor or from suspension: the file may have changed.
pub(super) fn returned(session: &mut Session) -> Vec<Effect> {
    let mut effects = vec![Effect::Redraw];
    if session.doc.open.is_some() && !session.doc.is_touched() && session.waits.waiting.is_none() {
        effects.extend(session.ask_for(session.current, None));
    }
    effects
}
