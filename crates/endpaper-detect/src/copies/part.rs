//! Reads the part of a book that is compared, as text.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::words::runs;
use super::{Fingerprint, Fingerprinter};
use endpaper_text::corpus::BookText;

/// The fingerprint of lines `first..=last` of a book; `None` if they are too short for one.
///
/// A line that is not valid UTF-8 is read as windows-1252, as when lines are counted; a byte order mark is skipped.
pub fn fingerprint_lines(
    printer: &mut Fingerprinter,
    text: &BookText,
    first: u32,
    last: u32,
) -> Option<Fingerprint> {
    each_piece(text, first, last, |piece| printer.push(piece));
    printer.finish()
}

/// A text of which only letters and digits are left, without their accents, and a blank for anything else: editions of one text
/// differ in quotation marks, dashes, accents and signs of emphasis.
///
/// ```
/// assert_eq!(endpaper_detect::copies::folded("\u{201c}_Caf\u{e9}_\u{201d}"), "  Cafe  ");
/// ```
pub fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_into(text, &mut folded);
    folded
}

/// Appends a text as [`folded`] returns it.
pub(super) fn fold_into(text: &str, folded: &mut String) {
    let letter = |c: char| if c.is_alphanumeric() { c } else { ' ' };
    for (is_ascii, run) in runs(text) {
        match is_ascii {
            true => folded.extend(run.chars().map(letter)),
            false => {
                let letters = run.nfd().filter(|c| !is_combining_mark(*c));
                folded.extend(letters.map(letter));
            }
        }
    }
}

/// Lines `first..=last` of a book as text, decoded as [`fingerprint_lines`] reads them.
pub fn text_of_lines(text: &BookText, first: u32, last: u32) -> String {
    let mut out = String::new();
    each_piece(text, first, last, |piece| out.push_str(piece));
    out
}

/// Calls `each` with lines `first..=last` of a book, in pieces that are as large as possible.
pub(super) fn each_piece(text: &BookText, first: u32, last: u32, mut each: impl FnMut(&str)) {
    let (first, last) = (first.max(1), last.min(text.lines()));
    if first > last {
        return;
    }
    if text.encoding().is_utf8_or_latin() {
        let bytes = &text.bytes()[text.span(first, last)];
        let bytes = match bytes.strip_prefix(text.encoding().byte_order_mark()) {
            Some(rest) if first == 1 => rest,
            _ => bytes,
        };
        if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
            each(text);
            return;
        }
    }
    for line in first..=last {
        let raw = text.normaliser_input(line);
        match simdutf8::basic::from_utf8(&raw) {
            Ok(line) => each(line),
            Err(_) => {
                let (line, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&raw);
                each(&line);
            }
        }
        each("\n");
    }
}

#[cfg(test)]
mod tests {
    use super::super::FingerprintShape;
    use super::*;

    #[test]
    fn encodings_marks_and_line_ends_do_not_matter() {
        let story: String = (0..90)
            .map(|n| format!("Kapitel {n}: Größe, Übermut & Café № {}\n", n * n))
            .collect();
        let story = story.replace('№', "§");
        let wide = |unit: fn(u16) -> [u8; 2], mark: u16| {
            let units = std::iter::once(mark).chain(story.encode_utf16());
            units.flat_map(unit).collect::<Vec<u8>>()
        };
        let bytes = [
            story.clone().into_bytes(),
            format!("\u{feff}{story}").into_bytes(),
            story.replace('\n', "\r\n").into_bytes(),
            encoding_rs::WINDOWS_1252.encode(&story).0.into_owned(),
            wide(u16::to_le_bytes, 0xFEFF),
            wide(u16::to_be_bytes, 0xFEFF),
        ];
        let mut printer = Fingerprinter::new(FingerprintShape::default());
        let expected = printer.of(&story);
        assert!(expected.is_some());
        let some: Vec<&str> = story.lines().skip(19).take(61).collect();
        let part = printer.of(&some.join("\n"));
        for bytes in bytes {
            let text = BookText::new(bytes);
            let encoding = text.encoding();
            assert_eq!(
                fingerprint_lines(&mut printer, &text, 1, u32::MAX),
                expected,
                "{encoding}"
            );
            assert_eq!(
                fingerprint_lines(&mut printer, &text, 1, 90),
                expected,
                "{encoding}"
            );
            assert_eq!(
                fingerprint_lines(&mut printer, &text, 20, 80),
                part,
                "{encoding}"
            );
            let lines = text_of_lines(&text, 20, 80);
            assert_eq!(printer.of(&lines), part, "{encoding}");
            for (first, last) in [(91, 95), (7, 6), (0, 0), (u32::MAX, u32::MAX)] {
                assert_eq!(
                    fingerprint_lines(&mut printer, &text, first, last),
                    None,
                    "{encoding}"
                );
            }
        }
    }

    #[test]
    fn quotation_marks_dashes_accents_and_emphasis_do_not_matter() {
        let table = [
            (
                "\u{201c}Yes,\u{201d} he said\u{2014}no",
                "\"Yes,\" he said--no",
            ),
            ("caf\u{e9} na\u{ef}ve", "cafe naive"),
            ("cafe\u{301}", "caf\u{e9}"),
            ("_very_ well", " very  well"),
        ];
        let words = |text: &str| {
            let folded = folded(text);
            folded.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        for (one, other) in table {
            assert_eq!(words(one), words(other), "{one}");
        }
        assert_ne!(words("chapter 1"), words("chapter 2"));
    }
}
