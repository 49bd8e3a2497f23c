//! References whose parts are marked by the typist: titles in italics, dashes after authors, a line for each part.

use super::reference_cues::{are_names, is_name};
use super::sentences::sentence;

/// Author, title and publisher, each on its own line.
pub(super) fn split_stacked(lines: &[String]) -> Option<(&str, &str, &str)> {
    let [author, title, rest @ ..] = lines else {
        return None;
    };
    let open = !author.ends_with([',', ';', ':', '.', ')'])
        || author
            .split(' ')
            .next_back()
            .is_some_and(|last| last.len() == 2);
    let short = lines.iter().all(|line| line.len() < 70);
    let bracket = author.find('(').map_or("", |at| &author[at..]);
    let plain = bracket.is_empty() || bracket.len() <= 10 && bracket.ends_with(')');
    let open = (open || !bracket.is_empty()) && plain;
    let fits = !rest.is_empty()
        && !title.contains(". ")
        && open
        && short
        && is_name(&before_year(author).replace(',', ""));
    fits.then(|| (author.as_str(), title.as_str(), rest[0].as_str()))
}

/// A title in italics: `_A title_, by Name`, `Name, _A title_`.
pub(super) fn italic(marked: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = marked.split_once('_')?;
    let (title, behind) = rest.split_once('_')?;
    let author =
        before.trim_matches(|c: char| matches!(c, ' ' | ',' | ':' | '.' | '-' | '—' | ';'));
    if title.trim().is_empty()
        || before.contains(['"', '“', '«'])
        || !(author.is_empty() || are_names(author))
    {
        return None;
    }
    if !author.is_empty() {
        return Some((author, title, behind));
    }
    let name = [", by ", " by ", ", par ", ", von ", ", por "]
        .iter()
        .find_map(|by| behind.strip_prefix(by));
    let Some(name) = name else {
        return Some(("", title, behind));
    };
    let end = name.find([',', ';', '(']).unwrap_or(name.len());
    let end = sentence(&name[..end]).len();
    Some((&name[..end], title, &name[end..]))
}

/// `MAGNAN ET LEGRAIN--Les dégénérés (Archives)`.
pub(super) fn dashed(text: &str) -> Option<(&str, &str, &str)> {
    let (author, rest) = text.split_once("--").or_else(|| text.split_once('—'))?;
    if !are_names(author.trim()) {
        return None;
    }
    let at = rest.find([';', '(']).unwrap_or(rest.len());
    Some((author, &rest[..at], &rest[at..]))
}

/// Cuts the bracketed year off an author.
pub(super) fn before_year(author: &str) -> &str {
    let end = author.find(['(', '[']).filter(|at| *at > 0);
    &author[..end.unwrap_or(author.len())]
}
