//! The books on the heat map: their order, and requests for their shades.

use crate::heat::{BookShades, HeatRequestKey, compute_layout};
use crate::message::Effect;
use crate::session::{QueueNotice, Session};

/// Arranges the books again after the filter, the order or cuts changed.
pub(super) fn arrange(session: &mut Session) {
    session
        .background
        .heat
        .arrange(&session.queue.books, &session.entries);
}

/// Adopts a new state of the corpus. `counts_changed`: the line frequencies changed.
pub(super) fn on_entries(session: &mut Session, counts_changed: bool) {
    match counts_changed {
        true => session.background.heat.reset(session.entries.len()),
        false => session.background.heat.resize(session.entries.len()),
    }
    if session.background.heat.shown {
        arrange(session);
    }
}

/// Adds book shades. An order by cut is exact once the last of them has arrived.
pub(super) fn on_shades(
    session: &mut Session,
    epoch: u64,
    books: Vec<(usize, Option<Box<BookShades>>)>,
) {
    let heat = &mut session.background.heat;
    if epoch != heat.epoch {
        return;
    }
    let before = heat.unread();
    for (book, shades) in books {
        heat.set_shades(book, shades);
    }
    if heat.shown && heat.sort.is_by_cut() && before > 0 && heat.unread() == 0 {
        arrange(session);
    }
}

/// Called after every message: keeps the map within the screen and requests missing shades.
pub(super) fn request_missing(session: &mut Session) -> Vec<Effect> {
    let heat = &mut session.background.heat;
    if !heat.shown {
        let stop = heat.asked.take().map(|asked| Effect::Heat {
            epoch: asked.epoch,
            books: Vec::new(),
        });
        return stop.into_iter().collect();
    }
    let Some(plan) = compute_layout(session.screen.size, heat) else {
        return Vec::new();
    };
    heat.fit_to(&plan);
    heat.paint(&session.entries, &plan);
    let visible = heat.visible(usize::from(plan.picture.width));
    let asked = HeatRequestKey {
        epoch: heat.epoch,
        order_version: heat.order_version,
        visible: visible.clone(),
        // While the corpus is being counted, scans are not stored yet, and books would be read twice.
        all: session.background.progress.is_none(),
    };
    if heat.asked.as_ref() == Some(&asked) {
        return Vec::new();
    }
    let (epoch, books) = (heat.epoch, heat.unread_books(visible, asked.all));
    heat.asked = Some(asked);
    // Nothing new is needed: a running request continues.
    match books.is_empty() {
        true => Vec::new(),
        false => vec![Effect::Heat { epoch, books }],
    }
}

/// Chooses a book that was picked from a list.
pub(super) fn choose(session: &mut Session, book: usize) -> Vec<Effect> {
    if !session.background.heat.choose(book) {
        session.notify(QueueNotice::HiddenOnMap);
    }
    Vec::new()
}
