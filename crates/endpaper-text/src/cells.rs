//! Escaping of cells in tab-separated tables: texts without tabs and line ends.

use std::borrow::Cow;

/// Characters that a cell cannot contain, and the letter that represents each after a backslash.
const ESCAPES: [(char, char); 4] = [('\\', '\\'), ('\t', 't'), ('\n', 'n'), ('\r', 'r')];

/// The cell for an empty text.
const EMPTY_CELL: &str = "-";

/// Escapes a text for a cell: tab, LF, CR and backslash become `\t`, `\n`, `\r` and `\\`.
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

/// The text of a cell that was [`escaped`]. A backslash before any other character is literal: other programs may have
/// written the table.
pub fn unescaped(cell: &str) -> Cow<'_, str> {
    unescape_with(cell, unescape_letter)
}

/// The text of a cell in which any character may be escaped, as in patterns that users write.
pub fn unescaped_any(cell: &str) -> Cow<'_, str> {
    unescape_with(cell, |escape| unescape_letter(escape).or(Some(escape)))
}

/// The character that is written as a backslash and this letter.
fn unescape_letter(letter: char) -> Option<char> {
    let escape = ESCAPES.iter().find(|escape| escape.1 == letter);
    escape.map(|escape| escape.0)
}

/// Unescapes a text: a backslash and the character after it become what `known` returns for that character; with `None`
/// the backslash is literal.
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

/// Escapes a text for a cell of a table that people edit: as [`escaped`], but an empty text is `-`, and a dash is `\-`.
pub fn to_cell(text: &str) -> String {
    match text {
        "" => EMPTY_CELL.to_owned(),
        EMPTY_CELL => "\\-".to_owned(),
        text => escaped(text).into_owned(),
    }
}

/// [`to_cell`] for the first column of a table with comment lines: a leading `#` is escaped too.
pub fn to_first_cell(text: &str) -> String {
    let escape = if text.starts_with('#') { "\\" } else { "" };
    format!("{escape}{}", to_cell(text))
}

/// The text of a cell written by [`to_cell`] or [`to_first_cell`].
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
