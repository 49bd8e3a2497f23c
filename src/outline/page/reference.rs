//! A reference with its author, title, venue and year marked.

use std::fmt::Write as _;
use std::ops::Range;

use endpaper_command::page::{clipped, escaped};
use endpaper_outline::BibliographyItem;

/// Most characters of a reference that are shown.
const CHARS: usize = 600;

/// A span of the text of a reference, and the tags around it.
struct MarkedSpan {
    range: Range<usize>,
    tags: (&'static str, &'static str),
}

/// Writes the text of a reference. What of it was recognised is marked where it stands in the text.
pub(super) fn put(out: &mut String, item: &BibliographyItem) {
    let text = item.text.as_str();
    let shown = text
        .char_indices()
        .nth(CHARS)
        .map_or(text, |(end, _)| &text[..end]);
    let mut at = 0;
    for MarkedSpan { range, tags } in spans(item, shown) {
        let (before, marked) = (&shown[at..range.start], &shown[range.clone()]);
        // Writing to a string does not fail.
        let _ = write!(
            out,
            "{}{}{}{}",
            escaped(before),
            tags.0,
            escaped(marked),
            tags.1
        );
        at = range.end;
    }
    match shown.len() == text.len() {
        true => out.push_str(&escaped(&shown[at..])),
        false => out.push_str(&clipped(&text[at..], shown[at..].chars().count())),
    }
}

/// The parts of a reference that are found in its text, in order and without overlaps.
fn spans(item: &BibliographyItem, text: &str) -> Vec<MarkedSpan> {
    let year = item.year.map(|year| year.to_string());
    let parts = [
        (item.title.as_deref(), ("<cite>", "</cite>")),
        (item.author.as_deref(), ("<b>", "</b>")),
        (item.venue.as_deref(), ("<i>", "</i>")),
        (year.as_deref(), ("<span class=\"year\">", "</span>")),
    ];
    let mut found: Vec<MarkedSpan> = Vec::new();
    for (part, tags) in parts {
        let Some(part) = part.filter(|part| !part.is_empty()) else {
            continue;
        };
        let is_free = |range: &Range<usize>| {
            let overlaps =
                |span: &MarkedSpan| range.start < span.range.end && span.range.start < range.end;
            !found.iter().any(overlaps)
        };
        let mut ranges = text
            .match_indices(part)
            .map(|(start, _)| start..start + part.len());
        if let Some(range) = ranges.find(is_free) {
            found.push(MarkedSpan { range, tags });
        }
    }
    found.sort_by_key(|span| span.range.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn item(text: &str, author: &str, title: &str, year: Option<u32>) -> BibliographyItem {
        BibliographyItem {
            text: text.to_owned(),
            author: Some(author.to_owned()),
            title: Some(title.to_owned()),
            year,
            ..BibliographyItem::default()
        }
    }

    fn shown(item: &BibliographyItem) -> String {
        let mut out = String::new();
        put(&mut out, item);
        out
    }

    #[test]
    fn recognised_parts_are_marked_where_they_stand() {
        let knuth = item(
            "Knuth, D. E. <The> TeXbook. Reading, 1984.",
            "Knuth, D. E.",
            "<The> TeXbook",
            Some(1984),
        );
        let expected = "<b>Knuth, D. E.</b> <cite>&lt;The&gt; TeXbook</cite>. Reading, <span class=\"year\">1984</span>.";
        assert_eq!(shown(&knuth), expected);
        // The author is from the reference before, and the year is the title.
        let orwell = item("---. 1984. London, 1949.", "Orwell", "1984", Some(1949));
        assert_eq!(
            shown(&orwell),
            "---. <cite>1984</cite>. London, <span class=\"year\">1949</span>."
        );
        let twice = item("1984. London, 1984.", "Orwell", "1984", Some(1984));
        assert_eq!(
            shown(&twice),
            "<cite>1984</cite>. London, <span class=\"year\">1984</span>."
        );
    }

    #[test]
    fn long_references_are_cut_off() {
        let long = item(&"a b ".repeat(500), "a", "b", None);
        let text = shown(&long);
        assert!(
            text.ends_with('\u{2026}') && text.len() < CHARS + 40,
            "{text}"
        );
    }

    proptest! {
        #[test]
        fn nothing_of_a_reference_is_markup(text in any::<String>(), author in any::<String>(), title in "[<>&a ]{0,4}") {
            let page = shown(&item(&format!("{author}{text}{title}"), &author, &title, Some(1)));
            let mut bare = page;
            for tag in ["<cite>", "</cite>", "<b>", "</b>", "<span class=\"year\">", "</span>"] {
                bare = bare.replace(tag, "");
            }
            prop_assert!(!bare.contains(['<', '>', '"', '\'']), "{}", bare);
        }
    }
}
