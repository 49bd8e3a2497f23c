//! Preprocessing of lines, and the keys that are counted.
//!
//! Kaser & Lemire, section 3.1: white space at both ends of a line is trimmed, and every run of `*`, of `-` or of
//! white space becomes `***`, `---` or one space. Lines that are short (under 30 characters) or hold no letter are
//! *trivial*: Algorithm 1 never counts them. A wide character counts as two ([`TRIVIAL_BELOW`]).
//!
//! Where the paper is silent: a run is one character or more (`a-b` becomes `a---b`, as the paper's replacement does),
//! characters are Unicode scalar values, a letter is a Unicode alphabetic character, and a line that is not valid UTF-8
//! is decoded as windows-1252. Lines come decoded from the encoding of their file ([`crate::corpus::Encoding`]), so that a
//! line has the same key in every book, whatever its encoding.
//!
//! ```
//! use endpaper_text::line::Normaliser;
//! let mut normaliser = Normaliser::default();
//! let line = normaliser.line(b"**These eBooks Were  Prepared By Thousands of Volunteers!**\r");
//! assert_eq!(line.text, "***These eBooks Were Prepared By Thousands of Volunteers!***");
//! assert!(!line.trivial);
//! ```

use serde::{Deserialize, Serialize};
use unicode_width::UnicodeWidthChar;

mod forms;

pub use forms::{FormHasher, opening, skeleton};

use crate::checksum::crc64;
use crate::lanes::{LANES, any_triple};

/// Normalised lines of fewer characters than this are trivial (Kaser & Lemire, section 3.1). A wide character counts as
/// two, so that the limit is one of columns.
///
/// Wide are Han, kana, Hangul and full-width forms, of which a line says as much in half as many characters. Thai and other
/// alphabets without spaces are not: their characters are letters. Nothing changes for a line without wide characters.
/// Measured with Algorithm 1 on 300 Japanese books, for different weights of a wide character:
///
/// | weight | lines that are counted | both cuts within 10 lines | lines of a book lost |
/// | --- | --- | --- | --- |
/// | 1 | 45 % | 37.9 % | 40.5 |
/// | 1.5 | 58 % | 64.1 % | 9.6 |
/// | 2 | 71 % | 72.8 % | 5.4 |
/// | 2.5 | 79 % | 67.8 % | 8.4 |
/// | 3 | 86 % | 74.2 % | 9.4 |
///
/// The posterior detector, which knows how many books have a short line, hardly depends on it: of the untaught proposals,
/// 98.0 % are exact with weight 1, and 98.3 % with any other.
pub const TRIVIAL_BELOW: usize = 30;

/// Number of characters that a wide one counts as.
const WIDE_WEIGHT: usize = 2;

/// Must change whenever the same bytes may get another key: part of every model file and cache entry.
pub const PREPROCESSING_VERSION: u32 = 3;

/// The unit of counting: the CRC-64/XZ of a form of a normalised line (Kaser & Lemire, section 3.3.3).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Key(pub u64);

impl Key {
    /// The key of a form of a normalised line.
    pub fn of(text: &str) -> Key {
        Key(crc64(text.as_bytes()))
    }
}

/// The forms of a line that can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum KeyKind {
    /// The normalised line itself.
    Exact,
    /// The line with names and numbers replaced (see [`skeleton`]).
    Skeleton,
    /// The first words of the line (see [`opening`]).
    Opening,
}

/// A line after preprocessing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normalised<'a> {
    /// The line, trimmed, with runs replaced. Empty for a blank line.
    pub text: &'a str,
    /// Whether it is too short to count, or has no letter.
    pub trivial: bool,
    /// Number of Unicode scalar values in `text`.
    pub characters: usize,
}

impl Normalised<'_> {
    /// Whether the line held only white space.
    pub fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// The key of the kind [`KeyKind::Exact`].
    pub fn key(&self) -> Key {
        Key::of(self.text)
    }
}

/// Normalises lines one after another.
///
/// Most lines have nothing to replace and are normalised in place. The others are written into buffers that are reused,
/// so that no line allocates.
#[derive(Debug, Default)]
pub struct Normaliser {
    /// Buffer for a line decoded from windows-1252.
    decoded: String,
    /// Buffer for a line with runs replaced.
    squeezed: String,
}

impl Normaliser {
    /// Normalises the bytes of one line, with or without its ending: as UTF-8 if valid, else as windows-1252.
    pub fn line<'a>(&'a mut self, raw: &'a [u8]) -> Normalised<'a> {
        match std::str::from_utf8(trim(raw)) {
            Ok(text) => normalise(text, &mut self.squeezed),
            Err(_) => {
                windows_1252(raw, &mut self.decoded);
                let trimmed = self.decoded.trim_matches(is_ascii_space);
                normalise(trimmed, &mut self.squeezed)
            }
        }
    }

