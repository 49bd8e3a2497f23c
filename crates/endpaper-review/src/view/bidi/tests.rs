use super::*;
use crate::view::canvas::Canvas;
use crate::view::glyphs::{ASCII, UNICODE};
use crate::view::theme::{Theme, ThemeRole};
use ratatui::buffer::CellWidth;
use unicode_bidi::{BidiInfo, Level};

/// The columns of a row, in the order in which a terminal with the bidirectional algorithm shows them. A wide character is
/// one column.
fn visual_order(buffer: &Buffer, y: u16) -> Vec<u16> {
    let (mut text, mut starts) = (String::new(), Vec::new());
    let mut x = buffer.area.left();
    while x < buffer.area.right() {
        let symbol = buffer[(x, y)].symbol();
        starts.push((x, text.len()));
        text.push_str(symbol);
        x += symbol.cell_width().max(1);
    }
    let info = BidiInfo::new(&text, Some(Level::ltr()));
    let Some(row) = info.paragraphs.first() else {
        return Vec::new();
    };
    let levels = info.reordered_levels(row, row.range.clone());
    let levels: Vec<Level> = starts.iter().map(|(_, at)| levels[*at]).collect();
    let order = BidiInfo::reorder_visual(&levels);
    order.iter().map(|&at| starts[at].0).collect()
}

/// Whether a terminal with the bidirectional algorithm shows this column of a row at its place.
pub fn stays(buffer: &Buffer, x: u16, y: u16) -> bool {
    let order = visual_order(buffer, y);
    let mut sorted = order.clone();
    sorted.sort_unstable();
    let at = sorted.binary_search(&x);
    at.is_err()
        || order
            .iter()
            .zip(&sorted)
            .any(|(shown, place)| shown == place && *place == x)
}

/// A queue with a title, a line, and a pane with a number and a text.
fn screen(title: &str, room: u16, glyphs: &'static crate::view::glyphs::GlyphSet) -> Buffer {
    let area = Rect::new(0, 0, 40, 1);
    let (mut buffer, theme) = (Buffer::empty(area), Theme::of_roles(glyphs));
    let mut canvas = Canvas::new(&mut buffer, &theme);
    let style = canvas.style(ThemeRole::Text);
    canvas.put(0, 0, room, title, style);
    canvas.upright(room, 0, 1);
    canvas.put(room + 2, 0, 20, "1234 abc", style);
    canvas.guard_columns(area);
    buffer
}

#[test]
fn numbers_beside_right_to_left_text_keep_their_columns() {
    let titles = [
        "\u{643}\u{62a}\u{627}\u{628}",
        "\u{643}\u{62a}\u{627}\u{628} 12",
        "\u{5e1}\u{5e4}\u{5e8}, \u{5e1}\u{5e4}\u{5e8} -",
        // As long as its room, and longer.
        "\u{643}\u{62a}\u{627}\u{628}\u{643}\u{62a}\u{627}\u{628}\u{643}\u{62a}",
        "\u{643}\u{62a}\u{627}\u{628}\u{643}\u{62a}\u{627}\u{628}\u{643}\u{62a}\u{627}\u{628}",
    ];
    for title in titles {
        let drawn = screen(title, 10, &UNICODE);
        for x in 10..20 {
            assert!(stays(&drawn, x, 0), "{title} {x}: {drawn:?}");
        }
    }
}

#[test]
fn without_a_guard_the_line_between_would_move() {
    let drawn = screen("\u{643}\u{62a}\u{627}\u{628}", 10, &ASCII);
    assert!(!stays(&drawn, 10, 0), "{drawn:?}");
}

#[test]
fn only_rows_that_need_it_have_a_guard() {
    let guards = |title: &str| {
        let drawn = screen(title, 10, &UNICODE);
        drawn
            .content()
            .iter()
            .filter(|cell| cell.symbol() == GUARD)
            .count()
    };
    assert_eq!(guards("plain"), 0);
    assert_eq!(guards("\u{6f22}\u{5b57}"), 0);
    assert_eq!(guards("\u{643}\u{62a} abc"), 0);
    assert_eq!(guards("\u{643}\u{62a}"), 1);
}
