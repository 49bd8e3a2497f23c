//! Escapes untrusted input for HTML and SVG: text, attributes and anchor names.

use std::fmt::Write as _;

use endpaper_text::checksum::crc64;
use endpaper_text::sanitise::sanitise;

/// Escapes untrusted input for text and quoted attributes. Control characters, invisible characters and those that change the
/// writing direction become visible; characters that XML does not allow are replaced.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for character in sanitise(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{FFFE}' | '\u{FFFF}' => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(character),
        }
    }
    out
}

/// As [`escaped`], cut to `width` characters and an ellipsis.
pub fn clipped(text: &str, width: usize) -> String {
    // Escaping never shortens text.
    let end = text.char_indices().nth(width.saturating_add(1));
    let shown = sanitise(end.map_or(text, |(at, _)| &text[..at]));
    match shown.char_indices().nth(width) {
        None => escaped(&shown),
        Some((at, _)) => format!("{}\u{2026}", escaped(shown[..at].trim_end())),
    }
}

/// Returns an anchor name: the same for equal words, different for different ones.
pub fn anchor(prefix: &str, words: &str) -> String {
    let kept = |c: char| c.is_ascii_alphanumeric() || "-._~!/".contains(c);
    let mut name = format!("{prefix}-");
    name.extend(words.chars().map(|c| if kept(c) { c } else { '_' }));
    if !words.chars().all(kept) {
        // The checksum keeps words apart that differ only in replaced characters. Writing to a string does not fail.
        let _ = write!(name, "-{:016x}", crc64(words.as_bytes()));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_is_markup_and_nothing_is_invisible() {
        let table = [
            ("plain", "plain"),
            (
                "<script>alert('\"&')</script>",
                "&lt;script&gt;alert(&#39;&quot;&amp;&#39;)&lt;/script&gt;",
            ),
            ("a\u{1b}[2Jb\0", "a\u{241b}[2Jb\u{2400}"),
            ("\u{202e}txt", "\u{2039}U+202E\u{203a}txt"),
            ("&lt;", "&amp;lt;"),
            ("\u{ffff}", "\u{fffd}"),
        ];
        for (text, expected) in table {
            assert_eq!(escaped(text), expected, "{text:?}");
        }
    }

    #[test]
    fn long_lines_are_cut_off_where_they_are_shown() {
        let table = [
            ("", 3, ""),
            ("abc", 3, "abc"),
            ("abcd", 3, "abc\u{2026}"),
            ("\u{e4}\u{f6}\u{fc}x", 3, "\u{e4}\u{f6}\u{fc}\u{2026}"),
            // Escapes do not count towards the width.
            ("<<<", 3, "&lt;&lt;&lt;"),
            ("<<<<", 3, "&lt;&lt;&lt;\u{2026}"),
            ("a  b", 2, "a\u{2026}"),
            // A tab is wider than one character.
            ("\tx", 4, "\u{2026}"),
            ("\u{9b}", 4, "\u{2039}U+0\u{2026}"),
        ];
        for (text, width, expected) in table {
            assert_eq!(clipped(text, width), expected, "{text:?}");
        }
    }

    #[test]
    fn anchors_are_readable_and_differ() {
        assert_eq!(
            anchor("book", "a/09WOZ10.zip!09WOZ10.txt"),
            "book-a/09WOZ10.zip!09WOZ10.txt"
        );
        let names = ["a b", "a_b", "a\tb", "a\"b", "\u{e4}"].map(|words| anchor("book", words));
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn anchors_hold_nothing_that_breaks_an_attribute_or_a_link(words in any::<String>()) {
            let name = anchor("book", &words);
            prop_assert!(name.chars().all(|c| c.is_ascii_graphic() && !"\"'<>&#% ".contains(c)), "{}", name);
        }

        #[test]
        fn cut_off_text_is_as_wide_as_asked_for(text in any::<String>(), width in 0usize..40) {
            let shown = clipped(&text, width);
            let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
            let plain = entities.iter().fold(shown, |text, entity| text.replace(entity, "x"));
            prop_assert!(plain.chars().count() <= width + 1);
            prop_assert!(!plain.contains(['<', '>', '"', '\'', '&']));
        }
    }
}
