//! Search in the text of the open book.

use regex::{Regex, RegexBuilder};

use super::page::BookPage;
use endpaper_text::corpus::Encoding;

/// Lines beyond this many matches are not collected.
const MATCHES: usize = 100_000;

/// A search and where it was found.
#[derive(Clone, Debug)]
pub struct PageSearch {
    /// What was asked for.
    pub text: String,
    /// Lines that hold it, in order.
    pub lines: Vec<u32>,
    /// It was typed for another book and is nowhere in this one: nothing to show.
    pub idle: bool,
    pattern: Regex,
}

impl PageSearch {
    /// Searches a page: literal text; capital letters matter only if there is one in it.
    pub fn new(text: &str, page: &BookPage) -> Option<PageSearch> {
        let sensitive = text.chars().any(char::is_uppercase);
        let pattern = RegexBuilder::new(&regex::escape(text))
            .case_insensitive(!sensitive)
            .build()
            .ok()?;
        let lines = if text.is_empty() {
            Vec::new()
        } else {
            find(&pattern, page)
        };
        Some(PageSearch {
            text: text.to_owned(),
            lines,
            idle: false,
            pattern,
        })
    }

    /// The same search in another page.
    pub fn again(&self, page: &BookPage) -> PageSearch {
        let lines = find(&self.pattern, page);
        PageSearch {
            idle: lines.is_empty(),
            lines,
            ..self.clone()
        }
    }

    /// Byte ranges of matches in a displayed line.
    pub fn matches(&self, shown: &str) -> Vec<std::ops::Range<usize>> {
        self.pattern
            .find_iter(shown)
            .take(64)
            .map(|found| found.range())
            .filter(|range| !range.is_empty())
            .collect()
    }

    /// The first match after a line, or before it, wrapping.
    pub fn step(&self, line: u32, forward: bool) -> Option<u32> {
        let next = self.lines.partition_point(|&l| l <= line);
        let before = self.lines.partition_point(|&l| l < line);
        if forward {
            self.lines.get(next).or(self.lines.first()).copied()
        } else {
            before
                .checked_sub(1)
                .and_then(|i| self.lines.get(i))
                .or(self.lines.last())
                .copied()
        }
    }
}

/// Lines that match. Text in one byte per character or UTF-8 is searched at once, not line by line.
fn find(pattern: &Regex, page: &BookPage) -> Vec<u32> {
    let text = &page.text;
    if matches!(
        text.encoding(),
        Encoding::Ascii | Encoding::Utf8 | Encoding::Utf8Bom
    ) && let Ok(whole) = std::str::from_utf8(text.bytes())
    {
        let mut lines = Vec::new();
        let mut from = 0;
        let mut last = 0;
        // A line counts once: the search continues below it.
        while let Some(found) = pattern.find_at(whole, from)
            && lines.len() < MATCHES
        {
            let line = text.line_from(last + 1, found.start());
            lines.push(line);
            last = line;
            from = text.span(line, line).end;
        }
        return lines;
    }
    (1..=page.lines())
        .filter(|&line| pattern.is_match(&text.display(line, usize::MAX)))
        .take(MATCHES)
        .collect()
}
