//! Search in the text of the open book.

use regex::{Regex, RegexBuilder};

use super::page::BookPage;
use endpaper_text::corpus::Encoding;

/// Maximum number of lines collected.
const MATCHES: usize = 100_000;

/// A search and the lines that match.
#[derive(Clone, Debug)]
pub struct PageSearch {
    /// The text searched for.
    pub text: String,
    /// Lines that match, in order.
    pub lines: Vec<u32>,
    /// The search comes from another book and was not continued in this one: nothing to show.
    pub idle: bool,
    pattern: Regex,
}

impl PageSearch {
    /// Searches a page for literal text; case matters only if the text has a capital letter.
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

    /// Repeats the search in another page.
    pub fn again(&self, page: &BookPage) -> PageSearch {
        PageSearch {
            idle: true,
            lines: find(&self.pattern, page),
            ..self.clone()
        }
    }

    /// Byte ranges of the first 64 matches in a displayed line.
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

/// Lines that match. ASCII and UTF-8 text is searched as a whole, not line by line.
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
        // A line counts once: the search continues after it.
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
