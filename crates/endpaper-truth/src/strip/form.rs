//! The bytes that go out: those of the source, or the same text with another encoding or other line ends.

use std::borrow::Cow;
use std::ops::Range;

use endpaper_text::corpus::{BookText, Encoding};
use endpaper_text::named_enum;

/// The encoding of what goes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OutEncoding {
    /// The source's bytes.
    #[default]
    Keep,
    /// UTF-8 without a byte order mark.
    Utf8,
}

named_enum!(OutEncoding, "encoding of bodies", {
    Keep => "keep",
    Utf8 => "utf-8",
});

/// The line ends of what goes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OutNewline {
    /// The source's.
    #[default]
    Keep,
    /// LF.
    Lf,
    /// CR LF.
    CrLf,
}

named_enum!(OutNewline, "line end of bodies", {
    Keep => "keep",
    Lf => "lf",
    CrLf => "crlf",
});

/// The encoding and line ends of written bodies; by default those of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OutForm {
    /// The encoding.
    pub encoding: OutEncoding,
    /// The line ends.
    pub newline: OutNewline,
}

impl OutForm {
    /// The bytes of some ranges of whole lines.
    ///
    /// A line that is not valid UTF-8 is read as windows-1252, as counting reads it: a few such lines do not spoil a file
    /// in UTF-8. A last line without an end gets none.
    pub fn bytes(self, text: &BookText, ranges: &[Range<usize>]) -> Vec<u8> {
        let mut out = Vec::with_capacity(ranges.iter().map(Range::len).sum());
        for range in ranges.iter().filter(|range| !range.is_empty()) {
            if self == OutForm::default() {
                out.extend_from_slice(&text.bytes()[range.clone()]);
                continue;
            }
            for line in text.line_at(range.start)..=text.line_at(range.end - 1) {
                self.put(text, line, &mut out);
            }
        }
        out
    }

    /// Appends a line in this form.
    fn put(self, text: &BookText, line: u32, out: &mut Vec<u8>) {
        let raw = text.raw(line);
        let ending = &text.bytes()[text.span(line, line)][raw.len()..];
        let encoding = match self.encoding {
            OutEncoding::Keep => {
                out.extend_from_slice(raw);
                text.encoding()
            }
            OutEncoding::Utf8 => {
                out.extend_from_slice(&utf8(text, line));
                Encoding::Utf8
            }
        };
        if ending.is_empty() {
            return;
        }
        match (self.newline, self.encoding) {
            (OutNewline::Lf, _) => put_ascii(b"\n", encoding, out),
            (OutNewline::CrLf, _) => put_ascii(b"\r\n", encoding, out),
            (OutNewline::Keep, OutEncoding::Keep) => out.extend_from_slice(ending),
            // The units of an ending are ASCII in every encoding; those of UTF-16 have a NUL beside them.
            (OutNewline::Keep, OutEncoding::Utf8) => {
                out.extend(ending.iter().filter(|byte| **byte != 0));
            }
        }
    }
}

/// One line in UTF-8, without a byte order mark.
fn utf8(text: &BookText, line: u32) -> Cow<'_, [u8]> {
    let countable = text.normaliser_input(line);
    if simdutf8::basic::from_utf8(&countable).is_ok() {
        return countable;
    }
    let (decoded, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&countable);
    Cow::Owned(decoded.into_owned().into_bytes())
}

/// Appends an ASCII line ending in the encoding.
fn put_ascii(ending: &[u8], encoding: Encoding, out: &mut Vec<u8>) {
    for &byte in ending {
        match encoding {
            Encoding::Utf16Le => out.extend([byte, 0]),
            Encoding::Utf16Be => out.extend([0, byte]),
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn form(encoding: OutEncoding, newline: OutNewline) -> OutForm {
        OutForm { encoding, newline }
    }

    fn whole(form: OutForm, bytes: &[u8]) -> Vec<u8> {
        let text = BookText::new(bytes.to_vec());
        form.bytes(&text, &[text.span(1, text.lines())])
    }

    #[test]
    fn encodings_and_line_ends_change_only_where_asked() {
        use OutEncoding::{Keep as Bytes, Utf8};
        use OutNewline::{CrLf, Keep, Lf};
        let table: &[(&[u8], OutEncoding, OutNewline, &[u8])] = &[
            (b"caf\xE9\r\nb", Bytes, Keep, b"caf\xE9\r\nb"),
            (b"caf\xE9\r\nb", Bytes, Lf, b"caf\xE9\nb"),
            (b"caf\xE9\r\nb", Utf8, Keep, b"caf\xC3\xA9\r\nb"),
            (b"caf\xE9\r\r\nb\n", Utf8, Lf, b"caf\xC3\xA9\nb\n"),
            (
                b"caf\xE9\ncaf\xC3\xA9\n",
                Utf8,
                Lf,
                b"caf\xC3\xA9\ncaf\xC3\xA9\n",
            ),
            (b"a\nb\r\n\n", Bytes, CrLf, b"a\r\nb\r\n\r\n"),
            (b"a\rb\r", Bytes, Lf, b"a\nb\n"),
            (b"a\rb\nc", Bytes, Lf, b"a\rb\nc"),
            (b"\xEF\xBB\xBFa\r\n", Bytes, Lf, b"\xEF\xBB\xBFa\n"),
            (b"\xEF\xBB\xBFa\r\n", Utf8, Lf, b"a\n"),
            (b"\x80 1\x81\n", Utf8, Lf, "\u{20ac} 1\u{81}\n".as_bytes()),
            (b"\xFF\xFEa\0\r\0\n\0\xE9\0", Utf8, Keep, b"a\r\n\xC3\xA9"),
            (b"\xFF\xFEa\0\r\0\n\0b\0", Bytes, Lf, b"\xFF\xFEa\0\n\0b\0"),
            (
                b"\xFE\xFF\0a\0\n\0b",
                Bytes,
                CrLf,
                b"\xFE\xFF\0a\0\r\0\n\0b",
            ),
        ];
        for (source, encoding, newline, expected) in table {
            let found = whole(form(*encoding, *newline), source);
            assert_eq!(
                found.escape_ascii().to_string(),
                expected.escape_ascii().to_string(),
                "{} {encoding} {newline}",
                source.escape_ascii()
            );
        }
    }

    #[test]
    fn only_the_lines_of_the_ranges_go_out() {
        let text = BookText::new(b"a\r\nb\r\nc\r\nd\r\n".to_vec());
        let ranges = [text.span(2, 2), text.span(3, 2), text.span(4, 4)];
        let lf = form(OutEncoding::Keep, OutNewline::Lf);
        assert_eq!(lf.bytes(&text, &ranges), b"b\nd\n");
    }

    proptest! {
        #[test]
        fn every_text_becomes_valid_and_keeps_its_lines(bytes in proptest::collection::vec(prop_oneof![
            Just(b'\n'), Just(b'\r'), Just(b'a'), any::<u8>()
        ], 0..60)) {
            let text = BookText::new(bytes.clone());
            let out = whole(form(OutEncoding::Utf8, OutNewline::Lf), &bytes);
            prop_assert!(std::str::from_utf8(&out).is_ok());
            prop_assert_eq!(whole(OutForm::default(), &bytes), bytes);
            // A NUL pattern can turn the result into another encoding's; then its lines are not to be compared.
            let again = BookText::new(out);
            if !again.encoding().is_utf16() && !text.encoding().is_utf16() && text.lines() > 1 {
                prop_assert_eq!(again.lines(), text.lines());
            }
        }
    }
}
