//! Author, title, venue and year of a reference.

use super::item::BibliographyItem;
use super::reference_cues::{are_names, dated_name, is_name};
use super::sentences::{sentences, text_of};
use super::venue::venue;
use crate::fold::fold;
use crate::metadata::{is_imprint, is_month, is_town, years};

/// Splits an item into author, title, venue and year as far as it can. `marked` is the text with the marks for italics.
pub(super) fn parse(
    item: &mut BibliographyItem,
    marked: &str,
    lines: &[String],
    same_author: bool,
) {
    item.year = year(&item.text);
    let text = item.text.as_str();
    let (mut author, mut title, mut behind) = if same_author {
        let text = text.trim_start_matches(['-', '—', '–', '.', ',', ' ']);
        let (title, behind) = title_of(text);
        ("", title, behind)
    } else if let Some(stacked) = split_stacked(lines) {
        stacked
    } else {
        dated(text)
            .or_else(|| italic(marked))
            .or_else(|| quoted(text))
            .or_else(|| dashed(text))
            .or_else(|| named(text))
            .unwrap_or_else(|| in_sentences(text))
    };
    let quoted_title = !title.is_empty()
        && text
            .find(title)
            .is_some_and(|at| text[..at].ends_with(['"', '“', '«']));
    // `A title. Paris, Alcan, 1916.` has no author.
    let opening = title.split([',', ':']).next().unwrap_or_default();
    if is_town(&fold(opening)) && !author.is_empty() {
        (author, title, behind) = ("", author, "");
    }
    item.author = text_of(before_year(author));
    item.title = text_of(title).filter(|title| title.contains(char::is_alphabetic));
    item.venue = venue(behind, quoted_title);
}

/// Returns the year: one in brackets, else the last number that is not a page.
fn year(text: &str) -> Option<u32> {
    let bracketed = text.match_indices('(').find_map(|(at, _)| {
        let inside = text[at + 1..].split([')', '(']).next()?;
        let year = inside.get(..4)?;
        let short = inside.len() <= 6 || inside[4..].starts_with([',', ' ', '-', '–', '/']);
        short.then(|| years(year).next()).flatten()
    });
    bracketed.or_else(|| {
        let digits = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        let is_page = |at: usize| {
            let before = text[..at].trim_end();
            let range = before.ends_with(['-', '–'])
                && before
                    .trim_end_matches(['-', '–'])
                    .ends_with(|c: char| c.is_ascii_digit());
            let behind = text[at + 4..].trim_start_matches(['-', '–']);
            let starts = text[at + 4..].starts_with(['-', '–'])
                && behind.starts_with(|c: char| c.is_ascii_digit());
            let word = before
                .rsplit(' ')
                .next()
                .unwrap_or_default()
                .trim_matches(['.', '(', ',']);
            let paged = ["p", "pp", "page", "pages", "S", "no", "No", "vol", "RFC"].contains(&word);
            paged
                || (range || starts)
                    && text[..at].contains(['p', ':'])
                    && !before.ends_with("19")
                    && span(text, at)
        };
        let mut found = None;
        let mut at = 0;
        while let Some(start) = text[at..]
            .find(|c: char| c.is_ascii_digit())
            .map(|start| at + start)
        {
            let length = text[start..].bytes().take_while(u8::is_ascii_digit).count();
            if length == 4
                && !digits(start + 4)
                && !is_page(start)
                && let Some(year) = years(&text[start..start + 4]).next()
            {
                found = Some(year);
            }
            at = start + length;
        }
        found.or_else(|| {
            years(text)
                .filter(|_| !text.contains(|c: char| c.is_ascii_digit()))
                .last()
        })
    })
}

/// Whether the four-digit number at `at` is one end of a page range; the other end has four digits too.
fn span(text: &str, at: usize) -> bool {
    let rest = text[at + 4..].trim_start_matches(['-', '–']);
    let behind = rest.bytes().take_while(u8::is_ascii_digit).count();
    let before = text[..at].trim_end_matches(['-', '–']);
    let above = before.bytes().rev().take_while(u8::is_ascii_digit).count();
    // `1914-1918` in a title is a range of years; page ranges come after a comma, a colon or a full stop.
    let opening = if above > 0 {
        &before[..before.len() - above]
    } else {
        before
    };
    let paged = opening.trim_end().ends_with([',', ':', '.']);
    paged && (behind == 4 || above == 4)
}

