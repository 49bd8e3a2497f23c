//! Cells of the tables of truth: lists, and what other programs make of a cell.

use std::borrow::Cow;

use endpaper_text::cells::unescape_with;

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
/// read as made safe gets another in any case, so that [`unguard_formula`] gives back every text.
pub(super) fn guard_formula(text: &str, safe: bool) -> Cow<'_, str> {
    let bare = text.trim_start_matches('\'');
    if is_formula(bare) && (safe || bare.len() < text.len()) {
        return Cow::Owned(format!("'{text}"));
    }
    Cow::Borrowed(text)
}

/// The text that was guarded.
pub(super) fn unguard_formula(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest,
        _ => text,
    }
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
    let items = items
        .into_iter()
        .map(|item| unescape_with(item.trim(), meant).into_owned());
    items.filter(|item| !item.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
            let safe = guard_formula(text, true);
            assert!(!is_formula(&safe), "{safe}");
            assert_eq!(unguard_formula(&safe), text);
            assert_eq!(unguard_formula(&guard_formula(text, false)), text);
        }
        assert_eq!(guard_formula("=1", true), "'=1");
        for text in ["=1", "'tis", "a"] {
            assert_eq!(guard_formula(text, false), text);
        }
    }

    #[test]
    fn lists_leave_out_what_is_empty() {
        assert_eq!(split(" a, b ,,"), ["a", "b"]);
    }

    proptest! {
        #[test]
        fn a_list_holds_any_texts(items in proptest::collection::vec("[a-z,\\\\é]{1,6}", 0..4)) {
            prop_assert_eq!(split(&join(&items)), items);
        }
    }
}
