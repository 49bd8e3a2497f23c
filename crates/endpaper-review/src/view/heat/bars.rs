//! The parts around the picture of the heat map: header and legend, groups, line numbers, review status, doubt, and one line on
//! the chosen book.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::super::canvas::{Canvas, columns};
use super::super::theme::ThemeRole;
use super::super::{notices, status};
use super::HeatLayout;
use super::chosen::chosen_column;
use crate::heat::{HeatColumn, words};
use crate::{ReviewStatus, Session};
use endpaper_detect::End;
use endpaper_text::wording::thousands;

/// Number of rows between line numbers.
const EVERY: u16 = 4;

/// Draws the first line: what is shown and what does not fit, then the legend.
pub fn header(session: &Session, canvas: &mut Canvas<'_>, plan: &HeatLayout) {
    let base = canvas.style(ThemeRole::Header);
    canvas.fill(plan.header, base);
    let dot = format!(" {} ", canvas.glyphs().dot);
    let texts = words::header(session, plan).map(|parts| format!(" {}", parts.join(&dot)));
    let room = plan.header.width.saturating_sub(1);
    let text = texts.iter().find(|text| columns(text) <= room);
    let text = text.unwrap_or(&texts[2]);
    let x = canvas.put(
        0,
        plan.header.y,
        room,
        text,
        base.add_modifier(Modifier::BOLD),
    );
    legend(canvas, plan.header, x + 2);
}

/// Draws the legend, the shades and the mark of a cut, right of the column `after` if it fits.
fn legend(canvas: &mut Canvas<'_>, area: Rect, after: u16) {
    let base = canvas.style(ThemeRole::Header);
    let room = area.right().saturating_sub(after);
    let (rare, common, cut) = ("rare ", " frequent", "  cut ");
    let words = columns(rare) + columns(common) + columns(cut);
    let in_words = room > words + 6 + 2 + 1;
    if !in_words && room < 9 {
        return;
    }
    let width = 6 + 2 + if in_words { words } else { 1 };
    let mut x = area.right().saturating_sub(width + 1);
    if in_words {
        x = canvas.put(x, area.y, room, rare, base);
    }
    let colours = canvas.has_heat_colours();
    for step in 0..6u8 {
        let look = canvas.patch(ThemeRole::heat(step));
        x = match look.fg.filter(|_| colours) {
            Some(colour) => canvas.put_fitted(x, area.y, 1, " ", base.bg(colour)),
            None => {
                let glyph = canvas.glyphs().shades[usize::from(step)];
                canvas.put_fitted(x, area.y, 1, glyph, canvas.style(ThemeRole::heat(step)))
            }
        };
    }
    x = canvas.put(x, area.y, room, if in_words { common } else { " " }, base);
    if in_words {
        x = canvas.put(x, area.y, room, cut, base);
    }
    let rule = canvas.glyphs().rule;
    let style = base.patch(canvas.patch(ThemeRole::Cut));
    canvas.run(x, area.y, 2, rule, style);
}

/// Draws the beginnings of groups, and a mark above the chosen column.
pub fn ruler(session: &Session, canvas: &mut Canvas<'_>, plan: &HeatLayout) {
    if plan.ruler.is_empty() {
        return;
    }
    let (heat, style) = (&session.background.heat, canvas.style(ThemeRole::Title));
    let mut group = None;
    let mut free = plan.ruler.left();
    for (offset, x) in (plan.ruler.left()..plan.ruler.right()).enumerate() {
        let book = heat.order.get(heat.column(offset).start);
        let entry = book.and_then(|&book| session.entries.get(book));
        let Some(found) = entry.and_then(|entry| heat.sort.group(entry)) else {
            continue;
        };
        if group.as_ref() == Some(&found) {
            continue;
        }
        // A group whose name would overlap the previous one only gets the mark.
        let word = format!("{}{found} ", canvas.glyphs().upright);
        let fits = x >= free && x + columns(&word) <= plan.ruler.right();
        if x >= free {
            let shown = if fits { &word } else { canvas.glyphs().upright };
            free = canvas.put(x, plan.ruler.y, plan.ruler.right() - x, shown, style);
        }
        group = Some(found);
    }
    if let Some(x) = chosen_column(session, plan) {
        let style = canvas.style(ThemeRole::Chosen);
        canvas.put_fitted(x, plan.ruler.y, 1, canvas.glyphs().down, style);
    }
}

