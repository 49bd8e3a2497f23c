//! Lookup of window lines in the bytes of a book while it is scanned.

use std::borrow::Cow;
use std::ops::Range;

use crate::corpus::{Encoding, ShiftedLines};

/// Looks up the lines of the windows by number.
pub(super) struct WindowLines<'a> {
    bytes: &'a [u8],
    encoding: Encoding,
    shifted: &'a ShiftedLines,
    /// Line number and span (without its ending), in line order.
    spans: Vec<(u32, Range<u32>)>,
}

impl<'a> WindowLines<'a> {
    /// The lines at these byte ranges, given with their numbers.
    pub fn new(
        bytes: &'a [u8],
        encoding: Encoding,
        shifted: &'a ShiftedLines,
        spans: Vec<(u32, Range<u32>)>,
    ) -> WindowLines<'a> {
        WindowLines {
            bytes,
            encoding,
            shifted,
            spans,
        }
    }

    /// The bytes of a line to normalise, without its ending; empty for a line outside the windows.
    pub fn normaliser_input(&self, line: u32) -> Cow<'a, [u8]> {
        let span = self.span(line);
        let shift = self.shifted.at(span.start);
        self.encoding.normaliser_input(&self.bytes[span], shift)
    }

    /// A line without its ending, decoded for display, at most about `limit` bytes of it.
    pub fn display(&self, line: u32, limit: usize) -> Cow<'a, str> {
        let span = self.span(line);
        let shift = self.shifted.at(span.start);
        self.encoding.display_from(&self.bytes[span], limit, shift)
    }

    /// The bytes of a line without its ending.
    pub fn raw(&self, line: u32) -> &'a [u8] {
        &self.bytes[self.span(line)]
    }

    fn span(&self, line: u32) -> Range<usize> {
        let at = self.spans.binary_search_by_key(&line, |span| span.0);
        at.map_or(0..0, |at| {
            let span = &self.spans[at].1;
            span.start as usize..span.end as usize
        })
    }
}
