//! Texts as cells of a tab-separated table.

/// A text as one cell: tabs, line ends and backslashes escaped.
pub(super) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

/// The text of a cell.
pub(super) fn unescape(cell: &str) -> String {
    let mut out = String::with_capacity(cell.len());
    let mut rest = cell.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('t') => out.push('\t'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cells_come_back_and_hold_no_tab_and_no_line_end(text in "[a\\\\tnr\t\n\ré]{0,12}") {
            let cell = escape(&text);
            prop_assert!(!cell.contains(['\t', '\n', '\r']));
            prop_assert_eq!(unescape(&cell), text);
        }
    }
}
