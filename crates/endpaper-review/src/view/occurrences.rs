//! The list of all occurrences of a line: book, line number, position in the book.

use ratatui::layout::Rect;

use super::boxes::{centred, first_shown, frame, row, typed};
use super::canvas::Canvas;
use super::theme::ThemeRole;
use crate::Session;
use crate::occurrences::{Occurrence, OccurrenceList};

/// Maximum width of the box.
const WIDEST: u16 = 120;
/// Columns of the book's name and of the line number, in wide boxes and in narrow ones.
const NAMES: [(u16, u16); 2] = [(20, 7), (10, 6)];
/// Columns of the position in the book; the title follows.
const PLACE: u16 = 46;
/// Narrower boxes show short positions and names.
const WIDE_BOX: u16 = 70;
/// Boxes with fewer rows do not show the line searched for.
const HIGH: u16 = 8;

/// Draws the list.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, screen: Rect) {
    let Some(list) = &session.background.occurrences.list else {
        return;
    };
    let width = screen.width.saturating_sub(2).min(WIDEST);
    let area = centred(screen, width, screen.height);
    let title = match width >= WIDE_BOX {
        true => list.title(),
        false => list.short_title(),
    };
    let inner = frame(canvas, area, &title);
    let picker = &list.picker;
    let shown = picker.shown();
    typed(canvas, inner, picker);
    let base = canvas.style(ThemeRole::Popup);
    let dim = base.patch(canvas.patch(ThemeRole::KeyText));
    let mut y = inner.y.saturating_add(1);
    let mut say = |text: String, style| {
        if y < inner.bottom() {
            canvas.put(inner.x, y, inner.width, &format!(" {text}"), style);
            y += 1;
        }
    };
    say(list.state(), dim);
    if inner.height >= HIGH {
        say(list.label.clone(), base);
    }
    let height = usize::from(inner.bottom().saturating_sub(y));
    let first = first_shown(picker.chosen, shown.len(), height);
    let items = shown.iter().enumerate().skip(first);
    for (y, (index, (_, item))) in (y..inner.bottom()).zip(items) {
        draw_item(session, canvas, row(inner, y), item, index == picker.chosen);
    }
}

/// Draws an occurrence.
fn draw_item(
    session: &Session,
    canvas: &mut Canvas<'_>,
    row: Rect,
    item: &Occurrence,
    chosen: bool,
) {
    let base = canvas.style(if chosen {
        ThemeRole::Chosen
    } else {
        ThemeRole::Popup
    });
    canvas.fill(row, base);
    let hit = item.hit;
    let cursor = hit.book == session.current && hit.line == session.cursor_line();
    let mark = match (chosen, cursor) {
        (true, _) => canvas.glyphs().here,
        (false, true) => canvas.glyphs().dot,
        (false, false) => " ",
    };
    canvas.put(row.x, row.y, row.width, mark, base);
    let wide = row.width >= WIDE_BOX;
    let entry = session.entries.get(hit.book);
    let (name, title) = entry.map_or(("", ""), |entry| (entry.name(), entry.distinct_title()));
    let right = row.right();
    let mut put = |x: u16, width: u16, text: &str| {
        let room = right.saturating_sub(x).min(width);
        canvas.put(x, row.y, room, text, base);
    };
    let (columns, digits) = NAMES[usize::from(!wide)];
    let mut x = row.x.saturating_add(1);
    put(x, columns, name);
    x = x.saturating_add(columns);
    put(
        x,
        digits,
        &format!("{:>width$}", hit.line, width = usize::from(digits)),
    );
    x = x.saturating_add(digits + if wide { 2 } else { 1 });
    let place = match item.position {
        None => OccurrenceList::end_name(hit).to_owned(),
        Some(place) if wide => format!("{} ({})", place.long(), place.basis.word()),
        Some(place) => format!("{} {}", place.short(), place.basis.short()),
    };
    put(x, PLACE, &place);
    if wide {
        x = x.saturating_add(PLACE + 1);
        put(x, u16::MAX, title);
    }
}
