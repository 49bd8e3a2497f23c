//! Encodings and line endings of a file.
//!
//! The encoding guessed for a whole file is only used for display: counting decodes each line separately (see [`crate::line`]).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::byte_stats::ByteStats;
use crate::named_enum;

/// How the bytes of a file are read for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Encoding {
    /// Bytes under 0x80 only.
    Ascii,
    /// Valid UTF-8 without a byte order mark.
    Utf8,
    /// Valid UTF-8 after a byte order mark.
    Utf8Bom,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-16, big-endian.
    Utf16Be,
    /// windows-1252, also for Latin-1 and for anything that is none of the others.
    Windows1252,
}

named_enum!(Encoding, "encoding", {
    Ascii => "ascii",
    Utf8 => "utf-8",
    Utf8Bom => "utf-8-bom",
    Utf16Le => "utf-16le",
    Utf16Be => "utf-16be",
    Windows1252 => "windows-1252",
});

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

impl Encoding {
    /// Guesses the encoding of a file: byte order mark, pattern of NULs, valid UTF-8, else windows-1252.
    pub fn guess(bytes: &[u8]) -> Encoding {
        Encoding::with_census(bytes, ByteStats::of(bytes))
    }

    fn with_census(bytes: &[u8], census: ByteStats) -> Encoding {
        match bytes {
            [0xEF, 0xBB, 0xBF, rest @ ..] if is_utf8(rest) => Encoding::Utf8Bom,
            [0xFF, 0xFE, ..] => Encoding::Utf16Le,
            [0xFE, 0xFF, ..] => Encoding::Utf16Be,
            _ if census.ascii && !census.nul => Encoding::Ascii,
            _ => utf16_by_nuls(bytes).unwrap_or_else(|| {
                if is_utf8(bytes) {
                    Encoding::Utf8
                } else {
                    Encoding::Windows1252
                }
            }),
        }
    }

    /// The byte order mark that a file in this encoding may begin with. It never belongs to a line, even if the file
    /// is not valid UTF-8 after it.
    pub fn byte_order_mark(self) -> &'static [u8] {
        match self {
            Encoding::Utf16Le => b"\xFF\xFE",
            Encoding::Utf16Be => b"\xFE\xFF",
            _ => b"\xEF\xBB\xBF",
        }
    }

    /// Whether code units are two bytes.
    pub fn is_utf16(self) -> bool {
        matches!(self, Encoding::Utf16Le | Encoding::Utf16Be)
    }

    /// The bytes of a line to normalise: UTF-16 is converted to UTF-8.
    pub(crate) fn normaliser_input(self, raw: &[u8]) -> Cow<'_, [u8]> {
        if !self.is_utf16() {
            return Cow::Borrowed(raw);
        }
        match self.decoder().decode_without_bom_handling(raw).0 {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }
    }

    /// The bytes of a line decoded for display, at most about `limit` of them. Not sanitised.
    pub fn display(self, raw: &[u8], limit: usize) -> Cow<'_, str> {
        let raw = &raw[..raw.len().min(limit.max(4) & !1)];
        self.decoder().decode_without_bom_handling(raw).0
    }

    fn decoder(self) -> &'static encoding_rs::Encoding {
        match self {
            Encoding::Ascii | Encoding::Utf8 | Encoding::Utf8Bom => encoding_rs::UTF_8,
            Encoding::Utf16Le => encoding_rs::UTF_16LE,
            Encoding::Utf16Be => encoding_rs::UTF_16BE,
            Encoding::Windows1252 => encoding_rs::WINDOWS_1252,
        }
    }
}

/// How a file is encoded and how its lines end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFormat {
    /// The encoding used for display.
    pub encoding: Encoding,
    /// How its lines end.
    pub newline: Newline,
    /// Number of lines. A newline at the end of the file does not begin another line.
    pub lines: u32,
}

