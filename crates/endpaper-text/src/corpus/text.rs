//! The lines of one book in memory.
//!
//! A line ends at LF; CRs directly before it belong to its ending (CRLF, CR CR LF). A lone CR ends a line only in a
//! file without LF. UTF-16 is scanned by code units. Offsets always refer to the source bytes.

use std::borrow::Cow;
use std::ops::Range;

use super::decode::{line_starts, strip_ending};
use super::{Encoding, EncodingChoice, Newline, ShiftState, ShiftedLines};

/// The bytes of one book and the offsets of its lines. Lines are numbered from 1; methods return an empty result for
/// a line that does not exist.
#[derive(Clone, Debug)]
pub struct BookText {
    bytes: Vec<u8>,
    encoding: Encoding,
    newline: Newline,
    /// Byte offset of the start of every line, and the end of the last.
    starts: Vec<u32>,
    shifted: ShiftedLines,
    /// What extracted it from another format.
    extractor: Option<Box<str>>,
}

impl BookText {
    /// Finds encoding and lines. [`super::Book::read`] never returns a text that is too large.
    ///
    /// # Panics
    ///
    /// If the text has 4 GiB or more: line offsets are 32 bits wide.
    pub fn new(bytes: Vec<u8>) -> BookText {
        BookText::in_encoding(bytes, EncodingChoice::Guessed)
    }

    /// The same, with an encoding that is found in another way.
    ///
    /// # Panics
    ///
    /// If the text has 4 GiB or more.
    pub fn in_encoding(bytes: Vec<u8>, choice: EncodingChoice) -> BookText {
        assert!(
            fits(bytes.len()),
            "a text of 4 GiB and more has no lines that can be numbered"
        );
        let encoding = choice.of(&bytes);
        let starts = line_starts(&bytes, encoding);
        BookText {
            shifted: ShiftedLines::of(&bytes, encoding),
            newline: Newline::of(&bytes, encoding, &starts),
            bytes,
            encoding,
            starts,
            extractor: None,
        }
    }

    /// Sets what extracted the text from another format.
    pub fn extracted_by(mut self, extractor: Option<String>) -> BookText {
        self.extractor = extractor.map(String::into_boxed_str);
        self
    }

    /// What extracted the text from another format, with its version; `None` for text files.
    pub fn extractor(&self) -> Option<&str> {
        self.extractor.as_deref()
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The encoding used for display.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// How lines end.
    pub fn newline(&self) -> Newline {
        self.newline
    }

    /// Number of lines. A newline at the end of the file does not begin another line.
    pub fn lines(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// Byte range of lines `first..=last` with their endings: what the command `strip` writes and offsets refer to.
    pub fn span(&self, first: u32, last: u32) -> Range<usize> {
        let count = self.starts.len() - 1;
        let from = (first.max(1) as usize - 1).min(count);
        let to = (last as usize).clamp(from, count);
        self.starts[from] as usize..self.starts[to] as usize
    }

    /// Source bytes of one line without its ending.
    pub fn raw(&self, line: u32) -> &[u8] {
        let with_ending = &self.bytes[self.span(line, line)];
        strip_ending(with_ending, self.encoding)
    }

    /// The bytes of one line to normalise, without its ending: UTF-16 is converted to UTF-8 and a byte order mark is
    /// left out; otherwise they are the source bytes.
    pub fn normaliser_input(&self, line: u32) -> Cow<'_, [u8]> {
        let raw = self.without_mark(line);
        self.encoding.normaliser_input(raw, self.shift(line))
    }

    /// One line without its ending, decoded for display with the file's encoding, at most about `limit` bytes of it. A
    /// byte order mark at the start of the file is left out. Not sanitised.
    pub fn display(&self, line: u32, limit: usize) -> Cow<'_, str> {
        let raw = self.without_mark(line);
        self.encoding.display_from(raw, limit, self.shift(line))
    }

