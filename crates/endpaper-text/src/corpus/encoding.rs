//! Encodings: their names, guessing them, decoding lines.
//!
//! UTF-16 apart, a line feed is the same byte in every encoding that is read and never a part of another character, so that
//! lines are found in the bytes and decoded one by one. A line of a file that is thought to be UTF-8 is read as windows-1252
//! if it is not valid (see [`crate::line`]).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use serde::{Deserialize, Serialize};

use super::byte_stats::ByteStats;

/// How the bytes of a file are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
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
    /// Another encoding of the WHATWG Encoding Standard.
    Other(&'static encoding_rs::Encoding),
}

/// Encodings with a name of their own.
const NAMED: [(Encoding, &str); 6] = [
    (Encoding::Ascii, "ascii"),
    (Encoding::Utf8, "utf-8"),
    (Encoding::Utf8Bom, "utf-8-bom"),
    (Encoding::Utf16Le, "utf-16le"),
    (Encoding::Utf16Be, "utf-16be"),
    (Encoding::Windows1252, "windows-1252"),
];

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, NAMED.iter().find(|(known, _)| known == self)) {
            (Encoding::Other(other), _) => f.pad(&other.name().to_ascii_lowercase()),
            (_, Some((_, name))) => f.pad(name),
            _ => Ok(()),
        }
    }
}

impl From<Encoding> for String {
    fn from(encoding: Encoding) -> String {
        encoding.to_string()
    }
}

impl TryFrom<String> for Encoding {
    type Error = String;

    fn try_from(name: String) -> Result<Encoding, String> {
        name.parse()
    }
}

impl FromStr for Encoding {
    type Err = String;

    /// Reads the names that are written, and every label of the WHATWG Encoding Standard.
    fn from_str(word: &str) -> Result<Encoding, String> {
        if let Some((known, _)) = NAMED.iter().find(|(_, name)| *name == word) {
            return Ok(*known);
        }
        let found = encoding_rs::Encoding::for_label_no_replacement(word.as_bytes());
        Ok(match found {
            Some(found) if found == encoding_rs::UTF_8 => Encoding::Utf8,
            Some(found) if found == encoding_rs::UTF_16LE => Encoding::Utf16Le,
            Some(found) if found == encoding_rs::UTF_16BE => Encoding::Utf16Be,
            Some(found) if found == encoding_rs::WINDOWS_1252 => Encoding::Windows1252,
            Some(found) if found != encoding_rs::X_USER_DEFINED => Encoding::Other(found),
            _ => {
                return Err(format!(
                    "unknown encoding '{word}'; use a name of the WHATWG Encoding Standard, such as utf-8, windows-1252, shift_jis, gb18030, big5, euc-kr, koi8-r or iso-8859-2"
                ));
            }
        })
    }
}

/// How many bytes of each end of a file a guess looks at: no more than is read of a long book that is only counted, so
/// that both ways agree.
pub(crate) const GUESS_BYTES: usize = 48 << 10;

impl Encoding {
    /// Guesses the encoding of a file: byte order mark, pattern of NULs, valid UTF-8, else by the bytes of both its ends
    /// where these are surely of another script, else windows-1252.
    pub fn guess(bytes: &[u8]) -> Encoding {
        Encoding::with_census(bytes, ByteStats::of(bytes))
    }

    /// The encoding of a file whose bytes are counted.
    pub(super) fn with_census(bytes: &[u8], census: ByteStats) -> Encoding {
        match bytes {
            [0xEF, 0xBB, 0xBF, rest @ ..] if is_utf8(rest) => Encoding::Utf8Bom,
            [0xFF, 0xFE, ..] => Encoding::Utf16Le,
            [0xFE, 0xFF, ..] => Encoding::Utf16Be,
            _ if census.ascii && !census.nul => {
                Encoding::of_ends(ends(bytes)).unwrap_or(Encoding::Ascii)
            }
            _ => utf16_by_nuls(bytes).unwrap_or_else(|| {
                if is_utf8(bytes) {
                    Encoding::Utf8
                } else {
                    Encoding::of_ends(ends(bytes)).unwrap_or(Encoding::Windows1252)
                }
            }),
        }
    }

