//! Lookup of window lines in the bytes of a book while it is scanned.

use std::borrow::Cow;
use std::ops::Range;

use crate::corpus::Encoding;

/// Looks up the lines of the windows by number.
pub(super) struct WindowLines<'a> {
    bytes: &'a [u8],
    encoding: Encoding,
    /// Line number and span (without its ending), in line order.
    spans: Vec<(u32, Range<u32>)>,
}

impl<'a> WindowLines<'a> {
    /// The lines at these byte ranges, given with their numbers.
    pub fn new(
        bytes: &'a [u8],
        encoding: Encoding,
        spans: Vec<(u32, Range<u32>)>,
    ) -> WindowLines<'a> {
        WindowLines {
            bytes,
            encoding,
            spans,
        }
    }

    /// The bytes of a line to normalise, without its ending; empty for a line outside the windows.
    pub fn normaliser_input(&self, line: u32) -> Cow<'a, [u8]> {
        self.encoding.normaliser_input(self.raw(line))
    }

    /// A line without its ending, decoded for display, at most about `limit` bytes of it.
    pub fn display(&self, line: u32, limit: usize) -> Cow<'a, str> {
        self.encoding.display(self.raw(line), limit)
    }

    /// The bytes of a line without its ending.
    pub fn raw(&self, line: u32) -> &'a [u8] {
        let at = self.spans.binary_search_by_key(&line, |span| span.0);
        at.map_or(&[], |at| {
            let span = &self.spans[at].1;
            &self.bytes[span.start as usize..span.end as usize]
        })
    }
}
