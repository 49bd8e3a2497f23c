//! The text of a book as annotation tools get it.

use endpaper_text::corpus::BookText;

/// The decoded lines of a book, each with LF at its end: offsets are the same in every tool, whatever it does with CR LF. What
/// XML cannot hold is replaced character for character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolText {
    text: String,
    /// Where every line starts in bytes and in code points, and the end of the last.
    starts: Vec<(usize, usize)>,
    replaced: usize,
}

impl ToolText {
    /// The text of a book.
    pub fn of(book: &BookText) -> ToolText {
        let mut text = String::with_capacity(book.bytes().len() + book.bytes().len() / 16);
        let mut starts = vec![(0, 0)];
        let (mut replaced, mut characters) = (0, 0);
        for line in 1..=book.lines() {
            for character in book.display(line, usize::MAX).chars() {
                let kept = replacement(character);
                replaced += usize::from(kept != character);
                characters += 1;
                text.push(kept);
            }
            text.push('\n');
            characters += 1;
            starts.push((text.len(), characters));
        }
        ToolText {
            text,
            starts,
            replaced,
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Number of characters that were replaced.
    pub fn replaced(&self) -> usize {
        self.replaced
    }

    /// Number of code points.
    pub fn characters(&self) -> usize {
        self.starts.last().map_or(0, |end| end.1)
    }

    /// Number of lines.
    pub(super) fn lines(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// A line with its LF. Lines are numbered from 1.
    pub(super) fn line(&self, line: u32) -> &str {
        let at = |line: usize| self.starts.get(line).map_or(self.text.len(), |at| at.0);
        &self.text[at((line.max(1) - 1) as usize)..at(line as usize)]
    }

    /// The offset of a line in code points.
    pub(super) fn start_of(&self, line: u32) -> usize {
        let start = self.starts.get((line.max(1) - 1) as usize);
        start.map_or(self.characters(), |at| at.1)
    }

    /// The offset of a line in bytes of the UTF-8 text.
    pub(super) fn byte_of(&self, line: u32) -> usize {
        let start = self.starts.get((line.max(1) - 1) as usize);
        start.map_or(self.text.len(), |at| at.0)
    }

    /// The line with the code point at an offset.
    pub(super) fn line_at(&self, offset: usize) -> u32 {
        let next = self.starts.partition_point(|at| at.1 <= offset);
        (next as u32).min(self.lines())
    }

    /// Offsets of the text between the white space at the ends of lines `first..=last`; `None` if there is only white space.
    pub(super) fn trimmed(&self, first: u32, last: u32) -> Option<(usize, usize)> {
        let has_text = |line: &u32| !self.line(*line).trim().is_empty();
        let first = (first..=last).find(has_text)?;
        let last = (first..=last).rev().find(has_text)?;
        let (top, bottom) = (self.line(first), self.line(last));
        let margin = top.chars().take_while(|c| c.is_whitespace()).count();
        let end = self.start_of(last) + bottom.trim_end().chars().count();
        Some((self.start_of(first) + margin, end))
    }

    /// The text between two offsets in code points.
    pub(super) fn slice(&self, start: usize, end: usize) -> &str {
        let byte = |offset: usize| {
            let line = self.line_at(offset).max(1);
            let within = self.line(line).char_indices();
            let mut within = within.skip(offset.saturating_sub(self.start_of(line)));
            let at = within.next().map_or(self.line(line).len(), |(at, _)| at);
            self.byte_of(line) + at
        };
        let (start, end) = (byte(start), byte(end));
        self.text.get(start..end).unwrap_or_default()
    }
}

/// The character, or the one in its place: tools end lines at CR, parsers of XML refuse other controls, and databases NUL.
fn replacement(character: char) -> char {
    match character {
        '\t' => '\t',
        '\n' | '\r' | '\u{b}' | '\u{c}' => ' ',
        '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        other => other,
    }
}
