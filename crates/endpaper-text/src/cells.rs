//! Cells of tab-separated tables: texts without tabs and line ends.

use std::borrow::Cow;

/// A character that no cell holds and the letter that represents it after a backslash.
const ESCAPES: [(char, char); 4] = [('\\', '\\'), ('\t', 't'), ('\n', 'n'), ('\r', 'r')];

/// What is in a cell of nothing.
const EMPTY_CELL: &str = "-";

/// A text as one cell: `\t`, `\n`, `\r` and `\\` are written so.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(ESCAPES.map(|escape| escape.0)) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match ESCAPES.iter().find(|escape| escape.0 == character) {
            Some(&(_, letter)) => out.extend(['\\', letter]),
            None => out.push(character),
        }
    }
    out.into()
}

/// The text of a cell that was [`escaped`]. A backslash before anything else is taken literally: not every table was written
/// here.
pub fn unescaped(cell: &str) -> Cow<'_, str> {
    unescape_with(cell, unescape_letter)
}

/// The text of a cell in which any character may be escaped, as in patterns that people write.
pub fn unescaped_any(cell: &str) -> Cow<'_, str> {
    unescape_with(cell, |escape| unescape_letter(escape).or(Some(escape)))
}

fn unescape_letter(letter: char) -> Option<char> {
    let escape = ESCAPES.iter().find(|escape| escape.1 == letter);
    escape.map(|escape| escape.0)
}

/// Takes back the escapes that are `known`; a backslash before anything else is taken literally.
pub fn unescape_with(text: &str, known: impl Fn(char) -> Option<char>) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let mut ahead = rest.clone();
        match (character, ahead.next().and_then(&known)) {
            ('\\', Some(meant)) => {
                out.push(meant);
                rest = ahead;
            }
            _ => out.push(character),
        }
    }
    out.into()
}

/// A text in a cell of a table that people edit: [`escaped`], but nothing is `-`, and a text that is a dash is `\-`.
pub fn to_cell(text: &str) -> String {
    match text {
        "" => EMPTY_CELL.to_owned(),
        EMPTY_CELL => "\\-".to_owned(),
        text => escaped(text).into_owned(),
    }
}

/// [`to_cell`] for the first column of a table that has lines of comment: no text begins one.
pub fn to_first_cell(text: &str) -> String {
    let escape = if text.starts_with('#') { "\\" } else { "" };
    format!("{escape}{}", to_cell(text))
}

/// The text of a [`to_cell`].
pub fn from_cell(cell: &str) -> String {
    if cell == EMPTY_CELL {
        return String::new();
    }
    let meant = |escape| match escape {
        '-' | '#' => Some(escape),
        escape => unescape_letter(escape),
    };
    unescape_with(cell, meant).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cells_show_what_they_hold() {
        let table = [
            ("", "-"),
            ("-", "\\-"),
            ("a\tb\nc\rd\\", "a\\tb\\nc\\rd\\\\"),
            ("--", "--"),
        ];
        assert_eq!(to_first_cell("#a"), "\\#a");
        for (text, expected) in table {
            assert_eq!(to_cell(text), expected);
            assert_eq!(from_cell(expected), text);
        }
        assert_eq!(from_cell("C:\\books\\"), "C:\\books\\");
    }

    proptest! {
        #[test]
        fn cells_come_back_and_hold_no_tab_and_no_line_end(text in "[a\\\\tnr\t\n\ré]{0,12}") {
            let cell = escaped(&text);
            prop_assert!(!cell.contains(['\t', '\n', '\r']));
            prop_assert_eq!(unescaped_any(&cell), text.as_str());
            prop_assert_eq!(unescaped(&cell), text.as_str());
        }

        #[test]
        fn a_cell_holds_any_text(text in "[#\"\\\\\\-tn\t\n]{0,6}|\\PC*|.*") {
            let cell = to_cell(&text);
            prop_assert!(!cell.contains(['\t', '\n', '\r']));
            prop_assert_eq!(from_cell(&cell), text.as_str());
            let first = to_first_cell(&text);
            prop_assert!(!first.starts_with('#'));
            prop_assert_eq!(from_cell(&first), text);
        }
    }
}