    /// Normalises one decoded line.
    pub fn text<'a>(&'a mut self, line: &'a str) -> Normalised<'a> {
        normalise(line.trim_matches(is_ascii_space), &mut self.squeezed)
    }
}

/// Decodes a line as windows-1252.
fn windows_1252(raw: &[u8], out: &mut String) {
    let mut decoder = encoding_rs::WINDOWS_1252.new_decoder_without_bom_handling();
    out.clear();
    out.reserve(decoder.max_utf8_buffer_length(raw.len()).unwrap_or(0));
    // The buffer is large enough, and every byte is valid.
    let _ = decoder.decode_to_string(raw, out, true);
}

/// Whether the character is white space in ASCII.
fn is_ascii_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

/// Trims ASCII white space at both ends.
fn trim(raw: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| !is_ascii_space(char::from(*byte));
    let first = raw.iter().position(is_text).unwrap_or(raw.len());
    let last = raw.iter().rposition(is_text).map_or(first, |at| at + 1);
    &raw[first..last]
}

/// Normalises a line that has no ASCII white space at its ends, in place or, if something must be replaced, in `out`.
fn normalise<'a>(line: &'a str, out: &'a mut String) -> Normalised<'a> {
    let features = ByteClasses::classify(line.as_bytes());
    if !features.has_non_ascii && !features.needs_squeezing {
        let characters = line.len();
        return Normalised {
            text: line,
            trivial: !features.has_letter || characters < TRIVIAL_BELOW,
            characters,
        };
    }
    let text = if features.has_non_ascii && has_non_ascii_space(line.as_bytes()) {
        squeeze_by_character(line, out);
        out
    } else if features.needs_squeezing {
        squeeze(line, out);
        out
    } else {
        line
    };
    let characters = if features.has_non_ascii {
        text.chars().count()
    } else {
        text.len()
    };
    let letter =
        features.has_letter || (features.has_non_ascii && text.chars().any(char::is_alphabetic));
    Normalised {
        text,
        trivial: !letter || is_short(text, characters),
        characters,
    }
}

/// Whether a normalised line is too short to be counted: narrower than [`TRIVIAL_BELOW`].
fn is_short(text: &str, characters: usize) -> bool {
    if characters >= TRIVIAL_BELOW || characters == text.len() {
        return characters < TRIVIAL_BELOW;
    }
    let wide = text.chars().filter(|c| c.width() == Some(2)).count();
    characters + (WIDE_WEIGHT - 1) * wide < TRIVIAL_BELOW
}

/// Replaces runs in a line whose white space is ASCII.
fn squeeze(line: &str, out: &mut String) {
    out.clear();
    let bytes = line.as_bytes();
    let is_space = |byte: Option<&u8>| byte.is_some_and(|&byte| is_ascii_space(char::from(byte)));
    let (mut copied, mut at) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        let (run, replacement) = match byte {
            b'*' | b'-' => {
                let same = bytes[at..].iter().take_while(|&&other| other == byte);
                (same.count(), if byte == b'*' { "***" } else { "---" })
            }
            b' ' | b'\t'..=b'\r' if byte != b' ' || is_space(bytes.get(at + 1)) => {
                let spaces = bytes[at..].iter().take_while(|&byte| is_space(Some(byte)));
                (spaces.count(), " ")
            }
            _ => {
                at += 1;
                continue;
            }
        };
        out.push_str(&line[copied..at]);
        out.push_str(replacement);
        at += run;
        copied = at;
    }
    out.push_str(&line[copied..]);
}

/// Replaces runs character by character, for lines with white space outside ASCII.
fn squeeze_by_character(line: &str, out: &mut String) {
    out.clear();
    // The class of the last character written: '*', '-' and ' ' are runs, anything else is '\0'.
    let mut run = '\0';
    for c in line.trim().chars() {
        let class = match c {
            '*' | '-' => c,
            _ if c.is_whitespace() => ' ',
            _ => '\0',
        };
        match class {
            '\0' => out.push(c),
            _ if class == run => {}
            '*' => out.push_str("***"),
            '-' => out.push_str("---"),
            _ => out.push(' '),
        }
        run = class;
    }
}

/// Classes of bytes that occur in a line.
struct ByteClasses {
    /// Whether a run must be replaced.
    needs_squeezing: bool,
    /// Whether there is an ASCII letter.
    has_letter: bool,
    /// Whether there is a byte outside ASCII.
    has_non_ascii: bool,
}

