//! The names of the work in old headers and markers: `The Project Gutenberg Etext of A Study in Scarlet, by Doyle`, the block
//! above `[Etext #244]`, `*** START OF THE PROJECT GUTENBERG EBOOK EMMA ***`, `End of Project Gutenberg's Emma`.

use super::dates::{self, PartialDate};
use super::{MetadataValue, ValueExtractor, ValueSource};
use crate::fold::{fold, squeeze};
use crate::rows::BodyRows;
use endpaper_text::corpus::BookText;
use endpaper_text::scan::{MarkerSet, Scan};

/// Lines searched if no marker ends the header.
const LINES: u32 = 80;
/// Most lines of a header.
const MAX_HEADER_LINES: u32 = 600;
/// Longest text read from a line, in bytes.
const MAX_LINE_BYTES: usize = 300;
/// Non-blank lines searched for the opening that names the work.
const OPENING: usize = 40;
/// Lines above the number that may name the work.
const LINES_ABOVE_NUMBER: u32 = 16;
/// Lines after the book that are searched for addresses.
const LINES_AFTER_BOOK: u32 = 40;

/// Most markers that are read: a book has a few.
const MARKERS: usize = 100;

/// A title and author read from a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WorkName {
    pub title: String,
    pub author: Option<String>,
    pub source: ValueSource,
}

/// All names and numbers of the work.
#[derive(Clone, Debug, Default)]
pub(super) struct WorkNames {
    pub all: Vec<WorkName>,
    /// Authors of the series it is in.
    series: Vec<(String, ValueSource)>,
    numbers: Vec<(u32, ValueSource)>,
    /// The date before the number in an old header, and its line.
    pub released: Option<(PartialDate, u32)>,
}

/// Reads the header, the markers and the lines after the book.
pub(super) fn read(rows: &BodyRows<'_>, scan: &Scan) -> WorkNames {
    let text = rows.source();
    let mut works = WorkNames::default();
    let last = match rows.header_end() {
        0 => LINES.min(text.lines()),
        header => header.min(MAX_HEADER_LINES),
    };
    let mut seen = 0;
    for line in 1..=last {
        let words = text.display(line, MAX_LINE_BYTES);
        if words.trim().is_empty() {
            continue;
        }
        seen += 1;
        if seen <= OPENING {
            works.read_opening(text, line, &words);
        }
        works.series(line, &words);
        works.number_in(text, line, &words);
        works.read_address(line, &words);
    }
    let marked = scan.rows.iter();
    let marked = marked.filter(|row| row.marks.has_any(MarkerSet::START | MarkerSet::END));
    for row in marked.take(MARKERS) {
        works.marker(text, row.line);
    }
    if rows.book_end() <= text.lines() {
        for line in rows.book_end()..(rows.book_end() + LINES_AFTER_BOOK).min(text.lines() + 1) {
            works.read_address(line, &text.display(line, MAX_LINE_BYTES));
        }
    }
    works
}

impl WorkNames {
    /// Reads the title from an opening line of the library, and from its continuation lines.
    fn read_opening(&mut self, text: &BookText, line: u32, words: &str) {
        let mut words = squeeze(words);
        for more in 1..3 {
            let next = squeeze(&text.display(line + more, MAX_LINE_BYTES));
            let goes_on =
                words.ends_with(',') || words.ends_with(" by") || fold(&next).starts_with("by ");
            if next.is_empty() || !goes_on {
                break;
            }
            words = format!("{words} {next}");
        }
        if let Some(work) = after_library_name(&words) {
            self.add_title(work, ValueExtractor::Opening, line);
        }
    }

    /// Adds a title, split from its author.
    fn add_title(&mut self, work: &str, extractor: ValueExtractor, line: u32) {
        let (title, author) = by(work);
        let source = ValueSource {
            extractor,
            line: Some(line),
        };
        if !title.is_empty() && title.parse::<u32>().is_err() {
            self.all.push(WorkName {
                title: title.to_owned(),
                author,
                source,
            });
        }
    }

    /// Reads `#6 in our series by Voltaire`.
    fn series(&mut self, line: u32, words: &str) {
        let words = words.trim_matches(['(', ')', ' ', '*', '\r']);
        let Some(rest) = words.strip_prefix('#') else {
            return;
        };
        if let Some((series, author)) = rest.split_once(" by ")
            && series.contains("series")
        {
            let source = ValueSource {
                extractor: ValueExtractor::Series,
                line: Some(line),
            };
            self.series.push((squeeze(author), source));
        }
    }