/// Draws line numbers: the number of counted lines from the edge of the books.
pub fn numbers(session: &Session, canvas: &mut Canvas<'_>, plan: &HeatLayout) {
    if plan.gutter.is_empty() {
        return;
    }
    let style = canvas.style(ThemeRole::Number);
    for row in (0..plan.gutter.height).step_by(usize::from(EVERY)) {
        let line = session.background.heat.top + usize::from(row) * plan.lines + 1;
        if line > session.background.heat.depth() {
            break;
        }
        let y = match session.background.heat.end {
            End::Start => plan.gutter.y + row,
            End::End => plan.gutter.bottom() - 1 - row,
        };
        let right = plan.gutter.right().saturating_sub(1);
        canvas.put_right(right, y, plan.gutter.width, &line.to_string(), style);
    }
}

/// Draws the review status and the mean doubt of each column, below the picture.
pub fn marks(session: &Session, canvas: &mut Canvas<'_>, plan: &HeatLayout) {
    let label = canvas.style(ThemeRole::Number);
    for (row, word) in [(plan.status_marks, "state"), (plan.doubt, "doubt")] {
        if !plan.gutter.is_empty() && !row.is_empty() {
            canvas.put(0, row.y, plan.gutter.width, word, label);
        }
    }
    let chosen = chosen_column(session, plan);
    for (offset, x) in (plan.picture.left()..plan.picture.right()).enumerate() {
        let Some(column) = session.background.heat.painted(offset) else {
            break;
        };
        let over = |canvas: &Canvas<'_>, role: ThemeRole| match Some(x) == chosen {
            true => canvas.style(ThemeRole::Chosen),
            false => canvas.style(role),
        };
        let (letter, role) = standing(column);
        let dot = canvas.glyphs().dot;
        let text = if letter == ' ' {
            dot.to_owned()
        } else {
            letter.to_string()
        };
        let style = over(canvas, role);
        canvas.put_fitted(x, plan.status_marks.y, 1, &text, style);
        if let (Some(doubt), false) = (column.doubt, plan.doubt.is_empty()) {
            let style = over(canvas, ThemeRole::doubt(doubt));
            canvas.put_fitted(x, plan.doubt.y, 1, canvas.glyphs().doubt(doubt), style);
        }
    }
}

/// The letter of a column: the common status of its books, `=` if all are decided, `+` if some are.
fn standing(column: &HeatColumn) -> (char, ThemeRole) {
    match (column.status, column.decided) {
        (Some(standing), _) => {
            let role = match standing {
                ReviewStatus::Undecided => ThemeRole::Line,
                ReviewStatus::Draft | ReviewStatus::Recorded => ThemeRole::Warning,
                ReviewStatus::Broken | ReviewStatus::Unreadable => ThemeRole::Error,
                ReviewStatus::Decided(_) => ThemeRole::Good,
            };
            (standing.letter(), role)
        }
        (None, (0, _)) => (' ', ThemeRole::Line),
        (None, (decided, all)) if decided == all => ('=', ThemeRole::Good),
        (None, _) => ('+', ThemeRole::Warning),
    }
}

/// Draws a notice, or else a line on the chosen book; at the right keys of an unfinished sequence and the number of unread books.
pub fn status(session: &Session, canvas: &mut Canvas<'_>, plan: &HeatLayout) {
    let area = plan.status;
    let base = canvas.style(ThemeRole::Status);
    let heat = &session.background.heat;
    let (all, unread) = (heat.order.len(), heat.unread());
    let reading = (unread > 0 && session.background.progress.is_none())
        .then(|| format!("mapped {}/{}", thousands(all - unread), thousands(all)));
    let right_texts = [status::pending(session), status::progress(session), reading];
    let mut right = area.right().saturating_sub(1);
    for text in right_texts.into_iter().flatten() {
        let width = columns(&text).min(area.width / 3);
        right = canvas
            .put_right(right, area.y, width, &text, base)
            .saturating_sub(2);
    }
    let room = right.saturating_sub(area.x);
    match &session.screen.notice {
        Some(notice) => {
            let text = notices::words(session, notice);
            status::draw_notice(canvas, area, room, notice.tone(), &text);
        }
        None => {
            let text = format!(" {}", words::chosen_book_line(session));
            canvas.put(area.x, area.y, room, &text, base);
        }
    }
}