/// Author, title and publisher, each on its own line.
fn split_stacked(lines: &[String]) -> Option<(&str, &str, &str)> {
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
    let fits = !rest.is_empty() && open && short && is_name(&before_year(author).replace(',', ""));
    fits.then(|| (author.as_str(), title.as_str(), rest[0].as_str()))
}

/// `Cody, W. J. (1988). A title. A journal, 14(4), 303.`
fn dated(text: &str) -> Option<(&str, &str, &str)> {
    let (author, rest) = dated_name(text)?;
    let rest = rest.trim_start_matches([')', ']', '.', ',', ':', ' ']);
    let quoted = rest
        .strip_prefix(['"', '“', '«'])
        .and_then(|rest| rest.split_once(['"', '”', '»']));
    let (title, behind) = quoted.unwrap_or_else(|| title_of(rest));
    Some((author, title, behind))
}

/// A title in quotation marks, the text before it and the text after it.
fn quoted(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once(['"', '“', '«'])?;
    let (title, behind) = rest.split_once(['"', '”', '»'])?;
    let near = before.len() <= 200 && !before.trim().is_empty();
    let opens = sentences(before).len() == 1;
    // `Name: A title "so called"`
    let within = before
        .split_once(": ")
        .is_some_and(|(name, title)| are_names(name) && title.contains(char::is_alphabetic));
    (near && opens && !within).then_some((before.trim_end_matches([' ', ':', ',']), title, behind))
}

/// A title in italics: `_A title_, by Name`, `Name, _A title_`.
fn italic(marked: &str) -> Option<(&str, &str, &str)> {
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
    let end = sentences(&name[..end])
        .first()
        .map_or(end, |first| first.len());
    Some((&name[..end], title, &name[end..]))
}

/// `MAGNAN ET LEGRAIN--Les dégénérés (Archives)`.
fn dashed(text: &str) -> Option<(&str, &str, &str)> {
    let (author, rest) = text.split_once("--").or_else(|| text.split_once('—'))?;
    if !are_names(author.trim()) {
        return None;
    }
    let at = rest.find([';', '(']).unwrap_or(rest.len());
    Some((author, &rest[..at], &rest[at..]))
}

/// `Leslie Lamport, A title, 2nd edition, House, 1994` and `Till Tantau: A title, Version 3`.
fn named(text: &str) -> Option<(&str, &str, &str)> {
    if let Some(at) = text.find(": ").or_else(|| text.find(":_")) {
        let author = &text[..at];
        let clear = !author.contains(". ") || sentences(author).len() == 1;
        if clear && are_names(author) {
            let (title, behind) = title_of(&text[at + 2..]);
            return Some((author, title, behind));
        }
    }
    if let Some(found) = with_initials(text) {
        return Some(found);
    }
    // `One Name, Another and A Third. A title`
    if let Some(found) = split_unambiguous(text).filter(|(author, ..)| author.contains(" and ")) {
        return Some(found);
    }
    // Sentences split the item more reliably, if it has several.
    let first = sentences(text).first().map_or(0, |first| first.len());
    let whole = first + 1 >= text.trim_end_matches('.').len() || !are_names(&text[..first]);
    if !whole {
        return None;
    }
    let comma = text.find(", ")?;
    let mut end = comma;
    if !is_name(&text[..comma]) {
        return None;
    }
    // `Surname, Given, and Other Name, Title`
    let mut at = comma + 2;
    for part in text[at..].split(", ").take(12) {
        let joined = part.strip_prefix("and ").or(part.strip_prefix("& "));
        let initials = part.len() <= 12 && part.ends_with('.') && part.contains(char::is_uppercase);
        let last = joined.is_some_and(is_name) || part.contains(" and ") && are_names(part);
        if last {
            end = at + part.len();
            break;
        }
        if initials {
            end = at + part.len();
        } else if !is_name(part) {
            break;
        }
        at += part.len() + 2;
    }
    let rest = text.get(end..)?.trim_start_matches([',', ' ', '.']);
    let (title, behind) = segments(rest);
    (!title.is_empty()).then_some((&text[..end], title, behind))
}