    /// Reads `[Etext #244]`, and the block above it in an old header.
    fn number_in(&mut self, text: &BookText, line: u32, words: &str) {
        let Some((before, number)) = bracketed(words) else {
            return;
        };
        let field = before.contains(':');
        let extractor = if field {
            ValueExtractor::Field
        } else {
            ValueExtractor::Block
        };
        let source = ValueSource {
            extractor,
            line: Some(line),
        };
        self.numbers.push((number, source));
        if field || self.released.is_some() {
            return;
        }
        let mut from = line;
        if let Some(date) = dates::date(before)
            .or_else(|| dates::date(&text.display(line.saturating_sub(1), MAX_LINE_BYTES)))
        {
            self.released = Some((date, line));
        }
        let mut block: Vec<String> = Vec::new();
        while from > 1 && line - from < LINES_ABOVE_NUMBER {
            from -= 1;
            let words = text.display(from, MAX_LINE_BYTES);
            if is_notice(&words) {
                break;
            }
            let words = squeeze(&words);
            if !words.is_empty() && dates::date(&words).is_none_or(|date| date.month.is_none()) {
                block.push(words);
            }
        }
        block.reverse();
        self.block(&block, line);
    }

    /// Reads title and author, on separate lines or on one.
    fn block(&mut self, block: &[String], line: u32) {
        let mut title = String::new();
        let mut author = None;
        for words in block.iter().take(6) {
            let opens = fold(words);
            if let Some(name) = after_by(words) {
                author = Some(name.to_owned());
                break;
            }
            if [
                "translated",
                "edited",
                "illustrated",
                "copyright",
                "part",
                "in our series",
            ]
            .iter()
            .any(|other| opens.starts_with(other))
                || words.starts_with('#')
            {
                continue;
            }
            if !title.is_empty() {
                title.push(' ');
            }
            title += words;
        }
        let author = author.map_or(String::new(), |author| format!(", by {author}"));
        if title.len() < MAX_LINE_BYTES {
            self.add_title(&format!("{title}{author}"), ValueExtractor::Block, line);
        }
    }

    /// Reads the title from a marker of the start or the end.
    fn marker(&mut self, text: &BookText, line: u32) {
        let mut words = squeeze(&text.display(line, MAX_LINE_BYTES));
        let opened = words.contains("START OF") || words.contains("Start of");
        // The title of a marker may continue on the next line, up to the asterisks.
        let raw = text.display(line, MAX_LINE_BYTES);
        if raw.trim_start().starts_with("***") && !raw.trim_end().ends_with('*') {
            let next = text.display(line + 1, MAX_LINE_BYTES);
            if next.trim_end().ends_with("***") && !next.trim_start().starts_with("***") {
                words = format!("{words} {}", squeeze(&next));
            }
        }
        let work = if opened {
            let rest = words
                .split_once("GUTENBERG")
                .map(|(_, rest)| rest.trim_start());
            rest.filter(|rest| rest.starts_with('E') || rest.starts_with('e'))
        } else {
            let at = words.to_ascii_lowercase().find("gutenberg");
            at.and_then(|at| words.get(at + 9..))
        };
        let Some(work) = work.map(after_kind_words) else {
            return;
        };
        if let Ok(number) = work.parse() {
            let source = ValueSource {
                extractor: ValueExtractor::Marker,
                line: Some(line),
            };
            self.numbers.push((number, source));
        }
        self.add_title(work, ValueExtractor::Marker, line);
    }

    /// Reads a number from `gutenberg.org/ebooks/244`, `files/244/` or `This file should be named 244.txt`.
    fn read_address(&mut self, line: u32, words: &str) {
        const BEFORE: &[&str] = &[
            "/ebooks/",
            "/files/",
            "/etext/",
            "/epub/",
            "should be named ",
        ];
        let mut found = None;
        for before in BEFORE {
            if let Some(at) = words.find(before) {
                let digits: String = words[at + before.len()..]
                    .chars()
                    .take_while(char::is_ascii_digit)
                    .collect();
                let named = &words[at + before.len() + digits.len()..];
                let ends = named.is_empty()
                    || named.starts_with(['/', '-', '.', ' ', '\r', ')', '>', ']']);
                if ends && (2..=6).contains(&digits.len()) {
                    found = digits.parse().ok();
                }
            }
        }
        // `gutenberg.org/2/4/5/2456/`: single digits, then the number.
        if found.is_none() && words.contains("gutenberg.") {
            let parts: Vec<&str> = words.trim().trim_end_matches('/').split('/').collect();
            if let Some((number, digits)) = parts.split_last() {
                let path: String = digits
                    .iter()
                    .rev()
                    .take_while(|part| part.len() == 1)
                    .copied()
                    .collect();
                let path: String = path.chars().rev().collect();
                let fits = number.len() >= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
                found = (fits && !path.is_empty() && number.starts_with(path.as_str()))
                    .then(|| number.parse().ok())
                    .flatten();
            }
        }
        if let Some(number) = found {
            let source = ValueSource {
                extractor: ValueExtractor::Address,
                line: Some(line),
            };
            self.numbers.push((number, source));
        }
    }

