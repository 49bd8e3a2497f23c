//! The windows of a book: its first and last lines up to a number of non-trivial ones (Kaser & Lemire, section 3.1).
//!
//! Only lines of the windows are examined, each once: from the top down and from the bottom up. No line allocates, except
//! in UTF-16.

use std::ops::Range;

use serde::Serialize;

use super::line_terminator::LineTerminator;
use crate::corpus::{BookText, Encoding, EncodingChoice, ShiftedLines, strip_ending};

/// Sizes of the windows, and what is extracted from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WindowOptions {
    /// Number of non-trivial lines in the head window.
    pub head: u32,
    /// Number of non-trivial lines in the tail window.
    pub tail: u32,
    /// Whether [`super::LineFeatures`] are extracted for the rows near both ends; the gap detector does not need them.
    pub line_features: bool,
    /// How the encoding is found.
    pub encoding: EncodingChoice,
}

impl Default for WindowOptions {
    fn default() -> Self {
        WindowOptions {
            head: 300,
            tail: 300,
            line_features: true,
            encoding: EncodingChoice::Guessed,
        }
    }
}

impl WindowOptions {
    /// The default windows of a text whose encoding is known.
    pub fn of(text: &BookText) -> WindowOptions {
        WindowOptions {
            encoding: EncodingChoice::Forced(text.encoding()),
            ..WindowOptions::default()
        }
    }
}

/// Most lines of one window, non-trivial or not: otherwise trivial lines could make a window of a whole book.
pub(super) const LINES: u32 = 100_000;

/// How much of a line is examined, in bytes.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The window that a line is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Window {
    /// The head window only.
    Head,
    /// The tail window only.
    Tail,
    /// Both: the windows of a short book overlap.
    Both,
}

/// A line of a window.
pub(super) struct WindowLine<'a> {
    /// The window being walked, head or tail.
    pub window: Window,
    /// Its number, counted from 1 at the outer end of the window.
    pub number: u32,
    /// Its byte range, without its ending.
    pub span: Range<usize>,
    /// Its bytes to normalise.
    pub bytes: &'a [u8],
}

/// The extent of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WindowExtent {
    /// Offset where it ends (head) or begins (tail).
    pub offset: usize,
    /// Its lines, blank ones included.
    pub lines: u32,
    /// Its non-trivial lines.
    pub non_trivial: u32,
}

/// How many non-trivial lines a tail window shares with the head window: what it lacks if the two meet, and 0 if it is
/// full before that.
pub(super) fn lines_from_head(top: WindowExtent, bottom: WindowExtent, wanted: u32) -> u32 {
    if bottom.offset > top.offset {
        0
    } else {
        wanted - bottom.non_trivial
    }
}

/// Walks the lines of a book, or of a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineWalker<'a> {
    pub encoding: Encoding,
    pub terminator: LineTerminator,
    pub shifted: &'a ShiftedLines,
}

impl LineWalker<'_> {
    /// Calls `look` for lines from the top until it returned true (non-trivial) for `wanted` of them.
    pub fn head(
        self,
        bytes: &[u8],
        wanted: u32,
        mut look: impl FnMut(WindowLine<'_>) -> bool,
    ) -> WindowExtent {
        let mut reach = WindowExtent {
            offset: 0,
            lines: 0,
            non_trivial: 0,
        };
        while reach.non_trivial < wanted && reach.lines < LINES && reach.offset < bytes.len() {
            let line = self.terminator.next_line(bytes, reach.offset);
            reach.offset = line.end;
            reach.lines += 1;
            reach.non_trivial +=
                u32::from(self.show(bytes, line, Window::Head, reach.lines, &mut look));
        }
        reach
    }

    /// Calls `look` for lines from the bottom up until it returned true for `wanted` of them or `floor`, the start of a
    /// line, is reached.
    pub fn tail(
        self,
        bytes: &[u8],
        floor: usize,
        wanted: u32,
        mut look: impl FnMut(WindowLine<'_>) -> bool,
    ) -> WindowExtent {
        let mut reach = WindowExtent {
            offset: bytes.len(),
            lines: 0,
            non_trivial: 0,
        };
        while reach.non_trivial < wanted && reach.lines < LINES && reach.offset > floor {
            let line = self.terminator.previous_line(bytes, floor, reach.offset);
            reach.offset = line.start;
            reach.lines += 1;
            reach.non_trivial +=
                u32::from(self.show(bytes, line, Window::Tail, reach.lines, &mut look));
        }
        reach
    }

    /// Passes the line at this byte range to `look`, without its ending, and returns what `look` does: whether the line
    /// is not trivial.
    fn show(
        self,
        bytes: &[u8],
        line: Range<usize>,
        window: Window,
        number: u32,
        look: &mut impl FnMut(WindowLine<'_>) -> bool,
    ) -> bool {
        let mut start = line.start;
        let mut raw = strip_ending(&bytes[line], self.encoding);
        // A byte order mark is not part of the line.
        if start == 0
            && let Some(rest) = raw.strip_prefix(self.encoding.byte_order_mark())
        {
            start = raw.len() - rest.len();
            raw = rest;
        }
        let raw = leading_bytes(raw, self.encoding);
        let span = start..start + raw.len();
        if self.encoding.is_utf8_or_latin() {
            return look(WindowLine {
                window,
                number,
                span,
                bytes: raw,
            });
        }
        let shift = self.shifted.at(span.start);
        let bytes = &self.encoding.normaliser_input(raw, shift);
        look(WindowLine {
            window,
            number,
            span,
            bytes,
        })
    }
}

/// The part of a line that is examined. UTF-8 is cut between characters: with a partial one the line would be decoded as
/// windows-1252.
fn leading_bytes(raw: &[u8], encoding: Encoding) -> &[u8] {
    if raw.len() <= MAX_LINE_BYTES {
        return raw;
    }
    let continues = |at: &usize| !encoding.is_utf16() && raw[*at] & 0xC0 == 0x80;
    let back = (MAX_LINE_BYTES - 2..=MAX_LINE_BYTES)
        .rev()
        .take_while(continues)
        .count();
    &raw[..MAX_LINE_BYTES - back]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_very_long_line_the_beginning_counts_up_to_a_whole_character() {
        for (unit, cut) in [
            ("a", MAX_LINE_BYTES),
            ("\u{e9}", MAX_LINE_BYTES),
            ("a\u{20ac}", MAX_LINE_BYTES),
        ] {
            let mut line = "x".repeat(MAX_LINE_BYTES % unit.len() + 1).into_bytes();
            line.extend(unit.repeat(MAX_LINE_BYTES).into_bytes());
            let kept = leading_bytes(&line, Encoding::Utf8);
            assert!(kept.len() <= cut && kept.len() + 4 > cut);
            assert!(std::str::from_utf8(kept).is_ok(), "{unit}");
        }
    }
}
