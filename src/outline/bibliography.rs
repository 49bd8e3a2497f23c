//! Lists of references (Wu et al., *Searching Online Book Documents and Analyzing Book Citations*, section 3.2.3).
//!
//! A line that holds only a keyword, followed by items with numbers that count up from one, is a list of references; it
//! ends where the next number does not come within thirty lines. A book may have one behind every chapter.

use serde::Serialize;

use super::fold::{fold, squeeze};
use super::metadata::years;
use super::rows::Rows;

/// Lines in which the next number must come.
const GAP: u32 = 30;
/// Items that make a list.
const ENOUGH: usize = 2;
/// Longest item that is kept, in bytes.
const LONGEST: usize = 2000;

/// The keywords, folded.
const KEYWORDS: &[&str] = &[
    "references",
    "bibliography",
    "sources",
    "list of references",
    "works cited",
    "literature cited",
    "literature",
    "bibliographie",
    "literatur",
    "literaturverzeichnis",
    "quellen",
    "bibliografia",
    "referencias",
    "fuentes",
];

/// A list of references.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bibliography {
    /// The line of its keyword.
    pub line: u32,
    /// Its items, in their order.
    pub items: Vec<Item>,
}

/// A reference. Texts are decoded and not sanitised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its number in the list.
    pub number: u32,
    /// Its first line.
    pub line: u32,
    /// All of it.
    pub text: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// What it is called.
    pub title: Option<String>,
    /// Where it was published.
    pub venue: Option<String>,
    /// When.
    pub year: Option<u32>,
}

/// All lists of references, in the order of their lines.
pub(super) fn read(rows: &Rows<'_>) -> Vec<Bibliography> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < rows.all().len() {
        let row = rows.all()[at];
        at += 1;
        if !row.is_first() || row.size > 30 || !row.opens || row.modern {
            continue;
        }
        if KEYWORDS.contains(&fold(&rows.words(at - 1)).as_str()) {
            let (items, end) = items(rows, at, row.line);
            if items.len() >= ENOUGH {
                found.push(Bibliography {
                    line: row.line,
                    items,
                });
                at = end;
            }
        }
    }
    found
}

/// Items from a row on, and the row behind the last.
fn items(rows: &Rows<'_>, start: usize, line: u32) -> (Vec<Item>, usize) {
    let mut items: Vec<Item> = Vec::new();
    let (mut at, mut last_line, mut end) = (start, line, start);
    while let Some(row) = rows.all().get(at) {
        let next = items.len() as u32 + 1;
        if row.line > last_line + GAP || row.modern {
            break;
        }
        let words = rows.words(at);
        if let Some(text) = numbered(&words, next) {
            items.push(Item {
                number: next,
                line: row.line,
                text: squeeze(text),
                ..Item::default()
            });
            (last_line, end) = (row.line, at + 1);
        } else if let Some(item) = items.last_mut()
            // What stands behind a blank line belongs to it only if the next number comes.
            && at == end
            && !row.is_first()
            && item.text.len() + words.len() < LONGEST
        {
            let joined = item
                .text
                .strip_suffix('-')
                .filter(|_| words.starts_with(char::is_lowercase));
            item.text = match joined {
                Some(stem) => format!("{stem}{}", squeeze(&words)),
                None => format!("{} {}", item.text, squeeze(&words)),
            };
            end = at + 1;
        }
        at += 1;
    }
    items.iter_mut().for_each(parse);
    (items, end)
}

/// What stands behind `[4]`, `(4)`, `4.` or `4)`, if that is the number.
fn numbered(words: &str, number: u32) -> Option<&str> {
    let bare = words.trim_start_matches(['[', '(']);
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 5 || bare[..digits].parse() != Ok(number) {
        return None;
    }
    let rest = &bare[digits..];
    let closed = rest.strip_prefix(['.', ')', ']', ':'])?;
    let text = closed.trim_start_matches([']', ')', '.', ' ', '\t']);
    (!text.is_empty()).then_some(text)
}