    /// All authors, with their sources.
    pub fn authors(&self) -> Vec<(String, ValueSource)> {
        let named = self.all.iter();
        let named = named.filter_map(|work| Some((work.author.clone()?, work.source)));
        named.chain(self.series.iter().cloned()).collect()
    }

    /// The number with the most extractors that agree on it.
    pub fn number(&self, scan: &Scan) -> Option<MetadataValue<u32>> {
        let mut all = self.numbers.clone();
        if all.is_empty() {
            return scan
                .header
                .number
                .map(|number| MetadataValue::from_source(number, ValueExtractor::Scan, None));
        }
        all.sort_by_key(|(_, source)| source.extractor);
        let votes = |number: u32| {
            let mut by: Vec<ValueExtractor> = all
                .iter()
                .filter(|(other, _)| *other == number)
                .map(|(_, source)| source.extractor)
                .collect();
            by.dedup();
            by.len()
        };
        let mut best: Option<(u32, usize)> = None;
        for (number, _) in &all {
            let count = votes(*number);
            if best.is_none_or(|(_, most)| count > most) {
                best = Some((*number, count));
            }
        }
        let (number, _) = best?;
        let mut instead: Vec<u32> = all
            .iter()
            .map(|(other, _)| *other)
            .filter(|other| *other != number)
            .collect();
        instead.dedup();
        Some(MetadataValue {
            value: number,
            sources: all
                .iter()
                .filter(|(other, _)| *other == number)
                .map(|(_, source)| *source)
                .collect(),
            instead,
        })
    }
}