impl ByteClasses {
    /// Examines each byte together with the next, without branches, a whole vector at a time; the last vector overlaps
    /// the one before it, so that no bytes are left over.
    fn classify(line: &[u8]) -> ByteClasses {
        let mut all = 0;
        if let Some(last) = line.len().checked_sub(LANES + 1) {
            let mut at = 0;
            while at < last {
                all |= ByteClasses::vector(&line[at..=at + LANES]);
                at += LANES;
            }
            all |= ByteClasses::vector(&line[last..]);
            // The last byte has no next one.
            all |= ByteClasses::byte(line[line.len() - 1], b'.');
        } else {
            for (at, &byte) in line.iter().enumerate() {
                all |= ByteClasses::byte(byte, line.get(at + 1).copied().unwrap_or(b'.'));
            }
        }
        ByteClasses {
            needs_squeezing: all & 1 != 0,
            has_letter: all & 2 != 0,
            has_non_ascii: all & 0x80 != 0,
        }
    }

    /// The classes of `LANES` bytes; `bytes` has one more.
    fn vector(bytes: &[u8]) -> u8 {
        let mut seen = [0u8; LANES];
        if let (Some(lanes), Some(next)) =
            (bytes.first_chunk::<LANES>(), bytes.last_chunk::<LANES>())
        {
            for lane in 0..LANES {
                seen[lane] = ByteClasses::byte(lanes[lane], next[lane]);
            }
        }
        seen.iter().fold(0, |all, lane| all | lane)
    }

    /// The classes of one byte: bit 0 if it is in a run to replace, bit 1 for a letter, bit 7 for a byte outside ASCII.
    fn byte(byte: u8, next: u8) -> u8 {
        let run = (byte == b'*') | (byte == b'-') | (byte.wrapping_sub(b'\t') < 5);
        let double = (byte == b' ') & (next == b' ');
        let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        u8::from(run | double) | u8::from(letter) << 1 | byte & 0x80
    }
}

/// Whether a line of UTF-8 has white space outside ASCII: U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029,
/// U+202F, U+205F or U+3000. Examines a whole vector of bytes at a time.
fn has_non_ascii_space(line: &[u8]) -> bool {
    // At the end of the line, only a character of two bytes fits.
    let end = line
        .last_chunk()
        .is_some_and(|&[a, b]| is_non_ascii_space(a, b, 0));
    end | any_triple(line, is_non_ascii_space)
}

