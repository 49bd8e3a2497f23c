//! Draws the popups: lists, words, questions, scrolled texts and the prompt.

use super::boxes::{centred, first_shown, frame, row, typed};
use ratatui::layout::Rect;
use std::fmt::Write;

use super::canvas::{Canvas, columns};
use super::theme::ThemeRole;
use super::{editions, help, occurrences, status};
use crate::Action;
use crate::outlook::outlook;
use crate::popup::{ConfirmQuestion, Picker, PickerPurpose, Popup};
use crate::scroll_text::ScrollText;
use crate::session::Tone;
use crate::terms::HINT;
use crate::wrap::wrap;
use crate::{ScreenLayout, Session};
use endpaper_text::wording::{plural, thousands, without_system_noise};

/// Maximum number of items that are measured for the width of a list.
const MEASURED: usize = 500;

/// Draws one popup.
pub fn draw(
    session: &Session,
    canvas: &mut Canvas<'_>,
    screen: Rect,
    layout: &ScreenLayout,
    popup: &Popup,
) {
    match popup {
        Popup::Help(picker) => help::draw(canvas, screen, &session.keymap, picker),
        Popup::Queue(picker) => {
            let queue = &session.queue;
            let mut title = format!("queue: {} {}", queue.filter, queue.order_words());
            if let Some(outlook) = outlook(session) {
                let _ = write!(title, " · {}", outlook.words());
            }
            let text = |_: &str, book: &usize| session.list_label(*book);
            list_of(canvas, screen, &title, picker, text, |_, _| "");
            draw_term_hint(canvas, layout, picker.problem.as_deref());
        }
        Popup::Versions(picker) => {
            let choose = session.keymap.label(Action::ListChoose);
            let title =
                format!("versions of this record ({choose} makes one current, keeps all reviews)");
            list(canvas, screen, &title, picker, |_, _| "");
        }
        Popup::Books { title, picker, .. } => list(canvas, screen, title, picker, |_, _| ""),
        Popup::Found { title, picker } => list(canvas, screen, title, picker, |_, _| ""),
        Popup::Outline { title, picker } => list(canvas, screen, title, picker, |_, _| ""),
        Popup::Words {
            title,
            purpose,
            picker,
        } => {
            let marked = canvas.glyphs().marked;
            let (mark, close) = (Action::ListMark, Action::ListClose);
            let title = match purpose {
                PickerPurpose::Flag => format!(
                    "{title} ({} marks, {} closes)",
                    session.keymap.label(mark),
                    session.keymap.label(close)
                ),
                _ => title.clone(),
            };
            let one = canvas.glyphs().dot;
            list(canvas, screen, &title, picker, |_, (_, on)| {
                match (purpose, on) {
                    (PickerPurpose::Flag, true) => marked[0],
                    (PickerPurpose::Flag, false) => marked[1],
                    (_, true) => one,
                    (_, false) => " ",
                }
            });
        }
        Popup::Prompt {
            purpose: asks,
            input,
        } => {
            let at = input.value().char_indices().nth(input.cursor());
            let (before, after) = input
                .value()
                .split_at(at.map_or(input.value().len(), |(at, _)| at));
            status::prompt(canvas, layout.status, *asks, before, after);
        }
        Popup::Confirm(question) => confirm(canvas, screen, question),
        Popup::Occurrences => occurrences::draw(session, canvas, screen),
        Popup::Guidelines(_) | Popup::Evidence(_) | Popup::Bytes(_) => {
            if let Some(paper) = ScrollText::of(session, popup) {
                text(canvas, screen, &paper);
            }
        }
        Popup::Editions(view) => editions::draw(session, canvas, screen, view),
    }
}

/// Draws over the status line what is wrong with a term, or the example terms.
fn draw_term_hint(canvas: &mut Canvas<'_>, layout: &ScreenLayout, problem: Option<&str>) {
    let area = layout.status;
    canvas.fill(area, canvas.style(ThemeRole::Status));
    let (tone, text) = match problem {
        Some(why) => (Tone::Warning, why),
        None => (Tone::Plain, HINT),
    };
    status::draw_notice(canvas, area, area.width.saturating_sub(1), tone, text);
}

/// Draws a scrolled text.
fn text(canvas: &mut Canvas<'_>, screen: Rect, paper: &ScrollText) {
    let height = u16::try_from(paper.height + 2).unwrap_or(u16::MAX);
    let area = centred(screen, paper.width, height);
    let inner = frame(canvas, area, &paper.heading());
    let base = canvas.style(ThemeRole::Popup);
    let heading = base.patch(canvas.patch(ThemeRole::TitleActive));
    for (y, row) in (inner.y..inner.bottom()).zip(paper.rows.iter().skip(paper.top)) {
        let style = if row.heading { heading } else { base };
        let room = inner.width.saturating_sub(1);
        canvas.put(inner.x + 1, y, room, &row.text, style);
    }
}

