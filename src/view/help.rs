//! Help and palette in one: every action with its keys, by group; typing filters, Enter runs.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::popup::{centred, first_shown, frame, row, typed};
use super::theme::Role;
use crate::review::Action;
use crate::review::action::Group;
use crate::review::keymap::Keymap;
use crate::review::popup::Picker;

/// Columns of the keys.
const KEYS: u16 = 22;

/// A row of the help: a heading, or an item by its index among those shown.
enum Line {
    Heading(Group),
    Item(usize, Action),
}

/// Draws the help.
pub fn draw(canvas: &mut Canvas<'_>, screen: Rect, keymap: &Keymap, picker: &Picker<Action>) {
    let width = screen.width.saturating_sub(4).clamp(20, 104);
    let area = centred(screen, width, screen.height);
    let inner = frame(canvas, area, "keys and what they do");
    let shown = picker.shown();
    typed(canvas, inner, picker);
    let lines = lines(shown.iter().map(|(_, action)| *action));
    let chosen = lines
        .iter()
        .position(|line| matches!(line, Line::Item(index, _) if *index == picker.chosen));
    let height = usize::from(inner.height.saturating_sub(1));
    let first = first_shown(chosen.unwrap_or(0), lines.len(), height);
    let rows = inner.y.saturating_add(1)..inner.bottom();
    for (y, line) in rows.zip(lines.iter().skip(first)) {
        match line {
            Line::Heading(group) => {
                let base = canvas.style(Role::Popup);
                let style = base.patch(canvas.patch(Role::TitleActive));
                canvas.put(
                    inner.x + 1,
                    y,
                    inner.width.saturating_sub(1),
                    group.title(),
                    style,
                );
            }
            Line::Item(index, action) => {
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

/// Items with a heading before each group.
fn lines(actions: impl Iterator<Item = Action>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut group = None;
    for (index, action) in actions.enumerate() {
        let of = action.facts().group;
        if group != Some(of) {
            lines.push(Line::Heading(of));
            group = Some(of);
        }
        lines.push(Line::Item(index, action));
    }
    lines
}

fn item(canvas: &mut Canvas<'_>, row: Rect, keymap: &Keymap, action: Action, chosen: bool) {
    let base = canvas.style(if chosen { Role::Chosen } else { Role::Popup });
    canvas.fill(row, base);
    let here = if chosen { canvas.glyphs().here } else { " " };
    canvas.put(row.x, row.y, row.width, here, base);
    let facts = action.facts();
    let key = base.patch(canvas.patch(Role::Key));
    let keys = keymap.notation(action).join("  ");
    let at = row.x.saturating_add(2);
    // Long lists of keys must not run into the text on narrow screens.
    let room = KEYS.min(row.width / 3).saturating_sub(1);
    canvas.put(at, row.y, room.min(row.width.saturating_sub(2)), &keys, key);
    let at = at.saturating_add(room + 1);
    canvas.put(at, row.y, row.right().saturating_sub(at), facts.doc, base);
}
