//! The n-gram view of a book: shades the characters covered by frequent n-grams, across line ends.

use ratatui::layout::Rect;

use super::canvas::{Canvas, columns};
use super::theme::ThemeRole;
use crate::BookPage;
use crate::page::SHADES;

/// Shades the covered ranges of a line shown as `shown` in the row `area`. Bytes of the line from `limit` on are not shown.
pub fn shade(
    canvas: &mut Canvas<'_>,
    page: &BookPage,
    line: u32,
    shown: &str,
    area: Rect,
    limit: usize,
) {
    let look = canvas.patch(ThemeRole::shade(SHADES - 2));
    let width = columns(shown).min(area.width);
    let column = |byte: usize| columns(&page.text.display_to(line, byte.min(limit))).min(width);
    for range in page.useless(line) {
        let first = column(range.start);
        if first >= width {
            return;
        }
        let run = Rect {
            x: area.x.saturating_add(first),
            width: column(range.end).saturating_sub(first),
            ..area
        };
        canvas.tint(run, look);
    }
}

/// The share of a line that frequent n-grams cover, as a step of shading.
pub fn step(page: &BookPage, line: u32) -> u8 {
    let bytes = page.text.raw(line).len();
    let useless: usize = page
        .useless(line)
        .map(|range| range.end.min(bytes).saturating_sub(range.start))
        .sum();
    let most = usize::from(SHADES - 1);
    (useless * most).div_ceil(bytes.max(1)).min(most) as u8
}
