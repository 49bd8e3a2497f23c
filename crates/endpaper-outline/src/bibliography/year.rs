//! The year of a reference.

use crate::metadata::years;

/// Returns the year: one in brackets, else the last number that is not a page. Numbers of identifiers count only where there is no
/// other: `ISSN 1548-7660`.
pub(super) fn year(text: &str) -> Option<u32> {
    const IDENTIFIERS: &[&str] = &[" ISSN", " ISBN", "doi", "DOI", "http", " URL ", " url"];
    let first = IDENTIFIERS.iter().filter_map(|word| text.find(word)).min();
    first
        .and_then(|at| year_in(&text[..at]))
        .or_else(|| year_in(text))
}

/// Returns the year of a text, whatever its numbers are.
fn year_in(text: &str) -> Option<u32> {
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
                || text[..at].ends_with(':')
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
