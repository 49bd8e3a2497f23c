//! Right-to-left text beside columns.
//!
//! Text is drawn in logical order. A terminal that knows the Unicode bidirectional algorithm (UAX #9) reorders each row of
//! the screen itself, and rows run from left to right (the terminal is asked for that, see `terminal::guard`). The gutter,
//! left of the text, then stays where it is. A number right of right-to-left text does not: it joins that text together
//! with the blanks and lines between, so that the numbers of a pane would jump into the titles of the queue. A strong
//! left-to-right character between the two prevents that. Direction marks have no width, and terminals drop them or
//! disagree about them; [`GUARD`] takes one cell, looks like a blank, and is safe on terminals that reorder nothing.

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use unicode_bidi::{BidiClass, bidi_class};

/// The blank Braille pattern: a blank with left-to-right direction.
const GUARD: &str = "\u{2800}";

/// Whether a number after the text would be reordered together with it: its last strong character is right-to-left.
pub fn ends_right_to_left(text: &str) -> bool {
    !text.is_ascii() && text.chars().rev().find_map(is_right_to_left) == Some(true)
}

/// The direction of a character; `None` for one that takes the direction of its neighbours.
fn is_right_to_left(c: char) -> Option<bool> {
    match bidi_class(c) {
        BidiClass::R | BidiClass::AL => Some(true),
        BidiClass::L => Some(false),
        _ => None,
    }
}

/// Puts a guard into a cell, and returns whether it did: not if the cell is taken, or covered by a wide character.
pub fn put_guard(buffer: &mut Buffer, x: u16, y: u16) -> bool {
    let inside = buffer.area.contains((x, y).into());
    let covered = inside && x > buffer.area.left() && buffer[(x - 1, y)].cell_width() > 1;
    let blank = inside && !covered && buffer[(x, y)].symbol() == " ";
    if blank {
        buffer[(x, y)].set_symbol(GUARD);
    }
    blank
}

/// Guards the lines between columns: puts a guard beside each `upright` that follows right-to-left text. Removes guards with
/// nothing right of them.
pub fn guard_columns(buffer: &mut Buffer, area: Rect, upright: &str) {
    for y in area.top()..area.bottom() {
        let mut open = false;
        for x in area.left()..area.right() {
            let symbol = buffer[(x, y)].symbol();
            if symbol == upright && open {
                let before = x > area.left() && put_guard(buffer, x - 1, y);
                open = !before && !put_guard(buffer, x + 1, y);
            } else if !symbol.is_ascii() {
                let last = symbol.chars().rev().find_map(is_right_to_left);
                open = last.unwrap_or(open);
            } else if symbol.starts_with(|c: char| c.is_ascii_alphabetic()) {
                open = false;
            }
        }
        for x in (area.left()..area.right()).rev() {
            match buffer[(x, y)].symbol() {
                " " => {}
                GUARD => drop(buffer[(x, y)].set_symbol(" ")),
                _ => break,
            }
        }
    }
}

#[cfg(test)]
pub mod tests;