impl TextFormat {
    /// Examines all bytes of a file of less than 4 GiB.
    pub fn of(bytes: &[u8]) -> TextFormat {
        let census = ByteStats::of(bytes);
        let encoding = Encoding::with_census(bytes, census);
        let lines = if encoding.is_utf16() {
            line_starts(bytes, encoding).len() - 1
        } else {
            let (ending, count) = match census {
                ByteStats { lf: 0, cr, .. } => (b'\r', cr),
                ByteStats { lf, .. } => (b'\n', lf),
            };
            count + usize::from(bytes.last().is_some_and(|last| *last != ending))
        };
        TextFormat {
            encoding,
            newline: Newline::with_census(bytes, encoding, census),
            lines: lines as u32,
        }
    }
}

fn is_utf8(bytes: &[u8]) -> bool {
    simdutf8::basic::from_utf8(bytes).is_ok()
}

impl Newline {
    fn with_census(bytes: &[u8], encoding: Encoding, census: ByteStats) -> Newline {
        if encoding.is_utf16() {
            return Newline::line_by_line(bytes, encoding);
        }
        // Nearly every file has one kind of ending, which the counts alone reveal.
        match (census.lf, census.cr, census.crlf) {
            (0, 0, _) => Newline::None,
            (_, 0, _) => Newline::Lf,
            (lf, cr, crlf) if lf == cr && crlf == lf => Newline::CrLf,
            _ => Newline::line_by_line(bytes, encoding),
        }
    }

    fn line_by_line(bytes: &[u8], encoding: Encoding) -> Newline {
        let mut found = Newline::None;
        for pair in line_starts(bytes, encoding).windows(2) {
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

/// How many bytes are examined to recognise UTF-16: by a byte order mark or the positions of NULs.
pub(crate) const UTF16_SAMPLE: usize = 4096;

/// Recognises Western text in UTF-16: one byte of nearly every pair is NUL, always on the same side.
fn utf16_by_nuls(bytes: &[u8]) -> Option<Encoding> {
    let sample = &bytes[..bytes.len().min(UTF16_SAMPLE) & !1];
    let nuls = |side: usize| {
        sample
            .iter()
            .skip(side)
            .step_by(2)
            .filter(|&&byte| byte == 0)
            .count()
    };
    let (even, odd) = (nuls(0), nuls(1));
    let pairs = sample.len() / 2;
    if pairs < 8 {
        return None;
    }
    if odd * 10 >= pairs * 7 && even * 10 < pairs {
        return Some(Encoding::Utf16Le);
    }
    (even * 10 >= pairs * 7 && odd * 10 < pairs).then_some(Encoding::Utf16Be)
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
        for encoding in Encoding::ALL {
            assert_eq!(encoding.to_string().parse(), Ok(*encoding));
        }
        for newline in Newline::ALL {
            assert_eq!(newline.to_string().parse(), Ok(*newline));
        }
        assert!("latin1".parse::<Encoding>().is_err());
    }

    #[test]
    fn encodings_are_guessed_from_the_bytes() {
        let wide: Vec<u8> = "A line of text"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let table: &[(&[u8], Encoding)] = &[
            (b"plain", Encoding::Ascii),
            (b"", Encoding::Ascii),
            ("caf\u{e9}".as_bytes(), Encoding::Utf8),
            (b"\xEF\xBB\xBFcaf\xC3\xA9", Encoding::Utf8Bom),
            (b"caf\xE9 au lait", Encoding::Windows1252),
            (b"\xFF\xFEa\0", Encoding::Utf16Le),
            (b"\xFE\xFF\0a", Encoding::Utf16Be),
            (&wide, Encoding::Utf16Le),
            (b"one NUL \0 is not UTF-16 text", Encoding::Utf8),
        ];
        for (bytes, expected) in table {
            assert_eq!(
                Encoding::guess(bytes),
                *expected,
                "{}",
                bytes.escape_ascii()
            );
        }
    }
}
