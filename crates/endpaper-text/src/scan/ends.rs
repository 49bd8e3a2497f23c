//! Walking the lines of the windows without a full scan: all that building a model needs of a book.
//!
//! A plain book need not be read whole for this: its first and last [`SCAN_END_BYTES`] bytes nearly always contain both
//! windows.

use super::line_terminator::LineTerminator;
use super::window::{LineWalker, WindowExtent, WindowLine, WindowOptions, lines_from_head};
use crate::corpus::{Encoding, ShiftedLines};

/// How many bytes of each end to read before reading a whole book. 300 lines of prose have about 20 KB.
pub const SCAN_END_BYTES: usize = 48 << 10;

/// The bytes of a book that were read.
#[derive(Clone, Copy, Debug)]
pub enum BookBytes<'a> {
    /// All of it.
    Whole(&'a [u8]),
    /// Its first and its last bytes, which must not overlap.
    Ends(&'a [u8], &'a [u8]),
}

/// Calls `look` for every line of the windows once: those of the head from the top down, then those of the tail from the
/// bottom up. Returns how many of the last non-trivial lines of the head window are also in the tail window; `None` if
/// the bytes do not suffice to know the result for the whole book.
pub(super) fn walk_windows(
    bytes: BookBytes<'_>,
    options: WindowOptions,
    mut look: impl FnMut(WindowLine<'_>) -> bool,
) -> Option<u32> {
    match bytes {
        BookBytes::Whole(bytes) => {
            let encoding = options.encoding.of_parts(bytes, bytes);
            let shifted = ShiftedLines::of(bytes, encoding);
            let walker = walker(bytes, encoding, &shifted);
            let top = walker.head(bytes, options.head, &mut look);
            let bottom = walker.tail(bytes, top.offset, options.tail, &mut look);
            Some(
                top.non_trivial
                    .min(lines_from_head(top, bottom, options.tail)),
            )
        }
        BookBytes::Ends(first, last) => {
            // UTF-16 is recognised from the first bytes; in any other encoding, an LF in them decides that lines end at LF.
            let encoding = options.encoding.of_parts(first, last);
            let shifted = ShiftedLines::default();
            let walker = walker(first, encoding, &shifted);
            if encoding.is_stateful() || walker.terminator != LineTerminator::Byte(b'\n') {
                return None;
            }
            let top = walker.head(first, options.head, &mut look);
            // The last line of the part may be incomplete.
            if_filled(top, options.head).filter(|top| top.offset < first.len())?;
            let start = walker.terminator.next_line(last, 0).end;
            let bottom = walker.tail(last, start, options.tail, &mut look);
            if_filled(bottom, options.tail).map(|_| 0)
        }
    }
}

/// A walker of the lines of a file that begins with these bytes.
fn walker<'a>(first: &[u8], encoding: Encoding, shifted: &'a ShiftedLines) -> LineWalker<'a> {
    LineWalker {
        encoding,
        terminator: LineTerminator::of(first, encoding),
        shifted,
    }
}

/// The window, if it has as many non-trivial lines as wanted; else it may continue in bytes that were not read.
fn if_filled(window: WindowExtent, wanted: u32) -> Option<WindowExtent> {
    (window.non_trivial == wanted).then_some(window)
}
