//! Finding a line in the corpus: requests, answers, and jumps to occurrences.

use std::time::Duration;

use super::{jumps, opening};
use crate::action::Action;
use crate::decision::BookState;
use crate::entry::{QueueEntry, ReviewStatus};
use crate::jump_list::JumpTarget;
use crate::message::Effect;
use crate::occurrences::{
    CutBasis, LineNeighbours, LinePosition, NAMED, OccurrenceBatch, OccurrenceHit, OccurrenceList,
    OccurrenceQuery, OccurrenceRequest, OccurrenceTarget, Occurrences,
};
use crate::popup::Popup;
use crate::session::{PageNotice, PendingJump, Session};
use endpaper_text::scan::MarkerSet;
use endpaper_truth::Verdict;

/// How long the cursor must rest on a line before other books are searched for it.
const REST: Duration = Duration::from_millis(150);
/// Number of characters of a line shown in the title of its list.
const SHOWN: usize = 200;

/// Shows the list of every occurrence of the line of the cursor, or of its skeleton.
pub(super) fn show(session: &mut Session, action: Action) {
    let Some(book) = &session.doc.open else {
        return;
    };
    let line = session.cursor_line();
    if book.page.is_blank(line) {
        session.notify(PageNotice::BlankLine);
        return;
    }
    let found = match action {
        Action::SameSkeleton => OccurrenceQuery::skeleton(&book.page, line),
        _ => Some(OccurrenceQuery::line(&book.page, line)),
    };
    let Some(sought) = found else {
        session.notify(PageNotice::NoSkeletons);
        return;
    };
    let normalised = book.page.normalised(line);
    let what = match sought {
        OccurrenceQuery::Line(_) => normalised,
        OccurrenceQuery::Skeleton(_) => endpaper_text::line::skeleton(&normalised),
    };
    let what = what.chars().take(SHOWN).collect();
    let known = session.background.occurrences.list.take();
    let list = match known.filter(|list| list.query == sought && list.done && !list.is_truncated())
    {
        // Cuts may have been decided since.
        Some(mut list) => {
            list.refresh_labels(|hit| label(session, hit));
            list
        }
        None => OccurrenceList::new(sought, what, readable(session).count()),
    };
    session.background.occurrences.list = Some(list);
    session.screen.popups.push(Popup::Occurrences);
}

/// The readable books, those of the same template or producer as the current one first.
fn readable(session: &Session) -> impl Iterator<Item = usize> {
    let entries = &session.entries;
    let here = session.entry();
    let is_related = move |entry: &QueueEntry| {
        here.is_some_and(|here| {
            let template = here.template_rank > 0 && here.template == entry.template;
            template || (!here.producer.is_empty() && here.producer == entry.producer)
        })
    };
    let of = move |related: bool| {
        let all = entries.iter().enumerate();
        all.filter(move |(_, entry)| {
            entry.status != ReviewStatus::Unreadable && is_related(entry) == related
        })
    };
    of(true).chain(of(false)).map(|(book, _)| book)
}

/// The text that a row is filtered by, and the position of its line in the book.
fn label(session: &Session, hit: OccurrenceHit) -> (String, Option<LinePosition>) {
    let place = position(session, hit);
    let entry = session.entries.get(hit.book);
    let (name, title) = entry.map_or(("", ""), |entry| (entry.name(), entry.distinct_title()));
    let words = match place {
        Some(place) => format!("{} {}", place.long(), place.basis.word()),
        None => OccurrenceList::end_name(hit).to_owned(),
    };
    (format!("{name} {} {words} {title}", hit.line), place)
}

/// The position of a line relative to the decided cuts of its book, or else the detected ones; `None` if these are unknown
/// or hidden.
fn position(session: &Session, hit: OccurrenceHit) -> Option<LinePosition> {
    // A second look must not show the earlier decisions.
    if session.options.re_review || session.modes.sampling.is_some() {
        return None;
    }
    let here = session
        .doc
        .open
        .as_ref()
        .filter(|_| hit.book == session.current);
    let (cuts, basis) = match here {
        Some(open) if open.hides_proposal() => return None,
        Some(open) => (open.decision.cuts, basis_of(open)?),
        None => {
            let entry = session.entries.get(hit.book)?;
            let basis = match entry.status {
                ReviewStatus::Decided(verdict) if !verdict.has_cuts() => return None,
                ReviewStatus::Decided(_) => CutBasis::Decided,
                ReviewStatus::Draft => CutBasis::Draft,
                _ if session.modes.blind => return None,
                _ => CutBasis::Detected,
            };
            (entry.cuts?, basis)
        }
    };
    Some(LinePosition::of(hit.line, cuts, basis))
}

