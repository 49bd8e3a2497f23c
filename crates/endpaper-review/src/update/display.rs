//! What the screen shows beside the text: panels, shading, theme, hidden proposals.

use super::{blind, moves};
use crate::action::Action;
use crate::evidence::panel as panel_of;
use crate::layout::layout;
use crate::popup::Popup;
use crate::session::{PageNotice, Session};

/// Switches between shading characters by n-grams and shading lines.
fn grams(session: &mut Session) {
    let Some(open) = &session.doc.open else {
        return;
    };
    let notice = match (open.page.grams(), session.screen.view_options.grams) {
        (None, false) => PageNotice::NoGrams,
        (_, true) => PageNotice::ShadedByLine,
        (Some(n), false) => PageNotice::ShadedByGrams(n),
    };
    session.screen.view_options.grams =
        !session.screen.view_options.grams && open.page.grams().is_some();
    session.notify(notice);
}

/// Runs an action that changes what is shown.
pub(super) fn show(session: &mut Session, action: Action) {
    match action {
        Action::WholeText => moves::whole_text(session),
        Action::Grams => grams(session),
        Action::QueueColumn => {
            session.screen.view_options.queue = !session.screen.view_options.queue
        }
        Action::Map => session.screen.view_options.map = !session.screen.view_options.map,
        Action::Evidence => evidence(session),
        Action::Guidelines => session.screen.popups.push(Popup::Guidelines(0)),
        Action::Bytes if session.doc.open.is_some() => session.screen.popups.push(Popup::Bytes(0)),
        Action::Tour => moves::show_tour(session, !session.screen.view_options.tour),
        Action::Theme => next_theme(session),
        Action::BlindMode => blind::switch(session),
        Action::Reveal => blind::reveal_if_placed(session),
        _ => {}
    }
}

/// Cycles the evidence: the panel if it fits, all of it in a popup if the panel shows only a part, then nothing. Narrow
/// screens have only the popup.
fn evidence(session: &mut Session) {
    if !fits_evidence_panel(session) {
        if session.doc.open.is_some() {
            session.screen.popups.push(Popup::Evidence(0));
        }
        return;
    }
    let panel = session.screen.layout().evidence;
    let is_cut = panel.is_some_and(|area| panel_of(session, area).1 > 0);
    match is_cut {
        true => session.screen.popups.push(Popup::Evidence(0)),
        false => session.screen.view_options.evidence = !session.screen.view_options.evidence,
    }
}

/// Whether the screen has room for the evidence panel, shown or not.
pub(super) fn fits_evidence_panel(session: &Session) -> bool {
    let (width, height) = session.screen.size;
    let mut request = session.screen.view_options;
    request.evidence = true;
    layout(width, height, request).evidence.is_some()
}

/// Switches to the next theme.
pub(super) fn next_theme(session: &mut Session) {
    let count = session.options.themes.len();
    if count > 0 {
        session.screen.theme = (session.screen.theme + 1) % count;
        let name = session.options.themes[session.screen.theme].clone();
        session.notify(PageNotice::Theme(name));
    }
}
