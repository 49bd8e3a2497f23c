//! The lines that count, without a Scan: all that building a model needs of a book.
//!
//! For that a plain book need not be read whole: its first and last [`PART`] bytes nearly always hold both windows.

use super::splitter::Splitter;
use super::window::{Found, Options, Reach, Walker};
use crate::corpus::Encoding;
use crate::line::{Normalised, Normaliser};

/// How many bytes of each end of a book are worth reading before reading it whole. 300 lines of print are about 20 KB.
pub const PART: usize = 48 << 10;

/// Which window of its book a line stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Window {
    /// The head window only.
    Head,
    /// The tail window only.
    Tail,
    /// Both: the windows of a short book overlap.
    Both,
}

/// Shows every non-trivial line of the windows once: those of the head from the top down, then those of the tail from
/// the bottom up. Gives how many of the last lines of the head window stand in the tail window too.
pub fn count_lines(
    bytes: &[u8],
    options: Options,
    normaliser: &mut Normaliser,
    mut each: impl FnMut(Window, &Normalised<'_>),
) -> u32 {
    let encoding = Encoding::guess(bytes);
    let mut walker = Walker {
        encoding,
        splitter: Splitter::of(bytes, encoding),
        normaliser,
    };
    let top = walker.head(bytes, options.head, full(Window::Head, &mut each));
    let tail = full(Window::Tail, &mut each);
    let bottom = walker.tail(bytes, top.at, options.tail, tail);
    top.full.min(options.tail - bottom.full)
}

/// The same for a book of which only the first and the last bytes are at hand, which do not overlap.
///
/// `None` if that is too little to tell what the whole book would give; some lines may have been shown by then.
pub fn count_ends(
    first: &[u8],
    last: &[u8],
    options: Options,
    normaliser: &mut Normaliser,
    mut each: impl FnMut(Window, &Normalised<'_>),
) -> Option<()> {
    // A book in UTF-16 shows it at the beginning; in any other an LF decides what ends a line.
    let encoding = Encoding::guess(first);
    let splitter = Splitter::of(first, encoding);
    if splitter != Splitter::Byte(b'\n') {
        return None;
    }
    let mut walker = Walker {
        encoding,
        splitter,
        normaliser,
    };
    let top = walker.head(first, options.head, full(Window::Head, &mut each));
    // The last line of the part may go on.
    reached(top, options.head).filter(|top| top.at < first.len())?;
    let start = splitter.line_from(last, 0).end;
    let tail = full(Window::Tail, &mut each);
    let bottom = walker.tail(last, start, options.tail, tail);
    reached(bottom, options.tail).map(|_| ())
}

fn reached(window: Reach, wanted: u32) -> Option<Reach> {
    (window.full == wanted).then_some(window)
}

/// Shows lines that are not trivial.
fn full(window: Window, each: &mut impl FnMut(Window, &Normalised<'_>)) -> impl FnMut(Found<'_>) {
    move |found| {
        if !found.normalised.trivial {
            each(window, &found.normalised);
        }
    }
}