/// What the cuts of the open book rest on: the detector, a draft or a verdict.
fn basis_of(open: &BookState) -> Option<CutBasis> {
    match open.decision.verdict {
        Verdict::Open if open.record.is_none() && !open.has_unsaved_changes() => {
            Some(CutBasis::Detected)
        }
        Verdict::Open => Some(CutBasis::Draft),
        verdict => verdict.has_cuts().then_some(CutBasis::Decided),
    }
}

/// Adds found occurrences, if they answer the last request.
pub(super) fn on_batch(session: &mut Session, mut batch: OccurrenceBatch) {
    if batch.epoch != session.background.occurrences.epoch {
        return;
    }
    let books = session.entries.len();
    batch.hits.retain(|hit| hit.book < books);
    let asked = session.background.occurrences.request;
    if batch.done {
        session.background.occurrences.request = None;
    }
    match asked {
        Some(OccurrenceTarget::List) => {
            // The list is taken out so that positions can be looked up in the meantime.
            let Some(mut list) = session.background.occurrences.list.take() else {
                return;
            };
            list.add(&batch, |hit| label(session, hit));
            session.background.occurrences.list = Some(list);
        }
        Some(OccurrenceTarget::Neighbours) => {
            let Some(near) = &mut session.background.occurrences.neighbours else {
                return;
            };
            for hit in batch.hits {
                let known = near.hits.iter().any(|known| known.book == hit.book);
                if !known && near.hits.len() < NAMED {
                    near.hits.push(hit);
                }
            }
            near.done |= batch.done;
        }
        None => {}
    }
}

/// Adopts a new state of the corpus. `counts_changed`: its line frequencies changed.
pub(super) fn on_entries(session: &mut Session, counts_changed: bool) {
    let occurrences = &mut session.background.occurrences;
    if counts_changed {
        occurrences.neighbours = None;
        occurrences.request = None;
        let shown = is_listed(session);
        let total = readable(session).count();
        let old = session.background.occurrences.list.take().filter(|_| shown);
        session.background.occurrences.list = old.map(|old| {
            let mut list = OccurrenceList::new(old.query, old.label, total);
            list.picker.filter = old.picker.filter;
            list
        });
    }
    refresh_labels(session);
}

/// Refreshes the labels of the list on screen after cuts were decided or proposed.
pub(super) fn refresh_labels(session: &mut Session) {
    if !is_listed(session) {
        return;
    }
    let all = |list: &mut OccurrenceList| !list.is_truncated();
    let Some(mut list) = session.background.occurrences.list.take_if(all) else {
        return;
    };
    list.refresh_labels(|hit| label(session, hit));
    session.background.occurrences.list = Some(list);
}

/// Whether the list of occurrences is open.
fn is_listed(session: &Session) -> bool {
    let mut popups = session.screen.popups.iter();
    popups.any(|popup| matches!(popup, Popup::Occurrences))
}

/// Called after every message: requests what is needed now and stops what is no longer needed.
pub(super) fn request_missing(session: &mut Session) -> Vec<Effect> {
    if is_listed(session) {
        return follow_list(session);
    }
    // A list that was left before it was complete starts again when it is shown next.
    let occurrences = &mut session.background.occurrences;
    let stopped = occurrences.request == Some(OccurrenceTarget::List);
    if stopped {
        occurrences.request = None;
    }
    let mut effects = follow_near(session);
    if stopped && effects.is_empty() {
        effects.push(Effect::FindOccurrences(None));
    }
    effects
}

/// Requests the next occurrences for the list, if it is not complete.
fn follow_list(session: &mut Session) -> Vec<Effect> {
    let occurrences = &session.background.occurrences;
    let Some(list) = occurrences.list.as_ref().filter(|list| !list.done) else {
        return Vec::new();
    };
    if occurrences.request == Some(OccurrenceTarget::List) {
        return Vec::new();
    }
    let sought = list.query;
    forget_unfinished(&mut session.background.occurrences);
    let books: Vec<usize> = readable(session).collect();
    seek(
        session,
        OccurrenceTarget::List,
        sought,
        books,
        usize::MAX,
        Duration::ZERO,
    )
}

