//! Making text safe to show on a terminal.
//!
//! Book text, file names and error messages are untrusted. A control character, an escape sequence, a bidi override or a
//! zero-width character would move the cursor, recolour the screen or hide text; each is made visible here, before
//! anything is drawn or printed. Counting and cutting use the raw line.

use std::borrow::Cow;

/// Columns between tab stops.
const TAB: usize = 8;

/// Makes control characters, bidi overrides and zero-width characters visible; a tab becomes spaces up to the next
/// multiple of 8 characters.
pub fn sanitise(text: &str) -> Cow<'_, str> {
    let clean = |c: char| !c.is_control() && !is_invisible(c);
    if text.chars().all(clean) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut column = 0;
    for c in text.chars() {
        let before = out.len();
        match c {
            '\t' => out.extend(std::iter::repeat_n(' ', TAB - column % TAB)),
            '\u{0}'..='\u{1F}' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\u{7F}' => out.push('\u{2421}'),
            _ if clean(c) => out.push(c),
            _ => out.push_str(&format!("\u{2039}U+{:04X}\u{203A}", u32::from(c))),
        }
        column += out[before..].chars().count();
    }
    Cow::Owned(out)
}

/// Whether a character is invisible or changes how others are displayed.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' // soft hyphen
        | '\u{34F}' // combining grapheme joiner
        | '\u{61C}' // Arabic letter mark
        | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{3164}' | '\u{FFA0}' // fillers
        | '\u{180B}'..='\u{180F}' // Mongolian selectors
        | '\u{200B}'..='\u{200F}' // zero width, direction marks
        | '\u{2028}'..='\u{202E}' // separators, bidi embeddings and overrides
        | '\u{2060}'..='\u{206F}' // joiners, bidi isolates
        | '\u{FE00}'..='\u{FE0F}' // variation selectors: terminals disagree on the width
        | '\u{FEFF}' // byte order mark
        | '\u{FFF9}'..='\u{FFFB}' // interlinear annotations
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}' // tags, more variation selectors
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_dangerous_becomes_visible() {
        let table = [
            ("plain text", "plain text"),
            (
                "caf\u{e9} \u{4e2d}\u{6587} \u{5d0}",
                "caf\u{e9} \u{4e2d}\u{6587} \u{5d0}",
            ),
            ("a\tb", "a       b"),
            ("12345678\tb", "12345678        b"),
            ("\x1b[31mred", "\u{241b}[31mred"),
            ("\x1b]52;c;aGk=\x07", "\u{241b}]52;c;aGk=\u{2407}"),
            ("nul\0", "nul\u{2400}"),
            ("cr\r", "cr\u{240d}"),
            ("del\x7f", "del\u{2421}"),
            ("c1\u{9b}31m", "c1\u{2039}U+009B\u{203a}31m"),
            ("bidi\u{202e}txt", "bidi\u{2039}U+202E\u{203a}txt"),
            ("zero\u{200b}width", "zero\u{2039}U+200B\u{203a}width"),
            ("\u{feff}bom", "\u{2039}U+FEFF\u{203a}bom"),
        ];
        for (text, shown) in table {
            assert_eq!(sanitise(text), shown, "{text:?}");
        }
    }

    #[test]
    fn clean_text_is_not_copied() {
        assert!(matches!(sanitise("clean"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn nothing_invisible_is_left(text in any::<String>()) {
            let shown = sanitise(&text).into_owned();
            prop_assert!(!shown.chars().any(|c| c.is_control() || is_invisible(c)));
            prop_assert_eq!(sanitise(&shown).into_owned(), shown.clone());
        }
    }
}
