//! Other editions next to the open book: loading one, its keys, and the candidates it provides.

use std::sync::Arc;

use super::{copies, cuts, display, edition_evidence, lists, moves, opening};
use crate::action::{Action, KeyContext};
use crate::chord::Chord;
use crate::editions::{
    self, EditionAnswer, EditionComparison, EditionOffer, EditionRequest, EditionView,
    ShownEdition, cut_positions, differences, find_offers, height, merge, related_editions,
};
use crate::keymap::Lookup;
use crate::message::Effect;
use crate::popup::Popup;
use crate::session::{KeyNotice, PageNotice, Session};

/// Shows the most useful other edition, or the list of editions if the open book cannot be shown.
pub(super) fn show(session: &mut Session) -> Vec<Effect> {
    let books = related_editions(&session.entries, session.current);
    if books.is_empty() && session.background.progress.is_some() {
        session.notify(PageNotice::NoEditionYet);
        return Vec::new();
    }
    if books.is_empty() || session.doc.open.is_none() {
        lists::books(session, Action::Editions);
        return Vec::new();
    }
    session.screen.popups.push(Popup::Editions(EditionView {
        books,
        at: 0,
        ticket: 0,
        answer: EditionAnswer::Reading,
        top: None,
        unfolded: false,
    }));
    ask(session)
}

/// Requests the edition to be compared.
fn ask(session: &mut Session) -> Vec<Effect> {
    let ticket = session.waits.next_ticket();
    let Some(open) = &session.doc.open else {
        return Vec::new();
    };
    let (here, hides_proposal) = (open.page.clone(), open.hides_proposal());
    let positions = cut_positions(session, open);
    let Some(Popup::Editions(view)) = session.screen.popups.last_mut() else {
        return Vec::new();
    };
    let Some(book) = view.book() else {
        return Vec::new();
    };
    (view.ticket, view.answer, view.top) = (ticket, EditionAnswer::Reading, None);
    vec![Effect::Align(EditionRequest {
        ticket,
        book,
        here,
        positions,
        hides_proposal,
        is_evidence: false,
    })]
}

/// Handles the answer with an aligned edition, or the reason why it cannot be read. Its offers become candidates with digits.
pub(super) fn on_aligned(
    session: &mut Session,
    ticket: u64,
    result: Result<Arc<EditionComparison>, String>,
) {
    if edition_evidence::on_aligned(session, ticket, &result) {
        return;
    }
    let mut views = session
        .screen
        .popups
        .iter_mut()
        .filter_map(|popup| match popup {
            Popup::Editions(view) => Some(view),
            _ => None,
        });
    let Some(view) = views.find(|view| view.ticket == ticket) else {
        return;
    };
    let book = view.book();
    let edition = match result {
        Ok(edition) => edition,
        Err(why) => {
            view.answer = EditionAnswer::Failed(why);
            return;
        }
    };
    view.answer = EditionAnswer::Aligned(edition.clone());
    let new = offers_of(session, &edition, book);
    if let Some(open) = &mut session.doc.open {
        merge(&mut open.offers, new);
    }
    moves::rebuild(session);
}

/// The candidates that an aligned edition provides for the open book; none while proposals are hidden.
pub(super) fn offers_of(
    session: &Session,
    edition: &EditionComparison,
    book: Option<usize>,
) -> Vec<EditionOffer> {
    let open = session.doc.open.as_ref();
    let Some(open) = open.filter(|open| !open.hides_proposal()) else {
        return Vec::new();
    };
    let positions = cut_positions(session, open);
    let name = book.map_or_else(String::new, |book| name(session, book));
    let entry = book.and_then(|book| session.entries.get(book));
    let is_flagged = entry.zip(session.entry()).is_some_and(|(other, entry)| {
        entry.copies.is_cut_differently
            && other.copies.is_cut_differently
            && other.is_copy_of(entry)
    });
    // A comparison of the present cuts is newer than the analysis.
    let compared = book.and_then(|book| copies::differ(session, session.current, book));
    find_offers(edition, &name, positions, compared.unwrap_or(is_flagged))
}

/// Display name of an edition: its file name, or its id if the open book has the same file name.
fn name(session: &Session, book: usize) -> String {
    let (Some(other), Some(entry)) = (session.entries.get(book), session.entry()) else {
        return String::new();
    };
    match other.name() == entry.name() {
        true => other.id().to_owned(),
        false => other.name().to_owned(),
    }
}

/// Resets the scroll position after the screen changed its size, which changes the rows.
pub(super) fn resized(session: &mut Session) {
    for popup in &mut session.screen.popups {
        if let Popup::Editions(view) = popup {
            view.top = None;
        }
    }
}

/// The comparison on screen.
fn visible_edition(session: &Session) -> Option<ShownEdition> {
    match session.screen.popups.last() {
        Some(Popup::Editions(view)) => editions::visible_edition(session, view),
        _ => None,
    }
}

