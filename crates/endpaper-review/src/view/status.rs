//! The last two lines: a notice or evidence, and the key hints.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::canvas::{Canvas, columns};
use super::notices;
use super::theme::ThemeRole;
use crate::Action;
use crate::chord::label;
use crate::cold_start::{self, ENOUGH_DECIDED};
use crate::editions;
use crate::popup::{PickerPurpose, Popup, PromptPurpose};
use crate::scroll_text::ScrollText;
use crate::session::{Notice, QueueNotice, Tone};
use crate::{Session, presenter};
use endpaper_text::wording::thousands;

/// Draws a notice, or else the evidence of the active end; progress and the search are at the right.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    let base = canvas.style(ThemeRole::Status);
    let mut right = area.right().saturating_sub(1);
    for text in right_texts(session).into_iter().flatten() {
        // The left side matters more: each text at the right takes at most a third of the line.
        let width = columns(&text).min(area.width / 3);
        right = canvas
            .put_right(right, area.y, width, &text, base)
            .saturating_sub(2);
    }
    let room = right.saturating_sub(area.x);
    match &session.screen.notice {
        Some(notice) => {
            let text = notices::words(session, notice);
            draw_notice(canvas, area, room, notice.tone(), &text);
        }
        None => {
            let text = format!(" {}", presenter::evidence_line(session));
            canvas.put(area.x, area.y, room, &text, base);
        }
    }
}

/// Draws a notice.
pub(crate) fn draw_notice(canvas: &mut Canvas<'_>, area: Rect, room: u16, tone: Tone, text: &str) {
    let glyphs = canvas.glyphs();
    let (mark, role) = match tone {
        Tone::Plain => (glyphs.dot, ThemeRole::Text),
        Tone::Good => (glyphs.good, ThemeRole::Good),
        Tone::Warning => ("!", ThemeRole::Warning),
        Tone::Error => (glyphs.bad, ThemeRole::Error),
    };
    let style = canvas.style(role);
    canvas.put(area.x, area.y, room, &format!(" {mark} {text}"), style);
}

/// The texts right of the notice: keys of an unfinished sequence, matches, progress.
fn right_texts(session: &Session) -> [Option<String>; 7] {
    let sampling = session.modes.sampling.as_ref();
    let sampling = sampling.map(|sampling| sampling.short_summary());
    let replay = session
        .modes
        .replay
        .as_ref()
        .map(|replay| format!("replay {}/{}", replay.at + 1, replay.books.len()));
    let pending = pending(session);
    let mouse =
        (session.screen.mouse != session.options.mouse).then(|| match session.screen.mouse {
            true => "mouse on".to_owned(),
            false => "mouse off".to_owned(),
        });
    let search = session.doc.search.as_ref().filter(|search| !search.idle);
    let search = search.map(|search| {
        let line = session.cursor_line();
        let at = search.lines.partition_point(|&found| found <= line);
        format!("/{} {at}/{}", search.text, search.lines.len())
    });
    let collection = unknown_collection(session);
    let progress = progress(session);
    [
        pending, replay, search, mouse, progress, sampling, collection,
    ]
}

/// How many books of a collection that no profile knows are decided, of those that teach it.
fn unknown_collection(session: &Session) -> Option<String> {
    let decided = cold_start::decided_so_far(&session.entries)?;
    // News of learning, and the sentence on the collection, need the room.
    let says_more = matches!(
        session.screen.notice,
        Some(Notice::WithNews(..) | Notice::Queue(QueueNotice::UnknownCollection { .. }))
    );
    let is_shown = session.is_learning_on() && session.modes.sampling.is_none();
    (is_shown && !says_more).then(|| format!("learning {decided}/{ENOUGH_DECIDED}"))
}

/// The count and the keys of an unfinished sequence.
pub fn pending(session: &Session) -> Option<String> {
    let count = session.keys.count.map(|count| match count {
        0 => session.keymap.label(Action::Count),
        count => format!("{}{count}", session.keymap.label(Action::Count)),
    });
    let unfinished = count.is_some() || !session.keys.pending.is_empty();
    let pending = label(&session.keys.pending);
    unfinished.then(|| format!("{}{pending}-", count.unwrap_or_default()))
}

/// Progress of the background pass.
pub fn progress(session: &Session) -> Option<String> {
    session.background.progress.as_ref().map(|progress| {
        let (done, total) = (thousands(progress.done), thousands(progress.total));
        format!("{} {done}/{total}", progress.step)
    })
}