/// Draws a list whose items show the texts that they are filtered by; `mark` comes before an item.
fn list<T>(
    canvas: &mut Canvas<'_>,
    screen: Rect,
    title: &str,
    picker: &Picker<T>,
    mark: impl Fn(usize, &T) -> &'static str,
) {
    list_of(
        canvas,
        screen,
        title,
        picker,
        |text, _| text.to_owned(),
        mark,
    );
}

/// Draws a list; calls `text` only for visible items.
fn list_of<T>(
    canvas: &mut Canvas<'_>,
    screen: Rect,
    title: &str,
    picker: &Picker<T>,
    text: impl Fn(&str, &T) -> String,
    mark: impl Fn(usize, &T) -> &'static str,
) {
    let shown = picker.shown();
    let some = shown.iter().take(MEASURED);
    let longest = some.map(|(found, item)| text(found, item).len()).max();
    let width = longest.unwrap_or(0).max(columns(title) as usize).max(36) + 8;
    let width = u16::try_from(width)
        .unwrap_or(u16::MAX)
        .min(screen.width.saturating_sub(4).max(20));
    // One more row than items, with a minimum, so that the box does not jump while typing.
    let height = u16::try_from(picker.items.len() + 3).unwrap_or(u16::MAX);
    let area = centred(screen, width, height);
    let inner = frame(canvas, area, title);
    typed(canvas, inner, picker);
    let height = usize::from(inner.height.saturating_sub(1));
    let first = first_shown(picker.chosen, shown.len(), height);
    let rows = inner.y.saturating_add(1)..inner.bottom();
    for (y, (index, (found, item))) in rows.zip(shown.iter().enumerate().skip(first)) {
        let mark = mark(index, item);
        let chosen = index == picker.chosen;
        item_row(canvas, row(inner, y), chosen, mark, &text(found, item));
    }
}

/// Draws a row of a list.
fn item_row(canvas: &mut Canvas<'_>, row: Rect, chosen: bool, mark: &str, text: &str) {
    let base = canvas.style(if chosen {
        ThemeRole::Chosen
    } else {
        ThemeRole::Popup
    });
    canvas.fill(row, base);
    let here = if chosen { canvas.glyphs().here } else { " " };
    let space = if mark.is_empty() { "" } else { " " };
    let line = format!("{here}{mark}{space}{text}");
    canvas.put(row.x, row.y, row.width, &line, base);
}

/// Draws a question.
fn confirm(canvas: &mut Canvas<'_>, screen: Rect, question: &ConfirmQuestion) {
    let text = match question {
        ConfirmQuestion::InsideAll(blocks) => match blocks.len() {
            1 => "Mark 1 more block that reads the same as boilerplate inside too?".to_owned(),
            count => {
                format!("Mark {count} more blocks that read the same as boilerplate inside too?")
            }
        },
        ConfirmQuestion::MarkAll { mark, books, what } => {
            let (count, word) = (thousands(books.len()), plural(books.len(), "book"));
            format!("{mark} on {count} {word} ({what})? Cuts and verdicts stay as they are.")
        }
        ConfirmQuestion::QuitUnsaved { count, why } => {
            let why = without_system_noise(why);
            let why = match count {
                1 => format!("1 decision could not be saved: {why}. Quit and lose it?"),
                _ => format!("{count} decisions could not be saved: {why}. Quit and lose them?"),
            };
            format!("{why} Quit all the same, and lose that?")
        }
    };
    let width = screen.width.saturating_sub(4).min(64);
    let rows = wrap(&text, width.saturating_sub(4));
    let height = u16::try_from(rows.len() + 4).unwrap_or(u16::MAX);
    let area = centred(screen, width, height);
    let inner = frame(canvas, area, "sure?");
    let base = canvas.style(ThemeRole::Popup);
    let mut y = inner.y;
    for row in rows {
        if y < inner.bottom() {
            canvas.put(inner.x + 1, y, inner.width.saturating_sub(1), &row, base);
        }
        y = y.saturating_add(1);
    }
    let key = base.patch(canvas.patch(ThemeRole::Key));
    let y = inner.bottom().saturating_sub(1);
    let x = canvas.put(inner.x + 1, y, inner.width.saturating_sub(1), "y", key);
    let x = canvas.put(x, y, inner.right().saturating_sub(x), " yes   ", base);
    let x = canvas.put(x, y, inner.right().saturating_sub(x), "Esc", key);
    canvas.put(x, y, inner.right().saturating_sub(x), " no", base);
}
