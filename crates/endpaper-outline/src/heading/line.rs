//! Splitting lines into words and ornaments.

/// Splits off the first word, which also ends at a dash.
pub(super) fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let ends = |(at, c): (usize, char)| {
        let dashes = c == '-' && at > 0 && text[at..].starts_with("--");
        (c.is_whitespace() || matches!(c, '—' | '–') || dashes).then_some(at)
    };
    match text.char_indices().find_map(ends) {
        Some(at) => (&text[..at], text[at..].trim_end()),
        None => (text, ""),
    }
}

/// Strips punctuation around a word.
pub(super) fn bare_word(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, 'º' | 'ª' | '°'))
}

/// Strips ornaments around a line: `*** _I_ ***`, `[ I ]`.
pub(super) fn without_ornaments(line: &str) -> &str {
    let line = line.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '*' | '_' | '=' | '~' | '#' | '|' | '+' | '<' | '>')
    });
    let inner = line
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'));
    let line = inner.unwrap_or(line);
    line.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, '.' | ':' | '-' | '–' | '—' | ',' | ';' | ')' | ']' | '_')
    })
}

/// Whether the character may separate a number from a title.
pub(super) fn is_separator(c: char) -> bool {
    matches!(c, '.' | ':' | '-' | '–' | '—' | ')' | ']' | ',' | ';')
}

/// Whether a text begins like a title: with a capital or a digit, possibly after a quotation mark.
pub(super) fn is_capital(title: &str) -> bool {
    let mut letters = title
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .chars();
    letters.next().is_some_and(|c| !c.is_lowercase())
}
