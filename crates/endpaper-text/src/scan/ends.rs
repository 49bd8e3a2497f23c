//! The lines that count, without a Scan: all that building a model needs of a book.
//!
//! For that a plain book need not be read whole: its first and last [`SCAN_END_BYTES`] bytes nearly always hold both windows.

use super::line_terminator::LineTerminator;
use super::window::{LineWalker, WindowExtent, WindowLine, WindowOptions, lines_from_head};
use crate::corpus::{Encoding, UTF16_SAMPLE};

/// How many bytes of each end of a book are worth reading before reading it whole. 300 lines of print are about 20 KB.
pub const SCAN_END_BYTES: usize = 48 << 10;

/// What is available of a book.
#[derive(Clone, Copy, Debug)]
pub enum BookBytes<'a> {
    /// All of it.
    Whole(&'a [u8]),
    /// Its first and its last bytes, which do not overlap.
    Ends(&'a [u8], &'a [u8]),
}

/// Visits every line of the windows once: those of the head from the top down, then those of the tail from the bottom up.
/// Returns how many of the last non-trivial lines of the head window are in the tail window too; `None` if the given bytes
/// are too few to know that of the whole book.
pub(super) fn walk_windows(
    bytes: BookBytes<'_>,
    options: WindowOptions,
    mut look: impl FnMut(WindowLine<'_>) -> bool,
) -> Option<u32> {
    match bytes {
        BookBytes::Whole(bytes) => {
            let walker = walker(bytes);
            let top = walker.head(bytes, options.head, &mut look);
            let bottom = walker.tail(bytes, top.offset, options.tail, &mut look);
            Some(
                top.non_trivial
                    .min(lines_from_head(top, bottom, options.tail)),
            )
        }
        BookBytes::Ends(first, last) => {
            // A book in UTF-16 shows it at the beginning; in any other an LF decides what ends a line.
            let walker = walker(first);
            if walker.terminator != LineTerminator::Byte(b'\n') {
                return None;
            }
            let top = walker.head(first, options.head, &mut look);
            // The last line of the part may continue.
            if_filled(top, options.head).filter(|top| top.offset < first.len())?;
            let start = walker.terminator.next_line(last, 0).end;
            let bottom = walker.tail(last, start, options.tail, &mut look);
            if_filled(bottom, options.tail).map(|_| 0)
        }
    }
}

fn walker(bytes: &[u8]) -> LineWalker {
    // For finding lines, only UTF-16 differs from the others, and it shows at once.
    let encoding = Encoding::guess(&bytes[..bytes.len().min(UTF16_SAMPLE)]);
    LineWalker {
        encoding,
        terminator: LineTerminator::of(bytes, encoding),
    }
}

fn if_filled(window: WindowExtent, wanted: u32) -> Option<WindowExtent> {
    (window.non_trivial == wanted).then_some(window)
}
