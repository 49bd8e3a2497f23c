//! The windows of a book: its first and last lines up to a number of non-trivial ones (Kaser & Lemire, section 3.1).
//!
//! Only lines of the windows are looked at, from the top down and from the bottom up, each once. Nothing is allocated
//! for a line.

use std::ops::Range;

use super::lines::countable;
use super::splitter::Splitter;
use crate::corpus::{Encoding, strip_ending};
use crate::line::{Normalised, Normaliser};

/// How much of a book is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Non-trivial lines of the head window.
    pub head: u32,
    /// Non-trivial lines of the tail window.
    pub tail: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            head: 300,
            tail: 300,
        }
    }
}

/// A non-blank line of a window.
pub(super) struct Found<'a> {
    /// Its number, from 1 at the end where the window begins.
    pub number: u32,
    /// Where it stands, without its ending.
    pub span: Range<usize>,
    /// What it says.
    pub normalised: Normalised<'a>,
}

/// How far a window reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// Offset where it ends (head) or begins (tail).
    pub at: usize,
    /// Its lines, blank ones included.
    pub lines: u32,
    /// Its non-trivial lines.
    pub full: u32,
}

/// Walks the windows of a book or of its two ends.
pub(super) struct Walker<'a> {
    pub encoding: Encoding,
    pub splitter: Splitter,
    pub normaliser: &'a mut Normaliser,
}

impl Walker<'_> {
    /// Lines from the top until so many non-trivial ones were seen. Blank lines are not shown.
    pub fn head(&mut self, bytes: &[u8], wanted: u32, mut each: impl FnMut(Found<'_>)) -> Reach {
        let mark = byte_order_mark(bytes, self.encoding);
        let mut reach = Reach {
            at: 0,
            lines: 0,
            full: 0,
        };
        while reach.full < wanted && reach.at < bytes.len() {
            let line = self.splitter.line_from(bytes, reach.at);
            reach.at = line.end;
            reach.lines += 1;
            let start = line.start.max(mark.min(line.end));
            reach.full += u32::from(self.look(bytes, start..line.end, reach.lines, &mut each));
        }
        reach
    }

    /// Lines from the bottom up until so many non-trivial ones were seen or `floor`, the start of a line, is reached.
    pub fn tail(
        &mut self,
        bytes: &[u8],
        floor: usize,
        wanted: u32,
        mut each: impl FnMut(Found<'_>),
    ) -> Reach {
        let mark = byte_order_mark(bytes, self.encoding);
        let mut reach = Reach {
            at: bytes.len(),
            lines: 0,
            full: 0,
        };
        while reach.full < wanted && reach.at > floor {
            let line = self.splitter.line_to(bytes, floor, reach.at);
            reach.at = line.start;
            reach.lines += 1;
            // With no head window the tail can go up to the first line.
            let start = line.start.max(mark.min(line.end));
            reach.full += u32::from(self.look(bytes, start..line.end, reach.lines, &mut each));
        }
        reach
    }

    /// Shows a line, if it is not blank; `true` if it is not trivial.
    fn look(
        &mut self,
        bytes: &[u8],
        line: Range<usize>,
        number: u32,
        each: &mut impl FnMut(Found<'_>),
    ) -> bool {
        let raw = strip_ending(&bytes[line.clone()], self.encoding);
        let countable = countable(raw, self.encoding);
        let normalised = self.normaliser.line(&countable);
        if normalised.is_blank() {
            return false;
        }
        let full = !normalised.trivial;
        each(Found {
            number,
            span: line.start..line.start + raw.len(),
            normalised,
        });
        full
    }
}

/// Length of the byte order mark that a book begins with.
fn byte_order_mark(bytes: &[u8], encoding: Encoding) -> usize {
    let mark: &[u8] = encoding.mark();
    if bytes.starts_with(mark) {
        mark.len()
    } else {
        0
    }
}
