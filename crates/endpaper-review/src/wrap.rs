//! Breaks text into the rows of a box.

use unicode_segmentation::UnicodeSegmentation;

use super::width::cells;
use endpaper_text::sanitise::sanitise;

/// Breaks text into rows of at most `width` columns, between words where possible. The rows are sanitised.
pub fn wrap(text: &str, width: u16) -> Vec<String> {
    let shown = sanitise(text);
    let mut rows = vec![String::new()];
    let mut column = 0;
    for word in shown.split_word_bounds() {
        let wide = cells(word);
        if column + wide > width && column > 0 {
            rows.push(String::new());
            column = 0;
            if word.trim().is_empty() {
                continue;
            }
        }
        if let Some(row) = rows.last_mut() {
            row.push_str(word);
            column += wide;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_whole_where_they_fit() {
        assert_eq!(wrap("one two three", 8), ["one two ", "three"]);
        assert_eq!(wrap("", 8), [""]);
        assert_eq!(wrap("a\u{1b}b", 8), ["a\u{241b}b"]);
    }
}
