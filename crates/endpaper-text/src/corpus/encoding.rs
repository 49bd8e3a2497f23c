//! Encodings: their names, decoding lines.
//!
//! UTF-16 apart, a line feed is the same byte in every encoding that is read and never a part of another character, so that
//! lines are found in the bytes and decoded one by one, from the state that those before leave in ISO-2022-JP. A line of a
//! file that is thought to be UTF-8 is read as windows-1252 if it is not valid (see [`crate::line`]).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::code_page::{CodePage, of_windows};
use super::shift_state::ShiftState;

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
    /// A code page of DOS.
    Dos(CodePage),
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

/// The other encodings of the WHATWG Encoding Standard.
static WHATWG: [&encoding_rs::Encoding; 34] = [
    encoding_rs::SHIFT_JIS,
    encoding_rs::EUC_JP,
    encoding_rs::ISO_2022_JP,
    encoding_rs::GBK,
    encoding_rs::GB18030,
    encoding_rs::BIG5,
    encoding_rs::EUC_KR,
    encoding_rs::ISO_8859_2,
    encoding_rs::ISO_8859_3,
    encoding_rs::ISO_8859_4,
    encoding_rs::ISO_8859_5,
    encoding_rs::ISO_8859_6,
    encoding_rs::ISO_8859_7,
    encoding_rs::ISO_8859_8,
    encoding_rs::ISO_8859_8_I,
    encoding_rs::ISO_8859_10,
    encoding_rs::ISO_8859_13,
    encoding_rs::ISO_8859_14,
    encoding_rs::ISO_8859_15,
    encoding_rs::ISO_8859_16,
    encoding_rs::WINDOWS_1250,
    encoding_rs::WINDOWS_1251,
    encoding_rs::WINDOWS_1253,
    encoding_rs::WINDOWS_1254,
    encoding_rs::WINDOWS_1255,
    encoding_rs::WINDOWS_1256,
    encoding_rs::WINDOWS_1257,
    encoding_rs::WINDOWS_1258,
    encoding_rs::WINDOWS_874,
    encoding_rs::KOI8_R,
    encoding_rs::KOI8_U,
    encoding_rs::IBM866,
    encoding_rs::MACINTOSH,
    encoding_rs::X_MAC_CYRILLIC,
];

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, NAMED.iter().find(|(known, _)| known == self)) {
            (Encoding::Other(other), _) => f.pad(&other.name().to_ascii_lowercase()),
            (Encoding::Dos(page), _) => page.fmt(f),
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

    /// Reads the names that are written, every label of the WHATWG Encoding Standard, and code pages of DOS and Windows
    /// such as `cp437` and `cp932`.
    fn from_str(word: &str) -> Result<Encoding, String> {
        if let Some((known, _)) = NAMED.iter().find(|(_, name)| *name == word) {
            return Ok(*known);
        }
        if let Some(page) = CodePage::named(word) {
            return Ok(Encoding::Dos(page));
        }
        let label = of_windows(word).unwrap_or(word);
        let found = encoding_rs::Encoding::for_label_no_replacement(label.as_bytes());
        Ok(match found {
            Some(found) if found == encoding_rs::UTF_8 => Encoding::Utf8,
            Some(found) if found == encoding_rs::UTF_16LE => Encoding::Utf16Le,
            Some(found) if found == encoding_rs::UTF_16BE => Encoding::Utf16Be,
            Some(found) if found == encoding_rs::WINDOWS_1252 => Encoding::Windows1252,
            Some(found) if found != encoding_rs::X_USER_DEFINED => Encoding::Other(found),
            _ => return Err(unknown(word)),
        })
    }
}

