//! The help, which is also the command palette: all actions with their keys, by group; typing filters, Enter runs.

use ratatui::layout::Rect;

use super::boxes::{centred, first_shown, frame, row, typed};
use super::canvas::{Canvas, columns};
use super::theme::ThemeRole;
use crate::Action;
use crate::action::{ACTIONS, HelpGroup};
use crate::keymap::Keymap;
use crate::popup::Picker;
use crate::wrap::wrap;

/// Width of the key column.
const KEYS: u16 = 22;
/// Columns of the border and of the gap between keys and text.
const BESIDE: u16 = 5;

/// A row of the help: a heading, or an item by its index in the filtered list.
enum HelpRow {
    Heading(HelpGroup),
    Item(usize, Action),
    /// Overflow of the chosen item's text.
    More(String),
}

/// Draws the help.
pub fn draw(canvas: &mut Canvas<'_>, screen: Rect, keymap: &Keymap, picker: &Picker<Action>) {
    // As wide as the longest text, if the screen allows.
    let texts = ACTIONS.iter().map(|facts| columns(facts.doc));
    let longest = texts.max().unwrap_or(0).saturating_add(KEYS + BESIDE);
    let width = screen.width.saturating_sub(4).min(longest).max(20);
    let area = centred(screen, width, screen.height);
    let inner = frame(canvas, area, "keys and what they do");
    let shown = picker.shown();
    typed(canvas, inner, picker);
    let room = inner.width.saturating_sub(2 + keys_room(inner));
    let actions = shown.iter().map(|(_, action)| *action);
    let lines = lines(actions, picker.chosen, room);
    let chosen = lines
        .iter()
        .position(|line| matches!(line, HelpRow::Item(index, _) if *index == picker.chosen));
    let height = usize::from(inner.height.saturating_sub(1));
    let first = first_shown(chosen.unwrap_or(0), lines.len(), height);
    let rows = inner.y.saturating_add(1)..inner.bottom();
    for (y, line) in rows.zip(lines.iter().skip(first)) {
        match line {
            HelpRow::Heading(group) => {
                let base = canvas.style(ThemeRole::Popup);
                let style = base.patch(canvas.patch(ThemeRole::TitleActive));
                canvas.put(
                    inner.x + 1,
                    y,
                    inner.width.saturating_sub(1),
                    group.title(),
                    style,
                );
            }
            HelpRow::More(text) => {
                let row = row(inner, y);
                let base = canvas.style(ThemeRole::Chosen);
                canvas.fill(row, base);
                let at = row.right().saturating_sub(room);
                canvas.put(at, y, room, text, base);
            }
            HelpRow::Item(index, action) => {
                item(
                    canvas,
                    row(inner, y),
                    keymap,
                    *action,
                    *index == picker.chosen,
                );
            }
        }
    }
}

/// Width of the keys: long ones must not run into the text on narrow screens.
fn keys_room(inner: Rect) -> u16 {
    KEYS.min(inner.width / 3)
}

/// Items with a heading before each group, and all of the text of the chosen one.
fn lines(actions: impl Iterator<Item = Action>, chosen: usize, room: u16) -> Vec<HelpRow> {
    let mut lines = Vec::new();
    let mut group = None;
    for (index, action) in actions.enumerate() {
        let of = action.info().group;
        if group != Some(of) {
            lines.push(HelpRow::Heading(of));
            group = Some(of);
        }
        lines.push(HelpRow::Item(index, action));
        if index == chosen {
            let rest = wrap(action.info().doc, room).into_iter().skip(1);
            lines.extend(rest.map(HelpRow::More));
        }
    }
    lines
}

/// Draws an action with its keys.
fn item(canvas: &mut Canvas<'_>, row: Rect, keymap: &Keymap, action: Action, chosen: bool) {
    let base = canvas.style(if chosen {
        ThemeRole::Chosen
    } else {
        ThemeRole::Popup
    });
    canvas.fill(row, base);
    let here = if chosen { canvas.glyphs().here } else { " " };
    canvas.put(row.x, row.y, row.width, here, base);
    let facts = action.info();
    let key = base.patch(canvas.patch(ThemeRole::Key));
    let keys = keymap.notation(action).join("  ");
    let at = row.x.saturating_add(2);
    let room = keys_room(row).saturating_sub(1);
    canvas.put(at, row.y, room.min(row.width.saturating_sub(2)), &keys, key);
    let at = at.saturating_add(room + 1);
    let room = row.right().saturating_sub(at);
    let text = match chosen {
        // The following rows show the rest.
        true => wrap(facts.doc, room).into_iter().next().unwrap_or_default(),
        false => facts.doc.to_owned(),
    };
    canvas.put(at, row.y, room, &text, base);
}