    /// The first `bytes` bytes of a line without its ending, decoded for display. A byte order mark counts among them and
    /// is left out. Not sanitised.
    pub fn display_to(&self, line: u32, bytes: usize) -> Cow<'_, str> {
        let text = self.without_mark(line);
        let mark = self.raw(line).len() - text.len();
        let end = bytes.saturating_sub(mark).min(text.len());
        let shift = self.shift(line);
        self.encoding.display_from(&text[..end], usize::MAX, shift)
    }

    /// The nearest line at or after `line` that is not blank.
    pub fn non_blank_from(&self, line: u32) -> Option<u32> {
        (line.max(1)..=self.lines()).find(|line| !self.is_blank(*line))
    }

    /// The nearest line at or before `line` that is not blank.
    pub fn non_blank_to(&self, line: u32) -> Option<u32> {
        (1..=line.min(self.lines()))
            .rev()
            .find(|line| !self.is_blank(*line))
    }

    /// Whether the line holds only white space.
    pub fn is_blank(&self, line: u32) -> bool {
        let raw = self.without_mark(line);
        if raw.is_ascii() && self.encoding.is_utf8_or_latin() {
            return raw
                .iter()
                .all(|byte| byte.is_ascii_whitespace() || *byte == 0x0B);
        }
        self.display(line, usize::MAX).trim().is_empty()
    }

    /// The line that contains a byte offset; the last line for offsets beyond the end.
    pub fn line_at(&self, offset: usize) -> u32 {
        let next = self
            .starts
            .partition_point(|&start| start as usize <= offset);
        (next as u32).clamp(1, self.lines().max(1))
    }

    /// The line that contains a byte offset not before line `first`; fast if it is near.
    pub fn line_from(&self, first: u32, offset: usize) -> u32 {
        let near = self.starts.get(first as usize..).unwrap_or_default();
        // Galloping search: the step doubles until it passes the offset.
        let mut step = 1;
        while near
            .get(step - 1)
            .is_some_and(|&start| start as usize <= offset)
        {
            step *= 2;
        }
        let (low, high) = (step / 2, near.len().min(step));
        let next = near[low..high].partition_point(|&start| start as usize <= offset);
        (first + (low + next) as u32).clamp(1, self.lines().max(1))
    }

    /// The state that a line begins in.
    fn shift(&self, line: u32) -> ShiftState {
        self.shifted.at(self.span(line, line).start)
    }

    /// The line without its ending and, in the first line, without a byte order mark.
    fn without_mark(&self, line: u32) -> &[u8] {
        let raw = self.raw(line);
        if line == 1 {
            raw.strip_prefix(self.encoding.byte_order_mark())
                .unwrap_or(raw)
        } else {
            raw
        }
    }
}

/// Whether all offsets of a text of `size` bytes fit 32 bits.
fn fits(size: usize) -> bool {
    u32::try_from(size).is_ok()
}

/// Number of line ends in a text, by bytes; in UTF-16 it may count too many.
pub(super) fn count_line_ends(bytes: &[u8]) -> usize {
    match memchr::memchr_iter(b'\n', bytes).count() {
        0 => memchr::memchr_iter(b'\r', bytes).count(),
        count => count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_the_design_says() {
        let table: &[(&[u8], &[&str], Newline)] = &[
            (b"", &[], Newline::None),
            (b"a", &["a"], Newline::None),
            (b"a\n", &["a"], Newline::Lf),
            (b"a\n\nb", &["a", "", "b"], Newline::Lf),
            (b"a\r\nb\r\n", &["a", "b"], Newline::CrLf),
            (b"a\r\r\nb\r\r\n", &["a", "b"], Newline::CrCrLf),
            (b"a\rb\r", &["a", "b"], Newline::Cr),
            (b"a\rb\nc\n", &["a\rb", "c"], Newline::Lf),
            (b"a\r\nb\n", &["a", "b"], Newline::Mixed),
            (b"\xEF\xBB\xBFa\nb\n", &["a", "b"], Newline::Lf),
            (b"\xFF\xFEa\0\r\0\n\0b\0", &["a", "b"], Newline::CrLf),
            (b"\xFE\xFF\0a\0\n\0b", &["a", "b"], Newline::Lf),
            (b"caf\xE9\nb", &["caf\u{e9}", "b"], Newline::Lf),
            (b"a\x0Cb\n", &["a\u{c}b"], Newline::Lf),
        ];
        for (bytes, lines, newline) in table {
            let text = BookText::new(bytes.to_vec());
            let found: Vec<_> = (1..=text.lines())
                .map(|line| text.display(line, 1000).into_owned())
                .collect();
            assert_eq!(found, *lines, "{}", bytes.escape_ascii());
            assert_eq!(text.newline(), *newline, "{}", bytes.escape_ascii());
            let all: Vec<u8> = (1..=text.lines())
                .flat_map(|l| text.bytes()[text.span(l, l)].to_vec())
                .collect();
            assert_eq!(all, *bytes, "spans cover the file");
        }
    }

    #[test]
    fn a_text_whose_offsets_need_more_than_32_bits_is_no_text() {
        assert!(fits(u32::MAX as usize));
        assert!(!fits(u32::MAX as usize + 1));
    }

    #[test]
    fn lines_that_do_not_exist_are_empty() {
        let text = BookText::new(b"a\nb\n".to_vec());
        assert!(text.raw(3).is_empty() && text.raw(0).is_empty());
        assert_eq!(text.span(2, 9), 2..4);
        assert_eq!(
            (text.line_at(0), text.line_at(2), text.line_at(99)),
            (1, 2, 2)
        );
    }

    #[test]
    fn the_line_of_an_offset_is_the_same_from_any_line_before_it() {
        let text = BookText::new(b"\na\n\n\nbc\nd\n\n\n\n\n\ne\nlast".to_vec());
        for offset in 0..text.bytes().len() + 2 {
            let line = text.line_at(offset);
            for first in 1..=line {
                assert_eq!(text.line_from(first, offset), line, "{offset} from {first}");
            }
        }
    }

    #[test]
    fn a_very_long_line_is_decoded_only_as_far_as_it_is_shown() {
        let text = BookText::new(vec![b'x'; 10 << 20]);
        assert_eq!(text.display(1, 200).len(), 200);
    }
}
