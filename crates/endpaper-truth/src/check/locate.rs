//! Where in the text of a record a field is.

/// Line and column, from 1, of a field such as `cuts`, `source.sha256` or `reviews[2]`; the first line if it is not
/// written.
pub(super) fn locate(text: &str, field: &str) -> (usize, usize) {
    let (key, inner) = match field.find(['.', '[']) {
        Some(at) => field.split_at(at),
        None => (field, ""),
    };
    let Some(top) = text.lines().position(|line| is_key(line, key)) else {
        return (1, 1);
    };
    let place = match (inner.strip_prefix('.'), inner.strip_prefix('[')) {
        (Some(inner), _) => inner_key(text, top, inner),
        (_, Some(index)) => item(text, top, index.trim_end_matches(']')),
        _ => None,
    };
    place.unwrap_or((top + 1, 1))
}

/// Whether a line sets `key` at the top level of a mapping.
fn is_key(line: &str, key: &str) -> bool {
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let bare = line.strip_prefix('"').unwrap_or(line);
    let rest = bare.strip_prefix(key);
    rest.is_some_and(|rest| rest.trim_start_matches(['"', ' ']).starts_with(':'))
}

/// Lines of the field that begins in line `top` (from 0), that line included.
fn lines_below(text: &str, top: usize) -> impl Iterator<Item = (usize, &str)> {
    let is_below = move |(at, line): &(usize, &str)| {
        *at == top || line.is_empty() || line.starts_with([' ', '-', '#', '\t'])
    };
    text.lines().enumerate().skip(top).take_while(is_below)
}

/// Line and column of a key inside the field that begins at line `top`.
fn inner_key(text: &str, top: usize, key: &str) -> Option<(usize, usize)> {
    let found = |line: &str| {
        let mut places = line.match_indices(key).map(|(at, _)| at);
        places.find(|&at| {
            let begins = !line[..at].ends_with(|before: char| before.is_alphanumeric());
            let after = line[at + key.len()..].trim_start_matches('"');
            begins && after.starts_with(':')
        })
    };
    let column = |line: &str, at: usize| line[..at].chars().count() + 1;
    lines_below(text, top).find_map(|(at, line)| Some((at + 1, column(line, found(line)?))))
}

/// The item of a list with one item a line, as records are written.
fn item(text: &str, top: usize, index: &str) -> Option<(usize, usize)> {
    let index: usize = index.parse().ok()?;
    let mut items = lines_below(text, top).filter(|(_, line)| line.trim_start().starts_with("- "));
    let (at, line) = items.nth(index)?;
    Some((at + 1, line.len() - line.trim_start().len() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# cuts: no\nschema: 1\n\"book\": \"cuts: x\"\nsource: {sha256: \"0\", bytes: 3}\ncuts:\n  preamble_end: 1\n\nreviews:\n  - {by: \"a\"}\n  - {by: \"b\"}\nx: 1\n";

    #[test]
    fn fields_are_found_where_they_stand() {
        let table = [
            ("schema", (2, 1)),
            ("book", (3, 1)),
            ("cuts", (5, 1)),
            ("cuts.preamble_end", (6, 3)),
            ("source.sha256", (4, 10)),
            ("source.lines", (4, 1)),
            ("reviews[1]", (10, 3)),
            ("reviews[7]", (8, 1)),
            ("verdict", (1, 1)),
            ("", (1, 1)),
        ];
        for (field, place) in table {
            assert_eq!(locate(TEXT, field), place, "{field}");
        }
    }
}
