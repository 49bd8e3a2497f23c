//! The data stored for each book, to show it as a hit: no text, but the number of words in each line.
//!
//! The index has the positions of words anyway. With the number of words per line (a byte a line, two percent of the
//! text) a position yields a line, so that a hit has its line and chapter before any book is read.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{BookPart, Language};
use endpaper_text::corpus::BookText;
use endpaper_text::varint::{self, VarintDecoder};

/// A heading in the body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chapter {
    /// Its line.
    pub line: u32,
    /// Its text (decoded, not sanitised).
    pub title: String,
}

/// The stored data of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredBook {
    pub id: String,
    pub title: Option<String>,
    pub authors: Vec<String>,
    /// The year of the printed book.
    pub published: Option<u32>,
    pub language: Language,
    /// CRC-64/XZ of the bytes.
    pub crc: u64,
    pub lines: u32,
    pub preamble_end: u32,
    /// One past the last line if there is no epilogue.
    pub epilogue_start: u32,
    /// In line order.
    pub chapters: Vec<Chapter>,
    /// First and last lines of tables of contents.
    pub contents: Vec<(u32, u32)>,
    /// First and last lines of lists of references, in line order, without overlaps.
    pub references: Vec<(u32, u32)>,
    /// The number of words in each line, LEB128.
    pub line_word_counts: Vec<u8>,
}

impl StoredBook {
    /// The part of the text that a line belongs to, one of [`BookPart::TEXT`]: boilerplate remains boilerplate where the
    /// outline sees references in it.
    pub fn part_of(&self, line: u32) -> BookPart {
        if line <= self.preamble_end {
            return BookPart::Preamble;
        }
        if line >= self.epilogue_start {
            return BookPart::Epilogue;
        }
        let before = self.references.partition_point(|(_, last)| *last < line);
        match self.references.get(before) {
            Some((first, _)) if *first <= line => BookPart::References,
            _ => BookPart::Body,
        }
    }

    /// The lines of a part, with the number of words in each.
    fn lines_of(&self, part: BookPart) -> impl Iterator<Item = (u32, u32)> {
        let counted = (1..=self.lines).zip(StoredCounts(&self.line_word_counts));
        counted.filter(move |(line, _)| self.part_of(*line) == part)
    }

    /// The line of a word of a part, by its position there from 0. `None` if the part has no such word.
    pub fn line_of(&self, part: BookPart, position: u32) -> Option<u32> {
        let mut before = 0u64;
        let mut lines = self.lines_of(part);
        lines.find_map(|(line, words)| {
            before += u64::from(words);
            (u64::from(position) < before).then_some(line)
        })
    }

    /// The ranges of word positions in a part that belong to tables of contents.
    pub fn contents_positions(&self, part: BookPart) -> Vec<Range<u32>> {
        let inside = |line: u32| {
            self.contents
                .iter()
                .any(|(first, last)| (*first..=*last).contains(&line))
        };
        let last = self
            .contents
            .iter()
            .map(|(_, last)| *last)
            .max()
            .unwrap_or(0);
        let mut all: Vec<Range<u32>> = Vec::new();
        let mut before = 0u32;
        for (line, words) in self.lines_of(part).take_while(|(line, _)| *line <= last) {
            let after = before.saturating_add(words);
            if inside(line) {
                match all.last_mut().filter(|range| range.end == before) {
                    Some(range) => range.end = after,
                    None => all.push(before..after),
                }
            }
            before = after;
        }
        all
    }

    /// The heading at or above a line.
    pub fn chapter_of(&self, line: u32) -> Option<&Chapter> {
        let above = self
            .chapters
            .partition_point(|chapter| chapter.line <= line);
        self.chapters[..above].last()
    }
}

/// Appends the number of words of a line, as LEB128.
pub(super) fn push_count(to: &mut Vec<u8>, words: u32) {
    let (bytes, len) = varint::encode(words.into());
    to.extend_from_slice(&bytes[..len]);
}

/// Reads the numbers that [`push_count`] wrote.
struct StoredCounts<'a>(&'a [u8]);

