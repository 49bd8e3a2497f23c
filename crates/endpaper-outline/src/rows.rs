//! The lines of a book, scanned once: blocks, indentation, and lines that may be headings.
//!
//! Nothing is decoded and only a few bytes per line are kept, so that a book of any size is read as fast as its bytes can be
//! scanned. The text of a line is decoded on request.

use std::borrow::Cow;

use super::extent::{PageCounter, PageExtent};
use super::row::{MAX_HEADING_BYTES, OutlineRow};
use super::running_heads;
use endpaper_text::corpus::BookText;
use endpaper_text::scan::{MarkerSet, Scan, ScanRow as Scanned};

/// Begins a page.
const FORM_FEED: u8 = 0x0C;

/// The non-blank lines of the book itself, without the library's header and licence.
pub(super) struct BodyRows<'a> {
    text: &'a BookText,
    all: Vec<OutlineRow>,
    /// The last line of the header; 0 without one.
    header: u32,
    /// The first line after the book.
    behind: u32,
    extent: PageExtent,
}

impl<'a> BodyRows<'a> {
    /// Reads all lines between the markers in `scan`.
    pub fn new(text: &'a BookText, scan: &Scan) -> BodyRows<'a> {
        let (header_end, book_end) = book_edges(scan, text.lines());
        let mut modern = scan
            .rows
            .iter()
            .filter(|row| row.line > header_end && (row.mentions_etext() || is_credit(text, row)))
            .map(|row| row.line)
            .peekable();
        let mut all = Vec::with_capacity(text.bytes().len() / 64);
        let mut blank_before: u8 = 1;
        let mut measure = PageCounter::default();
        for line in header_end + 1..book_end {
            let raw = text.normaliser_input(line);
            let fed = raw.first() == Some(&FORM_FEED);
            match read_row(&raw) {
                None => {
                    measure.line(line, 0, fed);
                    blank_before = blank_before.saturating_add(1);
                }
                Some((row, size)) => {
                    measure.line(line, size, fed);
                    while modern.next_if(|&at| at < line).is_some() {}
                    all.push(OutlineRow {
                        line,
                        before: blank_before,
                        mentions_etext: modern.peek() == Some(&line),
                        ..row
                    });
                    blank_before = 0;
                }
            }
        }
        let extent = measure.finish((book_end - header_end) as usize);
        running_heads::remove_running_heads(&mut all, &extent, |row| {
            text.display(row.line, MAX_HEADING_BYTES).into_owned()
        });
        BodyRows {
            text,
            all,
            header: header_end,
            behind: book_end,
            extent,
        }
    }

    /// The pages of the book.
    pub fn extent(&self) -> &PageExtent {
        &self.extent
    }

    /// Whether the text is that of printed pages, with their line breaks.
    pub fn is_printed(&self) -> bool {
        !self.extent.is_estimated()
    }

    /// The first row of the page after that of the row `at`; `None` on the last page.
    pub fn next_page(&self, at: usize) -> Option<usize> {
        let page = self.extent.page(self.all.get(at)?.line);
        let next = self.count_in_pages(page);
        (next < self.all.len()).then_some(next)
    }

    /// Number of rows in the first `pages` pages.
    pub fn count_in_pages(&self, pages: u32) -> usize {
        self.all
            .partition_point(|row| self.extent.page(row.line) <= pages)
    }

    /// All rows.
    pub fn all(&self) -> &[OutlineRow] {
        &self.all
    }

    /// The text that the rows were read from.
    pub fn source(&self) -> &'a BookText {
        self.text
    }

    /// The last line of the library's header; 0 without one.
    pub fn header_end(&self) -> u32 {
        self.header
    }

    /// The first line that the library added after the book; one past the last line if there is none.
    pub fn book_end(&self) -> u32 {
        self.behind
    }

    /// The trimmed text of a row, cut if it is long.
    pub fn words(&self, at: usize) -> Cow<'a, str> {
        let line = self.all.get(at).map_or(0, |row| row.line);
        trimmed(self.text.display(line, 2 * MAX_HEADING_BYTES))
    }

    /// Number of rows of the block that begins at `at`, at most `limit`.
    pub fn block_length(&self, at: usize, limit: usize) -> usize {
        let rest = self.all.get(at + 1..).unwrap_or_default();
        let rest = rest.iter().take(limit.saturating_sub(1));
        1 + rest.take_while(|row| !row.is_first()).count()
    }

    /// Number of blank lines after a row.
    pub fn blank_after(&self, at: usize) -> u8 {
        self.all.get(at + 1).map_or(u8::MAX, |next| next.before)
    }
}

