//! Lines between the windows that name the library (Kaser & Lemire, section 5: "seeing 'Gutenberg' in the body of an
//! e-book is typically a sign of trouble").

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::MENTIONS;
use super::line_terminator::LineTerminator;
use crate::corpus::Encoding;

/// `Gutenberg` without its first letter, in lower and in upper case: in bytes, and in code units of UTF-16, where a NUL
/// is between the letters in either byte order.
static WORDS: LazyLock<[[Finder<'static>; 2]; 2]> = LazyLock::new(|| {
    let finder = |word: &str| Finder::new(word).into_owned();
    [
        [finder("utenberg"), finder("UTENBERG")],
        [
            finder("u\0t\0e\0n\0b\0e\0r\0g"),
            finder("U\0T\0E\0N\0B\0E\0R\0G"),
        ],
    ]
});

/// Numbers of the lines that hold the word, at most [`MENTIONS`]; `before` lines come before `bytes`.
pub(super) fn mentions(
    bytes: &[u8],
    encoding: Encoding,
    splitter: LineTerminator,
    before: u32,
) -> Vec<u32> {
    let mut found: Vec<usize> = Vec::new();
    for word in &WORDS[usize::from(encoding.is_utf16())] {
        found.extend(word.find_iter(bytes).take(MENTIONS));
    }
    found.sort_unstable();
    let (mut line, mut counted) = (before + 1, 0);
    let mut lines: Vec<u32> = Vec::with_capacity(found.len());
    for at in found {
        // In UTF-16 a match may begin at the second byte of a code unit.
        let at = if encoding.is_utf16() { at & !1 } else { at };
        line += splitter.count_endings(&bytes[counted..at]) as u32;
        counted = at;
        lines.push(line);
    }
    lines.dedup();
    lines.truncate(MENTIONS);
    lines
}
