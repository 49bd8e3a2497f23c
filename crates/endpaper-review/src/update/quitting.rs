//! Quitting: nothing may be lost on the way out.

use super::bulk;
use super::drafts::{retry, save_draft, send};
use crate::message::Effect;
use crate::popup::{ConfirmQuestion, Popup};
use crate::session::Session;

/// Quits when everything is on disk; asks if something cannot be saved.
pub(super) fn quit(session: &mut Session) -> Vec<Effect> {
    session.screen.popups.clear();
    bulk::stop(session);
    let mut effects = save_draft(session);
    effects.extend(retry(session, true));
    session.saves.quit();
    if session.has_nothing_underway() {
        effects.extend(finish(session));
    }
    effects
}

/// Quits once no save is pending, or asks if one failed.
pub(super) fn finish(session: &mut Session) -> Vec<Effect> {
    // A change made while its draft was being saved is saved before the end.
    let effects = save_draft(session);
    if effects.is_empty() {
        if session.saves.can_quit() {
            return vec![Effect::Quit];
        }
        ask_to_quit(session);
    }
    effects
}

/// Asks whether to lose what could not be saved.
pub(super) fn ask_to_quit(session: &mut Session) {
    let question = ConfirmQuestion::QuitUnsaved {
        count: session.saves.unsaved(),
        why: session.saves.why().to_owned(),
    };
    session.screen.popups.push(Popup::Confirm(question));
}

/// Saves everything and quits without asking, because the terminal is gone.
pub(super) fn hang_up(session: &mut Session) -> Vec<Effect> {
    let mut effects = save_draft(session);
    if has_newer_change(session) {
        // The draft being saved is older. The store sees a conflict and keeps this one as a conflict copy: nothing is lost.
        effects.extend(send(session, None));
    }
    effects.extend(retry(session, true));
    effects.push(Effect::Quit);
    effects
}

/// Whether the open book was changed after its newest save was sent, which is still pending.
fn has_newer_change(session: &Session) -> bool {
    let newest = session.saves.newest(session.current);
    let open = session.doc.open.as_ref().zip(newest);
    open.is_some_and(|(open, save)| {
        open.read_only.is_none() && open.can_be_drafted() && open.decision != save.decision
    })
}