/// Requests other books with the line of the cursor, or ends that search.
fn follow_near(session: &mut Session) -> Vec<Effect> {
    let Some(sought) = neighbours_query(session) else {
        let stop = session.background.occurrences.request.take();
        forget_unfinished(&mut session.background.occurrences);
        return match stop {
            Some(_) => vec![Effect::FindOccurrences(None)],
            None => Vec::new(),
        };
    };
    let here = session.current;
    let near = session.background.occurrences.neighbours.as_ref();
    if near.is_some_and(|near| near.query == sought && near.book == here) {
        return Vec::new();
    }
    session.background.occurrences.neighbours = Some(LineNeighbours {
        query: sought,
        book: here,
        hits: Vec::new(),
        done: false,
    });
    let others = readable(session).filter(|&book| book != here).collect();
    seek(
        session,
        OccurrenceTarget::Neighbours,
        sought,
        others,
        NAMED,
        REST,
    )
}

/// The query for other books with the line of the cursor, if the evidence is on screen and the line is known to occur in
/// other books.
fn neighbours_query(session: &Session) -> Option<OccurrenceQuery> {
    let over = match session.screen.popups.last() {
        None => session.screen.layout().evidence.is_some() && !session.background.heat.shown,
        Some(popup) => matches!(popup, Popup::Evidence(_)),
    };
    // While the corpus is being counted, scans are not stored yet, and every book would be read.
    if !over || session.waits.waiting.is_some() || session.background.progress.is_some() {
        return None;
    }
    let page = &session.doc.open.as_ref()?.page;
    let line = session.cursor_line();
    if page.markers(line).has(MarkerSet::SEPARATOR) {
        return None;
    }
    let spread = page.document_frequency(line).map(|spread| spread.exact);
    let elsewhere = spread.is_some_and(|ends| ends.iter().any(|end| end.books > 1));
    (elsewhere || page.frequency(line) > 1).then(|| OccurrenceQuery::line(page, line))
}

/// Forgets an unfinished search for other books, so that it starts again.
fn forget_unfinished(occurrences: &mut Occurrences) {
    occurrences.neighbours.take_if(|near| !near.done);
}

/// Makes a request for occurrences in these books.
fn seek(
    session: &mut Session,
    target: OccurrenceTarget,
    query: OccurrenceQuery,
    books: Vec<usize>,
    max_books: usize,
    delay: Duration,
) -> Vec<Effect> {
    let occurrences = &mut session.background.occurrences;
    occurrences.epoch += 1;
    occurrences.request = Some(target);
    vec![Effect::FindOccurrences(Some(OccurrenceRequest {
        epoch: occurrences.epoch,
        query,
        books,
        max_books,
        delay,
    }))]
}

/// Goes to the selected occurrence.
pub(super) fn choose(session: &mut Session) -> Vec<Effect> {
    let list = session.background.occurrences.list.as_ref();
    let hit = list.and_then(|list| Some(list.picker.choice()?.hit));
    session.screen.popups.pop();
    hit.map_or_else(Vec::new, |hit| jump(session, hit))
}

/// Goes to one of the books named in the evidence.
pub(super) fn other_book(session: &mut Session, which: usize) -> Vec<Effect> {
    let near = session.line_neighbours();
    let hit = near.and_then(|near| near.hits.get(which).copied());
    match hit {
        Some(hit) => jump(session, hit),
        None => {
            session.notify(PageNotice::NoOtherBook);
            Vec::new()
        }
    }
}

/// Goes to an occurrence, in the open book or another.
fn jump(session: &mut Session, hit: OccurrenceHit) -> Vec<Effect> {
    jumps::remember_place(session);
    let spot = JumpTarget::Line(hit.end, hit.line);
    if hit.book == session.current && session.doc.open.is_some() {
        jumps::go_to(session, spot);
        return Vec::new();
    }
    // Opening another book ends the replay.
    session.modes.replay = None;
    session.sitting.selection.insert(hit.book, "search");
    let goto = PendingJump {
        decision: None,
        notice: Some(PageNotice::Jumped(Some(hit.line)).into()),
        target: Some(spot),
    };
    opening::open(session, hit.book, Some(goto))
}