/// Whether a character of two or three bytes is white space.
fn is_non_ascii_space(first: u8, second: u8, third: u8) -> bool {
    let two = (first == 0xC2) & ((second == 0x85) | (second == 0xA0));
    let ogham = (first == 0xE1) & (second == 0x9A) & (third == 0x80);
    let general =
        (third.wrapping_sub(0x80) <= 0x0A) | (third == 0xA8) | (third == 0xA9) | (third == 0xAF);
    let general = (first == 0xE2) & (second == 0x80) & general;
    let mathematical = (first == 0xE2) & (second == 0x81) & (third == 0x9F);
    let ideographic = (first == 0xE3) & (second == 0x80) & (third == 0x80);
    two | ogham | general | mathematical | ideographic
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    /// The lines of Kaser & Lemire, Figure 4.
    const FIGURE_4: &[&str] = &[
        "***The Project Gutenberg’s Etext of Shakespeare’s First Folio***",
        "***These EBooks Were Prepared By Thousands of Volunteers***",
        "***These Etexts Are Prepared By Thousands of Volunteers!***",
        "***These Etexts Were Prepared By Thousands of Volunteers!***",
        "***These eBooks Were Prepared By Thousands of Volunteers!***",
        "***This file should be named 1rbnh10.txt or 1rbnh10.zip***",
        "(2) Pay a royalty to the Foundation of 20% of the gross",
        "(2) Pay a royalty to the Project of 20% of the net",
        "[3] Pay a trademark license fee of 20% (twenty percent) of the",
        "[3] Pay a trademark license fee to the Foundation of 20% of the",
    ];

    #[test]
    fn the_lines_of_figure_4_are_normalised_already_and_not_trivial() {
        let mut normaliser = Normaliser::default();
        for line in FIGURE_4 {
            let normal = normaliser.text(line);
            assert_eq!((normal.text, normal.trivial), (*line, false));
        }
    }

    #[test]
    fn lines_are_trimmed_and_runs_squeezed() {
        let table: &[(&[u8], &str, bool)] = &[
            (b"", "", true),
            (b" \t \r\n", "", true),
            (b"CHAPTER ONE.", "CHAPTER ONE.", true),
            (
                b"*****These  Etexts Are Prepared By Thousands of Volunteers!*",
                FIGURE_4[2],
                false,
            ),
            (b"a-b", "a---b", true),
            (b"* * *", "*** *** ***", true),
            (
                b"- - - - - - - - - - - - - - - -",
                "--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---",
                true,
            ),
            (
                b"12345678901234567890123456789012345",
                "12345678901234567890123456789012345",
                true,
            ),
            (
                b"exactly thirty characters long",
                "exactly thirty characters long",
                false,
            ),
            (
                b"not thirty characters, though",
                "not thirty characters, though",
                true,
            ),
            (
                b"tab\tand form\x0Cfeed are white space",
                "tab and form feed are white space",
                false,
            ),
            (
                b"caf\xE9 in windows-1252, not in UTF-8",
                "caf\u{e9} in windows---1252, not in UTF---8",
                false,
            ),
            (
                b"caf\xC3\xA9 in UTF 8, which is what it is",
                "caf\u{e9} in UTF 8, which is what it is",
                false,
            ),
            (
                b"\xA0 a no-break space is white space \xA0",
                "a no---break space is white space",
                false,
            ),
        ];
        let mut normaliser = Normaliser::default();
        for (raw, text, trivial) in table {
            let normal = normaliser.line(raw);
            assert_eq!(
                (normal.text, normal.trivial),
                (*text, *trivial),
                "{}",
                raw.escape_ascii()
            );
            assert_eq!(normal.characters, text.chars().count());
        }
    }

    #[test]
    fn a_wide_character_counts_as_two() {
        let table = [
            ("\u{6f22}".repeat(15), false),
            ("\u{6f22}".repeat(14) + "a", true),
            ("\u{6f22}".repeat(14) + "ab", false),
            ("\u{300a}\u{304b}\u{306a}\u{300b}".repeat(4), false),
            ("\u{d55c}".repeat(15), false),
            // Letters of an alphabet without spaces, and marks, count as one.
            ("\u{e01}".repeat(29), true),
            ("\u{e01}".repeat(30), false),
            ("\u{628}\u{64e}".repeat(14), true),
            ("\u{628}\u{64e}".repeat(15), false),
            // Long enough, but without a letter.
            ("\u{ff0a}".repeat(20), true),
        ];
        let mut normaliser = Normaliser::default();
        for (text, trivial) in table {
            let normal = normaliser.text(&text);
            assert_eq!(normal.trivial, trivial, "{text}");
            assert_eq!(normal.characters, text.chars().count());
        }
    }

    #[test]
    fn every_white_space_that_is_not_ascii_is_known() {
        let mut buffer = [0; 4];
        for c in
            ('\u{80}'..'\u{4000}').filter(|&c| c.is_whitespace() || (c as u32).is_multiple_of(8))
        {
            let text = c.encode_utf8(&mut buffer);
            assert_eq!(
                has_non_ascii_space(text.as_bytes()),
                c.is_whitespace(),
                "{c:?}"
            );
        }
    }

    #[test]
    fn keys_are_crc_64_xz() {
        assert_eq!(Key::of("123456789"), Key(0x995d_c9bb_df19_39fa));
    }

    /// The replacements exactly as the paper states them.
    fn slowly(line: &str) -> String {
        let squeeze = |text: &str, run: &str, to: &str| {
            Regex::new(run).unwrap().replace_all(text, to).into_owned()
        };
        let line = squeeze(line.trim(), r"\*+", "***");
        squeeze(&squeeze(&line, "-+", "---"), r"\s+", " ")
    }

    proptest! {
        #[test]
        fn the_fast_way_is_the_slow_way(line in r"[ \ta-zA-Z0-9*\-.,é中\u{a0}\u{3000}]{0,60}|[ a-z]{0,60}|[ a-z\-é]{0,60}") {
            let mut normaliser = Normaliser::default();
            let normal = normaliser.line(line.as_bytes());
            let slow = slowly(&line);
            prop_assert_eq!(normal.text, &slow);
            let columns: usize = slow.chars().map(|c| c.width().unwrap_or(1).max(1)).sum();
            let trivial = columns < TRIVIAL_BELOW || !slow.chars().any(char::is_alphabetic);
            prop_assert_eq!(normal.trivial, trivial);
        }

        #[test]
        fn normalising_twice_changes_nothing(line in any::<String>()) {
            let (mut one, mut two) = (Normaliser::default(), Normaliser::default());
            let once = one.text(&line);
            prop_assert_eq!(two.text(once.text).text, once.text);
        }

        #[test]
        fn any_bytes_are_a_line(line in proptest::collection::vec(any::<u8>(), 0..80)) {
            Normaliser::default().line(&line);
        }
    }
}
