//! The only writer to the buffer: sanitises, clips and bounds everything that is drawn.
//!
//! Untrusted text goes through [`sanitise`] here and nowhere else, so no drawing code can forget it. Columns are counted with
//! the renderer's own width function.

use std::borrow::Cow;

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use super::bidi;
use super::glyphs::GlyphSet;
use super::theme::{Theme, ThemeRole};
use crate::width::cells;
use endpaper_text::sanitise::sanitise;

/// A buffer, and the theme to draw with.
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    theme: &'a Theme,
}

impl<'a> Canvas<'a> {
    /// Creates a canvas on a buffer.
    pub fn new(buffer: &'a mut Buffer, theme: &'a Theme) -> Canvas<'a> {
        Canvas { buffer, theme }
    }

    /// The style of a role on top of that of text.
    pub fn style(&self, role: ThemeRole) -> Style {
        self.theme
            .style(ThemeRole::Text)
            .patch(self.theme.style(role))
    }

    /// The changes that a role makes to another style.
    pub fn patch(&self, role: ThemeRole) -> Style {
        self.theme.style(role)
    }

    /// Whether colours alone distinguish the steps of the heat map.
    pub fn has_heat_colours(&self) -> bool {
        self.theme.has_heat_colours()
    }

    /// The marks of the screen.
    pub fn glyphs(&self) -> &'static GlyphSet {
        self.theme.glyphs
    }

    /// Removes a wide character that reaches into a cell from the left, and would hide what is drawn there.
    fn remove_wide_before(&mut self, x: u16, y: u16) {
        if x > self.buffer.area.left() {
            let before = &mut self.buffer[(x - 1, y)];
            if before.cell_width() > 1 {
                before.set_symbol(" ");
            }
        }
    }

    /// Clears an area and gives it a style.
    pub fn fill(&mut self, area: Rect, style: Style) {
        let area = area.intersection(self.buffer.area);
        for y in area.top()..area.bottom() {
            self.remove_wide_before(area.left(), y);
            for x in area.left()..area.right() {
                let cell = &mut self.buffer[(x, y)];
                cell.reset();
                cell.set_style(style);
            }
        }
    }

    /// Adds a style to an area and keeps its characters.
    pub fn tint(&mut self, area: Rect, style: Style) {
        let area = area.intersection(self.buffer.area);
        self.buffer.set_style(area, style);
    }

    /// Writes at most `width` columns of text; truncated text ends in a mark. Returns the column after it.
    pub fn put(&mut self, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
        let text = self.plain(text);
        let shown = fit(&text, width, self.theme.glyphs.more);
        self.put_fitted(x, y, width, &shown, style)
    }

    /// Replaces marks that an ASCII terminal cannot show. Leaves other text, such as lines of books, unchanged.
    fn plain<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.theme.glyphs.unicode || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        let ours = [('\u{b7}', "."), ('\u{2026}', "..."), ('\u{2192}', "->")];
        let mut out = text.to_owned();
        for (mark, plain) in ours {
            out = out.replace(mark, plain);
        }
        Cow::Owned(out)
    }

    /// Writes text that already fits. Returns the column after it, which stays in place if the terminal reorders
    /// right-to-left text.
    pub fn put_fitted(&mut self, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
        let area = self.buffer.area;
        if y < area.top() || y >= area.bottom() || x < area.left() || x >= area.right() {
            return x;
        }
        let width = usize::from(width);
        let (end, _) = self.buffer.set_stringn(x, y, text, width, style);
        if end > x {
            self.remove_wide_before(x, y);
            // The buffer resets the second cell of a wide character.
            let drawn = Rect {
                x,
                y,
                width: end - x,
                height: 1,
            };
            self.buffer.set_style(drawn, style);
        }
        if self.theme.glyphs.unicode && bidi::ends_right_to_left(text) {
            bidi::put_guard(self.buffer, end, y);
        }
        end
    }

    /// Keeps the columns of an area in place if the terminal reorders right-to-left text. Called when all is drawn.
    pub fn guard_columns(&mut self, area: Rect) {
        if self.theme.glyphs.unicode {
            let area = area.intersection(self.buffer.area);
            bidi::guard_columns(self.buffer, area, self.theme.glyphs.upright);
        }
    }

    /// Writes text that ends before the column `right`. Returns its first column.
    pub fn put_right(&mut self, right: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
        let text = self.plain(text);
        let shown = fit(&text, width, self.theme.glyphs.more);
        let x = right.saturating_sub(cells(&shown));
        self.put_fitted(x, y, width, &shown, style);
        x
    }

    /// Fills columns of a row with one mark. Returns the column after them.
    pub fn run(&mut self, x: u16, y: u16, width: u16, glyph: &str, style: Style) -> u16 {
        self.put_fitted(x, y, width, &glyph.repeat(usize::from(width)), style)
    }

    /// Draws a vertical line.
    pub fn upright(&mut self, x: u16, top: u16, bottom: u16) {
        let style = self.style(ThemeRole::Line);
        for y in top..bottom {
            self.put_fitted(x, y, 1, self.theme.glyphs.upright, style);
        }
    }
}

/// Width of sanitised text in columns.
pub fn columns(text: &str) -> u16 {
    cells(&sanitise(text))
}

/// Sanitises text and truncates it to `width` columns; `more` replaces the last column of truncated text.
pub fn fit<'t>(text: &'t str, width: u16, more: &str) -> Cow<'t, str> {
    let shown = sanitise(text);
    // Nearly always bytes are an upper bound of columns, so most lines return here.
    if shown.is_ascii() && shown.len() <= usize::from(width) {
        return shown;
    }
    let Some(end) = overflow(&shown, width) else {
        return shown;
    };
    Cow::Owned(format!(
        "{}{}",
        &shown[..end],
        if width > 0 { more } else { "" }
    ))
}

/// Byte offset at which to cut so that a mark of one column still fits; `None` if the text fits.
fn overflow(shown: &str, width: u16) -> Option<usize> {
    let mut column = 0u16;
    let mut cut = 0;
    for (at, cluster) in shown.grapheme_indices(true) {
        column = column.saturating_add(cluster.cell_width());
        if column > width {
            return Some(cut);
        }
        if column < width {
            cut = at + cluster.len();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_is_cut_where_it_stops_fitting() {
        let cases = [
            ("short", 10, "short"),
            ("exactly", 7, "exactly"),
            ("one too many", 11, "one too ma…"),
            ("漢字漢字", 8, "漢字漢字"),
            ("漢字漢字", 7, "漢字漢…"),
            ("漢字漢字", 6, "漢字…"),
            ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("a\u{1b}[31mb", 3, "a\u{241b}…"),
            ("abc", 1, "…"),
            ("abc", 0, ""),
            ("", 0, ""),
        ];
        for (text, width, expected) in cases {
            assert_eq!(fit(text, width, "…"), expected, "{text:?} in {width}");
        }
    }

    proptest! {
        #[test]
        fn what_fits_never_takes_more_columns(text in any::<String>(), width in 0u16..40) {
            let shown = fit(&text, width, "…");
            prop_assert!(cells(&shown) <= width);
            prop_assert!(!shown.chars().any(char::is_control));
        }
    }
}
