//! Guessing the encoding of a file by its bytes, and what its collection is in.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use serde::{Deserialize, Serialize};

use super::Encoding;
use crate::lanes::count;

/// How the encoding of a book is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EncodingChoice {
    /// By its bytes alone.
    #[default]
    Guessed,
    /// By its bytes, and where these say too little it is the one that most books of its collection are in.
    Settled(Encoding),
    /// Someone said so, whatever its bytes look like.
    Forced(Encoding),
}

/// How many bytes of each end of a file a guess looks at: no more than is read of a long book that is only counted, so
/// that both ways agree.
pub(super) const GUESS_BYTES: usize = 48 << 10;

/// How many bytes are examined to recognise UTF-16: by a byte order mark or the positions of NULs.
pub(crate) const UTF16_SAMPLE: usize = 4096;

/// Fewest bytes beyond ASCII from which an encoding is guessed.
const MIN_HIGH_BYTES: usize = 40;

/// They must be at least one in this many of themselves and the ASCII letters.
const MIN_HIGH_SHARE: usize = 4;

/// The encodings of other scripts than Latin that their bytes show.
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

impl Encoding {
    /// Guesses the encoding of a file: byte order mark, pattern of NULs, valid UTF-8, else by the bytes of both its ends
    /// where these are surely of another script, else windows-1252.
    pub fn guess(bytes: &[u8]) -> Encoding {
        EncodingChoice::Guessed.of(bytes)
    }
}

impl EncodingChoice {
    /// The encoding of a book with these bytes.
    pub fn of(self, bytes: &[u8]) -> Encoding {
        match (self, bytes) {
            (EncodingChoice::Forced(encoding), _) => encoding,
            (_, [0xEF, 0xBB, 0xBF, rest @ ..]) if is_utf8(rest) => Encoding::Utf8Bom,
            _ if bytes.is_ascii() && memchr::memchr(0, bytes).is_none() => {
                sure_of_script(ends(bytes)).unwrap_or(Encoding::Ascii)
            }
            _ => utf16(bytes).unwrap_or_else(|| {
                if is_utf8(bytes) {
                    Encoding::Utf8
                } else {
                    self.of_ends(ends(bytes))
                }
            }),
        }
    }

    /// Like [`EncodingChoice::of`], for finding and decoding lines, given the first and the last bytes of a file only:
    /// ASCII and UTF-8 may be called windows-1252, which decodes their lines in the same way.
    pub(crate) fn of_parts(self, first: &[u8], last: &[u8]) -> Encoding {
        if let EncodingChoice::Forced(encoding) = self {
            return encoding;
        }
        let last = &last[last.len().saturating_sub(GUESS_BYTES)..];
        let first = &first[..first.len().min(GUESS_BYTES)];
        utf16(first).unwrap_or_else(|| self.of_ends((first, last)))
    }

    fn of_ends(self, ends: (&[u8], &[u8])) -> Encoding {
        let settled = || match self {
            EncodingChoice::Settled(encoding) => Some(encoding).filter(|of| may_be(*of, ends)),
            _ => None,
        };
        sure_of_script(ends)
            .or_else(settled)
            .unwrap_or(Encoding::Windows1252)
    }
}

/// The encoding of a file of another script than Latin, by its first and last bytes. A few bytes beyond ASCII prove
/// nothing, as every guesser is sure of them.
fn sure_of_script((first, last): (&[u8], &[u8])) -> Option<Encoding> {
    if first.is_ascii() && last.is_ascii() {
        return (has_escapes(first) || has_escapes(last))
            .then(|| detected(&[first, last]))
            .filter(|found| *found == encoding_rs::ISO_2022_JP)
            .map(Encoding::Other);
    }
    if is_cut_utf8(first) && is_cut_utf8(last) {
        return None;
    }
    let (high, letters) = (count_high(&[first, last]), count_letters(&[first, last]));
    if high < MIN_HIGH_BYTES || high * MIN_HIGH_SHARE < high + letters {
        return None;
    }
    let found = detected(&[first, last]);
    NOT_LATIN.contains(&found).then_some(Encoding::Other(found))
}