    /// Like [`Encoding::guess`], for finding and decoding lines, given the first and the last bytes of a file only.
    pub(crate) fn guess_from_ends(first: &[u8], last: &[u8]) -> Encoding {
        let found = Encoding::guess(&first[..first.len().min(UTF16_SAMPLE)]);
        if found.is_utf16() {
            return found;
        }
        let last = &last[last.len().saturating_sub(GUESS_BYTES)..];
        let first = &first[..first.len().min(GUESS_BYTES)];
        Encoding::of_ends((first, last)).unwrap_or(found)
    }

    /// The encoding of a file of another script than Latin, by its first and last bytes. A few bytes beyond ASCII prove
    /// nothing, as every guesser is sure of them; texts of Latin scripts are left to windows-1252.
    fn of_ends((first, last): (&[u8], &[u8])) -> Option<Encoding> {
        let has_escapes = || {
            let found = memchr::memmem::find(first, b"\x1b$");
            found
                .or_else(|| memchr::memmem::find(last, b"\x1b$"))
                .is_some()
        };
        if !has_escapes() {
            if is_cut_utf8(first) && is_cut_utf8(last) {
                return None;
            }
            let both = || first.iter().chain(last);
            let high = both().filter(|byte| !byte.is_ascii()).count();
            let letters = both().filter(|byte| byte.is_ascii_alphabetic()).count();
            if high < MIN_HIGH_BYTES || high * MIN_HIGH_SHARE < high + letters {
                return None;
            }
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(first, false);
        detector.feed(last, true);
        let found = detector.guess(None, Utf8Detection::Deny);
        NOT_LATIN.contains(&found).then_some(Encoding::Other(found))
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

    /// Whether its lines are UTF-8, or windows-1252 where they are not valid.
    pub fn is_utf8_or_latin(self) -> bool {
        !self.is_utf16() && !matches!(self, Encoding::Other(_))
    }

    /// The bytes of a line to normalise: they are converted to UTF-8, unless they are UTF-8 or windows-1252.
    pub(crate) fn normaliser_input(self, raw: &[u8]) -> Cow<'_, [u8]> {
        if self.is_utf8_or_latin() {
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

    /// Number of bytes of a character in this encoding; 1 for one that it cannot hold.
    pub fn len_of(self, c: char) -> usize {
        match self {
            Encoding::Utf16Le | Encoding::Utf16Be => 2 * c.len_utf16(),
            Encoding::Windows1252 => 1,
            Encoding::Ascii | Encoding::Utf8 | Encoding::Utf8Bom => c.len_utf8(),
            Encoding::Other(_) if c.is_ascii() => 1,
            Encoding::Other(other) => {
                let mut buffer = [0; 4];
                let (bytes, _, is_unknown) = other.encode(c.encode_utf8(&mut buffer));
                match (is_unknown, other == encoding_rs::ISO_2022_JP) {
                    (true, _) => 1,
                    // Without the escape sequences around it.
                    (false, true) => 2,
                    (false, false) => bytes.len(),
                }
            }
        }
    }

    /// The decoder of the encoding.
    fn decoder(self) -> &'static encoding_rs::Encoding {
        match self {
            Encoding::Ascii | Encoding::Utf8 | Encoding::Utf8Bom => encoding_rs::UTF_8,
            Encoding::Utf16Le => encoding_rs::UTF_16LE,
            Encoding::Utf16Be => encoding_rs::UTF_16BE,
            Encoding::Windows1252 => encoding_rs::WINDOWS_1252,
            Encoding::Other(other) => other,
        }
    }
}

/// Fewest bytes beyond ASCII from which an encoding is guessed.
const MIN_HIGH_BYTES: usize = 40;

/// Bytes outside ASCII must be at least one in this many of themselves and the ASCII letters.
const MIN_HIGH_SHARE: usize = 4;

/// The encodings of other scripts than Latin that can be told from their bytes.
static NOT_LATIN: [&encoding_rs::Encoding; 19] = [
    encoding_rs::SHIFT_JIS,
    encoding_rs::EUC_JP,
    encoding_rs::ISO_2022_JP,
    encoding_rs::GBK,
    encoding_rs::GB18030,
    encoding_rs::BIG5,
    encoding_rs::EUC_KR,
    encoding_rs::WINDOWS_1251,
    encoding_rs::KOI8_R,
    encoding_rs::KOI8_U,
    encoding_rs::IBM866,
    encoding_rs::ISO_8859_5,
    encoding_rs::WINDOWS_1253,
    encoding_rs::ISO_8859_7,
    encoding_rs::WINDOWS_1255,
    encoding_rs::ISO_8859_8,
    encoding_rs::WINDOWS_1256,
    encoding_rs::ISO_8859_6,
    encoding_rs::WINDOWS_874,
];

/// The first and the last bytes of a file, which may overlap.
fn ends(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = bytes.len().min(GUESS_BYTES);
    (&bytes[..length], &bytes[bytes.len() - length..])
}

/// Whether the bytes are UTF-8.
fn is_utf8(bytes: &[u8]) -> bool {
    simdutf8::basic::from_utf8(bytes).is_ok()
}

/// Whether bytes are UTF-8 but for characters that are cut at either end.
fn is_cut_utf8(bytes: &[u8]) -> bool {
    let continues = |byte: &&u8| **byte & 0xC0 == 0x80;
    let start = bytes.iter().take(3).take_while(continues).count();
    match simdutf8::compat::from_utf8(&bytes[start..]) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
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

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn names_are_read_as_they_are_written() {
        let other = NOT_LATIN.iter().map(|other| Encoding::Other(other));
        for encoding in NAMED.iter().map(|(known, _)| *known).chain(other) {
            assert_eq!(encoding.to_string().parse(), Ok(encoding));
        }
        assert_eq!("latin1".parse(), Ok(Encoding::Windows1252));
        for unknown in ["utf-7", "utf-32", "x-user-defined", "", "ibm500"] {
            assert!(unknown.parse::<Encoding>().is_err(), "{unknown}");
        }
    }

    #[test]
    fn other_scripts_are_guessed_and_a_few_strange_bytes_are_not() {
        let japanese = "\u{543e}\u{8f29}\u{306f}\u{732b}\u{3067}\u{3042}\u{308b}\u{3002}\u{540d}\u{524d}\u{306f}\u{307e}\u{3060}\u{7121}\u{3044}\u{3002}\n".repeat(40);
        let russian = "\u{0412}\u{0441}\u{0435} \u{0441}\u{0447}\u{0430}\u{0441}\u{0442}\u{043b}\u{0438}\u{0432}\u{044b}\u{0435} \u{0441}\u{0435}\u{043c}\u{044c}\u{0438} \u{043f}\u{043e}\u{0445}\u{043e}\u{0436}\u{0438}\n".repeat(40);
        for (text, encoding) in [
            (&japanese, encoding_rs::SHIFT_JIS),
            (&japanese, encoding_rs::EUC_JP),
            (&japanese, encoding_rs::ISO_2022_JP),
            (&russian, encoding_rs::WINDOWS_1251),
        ] {
            let (bytes, _, _) = encoding.encode(text);
            let found = Encoding::guess(&bytes);
            assert_eq!(found, Encoding::Other(encoding));
            assert_eq!(Encoding::guess_from_ends(&bytes, &bytes), found);
            let lines = bytes.split(|byte| *byte == b'\n');
            for (raw, line) in lines.zip(text.split('\n')) {
                assert_eq!(found.normaliser_input(raw), line.as_bytes());
            }
        }
        let english = "Caf\u{e9} society was never as it seemed to be in those years\n".repeat(200);
        let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&english);
        assert_eq!(Encoding::guess(&bytes), Encoding::Windows1252);
    }
}
