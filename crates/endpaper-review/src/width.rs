//! The number of cells that a text takes on the screen.

use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;

/// Cells of a sanitised text: the sum over its grapheme clusters, as the buffer draws them. The width of the text as a
/// whole may be smaller (`unicode-width` takes an Arabic lam and alef as one cell), and what stands after it would be off.
pub fn cells(text: &str) -> u16 {
    if text.is_ascii() {
        return u16::try_from(text.len()).unwrap_or(u16::MAX);
    }
    let clusters = text.graphemes(true);
    clusters.fold(0, |sum, cluster| sum.saturating_add(cluster.cell_width()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_take_no_cell_and_wide_characters_two() {
        let cases = [
            ("plain", 5),
            ("\u{6f22}\u{5b57}\u{300a}\u{304b}\u{300b}", 10),
            ("e\u{301}", 1),
            // Kaf with a short vowel, a tatweel, ta, alef, ba.
            ("\u{643}\u{650}\u{640}\u{62a}\u{627}\u{628}", 5),
            // Lam and alef, which many fonts draw as one glyph.
            ("\u{644}\u{627}", 2),
        ];
        for (text, expected) in cases {
            assert_eq!(cells(text), expected, "{text:?}");
        }
    }
}