/// Changes the view of the comparison, if it is open.
fn with_view(session: &mut Session, act: impl FnOnce(&mut EditionView)) {
    if let Some(Popup::Editions(view)) = session.screen.popups.last_mut() {
        act(view);
    }
}

/// Handles a key while another edition is shown.
pub(super) fn key(session: &mut Session, chord: Chord) -> Vec<Effect> {
    session.screen.notice = None;
    if let Some(digit @ 1..=9) = chord.digit() {
        return cut(session, digit as usize);
    }
    let on_page = match session.keymap.lookup(&[chord]) {
        Lookup::Matched(action) => Some(action),
        _ => None,
    };
    let in_list = session.keymap.lookup_over(KeyContext::List, chord);
    let page = isize::try_from(height(session)).unwrap_or(2).max(2) - 1;
    match in_list
        .filter(|action| *action != Action::ListMark)
        .or(on_page)
    {
        Some(Action::ListClose | Action::Editions | Action::Quit) => {
            session.screen.popups.pop();
        }
        Some(Action::ListChoose | Action::Keep) => return choose_shown(session),
        Some(Action::ListKeep | Action::OtherEnd) => other_end(session),
        Some(Action::NextBook) => return step(session, 1),
        Some(Action::PreviousBook) => return step(session, -1),
        Some(Action::Queue) => {
            session.screen.popups.pop();
            lists::books(session, Action::Editions);
        }
        Some(Action::ListDown | Action::Down) => scroll(session, 1),
        Some(Action::ListUp | Action::Up) => scroll(session, -1),
        Some(Action::ListPageDown | Action::PageDown) => scroll(session, page),
        Some(Action::ListPageUp | Action::PageUp) => scroll(session, -page),
        Some(Action::HalfDown) => scroll(session, page / 2 + 1),
        Some(Action::HalfUp) => scroll(session, -(page / 2 + 1)),
        Some(Action::ListFirst | Action::Top) => with_view(session, |view| view.top = Some(0)),
        Some(Action::ListLast | Action::Bottom) => scroll(session, isize::MAX),
        Some(Action::ToCut) => with_view(session, |view| view.top = None),
        Some(Action::NextMatch) => difference(session, true),
        Some(Action::PreviousMatch) => difference(session, false),
        Some(Action::Fold | Action::FoldAll) => with_view(session, |view| {
            (view.unfolded, view.top) = (!view.unfolded, None);
        }),
        Some(Action::Theme) => display::next_theme(session),
        Some(Action::Redraw) => return vec![Effect::Redraw],
        Some(Action::Suspend) => return vec![Effect::Suspend],
        _ => {
            session.notify(KeyNotice::NotBesideEdition(chord));
        }
    }
    Vec::new()
}

/// Moves the cut to the candidate of a digit, and returns to the page to show it.
fn cut(session: &mut Session, digit: usize) -> Vec<Effect> {
    // Before the edition arrives, its digits are not on screen.
    if visible_edition(session).is_none() {
        return Vec::new();
    }
    session.screen.popups.pop();
    cuts::digit(session, digit)
}

/// Opens the shown edition as the book.
fn choose_shown(session: &mut Session) -> Vec<Effect> {
    match session.screen.popups.pop() {
        Some(Popup::Editions(view)) => match view.book() {
            Some(book) => opening::open_picked(session, book, "editions"),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Switches to the other end of both editions.
fn other_end(session: &mut Session) {
    moves::run(session, Action::OtherEnd, 1);
    with_view(session, |view| view.top = None);
}

/// Goes to the next edition (or the previous one), wrapping around.
fn step(session: &mut Session, by: isize) -> Vec<Effect> {
    let mut count = 0;
    with_view(session, |view| {
        count = view.books.len();
        let at = (view.at as isize + by).rem_euclid(count.max(1) as isize);
        view.at = at as usize;
    });
    if count < 2 {
        session.notify(PageNotice::OnlyEdition);
        return Vec::new();
    }
    ask(session)
}

/// Scrolls down by rows (negative: up), within the rows available.
pub(super) fn scroll(session: &mut Session, by: isize) {
    let Some(shown) = visible_edition(session) else {
        return;
    };
    let last = shown.rows.len().saturating_sub(height(session));
    let top = shown.top.saturating_add_signed(by).min(last);
    with_view(session, |view| view.top = Some(top));
}

/// Scrolls the next (or previous) difference to the third row.
fn difference(session: &mut Session, forward: bool) {
    const ABOVE: usize = 3;
    let Some(shown) = visible_edition(session) else {
        return;
    };
    let last = shown.rows.len().saturating_sub(height(session));
    let here = shown.top + ABOVE.min(shown.top);
    let found = match forward {
        true => differences(&shown.rows).find(|&at| at > here && shown.top < last),
        false => differences(&shown.rows).rev().find(|&at| at < here),
    };
    match found {
        Some(at) => with_view(session, |view| view.top = Some(at.saturating_sub(ABOVE))),
        None => session.notify(PageNotice::NothingDiffers(session.doc.end)),
    }
}
