//! Cells of tables: texts without tabs and newlines, and lists.

use std::borrow::Cow;

/// What stands in a cell of nothing.
pub(super) const NOTHING: &str = "-";

/// A text in a cell of a tab separated table: `\t`, `\n`, `\r` and `\\` are written so, nothing is `-`, and a text that is
/// a dash is `\-`.
pub fn cell(text: &str) -> String {
    match text {
        "" => NOTHING.to_owned(),
        NOTHING => "\\-".to_owned(),
        text => text
            .replace('\\', "\\\\")
            .replace('\t', "\\t")
            .replace('\n', "\\n")
            .replace('\r', "\\r"),
    }
}

/// [`cell`] for the first column of a table that has lines of comment: no text begins one.
pub fn first_cell(text: &str) -> String {
    let escape = if text.starts_with('#') { "\\" } else { "" };
    format!("{escape}{}", cell(text))
}

/// The text of a cell.
pub fn uncell(cell: &str) -> String {
    if cell == NOTHING {
        return String::new();
    }
    unescaped(cell, |escape| match escape {
        't' => Some('\t'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        '\\' | '-' | '#' => Some(escape),
        _ => None,
    })
}

/// A cell without the quotation marks that a writer of CSV puts around one that holds some, each of them twice.
pub(super) fn unquoted(cell: &str) -> Cow<'_, str> {
    let inner = cell
        .strip_prefix('"')
        .and_then(|cell| cell.strip_suffix('"'));
    match inner {
        Some(inner) if inner.contains("\"\"") && !inner.replace("\"\"", "").contains('"') => {
            Cow::Owned(inner.replace("\"\"", "\""))
        }
        _ => Cow::Borrowed(cell),
    }
}

/// Whether spreadsheets take a text for a formula, and run it.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// A text that no spreadsheet takes for a formula, if `safe`: an apostrophe before it makes it a text. One that would be
/// read as made safe gets another in any case, so that [`unguarded`] gives back every text.
pub(super) fn guarded(text: &str, safe: bool) -> Cow<'_, str> {
    let bare = text.trim_start_matches('\'');
    if is_formula(bare) && (safe || bare.len() < text.len()) {
        return Cow::Owned(format!("'{text}"));
    }
    Cow::Borrowed(text)
}

/// The text that was guarded.
pub(super) fn unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest,
        _ => text,
    }
}

/// Takes escapes back; a backslash before anything else stands for itself: not every table was written here.
fn unescaped(text: &str, known: impl Fn(char) -> Option<char>) -> String {
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
    out
}

/// Several texts in one: separated by commas, which are written `\,` inside of them.
pub(super) fn join(items: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let escaped = |item: &str| item.replace('\\', "\\\\").replace(',', "\\,");
    let items = items.into_iter().map(|item| escaped(item.as_ref()));
    items.collect::<Vec<_>>().join(",")
}

/// The texts of [`join`]; empty ones are left out, white space around them too.
pub(super) fn split(text: &str) -> Vec<String> {
    let (mut items, mut start, mut escaped) = (Vec::new(), 0, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ',' => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&text[start..]);
    let meant = |escape| matches!(escape, ',' | '\\').then_some(escape);
    let items = items.into_iter().map(|item| unescaped(item.trim(), meant));
    items.filter(|item| !item.is_empty()).collect()
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
        assert_eq!(first_cell("#a"), "\\#a");
        for (text, expected) in table {
            assert_eq!(cell(text), expected);
            assert_eq!(uncell(expected), text);
        }
        assert_eq!(uncell("C:\\books\\"), "C:\\books\\");
        assert_eq!(split(" a, b ,,"), ["a", "b"]);
    }

    #[test]
    fn marks_that_a_writer_of_csv_put_around_a_cell_are_taken_off() {
        let table = [
            (r#""he said ""stop"" here""#, r#"he said "stop" here"#),
            (r#""""a"" b""#, r#""a" b"#),
            (r#""stop""#, r#""stop""#),
            (r#""a" "b""#, r#""a" "b""#),
            (r#"a ""b"""#, r#"a ""b"""#),
            ("\"", "\""),
            ("", ""),
        ];
        for (cell, text) in table {
            assert_eq!(unquoted(cell), text);
        }
    }

    #[test]
    fn formulas_become_texts_and_come_back() {
        let texts = [
            "=1+1", "+1", "-1", "@sum", "\t=1", "\r", "'=1", "''-", "'tis", "a=b", "", "-",
        ];
        for text in texts {
            let safe = guarded(text, true);
            assert!(!is_formula(&safe), "{safe}");
            assert_eq!(unguarded(&safe), text);
            assert_eq!(unguarded(&guarded(text, false)), text);
        }
        assert_eq!(guarded("=1", true), "'=1");
        for text in ["=1", "'tis", "a"] {
            assert_eq!(guarded(text, false), text);
        }
    }

    proptest! {
        #[test]
        fn a_cell_holds_any_text(text in "[#\"\\\\\\-tn\t\n]{0,6}|\\PC*|.*") {
            let cell = cell(&text);
            prop_assert!(!cell.contains(['\t', '\n', '\r']));
            prop_assert_eq!(uncell(&cell), text.as_str());
            let first = first_cell(&text);
            prop_assert!(!first.starts_with('#'));
            prop_assert_eq!(uncell(&first), text);
        }

        #[test]
        fn a_list_holds_any_texts(items in proptest::collection::vec("[a-z,\\\\é]{1,6}", 0..4)) {
            prop_assert_eq!(split(&join(&items)), items);
        }
    }
}