/// Whether a file of unsure encoding may be in the one that its collection is in: it has bytes beyond ASCII that are not
/// UTF-8, they are valid there, and either they are few or the detector does not know better.
fn may_be(settled: Encoding, (first, last): (&[u8], &[u8])) -> bool {
    if is_cut_utf8(first) && is_cut_utf8(last) {
        return false;
    }
    let is_valid = |part: &[u8]| {
        let high = |line: &&[u8]| !line.is_ascii();
        whole_lines(part)
            .filter(high)
            .all(|line| settled.is_valid(line))
    };
    if !is_valid(first) || !is_valid(last) {
        return false;
    }
    count_high(&[first, last]) < MIN_HIGH_BYTES || {
        let found = detected(&[first, last]);
        let latin = |of: &'static encoding_rs::Encoding| {
            of != encoding_rs::WINDOWS_1252 && !NOT_LATIN.contains(&of)
        };
        // The encodings of Central Europe, for example, are distinguished by the collection, not by one file.
        match settled {
            Encoding::Other(of) => of == found || (latin(of) && latin(found)),
            _ => false,
        }
    }
}

/// What the first bytes of a book say about the encoding of its collection; `None`: nothing.
pub(super) fn vote(first: &[u8]) -> Option<Encoding> {
    let first = &first[..first.len().min(GUESS_BYTES)];
    if let Some(found) = utf16(first).or_else(|| sure_of_script((first, &[]))) {
        return Some(found);
    }
    if is_cut_utf8(first) {
        return (!first.is_ascii()).then_some(Encoding::Utf8);
    }
    if count_high(&[first]) < MIN_HIGH_BYTES {
        return None;
    }
    // A book of a Latin script that quotes another one is no sign of it.
    let found = detected(&[first]);
    Some(
        match NOT_LATIN.contains(&found) || found == encoding_rs::WINDOWS_1252 {
            true => Encoding::Windows1252,
            false => Encoding::Other(found),
        },
    )
}

/// Whether a text changes to two-byte characters as ISO-2022-JP does.
fn has_escapes(part: &[u8]) -> bool {
    memchr::memmem::find(part, b"\x1b$").is_some()
}

/// The guess of the detector. One half of a character is enough for it to rule out the right encoding, so that it is given whole
/// lines only.
fn detected(parts: &[&[u8]]) -> &'static encoding_rs::Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    for part in parts {
        detector.feed(without_cut_lines(part), false);
    }
    detector.feed(&[], true);
    detector.guess(None, Utf8Detection::Deny)
}

/// An end of a file without its first and last line, if it is so long that it may begin or end within a character.
fn without_cut_lines(part: &[u8]) -> &[u8] {
    // Only files without LF have lines that end in CR.
    let line_end = if part.contains(&b'\n') { b'\n' } else { b'\r' };
    match part.len() < GUESS_BYTES {
        true => part,
        false => inner_lines(part, line_end),
    }
}

/// What is between the first and the last line end; all of a part where nothing is.
fn inner_lines(part: &[u8], line_end: u8) -> &[u8] {
    let ends = memchr::memchr(line_end, part).zip(memchr::memrchr(line_end, part));
    match ends {
        Some((first, last)) if first + 1 < last => &part[first + 1..last],
        _ => part,
    }
}

fn count_high(parts: &[&[u8]]) -> usize {
    let counts = parts.iter().map(|part| count(part, |byte| byte >= 0x80));
    counts.sum()
}

fn count_letters(parts: &[&[u8]]) -> usize {
    let is_letter = |byte: u8| (byte | 0x20).wrapping_sub(b'a') < 26;
    let counts = parts.iter().map(|part| count(part, is_letter));
    counts.sum()
}

/// The lines of a part of a file but for the first and the last, which may be cut; all of a part without two line ends.
fn whole_lines(part: &[u8]) -> impl Iterator<Item = &[u8]> {
    let whole = inner_lines(part, b'\n');
    whole.split(|byte| *byte == b'\n')
}

/// The first and the last bytes of a file, which may overlap.
fn ends(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = bytes.len().min(GUESS_BYTES);
    (&bytes[..length], &bytes[bytes.len() - length..])
}

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

/// Recognises UTF-16 by its byte order mark, or Western text in it: one byte of nearly every pair is NUL, always on the
/// same side.
pub(super) fn utf16(bytes: &[u8]) -> Option<Encoding> {
    match bytes {
        [0xFF, 0xFE, ..] => return Some(Encoding::Utf16Le),
        [0xFE, 0xFF, ..] => return Some(Encoding::Utf16Be),
        _ => {}
    }
    let sample = &bytes[..bytes.len().min(UTF16_SAMPLE) & !1];
    let nuls = |side: usize| {
        let side = sample.iter().skip(side).step_by(2);
        side.filter(|&&byte| byte == 0).count()
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
