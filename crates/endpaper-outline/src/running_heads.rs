//! Running heads and feet of printed pages: not part of the text, and easily mistaken for headings.

use std::collections::HashMap;

mod page_numbers;

use super::extent::PageExtent;
use super::fold::fold;
use super::heading::{HeadingKind, ParsedHeading};
use super::row::OutlineRow;

/// Fewest pages on which a line recurs at the top (or bottom) to be a running head.
const MIN_PAGES: usize = 3;
/// Fewest pages of a text with running heads.
const PAGES: u32 = 6;
/// Most lines of a running head.
const LINES: usize = 2;
/// Longest running head, in bytes.
const MAX_HEAD_BYTES: u8 = 120;

/// Removes running heads from a book with real pages. The first occurrence of one without a page number stays, since it may be
/// the heading itself. `words` returns the text of a row.
pub(super) fn remove_running_heads(
    rows: &mut Vec<OutlineRow>,
    extent: &PageExtent,
    words: impl Fn(&OutlineRow) -> String,
) {
    if extent.is_estimated() {
        return;
    }
    if let Some(offset) = page_numbers::offset(rows, extent, &words) {
        for _ in 0..LINES {
            let gone = page_numbers::numbered_rows(rows, extent, offset, &words);
            drop_rows(rows, &gone);
        }
    }
    if extent.count() < PAGES {
        return;
    }
    for _ in 0..LINES {
        let keyed: Vec<(usize, String, bool)> = page_edge_rows(rows, extent)
            .into_iter()
            .filter(|&(at, _)| rows[at].size <= MAX_HEAD_BYTES)
            .map(|(at, top)| {
                let line = words(&rows[at]);
                let words = fold(&line);
                let side = if top { "^" } else { "_" };
                if is_name_of_part(&line) {
                    return (at, format!("{side} {words}"), false);
                }
                let numbered = is_numbered(&words);
                (at, format!("{side} {}", without_numbers(&words)), numbered)
            })
            .collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (_, key, _) in &keyed {
            *counts.entry(key).or_default() += 1;
        }
        let mut gone = vec![false; rows.len()];
        let mut met: HashMap<&str, ()> = HashMap::new();
        for (at, key, numbered) in &keyed {
            let first = met.insert(key, ()).is_none();
            gone[*at] = counts[key.as_str()] >= MIN_PAGES && (*numbered || !first);
        }
        if !gone.contains(&true) {
            return;
        }
        drop_rows(rows, &gone);
    }
}

/// The indices of the top and bottom row of every page that `pages` divides the rows into, each with whether it is the
/// top row. A page of one row has only a top.
fn page_edge_rows(rows: &[OutlineRow], pages: &PageExtent) -> Vec<(usize, bool)> {
    let mut found: Vec<(usize, bool)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let page = pages.page(row.line);
        let opens = at == 0 || pages.page(rows[at - 1].line) != page;
        let closes = rows
            .get(at + 1)
            .is_none_or(|next| pages.page(next.line) != page);
        if opens || closes {
            found.push((at, opens));
        }
    }
    found
}

/// Whether a line is only the name and number of a part, such as `Chapter 5`, which ends in no page number.
fn is_name_of_part(line: &str) -> bool {
    let label = ParsedHeading::of(line);
    label.kind.is_counted() && label.kind != HeadingKind::Numbered && label.title.is_empty()
}

/// A running head without its page number, Arabic or Roman.
fn without_numbers(folded: &str) -> String {
    let words = folded.split(' ').filter(|word| !is_number(word));
    words.collect::<Vec<&str>>().join(" ")
}

/// Whether a running head begins or ends with a page number.
fn is_numbered(folded: &str) -> bool {
    let mut words = folded.split(' ');
    let first = words.next().unwrap_or_default();
    let last = words.next_back().unwrap_or(first);
    is_number(first) || is_number(last)
}

/// Whether a folded word is a page number: digits, or letters of Roman numerals.
fn is_number(word: &str) -> bool {
    let digits = |c: char| c.is_ascii_digit();
    let roman = |c: char| matches!(c, 'i' | 'v' | 'x' | 'l' | 'c');
    !word.is_empty() && (word.chars().all(digits) || word.chars().all(roman))
}

/// Drops rows, and adds their blank lines to the next row.
fn drop_rows(rows: &mut Vec<OutlineRow>, gone: &[bool]) {
    let mut before: u8 = 0;
    let mut at = 0;
    rows.retain_mut(|row| {
        let is_gone = gone[at];
        at += 1;
        if is_gone {
            before = before.saturating_add(row.before);
        } else {
            row.before = row.before.saturating_add(std::mem::take(&mut before));
        }
        !is_gone
    });
}

#[cfg(test)]
mod tests {
    use super::super::rows::BodyRows;
    use endpaper_text::corpus::BookText;
    use endpaper_text::scan::{WindowOptions, scan};

    fn left(pages: &[String]) -> Vec<String> {
        let text = BookText::new(pages.join("\n\u{C}\n").into_bytes());
        let scan = scan(text.bytes(), WindowOptions::default());
        let rows = BodyRows::new(&text, &scan);
        (0..rows.all().len())
            .map(|at| rows.words(at).into_owned())
            .collect()
    }

    /// A page with two lines of text that no other page has.
    fn page(head: &str, number: usize, foot: &str) -> String {
        let word = "whale".repeat(number);
        format!(
            "{head}\n\nIt says in prose {word} something.\nAnd more of {word} then.\n\n{foot}\n"
        )
    }

    #[test]
    fn heads_with_page_numbers_and_lone_numbers_go() {
        let pages: Vec<String> = (1..=12)
            .map(|number| {
                page(
                    &format!("Chapter {}: Whales   {number}", number / 6),
                    number,
                    &number.to_string(),
                )
            })
            .collect();
        let left = left(&pages);
        assert_eq!(left.len(), 24, "{left:#?}");
        assert!(
            left.iter()
                .all(|line| line.contains("prose") || line.contains("more"))
        );
    }

    #[test]
    fn the_first_of_heads_without_numbers_stays_since_it_may_be_the_heading() {
        let pages: Vec<String> = (1..=8)
            .map(|number| page("THE WHALE", number, "xiv"))
            .collect();
        let left = left(&pages);
        let heads = left.iter().filter(|line| *line == "THE WHALE");
        assert_eq!(heads.count(), 1);
        assert!(!left.contains(&"xiv".to_owned()));
    }

    #[test]
    fn what_stands_on_few_pages_stays_and_so_does_all_of_a_text_without_pages() {
        let pages: Vec<String> = (1..=8)
            .map(|number| {
                page(
                    &format!("Head {}", "abcdefgh".as_bytes()[number - 1] as char),
                    number,
                    "the end of this",
                )
            })
            .collect();
        let heads = left(&pages)
            .into_iter()
            .filter(|line| line.starts_with("Head"));
        assert_eq!(heads.count(), 8);
        let plain: String = (1..=8)
            .map(|number| page("THE WHALE", number, "xiv"))
            .collect();
        assert_eq!(left(&[plain]).len(), 32);
    }
}