impl Iterator for StoredCounts<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let mut decoder = VarintDecoder::default();
        loop {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            if let Some(number) = decoder.push(*byte).ok()? {
                return u32::try_from(number).ok();
            }
        }
    }
}

/// The lines of a range as one text, after the tag of its language.
pub(super) fn tagged_text(
    text: &BookText,
    (first, last): (u32, u32),
    language: Language,
) -> String {
    let mut out = String::with_capacity(text.span(first, last).len() + 1);
    out.push(language.tag());
    (first..=last).for_each(|line| push_line(text, line, &mut out));
    out
}

/// Appends a line and its end.
pub(super) fn push_line(text: &BookText, line: u32, out: &mut String) {
    // Most lines need no decoding.
    match std::str::from_utf8(text.raw(line)) {
        Ok(raw) if raw.is_ascii() && text.encoding().is_utf8_or_latin() => out.push_str(raw),
        _ => out.push_str(&text.display(line, usize::MAX)),
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(words: &[u32], preamble_end: u32, epilogue_start: u32) -> StoredBook {
        let mut counts = Vec::new();
        words
            .iter()
            .for_each(|words| push_count(&mut counts, *words));
        StoredBook {
            id: String::new(),
            title: None,
            authors: Vec::new(),
            published: None,
            language: Language::Plain,
            crc: 0,
            lines: words.len() as u32,
            preamble_end,
            epilogue_start,
            chapters: vec![
                Chapter {
                    line: 3,
                    title: "One".to_owned(),
                },
                Chapter {
                    line: 4,
                    title: "Two".to_owned(),
                },
            ],
            contents: vec![(1, 1), (3, 4)],
            references: Vec::new(),
            line_word_counts: counts,
        }
    }

    #[test]
    fn a_position_is_a_line_of_its_part() {
        let book = stored(&[2, 0, 3, 300, 70_000, 1], 2, 6);
        let table = [
            (BookPart::Preamble, 0, Some(1)),
            (BookPart::Preamble, 1, Some(1)),
            (BookPart::Preamble, 2, None),
            (BookPart::Body, 0, Some(3)),
            (BookPart::Body, 2, Some(3)),
            (BookPart::Body, 3, Some(4)),
            (BookPart::Body, 303, Some(5)),
            (BookPart::Body, 70_302, Some(5)),
            (BookPart::Body, 70_303, None),
            (BookPart::Epilogue, 0, Some(6)),
            (BookPart::Epilogue, 1, None),
        ];
        for (part, position, expected) in table {
            assert_eq!(book.line_of(part, position), expected, "{part} {position}");
        }
        let book = stored(&[1, 1], 0, 3);
        assert_eq!(book.line_of(BookPart::Preamble, 0), None);
        assert_eq!(book.line_of(BookPart::Body, 1), Some(2));
        assert_eq!(book.line_of(BookPart::Epilogue, 0), None);
    }

    #[test]
    fn a_broken_table_has_no_lines() {
        let mut book = stored(&[1, 1], 0, 3);
        book.line_word_counts = vec![0xFF; 9];
        assert_eq!(book.line_of(BookPart::Body, 0), None);
        book.line_word_counts.clear();
        assert_eq!(book.line_of(BookPart::Body, 0), None);
    }

    #[test]
    fn tables_of_contents_are_known_by_the_positions_of_their_words() {
        let book = stored(&[2, 1, 3, 4, 5, 1], 1, 6);
        let listed = |part| -> Vec<(u32, u32)> {
            let ranges = book.contents_positions(part).into_iter();
            ranges.map(|range| (range.start, range.end)).collect()
        };
        assert_eq!(listed(BookPart::Preamble), [(0, 2)]);
        assert_eq!(listed(BookPart::Body), [(1, 8)]);
        assert_eq!(listed(BookPart::Epilogue), []);
    }

    #[test]
    fn the_chapter_is_the_heading_above() {
        let book = stored(&[1; 6], 0, 7);
        let chapter = |line| book.chapter_of(line).map(|chapter| chapter.title.as_str());
        assert_eq!(
            [chapter(2), chapter(3), chapter(6)],
            [None, Some("One"), Some("Two")]
        );
    }
}
