//! Draws a session into a buffer. Changes nothing else.
//!
//! [`draw`] paints each part of the [`layout`](crate::layout()) and then the popups. All text goes through `canvas`, which
//! sanitises it, clips it and keeps it inside the buffer. Drawing only reads rows on screen; it neither compiles patterns, nor reads
//! files, nor stores anything. Styles come from a [`Theme`], marks from [`glyphs`].

mod bidi;
mod boxes;
mod canvas;
mod divider;
mod editions;
mod evidence;
pub mod glyphs;
mod grams;
mod header;
mod heat;
mod help;
mod hints;
mod minimap;
pub(crate) mod notices;
mod occurrences;
mod opinions;
mod panes;
mod popup;
mod queue;
mod status;
pub mod theme;
mod tour;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::wrap::wrap;
use crate::{Action, ScreenLayout, Session};
use canvas::Canvas;
use endpaper_detect::End;
use theme::ThemeRole;
pub use theme::{ColourDepth, Theme};

/// Draws the session into an area of a buffer. The session's own size determines the layout; parts outside the area (after a
/// resize whose message has not arrived) are clipped.
pub fn draw(session: &Session, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let area = area.intersection(buffer.area);
    let mut canvas = Canvas::new(buffer, theme);
    let text = canvas.style(ThemeRole::Text);
    canvas.fill(area, text);
    let layout = inside(session.screen.layout(), area);
    if layout.too_small {
        canvas.put(
            area.x,
            area.y,
            area.width,
            &format!(
                "endpaper needs 40x8; {} quits",
                session.keymap.label(Action::Quit)
            ),
            text,
        );
        return;
    }
    match heat::plan(session) {
        Some(plan) => heat::draw(session, &mut canvas, &plan),
        None => page(session, &mut canvas, &layout),
    }
    hints::draw(session, &mut canvas, area, layout.status.y);
    // Header, notices and keys stay visible.
    let middle = Rect {
        y: layout.header.bottom(),
        height: layout.status.y.saturating_sub(layout.header.bottom()),
        ..area
    };
    for popup in &session.screen.popups {
        popup::draw(session, &mut canvas, middle, &layout, popup);
    }
    canvas.guard_columns(area);
}

/// Draws the screen below the popups.
fn page(session: &Session, canvas: &mut Canvas<'_>, layout: &ScreenLayout) {
    header::draw(session, canvas, layout.header);
    if let Some(area) = layout.queue {
        queue::draw(session, canvas, area);
    }
    divider::title(session, canvas, layout.head_title);
    if session.doc.open.is_some() {
        panes::draw(session, canvas, End::Start, layout.head);
        if layout.tail.height > 0 {
            divider::draw(session, canvas, layout.divider);
            panes::draw(session, canvas, End::End, layout.tail);
        }
        if let Some(area) = layout.map {
            minimap::draw(session, canvas, area);
        }
    } else {
        absent(session, canvas, layout.head);
    }
    if let Some(area) = layout.evidence {
        evidence::panel(session, canvas, area);
    }
    if let Some(area) = layout.tour {
        tour::draw(session, canvas, area);
    }
    if let Some(area) = layout.opinions {
        opinions::draw(session, canvas, area);
    }
    status::draw(session, canvas, layout.status);
    status::keys(session, canvas, layout.keys);
}

/// Draws a message in place of a missing book.
fn absent(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    let name = session.entry().map_or("", |entry| entry.id());
    let (text, role) = match &session.doc.trouble {
        Some(why) if session.queue.books.is_empty() => (why.clone(), ThemeRole::Warning),
        Some(why) => (format!("{name} cannot be shown: {why}"), ThemeRole::Error),
        None if session.entries.is_empty() => ("looking for books".to_owned(), ThemeRole::Title),
        None if session.queue.books.is_empty() => {
            let filter = session.queue.what();
            let key = session.keymap.label(Action::Filter);
            (
                format!("no book is {filter}; {key} shows others"),
                ThemeRole::Warning,
            )
        }
        None => (format!("reading {name}"), ThemeRole::Title),
    };
    let style = canvas.style(role);
    let width = area.width.saturating_sub(4);
    for (y, row) in (area.y + 1..area.bottom()).zip(wrap(&text, width)) {
        canvas.put(area.x + 2, y, width, &row, style);
    }
}

/// The layout clipped to an area.
fn inside(layout: ScreenLayout, area: Rect) -> ScreenLayout {
    let cut = |part: Rect| part.intersection(area);
    let some = |part: Option<Rect>| part.map(cut).filter(|part| !part.is_empty());
    ScreenLayout {
        too_small: layout.too_small || area.is_empty(),
        header: cut(layout.header),
        queue: some(layout.queue),
        head_title: cut(layout.head_title),
        head: cut(layout.head),
        divider: cut(layout.divider),
        tail: cut(layout.tail),
        map: some(layout.map),
        evidence: some(layout.evidence),
        tour: some(layout.tour),
        opinions: some(layout.opinions),
        status: cut(layout.status),
        keys: cut(layout.keys),
    }
}

#[cfg(test)]
mod tests;