/// The text after `Project Gutenberg's Etext of`.
fn after_library_name(words: &str) -> Option<&str> {
    let at = words.to_ascii_lowercase().find("project gutenberg")?;
    let opens = words[..at].split(|c: char| !c.is_alphanumeric());
    let opens = opens.filter(|word| !word.is_empty()).all(|word| {
        ["the", "this", "is", "a", "an"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    });
    let rest = &words[at + "project gutenberg".len()..];
    let work = after_kind_words(rest);
    // In a licence other words follow the name.
    let licence = fold(work);
    let licence = [
        "license",
        "tm",
        "is ",
        "was ",
        "were ",
        "will ",
        "has ",
        "are ",
        "literary",
        "etexts",
        "we ",
        "for your",
        "information",
    ]
    .iter()
    .any(|other| licence.starts_with(other));
    let named = rest.trim().trim_matches('*').trim().len() != work.len()
        && work.starts_with(|c: char| {
            c.is_alphanumeric() || !c.is_ascii() || matches!(c, '"' | '\'' | '(' | '_')
        });
    (opens && named && !licence).then_some(work)
}

/// Strips words for the kind of text: `'s Etext of`, `EBook of`, `EBOOK`.
fn after_kind_words(words: &str) -> &str {
    const KINDS: &[&str] = &[
        "'s",
        "’s",
        "s",
        "-tm",
        "(tm)",
        "etexts from",
        "e-text",
        "etext",
        "e-book",
        "ebook",
        "edition",
        "etext/zip",
        "text",
        "of",
        "for",
        ",",
        ":",
        "the etext",
        "electronic",
        "presents",
    ];
    let mut rest = words.trim_matches(|c: char| c.is_whitespace() || c == '*');
    loop {
        let lower = rest.get(..rest.len().min(12)).map(str::to_ascii_lowercase);
        let lower = lower.unwrap_or_default();
        let kind = KINDS.iter().find(|kind| {
            let ends = lower.as_bytes().get(kind.len());
            let word = kind.ends_with(|c: char| c.is_alphanumeric());
            lower.starts_with(**kind)
                && (!word || ends.is_none_or(|next| !next.is_ascii_alphanumeric()))
        });
        let Some(kind) = kind else {
            break;
        };
        rest = rest[kind.len()..].trim_start();
        // The number of the text: `Etext #12 of`.
        if let Some(number) = rest.strip_prefix('#') {
            rest = number
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .trim_start();
        }
    }
    rest.trim_matches(|c: char| c.is_whitespace() || c == '*')
}

/// Splits a work into title and the author after `by`.
fn by(work: &str) -> (&str, Option<String>) {
    let work = work.trim();
    // Only after a comma are the words of other languages unambiguous.
    const COMMA: &[&str] = &[
        ", by ", ", By ", ", BY ", ", von ", ", par ", ", por ", ", door ", ", di ",
    ];
    let comma = COMMA
        .iter()
        .filter_map(|word| work.rfind(word).map(|at| (at, word.len())))
        .max();
    let plain = || {
        let found = [" by ", " BY "]
            .iter()
            .filter_map(|word| work.rfind(word).map(|at| (at, word.len())))
            .max();
        found.filter(|(at, length)| {
            let name = &work[at + length..];
            name.starts_with(|c: char| c.is_uppercase()) && name.split_whitespace().count() <= 6
        })
    };
    match comma.or_else(plain) {
        Some((at, length)) => {
            let author = work[at + length..]
                .trim_matches([' ', '.', ',', '*'])
                .to_owned();
            (
                work[..at].trim_end_matches([',', ' ']),
                (!author.is_empty()).then_some(author),
            )
        }
        None => (work.trim_end_matches([',', ' ']), None),
    }
}

/// The name in a line that opens with `by`.
fn after_by(words: &str) -> Option<&str> {
    let start = words.get(..3)?;
    let name = start
        .eq_ignore_ascii_case("by ")
        .then(|| words[3..].trim())?;
    name.starts_with(|c: char| c.is_uppercase() || !c.is_ascii())
        .then_some(name)
}

/// Splits `[Etext #244]` or `October, 1994  Etext #170` into the text before it and the number.
fn bracketed(words: &str) -> Option<(&str, u32)> {
    let at = words.find('#')?;
    let before = words[..at].trim_end();
    let kind = before.rsplit([' ', '[', '(']).next()?;
    let named = ["etext", "e-text", "ebook", "e-book", "text"]
        .iter()
        .any(|name| kind.eq_ignore_ascii_case(name));
    let digits = words[at + 1..].trim_start();
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    // `Etext #1,000` is a count, not a number of a text.
    let whole = !digits[length..].starts_with(',');
    let number = digits[..length].parse().ok()?;
    let before = before[..before.len() - kind.len()].trim_end_matches(['[', '(', ' ']);
    (named && whole && length <= 6).then_some((before, number))
}

/// Whether a line belongs to the notices above the block with the title.
fn is_notice(words: &str) -> bool {
    let lower = words.to_ascii_lowercase();
    [
        "**",
        "further information",
        "information on contacting",
        "donation",
        "electronic",
        "please ",
        "volunteers",
        "gutenberg",
    ]
    .iter()
    .any(|notice| lower.contains(notice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_lines_name_the_work() {
        let table = [
            (
                "The Project Gutenberg Etext of A Study in Scarlet, by Doyle",
                Some(("A Study in Scarlet", Some("Doyle"))),
            ),
            (
                "***Project Gutenberg's Etext of The Scarecrow of Oz by Baum***",
                Some(("The Scarecrow of Oz", Some("Baum"))),
            ),
            (
                "Project Gutenberg's Emma, by Jane Austen",
                Some(("Emma", Some("Jane Austen"))),
            ),
            (
                "The Project Gutenberg EBook of Faust, von Goethe",
                Some(("Faust", Some("Goethe"))),
            ),
            (
                "The Project Gutenberg Etext #12 of Flatland",
                Some(("Flatland", None)),
            ),
            (
                "This is the Project Gutenberg Etext of Stories by the Sea",
                Some(("Stories by the Sea", None)),
            ),
            ("the terms of the Project Gutenberg License included", None),
            ("Project Gutenberg is a registered trademark", None),
            ("Gutenberg made books", None),
        ];
        for (line, expected) in table {
            let found = after_library_name(line).map(by);
            let found = found
                .as_ref()
                .map(|(title, author)| (*title, author.as_deref()));
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn numbers_of_books_stand_behind_their_kind() {
        let table = [
            ("April, 1995  [Etext #244]", Some(244)),
            ("Release Date: June 5, 2008 [EBook #105]", Some(105)),
            ("October, 1994  Etext #170", Some(170)),
            (
                "[Originally released February/March, 1991 as Etext #12]",
                Some(12),
            ),
            ("[This is #9 in our series]", None),
            ("the presentation of Etext #1,000]", None),
            ("[Illustration: page 12]", None),
            ("[Etext 244", None),
            ("#244", None),
        ];
        for (line, expected) in table {
            assert_eq!(
                bracketed(line).map(|(_, number)| number),
                expected,
                "{line}"
            );
        }
    }
}
