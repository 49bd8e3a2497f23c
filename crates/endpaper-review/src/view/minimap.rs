//! The minimap: the whole book in two columns, with shading on the left and marks on the right.
//!
//! A cell shows the shade of its most frequent line. Each frame reads the shades of the book once, at about 2 ns a line, and no
//! text.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::theme::ThemeRole;
use crate::{BookState, Session, presenter};
use endpaper_detect::End;

/// Draws the map.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, area: Rect) {
    let Some(book) = &session.doc.open else {
        return;
    };
    let lines = book.page.lines();
    if lines == 0 || area.height == 0 {
        return;
    }
    let seen = seen(session);
    for offset in 0..area.height {
        let (first, last) = cell(offset, area.height, lines);
        let y = area.y + offset;
        if first > last {
            continue;
        }
        let shade = (first..=last)
            .map(|line| book.page.shade(line))
            .max()
            .unwrap_or(0);
        let glyph = canvas.glyphs().shades[usize::from(shade.min(5))];
        let style = canvas.style(ThemeRole::shade(shade));
        canvas.put_fitted(area.x, y, area.width.min(1), glyph, style);
        if let Some((mark, role)) = mark(session, canvas, book, first, last) {
            let style = canvas.style(role);
            canvas.put_fitted(
                area.x + 1,
                y,
                area.width.saturating_sub(1).min(1),
                mark,
                style,
            );
        }
        if seen.iter().any(|&(from, to)| from <= last && first <= to) {
            let row = Rect {
                y,
                height: 1,
                ..area
            };
            canvas.tint(row, canvas.patch(ThemeRole::MapView));
        }
    }
}

/// First and last line of a cell; with more cells than lines some are empty.
fn cell(offset: u16, height: u16, lines: u32) -> (u32, u32) {
    let at = |offset: u16| u64::from(lines) * u64::from(offset) / u64::from(height.max(1));
    (at(offset) as u32 + 1, at(offset + 1) as u32)
}

/// The mark of a cell: a cut, or else a marked block inside, or else a match.
fn mark(
    session: &Session,
    canvas: &Canvas<'_>,
    book: &BookState,
    first: u32,
    last: u32,
) -> Option<(&'static str, ThemeRole)> {
    let cuts = book.decision.cuts;
    let here = |line: u32| (first..=last).contains(&line);
    let start = cuts.preamble_end > 0 && here(cuts.preamble_end);
    if start || cuts.epilogue_start.is_some_and(here) {
        return Some((canvas.glyphs().rule, ThemeRole::Cut));
    }
    let mut inside = book.decision.inside.iter();
    if inside.any(|block| block.first <= last && first <= block.last) {
        return Some((canvas.glyphs().bar, ThemeRole::Title));
    }
    let found = &session.doc.search.as_ref()?.lines;
    let next = found.partition_point(|&line| line < first);
    let hit = found.get(next).is_some_and(|&line| line <= last);
    hit.then_some(("*", ThemeRole::Warning))
}

/// The lines that each pane shows.
fn seen(session: &Session) -> Vec<(u32, u32)> {
    let ends: &[End] = if session.screen.view_options.whole_text {
        &[End::Start]
    } else {
        &[End::Start, End::End]
    };
    let lines = |&end: &End| {
        let rows = session.doc.rows.get(presenter::visible(session, end))?;
        Some((rows.first()?.first(), rows.last()?.last()))
    };
    ends.iter().filter_map(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn cells_cover_every_line_once() {
        for (height, lines) in [(1, 1), (10, 3), (10, 10), (7, 100_000), (40, 41)] {
            let mut next = 1;
            for offset in 0..height {
                let (first, last) = cell(offset, height, lines);
                assert_eq!(first, next);
                next = last + 1;
            }
            assert_eq!(next, lines + 1);
        }
    }
}