/// Why a name is not an encoding that can be read.
fn unknown(word: &str) -> String {
    let bare: String = word.to_ascii_lowercase();
    let bare: String = bare.chars().filter(char::is_ascii_alphanumeric).collect();
    if matches!(
        &*bare,
        "utf7" | "utf7imap" | "unicode11utf7" | "utf32" | "utf32le" | "utf32be"
    ) {
        return format!(
            "'{word}' cannot be read; convert the files first, for example with iconv -f {word} -t utf-8"
        );
    }
    format!(
        "unknown encoding '{word}'; use a name of the WHATWG Encoding Standard, such as utf-8, windows-1252, shift_jis, \
         gb18030, big5, euc-kr, koi8-r or iso-8859-2, or a code page of DOS, such as cp437 or cp850"
    )
}

impl Encoding {
    /// All encodings that a book can be said to be in.
    pub fn all() -> Vec<Encoding> {
        let named = [
            Encoding::Utf8,
            Encoding::Windows1252,
            Encoding::Utf16Le,
            Encoding::Utf16Be,
        ];
        let other = WHATWG.iter().map(|other| Encoding::Other(other));
        let dos = CodePage::all().map(Encoding::Dos);
        named.into_iter().chain(other).chain(dos).collect()
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
        !self.is_utf16() && !matches!(self, Encoding::Other(_) | Encoding::Dos(_))
    }