/// `Doutté, E. En Tribu. Paris, 1914.`: the full stop of an initial ends the name.
fn with_initials(text: &str) -> Option<(&str, &str, &str)> {
    let comma = text.find(", ").filter(|&comma| is_name(&text[..comma]))?;
    if text[..comma].split(' ').count() > 3 {
        return None;
    }
    let mut end = comma + 1;
    for word in text[comma + 2..].split(' ') {
        let initial = word.len() <= 5
            && word.ends_with('.')
            && word.starts_with(char::is_uppercase)
            && word.chars().count() <= 3;
        if !initial {
            break;
        }
        end += 1 + word.len();
    }
    let rest = text.get(end + 1..)?;
    let fits =
        end > comma + 1 && rest.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    fits.then(|| {
        let (title, behind) = title_of(rest);
        (&text[..end], title, behind)
    })
}

/// Unambiguous names, followed by a title that may begin in lower case.
fn split_unambiguous(text: &str) -> Option<(&str, &str, &str)> {
    let (at, _) = text.match_indices(". ").find(|(at, _)| {
        let last = text[..*at].rsplit([' ', '.']).next().unwrap_or_default();
        last.chars().count() > 2
    })?;
    let author = &text[..at];
    let beyond = are_names(author) && author.contains(' ') && sentences(author).len() == 1;
    beyond.then(|| {
        let (title, behind) = title_of(&text[at + 2..]);
        (author, title, behind)
    })
}

/// The author, then the title, each a sentence.
fn in_sentences(text: &str) -> (&str, &str, &str) {
    if let Some(found) = split_unambiguous(text) {
        return found;
    }
    let all = sentences(text);
    let (author, rest) = match all.split_first() {
        Some((first, rest)) if !rest.is_empty() => (*first, rest),
        Some((first, _)) => return ("", segments(first).0, segments(first).1),
        None => return ("", "", ""),
    };
    let title = rest.iter().position(|sentence| {
        sentence.contains(char::is_alphabetic)
            && years(sentence).next().is_none_or(|_| sentence.len() > 6)
    });
    let at = title.unwrap_or(0);
    let behind = rest.get(at + 1).copied().unwrap_or_default();
    (author, rest[at], behind)
}

/// Splits off the title at the end of its sentence.
fn title_of(text: &str) -> (&str, &str) {
    let first = sentences(text).first().copied().unwrap_or(text);
    let end = question(first)
        .or_else(|| address(first))
        .unwrap_or(first.len());
    let (title, about) = segments(&first[..end]);
    let behind = text.get(end..).unwrap_or_default();
    if behind.trim_matches(['.', ' ']).is_empty() {
        (title, about)
    } else {
        (title, behind)
    }
}

/// The byte offset after a title that ends in a question or exclamation mark.
fn question(text: &str) -> Option<usize> {
    text.match_indices(['?', '!'])
        .map(|(at, _)| at + 1)
        .find(|&at| {
            let behind = text[at..].strip_prefix(' ');
            behind.is_some_and(|behind| behind.starts_with(char::is_uppercase))
        })
}

/// The byte offset of a URL or DOI in a reference.
fn address(text: &str) -> Option<usize> {
    ["http://", "https://", "ftp://", "CTAN:", "doi:"]
        .iter()
        .filter_map(|opening| text.find(opening))
        .min()
        .filter(|&at| at > 0)
}

/// Splits a title at the comma or semicolon before the edition, publisher or year.
fn segments(text: &str) -> (&str, &str) {
    let mut end = text.len();
    for (at, _) in text.match_indices([',', ';']) {
        let next = text[at + 1..].split([',', ';']).next().unwrap_or_default();
        let folded = fold(next);
        let first = folded.split(' ').next().unwrap_or_default();
        const EDITIONS: &[&str] = &[
            "vol", "volume", "version", "edition", "ed", "v", "p", "pp", "page", "rfc", "2nd",
            "3rd", "second", "third", "in",
        ];
        let first = if is_month(first) { "v" } else { first };
        let about = next.contains(|c: char| c.is_ascii_digit())
            || EDITIONS.contains(&first)
            || is_imprint(&folded);
        if about || text.as_bytes().get(at) == Some(&b';') {
            end = at;
            break;
        }
    }
    (&text[..end], text.get(end..).unwrap_or_default())
}

/// Cuts the bracketed year off an author.
fn before_year(author: &str) -> &str {
    let end = author.find(['(', '[']).filter(|at| *at > 0);
    &author[..end.unwrap_or(author.len())]
}
