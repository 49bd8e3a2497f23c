//! Boxes over the page, with the first row of a filtered list.

use super::canvas::Canvas;
use super::theme::ThemeRole;
use crate::popup::Picker;
use ratatui::layout::Rect;

/// Draws the first row inside a box: the typed filter, and the number of remaining items.
pub fn typed<T>(canvas: &mut Canvas<'_>, inner: Rect, picker: &Picker<T>) {
    let row = row(inner, inner.y);
    let (filter, shown, all) = (&picker.filter, picker.shown().len(), picker.items.len());
    let base = canvas.style(ThemeRole::Popup);
    let dim = base.patch(canvas.patch(ThemeRole::KeyText));
    let count = format!("{shown} of {all} ");
    let x = canvas.put_right(row.right(), row.y, row.width, &count, dim);
    let room = x.saturating_sub(row.x);
    let end = canvas.put(row.x, row.y, room, &format!(" search: {filter}"), base);
    let cursor = Rect {
        x: end,
        width: u16::from(end < row.right()),
        ..row
    };
    canvas.tint(
        cursor,
        ratatui::style::Style::default().add_modifier(ratatui::style::Modifier::REVERSED),
    );
}

/// An area in the middle of the screen, of the given size or as large as fits.
pub fn centred(screen: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(screen.width), height.min(screen.height));
    Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    }
}

/// Draws a box with a title; returns its inside.
pub fn frame(canvas: &mut Canvas<'_>, area: Rect, title: &str) -> Rect {
    let inside = canvas.style(ThemeRole::Popup);
    canvas.fill(area, inside);
    let border = inside.patch(canvas.patch(ThemeRole::Border));
    let [top_left, top_right, bottom_left, bottom_right, across, down] = canvas.glyphs().corners;
    if area.width < 2 || area.height < 2 {
        return area;
    }
    let (right, bottom) = (area.right() - 1, area.bottom() - 1);
    for y in [area.y, bottom] {
        canvas.run(area.x, y, area.width, across, border);
    }
    for y in area.y + 1..bottom {
        canvas.put_fitted(area.x, y, 1, down, border);
        canvas.put_fitted(right, y, 1, down, border);
    }
    let corners = [
        (area.x, area.y, top_left),
        (right, area.y, top_right),
        (area.x, bottom, bottom_left),
        (right, bottom, bottom_right),
    ];
    for (x, y, corner) in corners {
        canvas.put_fitted(x, y, 1, corner, border);
    }
    let style = inside.patch(canvas.patch(ThemeRole::TitleActive));
    let room = area.width.saturating_sub(4);
    canvas.put(area.x + 2, area.y, room, &format!(" {title} "), style);
    Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width - 2,
        height: area.height - 2,
    }
}

/// Index of the first visible row of a list, such that the chosen one is in the middle where possible.
pub fn first_shown(chosen: usize, count: usize, height: usize) -> usize {
    chosen
        .saturating_sub(height / 2)
        .min(count.saturating_sub(height))
}

/// A row inside a box.
pub fn row(inner: Rect, y: u16) -> Rect {
    Rect {
        y,
        height: inner.height.min(1),
        ..inner
    }
}