/// Splits the text of an item: author, title, venue and year as far as they can be told.
fn parse(item: &mut Item) {
    let text = item.text.as_str();
    item.year = years(text).last();
    let (author, title, venue) = if let Some((before, title, behind)) = quoted(text) {
        (before, Some(title), behind)
    } else {
        let mut sentences = sentences(text).into_iter();
        let author = sentences.next().unwrap_or_default();
        let title = sentences.find(|sentence| sentence.chars().any(char::is_alphabetic));
        (author, title, sentences.next().unwrap_or_default())
    };
    let author = before_year(author);
    item.author = text_of(author);
    item.title = title.and_then(text_of);
    let venue = venue.trim_start_matches(|c: char| !c.is_alphanumeric());
    let venue = venue
        .strip_prefix("In: ")
        .or(venue.strip_prefix("In "))
        .unwrap_or(venue);
    let end = venue.find([',', ';', '(', '.']).unwrap_or(venue.len());
    item.venue = text_of(&venue[..end]).filter(|venue| venue.contains(char::is_alphabetic));
}

fn text_of(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, ',' | '.' | ';' | ':' | '"' | '“' | '”')
    });
    (!text.is_empty()).then(|| text.to_owned())
}

/// An author without the year in brackets behind the name.
fn before_year(author: &str) -> &str {
    let end = author.find(['(', '[']).filter(|at| *at > 0);
    &author[..end.unwrap_or(author.len())]
}

/// A title in quotation marks with what stands before and behind it.
fn quoted(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once(['"', '“', '«'])?;
    let (title, behind) = rest.split_once(['"', '”', '»'])?;
    (!before.trim().is_empty()).then_some((before, title, behind))
}

/// Sentences: they end with a dot that is not that of an initial, and the next begins with no small letter.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(". ") {
        let word = text[start..at]
            .rsplit([' ', '.', '-'])
            .next()
            .unwrap_or_default();
        let next = text[at + 2..].chars().next();
        let initial = word.chars().count() <= 2 && !word.ends_with([')', ']']);
        if !initial && next.is_some_and(|c| !c.is_lowercase()) {
            found.push(&text[start..at]);
            start = at + 2;
        }
    }
    found.push(&text[start..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Text;
    use crate::scan::{Options, scan};

    fn lists(source: &str) -> Vec<Bibliography> {
        let text = Text::new(source.into());
        let scan = scan(text.bytes(), Options::default());
        read(&Rows::new(&text, &scan))
    }

    #[test]
    fn a_keyword_with_ordered_items_is_a_list() {
        let source = "It was shown before.\n\nREFERENCES\n\n[1] A. Smith and B. Jones. On the theory of\nbooks. Journal of \
            Books, 12:1-9, 1999.\n[2] Miller, C. (2001). Boiler-\nplates. Letters, 3.\n\n[3] D. Poe, \"A raven,\" Evening \
            Mirror, 1845.\n\nThe end.\n";
        let found = lists(source);
        assert_eq!(found.len(), 1);
        let told: Vec<_> = found[0]
            .items
            .iter()
            .map(|item| {
                let text = |text: &Option<String>| text.clone().unwrap_or_default();
                (
                    item.line,
                    text(&item.author),
                    text(&item.title),
                    text(&item.venue),
                    item.year,
                )
            })
            .collect();
        let row = |line, author: &str, title: &str, venue: &str, year| {
            (
                line,
                author.to_owned(),
                title.to_owned(),
                venue.to_owned(),
                Some(year),
            )
        };
        assert_eq!(
            told,
            [
                row(
                    5,
                    "A. Smith and B. Jones",
                    "On the theory of books",
                    "Journal of Books",
                    1999
                ),
                row(7, "Miller, C", "Boilerplates", "Letters", 2001),
                row(10, "D. Poe", "A raven", "Evening Mirror", 1845),
            ]
        );
    }

    #[test]
    fn lists_behind_two_chapters_are_two() {
        let list = "Sources\n\n1. One, A. A book. 1900.\n2. Two, B. A book. 1901.\n\n";
        let prose = "He went on.\n\n".repeat(20);
        let found = lists(&format!("{list}{prose}{list}"));
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].items.len(), 2);
    }

    #[test]
    fn other_lists_are_none() {
        let gap = "\n".repeat(31);
        for source in [
            // No keyword of its own.
            "The references are\n\n1. One.\n2. Two.\n".to_owned(),
            // No numbers.
            "REFERENCES\n\nSmith, On books.\nJones, On more.\n".to_owned(),
            // Too far below, and too far apart.
            format!("REFERENCES\n{gap}1. One.\n2. Two.\n"),
            format!("REFERENCES\n\n1. One.\n{gap}2. Two.\n"),
            // Not in order.
            "REFERENCES\n\n2. Two.\n1. One.\n3. Three.\n".to_owned(),
        ] {
            assert_eq!(lists(&source), [], "{source}");
        }
    }
}