    /// The bytes of a line to normalise: they are converted to UTF-8, unless they are UTF-8 or windows-1252.
    pub(crate) fn normaliser_input(self, raw: &[u8], shift: ShiftState) -> Cow<'_, [u8]> {
        if self.is_utf8_or_latin() {
            return Cow::Borrowed(raw);
        }
        match self.decode(raw, shift) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }
    }

    /// The bytes of a line decoded for display, at most about `limit` of them. Not sanitised.
    pub fn display(self, raw: &[u8], limit: usize) -> Cow<'_, str> {
        self.display_from(raw, limit, ShiftState::default())
    }

    /// The same, for a line that begins in another state.
    pub(crate) fn display_from(self, raw: &[u8], limit: usize, shift: ShiftState) -> Cow<'_, str> {
        self.decode(&raw[..raw.len().min(limit.max(4) & !1)], shift)
    }

    /// Whether what bytes mean depends on the escape sequence before them.
    pub(crate) fn is_stateful(self) -> bool {
        self == Encoding::Other(encoding_rs::ISO_2022_JP)
    }

    /// Whether bytes are valid in this encoding.
    pub fn is_valid(self, raw: &[u8]) -> bool {
        match self {
            Encoding::Dos(page) => !page.decode(raw).contains(char::REPLACEMENT_CHARACTER),
            _ => !self.decoder().decode_without_bom_handling(raw).1,
        }
    }

    fn decode(self, raw: &[u8], shift: ShiftState) -> Cow<'_, str> {
        match self {
            Encoding::Dos(page) => page.decode(raw).into(),
            _ if self.is_stateful() => shift.decode(raw),
            _ => self.decoder().decode_without_bom_handling(raw).0,
        }
    }

    /// Number of bytes of a character in this encoding; 1 for one that it cannot hold.
    pub fn len_of(self, c: char) -> usize {
        match self {
            Encoding::Utf16Le | Encoding::Utf16Be => 2 * c.len_utf16(),
            Encoding::Windows1252 | Encoding::Dos(_) => 1,
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
            // Code pages are decoded by their own tables.
            Encoding::Windows1252 | Encoding::Dos(_) => encoding_rs::WINDOWS_1252,
            Encoding::Other(other) => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::EncodingChoice;

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
        for encoding in NAMED.iter().map(|(known, _)| *known).chain(Encoding::all()) {
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
            assert_eq!(EncodingChoice::Guessed.of_parts(&bytes, &bytes), found);
            let lines = bytes.split(|byte| *byte == b'\n');
            for (raw, line) in lines.zip(text.split('\n')) {
                let input = found.normaliser_input(raw, ShiftState::default());
                assert_eq!(input, line.as_bytes());
            }
        }
        let english = "Caf\u{e9} society was never as it seemed to be in those years\n".repeat(200);
        let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&english);
        assert_eq!(Encoding::guess(&bytes), Encoding::Windows1252);
    }

    #[test]
    fn code_pages_of_dos_and_windows_have_names_and_utf_7_is_refused() {
        let decoded = |name: &str, raw: &[u8]| {
            let encoding: Encoding = name.parse().unwrap();
            encoding.display(raw, 100).into_owned()
        };
        assert_eq!(decoded("cp437", b"caf\x82"), "caf\u{e9}");
        assert_eq!(decoded("IBM850", b"\xB5"), "\u{c1}");
        assert_eq!(decoded("cp852", b"\x88"), "\u{142}");
        assert_eq!(decoded("cp866", b"\x80"), "\u{410}");
        assert_eq!("cp932".parse(), Ok(Encoding::Other(encoding_rs::SHIFT_JIS)));
        for name in ["utf-7", "UTF7", "unicode-1-1-utf-7", "utf-32le"] {
            let refused = name.parse::<Encoding>().unwrap_err();
            assert!(refused.contains("cannot be read; convert"), "{refused}");
        }
        let unknown = "klingon".parse::<Encoding>().unwrap_err();
        assert!(
            unknown.starts_with("unknown encoding 'klingon'; use"),
            "{unknown}"
        );
    }

    #[test]
    fn lines_end_between_characters_in_every_encoding_whatever_the_bytes() {
        use crate::corpus::BookText;
        // Lead bytes before line ends, escape sequences that never end, and every byte after every lead byte.
        let mut hostile =
            b"\x81\r\n\x1b$B\x24\x22\n\x1b(B\x81\n\x8f\xa1\r\n\x81\x30\n\xff".to_vec();
        for byte in 0x20..=0xFF {
            hostile.extend([0x81, byte, 0xE0, byte]);
        }
        hostile.extend(b"\x1b$\r\r\n\x1b");
        let ends = memchr::memchr_iter(b'\n', &hostile).count() as u32;
        for encoding in Encoding::all().into_iter().filter(|of| !of.is_utf16()) {
            let choice = EncodingChoice::Forced(encoding);
            let text = BookText::in_encoding(hostile.clone(), choice);
            assert_eq!(text.lines(), ends + 1, "{encoding}");
            for line in 1..=text.lines() {
                let shown = text.display(line, usize::MAX);
                assert!(!shown.contains('\n'), "{encoding} line {line}: {shown:?}");
                let _ = text.normaliser_input(line);
            }
            assert_eq!(choice.of_parts(&hostile, &hostile), encoding);
        }
    }

    #[test]
    fn the_ends_of_a_book_give_the_encoding_of_the_whole() {
        let japanese =
            "\u{543e}\u{8f29}\u{306f}\u{732b}\u{3067}\u{3042}\u{308b}\u{3002}\n".repeat(300);
        let jis = encoding_rs::SHIFT_JIS.encode(&japanese).0.into_owned();
        let english = "a line of a long book without anything but letters\n"
            .repeat(3000)
            .into_bytes();
        let texts = [
            jis.clone(),
            // The first bytes alone would be taken for another script.
            [&jis[..3000], &english].concat(),
            [&english, &jis[..]].concat(),
            [&english, &b"\x1b$ escapes in ASCII\n"[..]].concat(),
            [&english, "\u{1b}$ \u{e9}\n".as_bytes()].concat(),
        ];
        for (at, bytes) in texts.iter().enumerate() {
            for choice in [
                EncodingChoice::Guessed,
                EncodingChoice::Settled(Encoding::Other(encoding_rs::SHIFT_JIS)),
            ] {
                let (whole, ends) = (choice.of(bytes), choice.of_parts(bytes, bytes));
                let same = whole == ends || whole.is_utf8_or_latin() && ends.is_utf8_or_latin();
                assert!(same, "text {at}: {whole} and {ends}");
            }
        }
    }
}