/// Draws the key hints: as many as fit, none truncated.
pub fn keys(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    let key = |action| session.keymap.label(action);
    let close = (key(Action::ListClose), "close");
    let hints: Vec<(String, &str)> = match session.screen.popups.last() {
        None => presenter::keys(session),
        Some(Popup::Prompt { purpose: asks, .. }) => prompt_keys(session, *asks),
        Some(Popup::Words {
            purpose: PickerPurpose::Flag,
            ..
        }) => vec![
            (key(Action::ListMark), "marks"),
            close,
            ("type".to_owned(), "to search"),
        ],
        Some(Popup::Words {
            purpose: PickerPurpose::Encoding,
            ..
        }) => vec![
            (key(Action::ListChoose), "keep for this book"),
            (key(Action::ListKeep), "keep for all books"),
            close,
            ("type".to_owned(), "to search"),
        ],
        Some(Popup::Confirm(_)) => vec![("y".to_owned(), "yes"), ("Esc".to_owned(), "no")],
        Some(Popup::Editions(view)) => editions::key_hints(session, view),
        Some(popup @ (Popup::Guidelines(_) | Popup::Evidence(_) | Popup::Bytes(_))) => {
            let longer = ScrollText::of(session, popup).is_some_and(|paper| paper.last() > 0);
            let down = [
                (key(Action::ListDown), "down"),
                (key(Action::ListPageDown), "page down"),
            ];
            let scrolls = down.into_iter().filter(|_| longer);
            scrolls.chain([close]).collect()
        }
        Some(Popup::Occurrences) => vec![
            (key(Action::ListChoose), "go there"),
            close,
            (key(Action::Back), "comes back"),
            ("type".to_owned(), "to search"),
        ],
        Some(Popup::Queue(_)) => vec![
            (key(Action::ListChoose), "open"),
            (key(Action::ListKeep), "open & keep as filter"),
            close,
            ("type".to_owned(), "words and terms"),
        ],
        Some(_) => vec![
            (key(Action::ListChoose), "choose"),
            close,
            ("type".to_owned(), "to search"),
        ],
    };
    let (style, text) = (
        canvas.style(ThemeRole::Key),
        canvas.style(ThemeRole::KeyText),
    );
    let mut x = area.x.saturating_add(1);
    for (chord, word) in hints {
        let width = columns(&chord) + 1 + columns(word);
        if x.saturating_add(width) > area.right() {
            break;
        }
        x = canvas.put(x, area.y, width, &chord, style);
        x = canvas.put(x + 1, area.y, width, word, text);
        x = x.saturating_add(2);
    }
}

/// The keys of a prompt with what they do.
fn prompt_keys(session: &Session, asks: PromptPurpose) -> Vec<(String, &'static str)> {
    let does = match asks {
        PromptPurpose::Search | PromptPurpose::Corpus => "search",
        PromptPurpose::Line => "go there",
        PromptPurpose::Note | PromptPurpose::Why => "keep",
        PromptPurpose::NoteAll => "go on",
    };
    let key = |action| session.keymap.label(action);
    vec![
        (key(Action::PromptKeep), does),
        (key(Action::PromptLeave), "leave it"),
    ]
}

/// Draws a prompt over the status line, scrolled so that the cursor is visible.
pub fn prompt(canvas: &mut Canvas<'_>, area: Rect, asks: PromptPurpose, before: &str, after: &str) {
    let base = canvas.style(ThemeRole::Popup);
    canvas.fill(area, base);
    let label = base.patch(canvas.patch(ThemeRole::TitleActive));
    let x = canvas.put(
        area.x,
        area.y,
        area.width,
        &format!(" {}", asks.label()),
        label,
    );
    let room = area.right().saturating_sub(x).saturating_sub(1);
    let shown = tail(before, room.saturating_sub(1), canvas.glyphs().more);
    let x = canvas.put_fitted(x, area.y, room, &shown, base);
    let rest = area.right().saturating_sub(x);
    canvas.put(x, area.y, rest, after, base);
    let cell = Rect {
        x,
        width: rest.min(1),
        ..area
    };
    let cursor = Style::default().add_modifier(ratatui::style::Modifier::REVERSED);
    canvas.tint(cell, cursor);
}

/// The last columns of a text.
fn tail(text: &str, width: u16, more: &str) -> String {
    use unicode_segmentation::UnicodeSegmentation;
    let shown = endpaper_text::sanitise::sanitise(text);
    if columns(&shown) <= width {
        return shown.into_owned();
    }
    let mut column = 1;
    let mut from = shown.len();
    for (at, cluster) in shown.grapheme_indices(true).rev() {
        column += columns(cluster);
        if column > width {
            break;
        }
        from = at;
    }
    format!("{more}{}", &shown[from..])
}
