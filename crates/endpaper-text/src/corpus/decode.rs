//! Lines and line endings of a file.

use serde::{Deserialize, Serialize};

use super::Encoding;
use super::guess::{EncodingChoice, UTF16_SAMPLE};
use crate::named_enum;

/// How the lines of a file end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Newline {
    /// LF.
    Lf,
    /// CR LF.
    CrLf,
    /// CR CR LF.
    CrCrLf,
    /// Lone CR (only in a file without LF).
    Cr,
    /// More than one kind.
    Mixed,
    /// One line without an ending.
    None,
}

named_enum!(Newline, "newline", {
    Lf => "lf",
    CrLf => "crlf",
    CrCrLf => "crcrlf",
    Cr => "cr",
    Mixed => "mixed",
    None => "none",
});

/// How a file is encoded, and how many lines it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFormat {
    /// The encoding.
    pub encoding: Encoding,
    /// Number of lines. A newline at the end of the file does not begin another line.
    pub lines: u32,
}

impl TextFormat {
    /// Examines all bytes of a file of less than 4 GiB.
    pub fn of(bytes: &[u8], choice: EncodingChoice) -> TextFormat {
        let encoding = choice.of(bytes);
        let lines = if encoding.is_utf16() {
            line_starts(bytes, encoding).len() - 1
        } else {
            let number_of = |byte| memchr::memchr_iter(byte, bytes).count();
            let (ending, count) = match number_of(b'\n') {
                0 => (b'\r', number_of(b'\r')),
                lf => (b'\n', lf),
            };
            count + usize::from(bytes.last().is_some_and(|last| *last != ending))
        };
        TextFormat {
            encoding,
            lines: lines as u32,
        }
    }
}

impl Newline {
    /// The line endings of a file whose lines begin at `starts`, of which the last is the end of the file.
    pub(super) fn of(bytes: &[u8], encoding: Encoding, starts: &[u32]) -> Newline {
        let crs = memchr::memchr_iter(b'\r', bytes).count();
        if encoding.is_utf16() || crs > 0 && !bytes.contains(&b'\n') {
            return Newline::line_by_line(bytes, encoding, starts);
        }
        let ends = starts.iter().map(|start| &bytes[..*start as usize]);
        let lfs = ends.clone().filter(|end| end.ends_with(b"\n")).count();
        let crlfs = ends.filter(|end| end.ends_with(b"\r\n")).count();
        // Nearly every file has one kind of ending, which the numbers alone reveal.
        match (lfs, crs) {
            (0, 0) => Newline::None,
            (_, 0) => Newline::Lf,
            _ if lfs == crs && crlfs == lfs => Newline::CrLf,
            _ => Newline::line_by_line(bytes, encoding, starts),
        }
    }

    /// The line endings of a file, found by looking at every line.
    fn line_by_line(bytes: &[u8], encoding: Encoding, starts: &[u32]) -> Newline {
        let mut found = Newline::None;
        for pair in starts.windows(2) {
            let line = &bytes[pair[0] as usize..pair[1] as usize];
            let unit = if encoding.is_utf16() { 2 } else { 1 };
            let length = (line.len() - strip_ending(line, encoding).len()) / unit;
            let lf = line.last() == Some(&b'\n')
                || (unit == 2 && line.len() > 1 && line[line.len() - 2] == b'\n');
            let this = match (length, lf) {
                (0, _) => continue,
                (1, true) => Newline::Lf,
                (2, true) => Newline::CrLf,
                (3, true) => Newline::CrCrLf,
                (1, false) => Newline::Cr,
                _ => Newline::Mixed,
            };
            match found {
                Newline::None => found = this,
                same if same == this => {}
                _ => return Newline::Mixed,
            }
        }
        found
    }
}

/// Whether a file is UTF-32: a byte order mark, or two NULs in nearly every four bytes, always on the same side.
pub(super) fn is_utf32(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xFF\xFE\0\0") || bytes.starts_with(b"\0\0\xFE\xFF") {
        return true;
    }
    let units = bytes[..bytes.len().min(UTF16_SAMPLE)].as_chunks::<4>().0;
    let most = |fits: fn(&[u8; 4]) -> bool| {
        let found = units.iter().filter(|unit| fits(unit)).count();
        units.len() >= 8 && found * 10 >= units.len() * 9
    };
    most(|unit| unit[2..] == [0, 0] && unit[..2] != [0, 0])
        || most(|unit| unit[..2] == [0, 0] && unit[2..] != [0, 0])
}

/// Offsets of the starts of all lines, then the end of the last.
pub(crate) fn line_starts(bytes: &[u8], encoding: Encoding) -> Vec<u32> {
    let mut starts = Vec::with_capacity(bytes.len() / 40 + 2);
    starts.push(0);
    match encoding {
        Encoding::Utf16Le | Encoding::Utf16Be => utf16_starts(bytes, encoding, &mut starts),
        _ => {
            starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at as u32 + 1));
            if starts.len() == 1 {
                starts.extend(memchr::memchr_iter(b'\r', bytes).map(|at| at as u32 + 1));
            }
        }
    }
    if starts.last() != Some(&(bytes.len() as u32)) {
        starts.push(bytes.len() as u32);
    }
    starts
}

/// The line without its ending.
pub(crate) fn strip_ending(line: &[u8], encoding: Encoding) -> &[u8] {
    let (lf, cr): (&[u8], &[u8]) = match encoding {
        Encoding::Utf16Le => (b"\n\0", b"\r\0"),
        Encoding::Utf16Be => (b"\0\n", b"\0\r"),
        _ => (b"\n", b"\r"),
    };
    // In a file with LFs, a CR at the end of an unterminated last line is not an ending, but it is invisible anyway.
    let mut line = line.strip_suffix(lf).unwrap_or(line);
    while let Some(rest) = line.strip_suffix(cr) {
        line = rest;
    }
    line
}

/// Adds the offsets at which lines of UTF-16 begin.
fn utf16_starts(bytes: &[u8], encoding: Encoding, starts: &mut Vec<u32>) {
    let unit = |pair: &[u8]| match encoding {
        Encoding::Utf16Le => u16::from_le_bytes([pair[0], pair[1]]),
        _ => u16::from_be_bytes([pair[0], pair[1]]),
    };
    for ending in [u16::from(b'\n'), u16::from(b'\r')] {
        let ends = bytes
            .chunks_exact(2)
            .enumerate()
            .filter(|(_, pair)| unit(pair) == ending);
        starts.extend(ends.map(|(at, _)| at as u32 * 2 + 2));
        if starts.len() > 1 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_32_is_told_from_utf_16() {
        let line = "A line of text, long enough to show\r\n";
        let units = |mark: &str| -> Vec<char> { format!("{mark}{line}").chars().collect() };
        for mark in ["", "\u{feff}"] {
            let chars = units(mark);
            let little: Vec<u8> = chars
                .iter()
                .flat_map(|&c| u32::from(c).to_le_bytes())
                .collect();
            let big: Vec<u8> = chars
                .iter()
                .flat_map(|&c| u32::from(c).to_be_bytes())
                .collect();
            assert!(is_utf32(&little) && is_utf32(&big), "{mark:?}");
            let text: String = chars.iter().collect();
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert!(!is_utf32(&wide) && !is_utf32(text.as_bytes()), "{mark:?}");
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for newline in Newline::ALL {
            assert_eq!(newline.to_string().parse(), Ok(*newline));
        }
    }
}