/// Trims white space at both ends.
pub(super) fn trimmed(line: Cow<'_, str>) -> Cow<'_, str> {
    match line {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// Whether a line credits the producers of the file. Editors and translators are also credited in print.
fn is_credit(text: &BookText, row: &Scanned) -> bool {
    const OPENINGS: &[&str] = &[
        "produced",
        "prepared",
        "scanned",
        "proof",
        "transcribed",
        "typed",
        "digiti",
        "keyed",
        "converted",
        "html",
        "credits",
        "produzido",
        "produit",
        "hergestellt",
        "produziert",
        "tuotettu",
    ];
    let line = text.display(row.line, MAX_HEADING_BYTES).to_lowercase();
    let opening = line.trim_start_matches(|c: char| !c.is_alphabetic());
    row.marks.has(MarkerSet::CREDITS) && OPENINGS.iter().any(|word| opening.starts_with(word))
}

/// The last line of the header and the first line after the book, from the markers.
fn book_edges(scan: &Scan, lines: u32) -> (u32, u32) {
    let has = |row: &Scanned, marks| row.marks.has_any(marks);
    let closes = MarkerSet::START | MarkerSet::SMALL_PRINT_END;
    // Old files begin or end with the small print: after an End marker it does not begin the book.
    let ends: Vec<u32> = scan
        .rows
        .iter()
        .filter(|row| has(row, MarkerSet::END))
        .map(|row| row.line)
        .collect();
    let last_end = ends.last().copied().unwrap_or(u32::MAX);
    let header = scan
        .head_rows()
        .iter()
        .filter(|row| has(row, closes) && row.line < last_end)
        .map(|row| row.line)
        .next_back()
        .unwrap_or(0);
    let behind = ends.into_iter().find(|&line| line > header);
    (header, behind.unwrap_or(lines.saturating_add(1)))
}

/// The features of a line and the length of its text in bytes; `None` if blank. The caller fills in line number and neighbours.
fn read_row(raw: &[u8]) -> Option<(OutlineRow, usize)> {
    let (mut indent, mut start) = (0u8, 0);
    for &byte in raw {
        indent = match byte {
            b' ' => indent.saturating_add(1),
            b'\t' => indent.saturating_add(8),
            b'\r' | 0x0B | 0x0C => indent,
            _ => break,
        };
        start += 1;
    }
    let end = raw.iter().rposition(|byte| !byte.is_ascii_whitespace())? + 1;
    let text = raw.get(start..end)?;
    let seen = &text[..text.len().min(MAX_HEADING_BYTES)];
    let lower = seen.iter().any(u8::is_ascii_lowercase);
    let upper = seen.iter().any(u8::is_ascii_uppercase);
    let first = text.first().copied().unwrap_or(b' ');
    let row = OutlineRow {
        line: 0,
        before: 0,
        indent,
        size: u8::try_from(text.len()).unwrap_or(u8::MAX),
        upper: upper && !lower,
        may_open_heading: !first.is_ascii_lowercase()
            && !matches!(first, b',' | b';' | b')' | b'.'),
        mentions_etext: false,
    };
    Some((row, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::scan::{WindowOptions, scan};

    fn rows(source: &str) -> Vec<(u32, u8, u8, bool)> {
        let text = BookText::new(source.as_bytes().to_vec());
        let scan = scan(text.bytes(), WindowOptions::default());
        let rows = BodyRows::new(&text, &scan);
        let all = rows.all().iter();
        all.map(|row| (row.line, row.before, row.indent, row.upper))
            .collect()
    }

    #[test]
    fn header_and_licence_are_left_out() {
        let found = rows(
            "Title: X\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\n\n  CHAPTER I\n\nIt was.\n\n\
             End of the Project Gutenberg EBook of X\n\nmore\n",
        );
        assert_eq!(found, [(5, 3, 2, true), (7, 1, 0, false)]);
    }

    #[test]
    fn small_print_at_the_end_opens_no_book() {
        let found = rows(
            "A Tale\n\nEnd of the Project Gutenberg Etext of A Tale\n\n\
             *END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n",
        );
        assert_eq!(found, [(1, 1, 0, false)]);
    }

    #[test]
    fn a_text_without_markers_is_a_book_whole() {
        assert_eq!(
            rows("\n\tONE 1\n\nTWO\n"),
            [(2, 2, 8, true), (4, 1, 0, true)]
        );
        assert_eq!(rows(" \n \t\n"), []);
    }
}
